// SPDX-License-Identifier: MIT
// Packs with every entry of the package and shows what came out, as JSON.
const documents = [
  [11, 12, 13, 14, 15],
  [21, 22],
  [31, 32, 33],
];
const options = { contextLength: 8 };

function evaluates() {
  try {
    return Boolean(new Function('return true')());
  } catch {
    return false;
  }
}

export async function run({ pack, createPackscope, createPackscopeWorker, wasmUrl }) {
  const slim = await createPackscope({ url: wasmUrl });
  const worker = createPackscopeWorker();
  const result = {
    here: pack(documents, options).fingerprint,
    slim: slim.pack(documents, options).fingerprint,
    worker: (await worker.pack(documents, options)).fingerprint,
    evaluates: evaluates(),
  };
  worker.dispose();
  document.querySelector('#result').textContent = JSON.stringify(result);
}
