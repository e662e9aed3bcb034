// SPDX-License-Identifier: MIT
// Node's worker threads: the worker that the package starts itself, and one that the caller starts.
import { Worker } from 'node:worker_threads';
import { createPackscopeWorker } from 'packscope/worker';

const documents = [
  [11, 12, 13, 14, 15],
  [21, 22],
  [31, 32, 33],
];

async function fingerprint(options) {
  const packscope = createPackscopeWorker(options);
  const plan = await packscope.pack(documents, { contextLength: 8 });
  packscope.dispose();
  return plan.fingerprint;
}

const createWorker = () => new Worker(new URL(import.meta.resolve('packscope/worker-entry.js')));
console.log(JSON.stringify({ own: await fingerprint(), given: await fingerprint({ createWorker }) }));
