// SPDX-License-Identifier: MIT
// Streams give what pack() and materialize() give, whatever the shape of the stream.
import fc from 'fast-check';
import type { Batch, DocumentRecord, PackedStream, StreamOptions, TokenRecord } from 'packscope';
import { createPackStream, createSession, materialize, PackStream, PackscopeError, pack, packStream } from 'packscope';
import { describe, expect, test } from 'vitest';

import { randomCase } from './random-case.js';

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const batches: T[] = [];
  for await (const batch of stream) batches.push(batch);
  return batches;
}

type Joined = 'input_ids' | 'labels' | 'position_ids' | 'doc_ids' | 'loss_mask';
const joined = <N extends Joined>(batches: Pick<Batch, N>[], name: N) =>
  batches.flatMap((batch) => Array.from(batch[name]));

async function* slowly<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield item;
}

function readable<T>(items: readonly T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

const documents = [[11, 12, 13], [21, 22], [31], [41, 42, 43, 44, 45], [51]];
test('documents that are refilled, fields in any order, and pieces in any order come out as they went in', async () => {
  const refilled = Int32Array.of(1, 2, 3);
  const session = createSession({ contextLength: 4, algorithm: 'wrap' });
  session.push([refilled]);
  refilled.fill(9);
  session.push([refilled]);
  session.finish();
  expect(session.take().flatMap(({ input_ids }) => [...(input_ids ?? [])])).toEqual([1, 2, 3, 9, 9, 9, 0, 0]);

  const a = Int32Array.of(1);
  const b = Uint8Array.of(2);
  const records = [
    { tokens: [5], fields: { a, b } },
    { tokens: [6], fields: { b, a } },
  ];
  const [batch] = await collect(packStream(records, { contextLength: 2, algorithm: 'wrap' }));
  expect(batch?.fields).toEqual({ a: Int32Array.of(1, 1), b: Uint8Array.of(2, 2) });

  const split = { contextLength: 2, algorithm: 'first_fit_shuffle', longDocuments: 'split' } as const;
  for (let seed = 0; seed < 20; seed += 1) {
    const documents = Array.from({ length: 12 }, (_, d) =>
      Array.from({ length: 1 + ((d * 7) % 5) }, (_, t) => 10 * d + t),
    );
    const whole = materialize(pack(documents, { ...split, seed }), documents);
    const batches = await collect(packStream(documents, { ...split, seed }));
    expect(batches.flatMap(({ input_ids }) => [...input_ids])).toEqual([...whole.input_ids]);
  }
});

const options = { contextLength: 4, algorithm: 'best_fit', longDocuments: 'split' } satisfies StreamOptions;

describe('packStream', () => {
  test('gives the windows of pack() on random documents and options', async () => {
    await fc.assert(
      fc.asyncProperty(randomCase, fc.integer({ min: 1, max: 5 }), async (given, windowsPerBatch) => {
        const { shuffleDocuments, shuffleWindows, dropDuplicates, ...streamed } = given.options;
        const records: TokenRecord[] = given.documents.documents.map((tokens, i) => ({
          tokens,
          source: (given.documents.sources as string[])[i] as string,
          promptLength: (given.documents.promptLengths as number[])[i] as number,
        }));
        const sources = ['code', 'chat', 'web'];
        const indices = (given.documents.sources as string[]).map((name) => sources.indexOf(name));
        const whole = { ...given.documents, sources: { names: sources, indices } };
        let plan: ReturnType<typeof pack>;
        try {
          plan = pack(whole, streamed);
        } catch (error) {
          await expect(collect(packStream(records, { ...streamed, sources }))).rejects.toMatchObject({
            code: (error as PackscopeError).code,
          });
          return;
        }
        const stream = packStream(records, { ...streamed, sources, windowsPerBatch });
        const batches = await collect(stream);
        const batch = materialize(plan, whole);
        for (const name of ['input_ids', 'labels', 'position_ids', 'doc_ids', 'loss_mask'] as const) {
          expect(joined(batches, name), name).toEqual(Array.from(batch[name]));
        }
        expect(stream.summary?.ledger).toEqual(plan.ledger);
        expect(stream.summary?.ledgerBySource).toEqual(plan.ledgerBySource);
        expect(batches.slice(0, -1).every(({ windowCount }) => windowCount === windowsPerBatch)).toBe(true);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  test.each([
    ['an array', () => documents],
    ['a generator', () => documents.values()],
    ['an async generator', () => slowly(documents)],
    ['a ReadableStream', () => readable(documents)],
    ['typed arrays', () => documents.map((tokens) => Int32Array.from(tokens))],
    ['records', () => documents.map((tokens) => ({ tokens }))],
  ])('reads %s', async (_, make) => {
    const expected = materialize(pack(documents, options), documents).input_ids;
    expect(joined(await collect(packStream(make(), options)), 'input_ids')).toEqual(Array.from(expected));
  });

  test('plans lengths without input_ids', async () => {
    const batches = await collect(packStream([3, { length: 2 }, 1], { contextLength: 4, algorithm: 'next_fit' }));
    expect(joined(batches, 'doc_ids')).toEqual([0, 0, 0, -1, 1, 1, 2, -1]);
    expect(batches[0]).not.toHaveProperty('input_ids');
  });

  test('gives a window as soon as it closes', async () => {
    let read = 0;
    const endless = (function* () {
      for (;;) {
        read += 1;
        yield [1, 2, 3, 4];
      }
    })();
    for await (const batch of packStream(endless, { contextLength: 4, algorithm: 'next_fit' })) {
      expect(Array.from(batch.input_ids)).toEqual([1, 2, 3, 4]);
      break;
    }
    expect(read).toBeLessThan(4);
  });

  test('gives int64 arrays on request', async () => {
    const stream: PackedStream<{ int64: true }> = packStream(documents, { contextLength: 8, int64: true });
    for await (const batch of stream) expect(batch.input_ids).toBeInstanceOf(BigInt64Array);
  });

  test.each([
    ['a fractional id', [[1, 2], [1.5]], 'token_out_of_range', 1],
    ['a negative id', [[1], [2], [-1]], 'token_out_of_range', 2],
    ['a string', [[1], 'text'], 'invalid_argument', 1],
    ['tokens after a length', [3, [1, 2]], 'invalid_argument', 1],
    ['a mask of the wrong length', [{ tokens: [1, 2], lossMask: [1] }], 'length_mismatch', 0],
  ])('refuses %s', async (_, records, code, document) => {
    const stream = packStream(records as DocumentRecord[], { contextLength: 4 });
    await expect(collect(stream)).rejects.toMatchObject({ name: 'PackscopeError', code, document });
  });

  test.each([['shuffleWindows'], ['shuffleDocuments'], ['dropDuplicates']])(
    'refuses %s, which needs every document',
    async (name) => {
      await expect(collect(packStream([[1]], { [name]: true }))).rejects.toMatchObject({ code: 'invalid_option' });
    },
  );

  test('names a source that is not listed', async () => {
    const stream = packStream([{ tokens: [1], source: 'books' }], { sources: ['code'] });
    await expect(collect(stream)).rejects.toMatchObject({ code: 'unknown_source', document: 0 });
  });
});

test('PackStream and createPackStream() transform documents into batches', async () => {
  const expected = Array.from(materialize(pack(documents, options), documents).input_ids);
  for (const transform of [
    new PackStream<typeof options, number[]>(options),
    createPackStream<typeof options, number[]>(options),
  ]) {
    const batches = await collect(readable(documents).pipeThrough(transform));
    expect(joined(batches, 'input_ids')).toEqual(expected);
  }
});

test('a session that is disposed of refuses more', () => {
  const session = createSession({ contextLength: 4 });
  session.push([[1]]);
  session.dispose();
  session.dispose();
  expect(() => session.push([[2]])).toThrow(PackscopeError);
});
