// SPDX-License-Identifier: MIT
// What a strict TypeScript user writes: only compiled, by both ways of finding modules.
import type { Batch, Plan } from 'packscope';
import { materialize, PackStream, PackscopeError, pack, packStream } from 'packscope';
import { createPackscope } from 'packscope/slim';
import type { WorkerPackscope } from 'packscope/worker';
import { createPackscopeWorker } from 'packscope/worker';

const documents = [Int32Array.of(1, 2), Int32Array.of(3)];
const plan: Plan = pack(documents, { contextLength: 8, algorithm: 'best_fit' });
export const narrow: Int32Array = materialize(plan, documents).input_ids;
export const wide: BigInt64Array = materialize(plan, documents, { int64: true }).input_ids;

// @ts-expect-error lengths alone give no input_ids
materialize(plan, Uint32Array.of(2, 1)).input_ids;
// @ts-expect-error there is no such algorithm
pack(documents, { algorithm: 'best' });
// @ts-expect-error options are written in camelCase
pack(documents, { context_length: 8 });

export async function everyEntry(module: WebAssembly.Module): Promise<string> {
  const slim = await createPackscope({ module });
  const worker: WorkerPackscope = createPackscopeWorker();
  const far: Plan = await worker.with({ signal: AbortSignal.timeout(1000) }).pack(documents);
  for await (const batch of packStream(documents, { algorithm: 'wrap' })) {
    const labels: Int32Array = batch.labels;
    labels.fill(0);
  }
  const through: ReadableStream<Batch> = new ReadableStream<number[]>().pipeThrough(new PackStream());
  await through.cancel();
  return slim.pack(documents).fingerprint + far.fingerprint;
}

export function codeOf(error: unknown): string {
  return error instanceof PackscopeError ? `${error.code} ${error.document ?? ''} ${error.remedy}` : 'unknown';
}
