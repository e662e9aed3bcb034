// SPDX-License-Identifier: MIT
// ES modules in Node: the default entry, and the slim one over a file of the package.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pack } from 'packscope';
import { createPackscope, simdSupported } from 'packscope/slim';

const documents = [
  [11, 12, 13, 14, 15],
  [21, 22],
  [31, 32, 33],
];
const options = { contextLength: 8 };
const file = import.meta.resolve(`packscope/packscope.${simdSupported() ? 'simd' : 'scalar'}.wasm`);
const slim = await createPackscope({ bytes: await readFile(fileURLToPath(file)) });
console.log(
  JSON.stringify({
    here: pack(documents, options).fingerprint,
    slim: slim.pack(documents, options).fingerprint,
  }),
);
