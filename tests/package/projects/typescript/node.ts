// SPDX-License-Identifier: MIT
// What a user in Node writes, without the types of browsers: only compiled.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createSession, materialize, PackStream, pack } from 'packscope';
import { createPackscope } from 'packscope/slim';
import { createPackscopeWorker } from 'packscope/worker';

const documents = [Int32Array.of(1, 2), Int32Array.of(3)];

export async function everyEntry(url: URL): Promise<string> {
  const slim = await createPackscope({ bytes: new Uint8Array(readFileSync(url)) });
  using worker = createPackscopeWorker({ createWorker: () => new Worker(url) });
  using session = createSession({ windowsPerBatch: 2 });
  session.push(documents);
  const through = new ReadableStream<Int32Array>().pipeThrough(new PackStream());
  for await (const batch of through) batch.input_ids.fill(0);
  const ids: Int32Array<ArrayBuffer> = materialize(pack(documents), documents).input_ids;
  return slim.pack(documents).fingerprint + (await worker.pack(documents)).fingerprint + ids.length;
}
