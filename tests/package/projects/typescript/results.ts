// SPDX-License-Identifier: MIT
// What results are, as far as the types of arguments say it: exactly where those are literal, everything that it may
// be where they are wide. Only compiled.
import type { AnyPlan, Batch, DocumentRecord, Documents, MaterializeOptions, Plan, StreamOptions } from 'packscope';
import * as packscope from 'packscope';
import type { WorkerPackscope } from 'packscope/worker';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expect<Expected>(): <Actual>(value: Actual, equal: Equal<Actual, Expected>) => void;

type Int32 = Int32Array<ArrayBuffer>;
type Int64 = BigInt64Array<ArrayBuffer>;

declare const flag: boolean;
declare const name: string;
declare const plan: Plan;
declare const anyDocuments: Documents;
declare const options: MaterializeOptions;
declare const manyShapes: Iterable<number[]> | AsyncGenerator<{ tokens: Int32Array }> | ReadableStream<Uint16Array>;
const tokens = [[1, 2], [3]];
const lengths = [3, 1];

export function materialized(): void {
  const { materialize } = packscope;
  expect<Int32>()(materialize(plan, tokens).input_ids, true);
  expect<Int32>()(materialize(plan, tokens, { int64: false }).input_ids, true);
  expect<Int64>()(materialize(plan, tokens, { int64: true }).input_ids, true);
  expect<Int32 | Int64>()(materialize(plan, tokens, { int64: flag }).input_ids, true);
  const wide = { int64: true };
  expect<Int32 | Int64>()(materialize(plan, tokens, wide).doc_ids, true);
  expect<Int32 | Int64>()(materialize(plan, tokens, { [name]: true }).doc_ids, true);
  expect<Int32 | Int64>()(materialize(plan, tokens, flag ? { int64: true } : {}).doc_ids, true);

  const two = materialize(plan, tokens, { arrays: ['doc_ids', 'cu_seqlens'] });
  expect<Int32>()(two.doc_ids, true);
  expect<Int32>()(two.max_seqlen, true);
  // @ts-expect-error not asked for
  two.labels;
  const either = materialize(plan, tokens, { arrays: ['labels', flag ? 'doc_ids' : 'segment_ids'] });
  expect<Int32>()(either.labels, true);
  expect<Int32 | undefined>()(either.doc_ids, true);
  // @ts-expect-error not asked for
  either.loss_mask;
  const listed = materialize(plan, tokens, { arrays: ['labels'] as 'labels'[] });
  expect<Int32 | undefined>()(listed.labels, true);
  const perhaps = materialize(plan, tokens, flag ? { arrays: ['labels'] } : {});
  expect<Int32>()(perhaps.labels, true);
  expect<Int32 | undefined>()(perhaps.doc_ids, true);

  const known = { int64: true, arrays: ['labels'] } as const;
  expect<Int64>()(materialize(plan, tokens, known).labels, true);
  const unknown = materialize(plan, tokens, options);
  expect<Int32 | Int64 | undefined>()(unknown.input_ids, true);
  expect<Uint32Array<ArrayBuffer> | undefined>()(unknown.cu_seqlens_offsets, true);
  expect<number>()(unknown.windowCount, true);

  // @ts-expect-error lengths have no tokens
  materialize(plan, lengths).labels;
  // @ts-expect-error lengths have no tokens
  materialize(plan, { lengths }).input_ids;
  expect<Int32>()(materialize(plan, lengths).doc_ids, true);
  expect<Int32>()(materialize(plan, { documents: tokens }).input_ids, true);
  expect<Int32>()(materialize(plan, { tokens: [1, 2], offsets: [0, 2] }).input_ids, true);
  expect<Int32 | undefined>()(materialize(plan, anyDocuments).input_ids, true);
  expect<Int32>()(materialize(plan, anyDocuments).doc_ids, true);
}

export async function streamed(records: DocumentRecord[], wide: StreamOptions): Promise<void> {
  const { createPackStream, createSession, PackStream, packStream } = packscope;
  for await (const batch of packStream(tokens)) expect<Int32>()(batch.input_ids, true);
  for await (const batch of packStream([{ tokens: [1, 2] }])) expect<Int32>()(batch.labels, true);
  for await (const batch of packStream(tokens, { int64: true })) expect<Int64>()(batch.input_ids, true);
  // @ts-expect-error lengths have no tokens
  for await (const batch of packStream(lengths)) batch.input_ids;
  // @ts-expect-error lengths have no tokens
  for await (const batch of packStream([{ length: 3 }])) batch.input_ids;
  for await (const batch of packStream(lengths)) expect<Int32>()(batch.doc_ids, true);
  for await (const batch of packStream(records)) expect<Int32 | undefined>()(batch.input_ids, true);
  for await (const batch of packStream(manyShapes)) expect<Int32>()(batch.input_ids, true);
  for await (const batch of packStream(tokens, wide)) expect<Int32 | Int64 | undefined>()(batch.doc_ids, true);

  const readable = new ReadableStream<number[]>();
  const through = readable.pipeThrough(new PackStream({ int64: true }));
  for await (const batch of packStream(readable)) expect<Int32>()(batch.input_ids, true);
  expect<Int64 | undefined>()((await through.getReader().read()).value?.input_ids, true);
  expect<Int32 | undefined>()((await readable.pipeThrough(createPackStream()).getReader().read()).value?.labels, true);

  using session = createSession({ int64: true });
  session.push(tokens);
  session.push(lengths);
  for (const batch of session.take(1)) expect<Int64>()(batch.doc_ids, true);
  for (const batch of session.take(1)) expect<Int64 | undefined>()(batch.input_ids, true);
  using unknown = createSession(wide);
  for (const batch of unknown.take(1)) expect<Int32 | Int64 | undefined>()(batch.doc_ids, true);
  using ofTokens: packscope.PackSession<{ int64: true }, number[]> = createSession({ int64: true });
  for (const batch of ofTokens.take(1)) expect<Int64>()(batch.input_ids, true);
  // @ts-expect-error a session of the default options gives no BigInt64Array
  const wrong: packscope.PackSession = createSession({ int64: true });
  wrong.dispose();
}

export function others(format: packscope.MaskFormat, values: Float32Array | Int32Array): void {
  const { attentionMask, packFlat, toTraining, unpack } = packscope;
  expect<Uint8Array<ArrayBuffer>>()(attentionMask(plan).data, true);
  expect<Float32Array<ArrayBuffer>>()(attentionMask(plan, { format: 'float32' }).data, true);
  const mask = attentionMask(plan, flag ? { format: 'float16' } : {});
  expect<Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>()(mask.data, true);
  expect<'boolean' | 'float16'>()(mask.format, true);
  expect<packscope.MaskFormat>()(attentionMask(plan, { format }).format, true);
  const flat = packFlat(tokens);
  expect<Int32>()(toTraining(flat).input_ids, true);
  expect<Int64>()(toTraining(flat, { int64: true }).input_ids, true);
  expect<Int32 | Int64>()(toTraining(flat, { int64: flag }).input_ids, true);
  expect<Map<number, Float32Array<ArrayBuffer> | Int32>>()(unpack(plan, values), true);
}

export async function inWorker(worker: WorkerPackscope): Promise<void> {
  expect<Int32 | Int64>()((await worker.materialize(plan, tokens, { int64: flag })).doc_ids, true);
  expect<Int32>()((await worker.toTraining(await worker.packFlat(tokens))).input_ids, true);
  using session = await worker.createSession({ int64: true });
  for (const batch of await session.take(1)) expect<Int64>()(batch.doc_ids, true);
  expect<Uint16Array<ArrayBuffer>>()((await worker.attentionMask(plan, { format: 'bfloat16' })).data, true);
}

// Results can be moved, and written to files, as they are.
export function moved(port: MessagePort, worker: WorkerPackscope): Blob {
  const made: Plan = packscope.pack(tokens);
  const batch: Batch = packscope.materialize(made, tokens);
  const { trace } = packscope.trace(tokens);
  const groups = packscope.groupByLength(tokens, { maxRows: 2 });
  port.postMessage(made, [made.segment_document.buffer, trace.room.buffer, groups.order.buffer]);
  worker.with({ transfer: [made.segment_document.buffer, batch.filler.buffer] });
  return new Blob([batch.input_ids, packscope.packFlat(tokens).tokens, packscope.cuSeqlens(made).cu_seqlens]);
}

// Arguments may lie in shared memory.
export function shared(array: Uint32Array<SharedArrayBuffer>, more: Uint32Array): void {
  const inShared: AnyPlan = { ...plan, segment_document: array, segment_length: more };
  packscope.materialize(inShared, array);
  packscope.stats(inShared, array);
  packscope.pack(array, { reuse: inShared });
  packscope.unpack(inShared, new Float32Array(new SharedArrayBuffer(8)));
  packscope.restore({ ...packscope.groupByLength(array, { maxRows: 1 }), order: array }, [1]);
}
