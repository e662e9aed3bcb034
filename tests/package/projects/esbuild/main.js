// SPDX-License-Identifier: MIT
// Bundled by esbuild into one file for Node, the worker's file beside it.
import { Worker } from 'node:worker_threads';
import { pack } from 'packscope';
import { createPackscopeWorker } from 'packscope/worker';

const documents = [
  [11, 12, 13, 14, 15],
  [21, 22],
  [31, 32, 33],
];
const options = { contextLength: 8 };
const worker = createPackscopeWorker({ createWorker: () => new Worker(new URL('./worker-entry.js', import.meta.url)) });
const far = await worker.pack(documents, options);
worker.dispose();
console.log(JSON.stringify({ here: pack(documents, options).fingerprint, worker: far.fingerprint }));
