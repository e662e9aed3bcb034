// SPDX-License-Identifier: MIT
// Packs JSON lines of token ids in Node and writes the arrays that a trainer loads, as .npy files.
//
//   node node-jsonl.mjs documents.jsonl OUT [CONTEXT_LENGTH]     each line: {"input_ids": [1, 2, 3]}
import { appendFileSync, createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { materialize, pack, stats } from 'packscope';

const arrays = ['input_ids', 'labels', 'position_ids', 'segment_ids', 'loss_mask'];
const windowsAtOnce = 256;

async function readDocuments(path) {
  const documents = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (line.trim() !== '') documents.push(Int32Array.from(JSON.parse(line).input_ids));
  }
  return documents;
}

// The header of a .npy file: text that says what follows, ended so that the data begins at a multiple of 64.
function npyHeader(type, shape) {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
  const bytesBefore = 10;
  const size = Math.ceil((bytesBefore + text.length + 1) / 64) * 64 - bytesBefore;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, size & 0xff, size >> 8]);
  return Buffer.concat([start, Buffer.from(`${text.padEnd(size - 1)}\n`)]);
}

function writeArrays(folder, plan, documents) {
  const windowCount = plan.window_offsets.length - 1;
  const file = (name) => join(folder, `${name}.npy`);
  for (const name of arrays) {
    const type = name === 'loss_mask' ? '|u1' : '<i4';
    writeFileSync(file(name), npyHeader(type, [windowCount, plan.options.contextLength]));
  }
  // A few windows at a time, so that the arrays of all of them never have to fit into memory.
  for (let first = 0; first < windowCount; first += windowsAtOnce) {
    const windows = [first, Math.min(first + windowsAtOnce, windowCount)];
    const batch = materialize(plan, documents, { windows, arrays });
    for (const name of arrays) appendFileSync(file(name), new Uint8Array(batch[name].buffer));
  }
}

const [input, folder, contextLength = '2048'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node node-jsonl.mjs documents.jsonl OUT [CONTEXT_LENGTH]');
  process.exit(2);
}
const documents = await readDocuments(input);
const plan = pack(documents, { contextLength: Number(contextLength), shuffleWindows: true });
mkdirSync(folder, { recursive: true });
writeArrays(folder, plan, documents);
const { windows, realTokenShare } = stats(plan, documents);
console.log(`${documents.length} documents in ${windows} windows, ${(100 * realTokenShare).toFixed(2)}% real tokens`);
console.log(`${plan.ledger.droppedDocuments} dropped, ${plan.ledger.tokensDropped} tokens in no window`);
console.log(`fingerprint ${plan.fingerprint}`);
