// SPDX-License-Identifier: MIT
// Results in the memory of earlier ones: they are what they would be without, and nobody sees the old ones change.
import fc from 'fast-check';
import type { AnyPlan, Batch, Plan } from 'packscope';
import { createPackscope, materialize, pack, packFlat, toTraining } from 'packscope';
import { createPackscope as createSlim } from 'packscope/slim';
import { describe, expect, test } from 'vitest';

import { wasmBytes } from './engine-memory.js';
import { withMemoryLimit } from './memory-limit.mjs';
import { randomCase } from './random-case.js';

const lengths = Uint32Array.from({ length: 1000 }, (_, i) => 1 + (i % 4));
const options = { contextLength: 4 } as const;

test('plans and batches are the same in used memory, over random documents and options', () => {
  let plan: Plan | undefined;
  let batch: Batch<{ int64: boolean }> | undefined;
  fc.assert(
    fc.property(randomCase, fc.boolean(), ({ documents, options: given }, int64) => {
      const fresh = pack(documents, given);
      plan = pack(documents, { ...given, reuse: plan });
      expect(plan).toEqual(fresh);
      const inNewMemory = materialize(fresh, documents, { int64 });
      batch = materialize(plan, documents, { int64, reuse: batch });
      expect(batch).toEqual(inNewMemory);
    }),
    { numRuns: 300 },
  );
});

test('toTraining() leaves the windows of what it is given alone', () => {
  const flat = packFlat([[1, 2], [3]], { contextLength: 4 });
  const batch = toTraining(flat);
  structuredClone(batch, { transfer: [batch.segment_document.buffer] });
  expect(flat.plan.segment_document).toEqual(Uint32Array.of(0, 1));
  expect(batch).not.toHaveProperty('ledger');
});

test('fields that travel with tokens lie in used memory too', () => {
  const documents = { documents: [[1, 2, 3]], fields: { reward: [Float64Array.of(1, 2, 3)] } };
  const plan = pack(documents, options);
  const first = materialize(plan, documents);
  const rewards = first.fields.reward;
  const second = materialize(plan, documents, { reuse: first });
  expect(second.fields.reward).toEqual(Float64Array.of(1, 2, 3, 0));
  expect(rewards?.length).toBe(0);
});

test('the memory is the same, and the arrays of the result that it was taken from are empty', () => {
  const first = pack(lengths, options);
  const fewer = pack(lengths.subarray(0, 900), { ...options, reuse: first });
  expect(fewer.segment_document.length).toBe(900);
  expect(fewer.segment_document.buffer.byteLength).toBe(4000);
  expect(first.segment_document.length + first.window_offsets.length).toBe(0);
  expect(() => materialize(first, lengths)).toThrow('plan.segment_document is a Uint32Array whose memory was');
  expect(pack(lengths, { ...options, reuse: fewer })).toEqual(pack(lengths, options));
});

test('what was reused already has nothing to give, and is no fault', () => {
  const first = pack(lengths, options);
  pack(lengths, { ...options, reuse: first });
  expect(pack(lengths, { ...options, reuse: first })).toEqual(pack(lengths, options));
  expect(createPackscope().pack(lengths, { ...options, reuse: first })).toEqual(pack(lengths, options));
});

test('memory more than twice as large as needed is let go', () => {
  const small = pack(lengths.subarray(0, 300), { ...options, reuse: pack(lengths, options) });
  expect(small.segment_document.buffer.byteLength).toBe(1200);
});

test('a call that throws takes nothing', () => {
  const plan = pack(lengths, options);
  const copy = structuredClone(plan);
  expect(() => pack(lengths, { contextLength: 3, longDocuments: 'error', reuse: plan })).toThrow('document 3');
  expect(() => pack([-1], { reuse: plan })).toThrow();
  expect(plan).toEqual(copy);
});

test('memory that cannot be moved stays as it is', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const theirs = new Uint32Array(memory.buffer).fill(7);
  const plan = pack(lengths, { ...options, reuse: { ...pack(lengths, options), segment_document: theirs } });
  expect(plan).toEqual(pack(lengths, options));
  expect(theirs.length).toBe(16384);
  expect(theirs.every((value) => value === 7)).toBe(true);
});

describe('a result is left whole where', () => {
  const shared = new Uint32Array(5000).fill(7);
  const pooled = Buffer.from('a few bytes');
  const cases: [what: string, array: Uint32Array][] = [
    ['it is part of a larger buffer', shared.subarray(100, 1100)],
    ['its memory is shared between threads', new Uint32Array(new SharedArrayBuffer(4000)).fill(7)],
    [
      'it lies in the memory of a module',
      new Uint32Array(new WebAssembly.Memory({ initial: 1 }).buffer, 0, 1000).fill(7),
    ],
    ["it lies in Node's pool", new Uint32Array(pooled.buffer, pooled.byteOffset, 2)],
  ];
  test.each(cases)('%s', (_, array) => {
    const plan: AnyPlan = { ...pack(lengths, options), segment_length: array };
    const copies = [array.slice(), plan.segment_document.slice()];
    expect(pack(lengths, { ...options, reuse: plan })).toEqual(pack(lengths, options));
    expect([array, plan.segment_document]).toEqual(copies);
  });

  test('it is a copy whose arrays do not fill their buffers', () => {
    const plan = structuredClone(pack(lengths.subarray(0, 900), { ...options, reuse: pack(lengths, options) }));
    const copy = structuredClone(plan);
    expect(pack(lengths, { ...options, reuse: plan })).toEqual(pack(lengths, options));
    expect(plan).toEqual(copy);
  });
});

test('documents that lie in the memory of what is reused are packed before it is taken', () => {
  const plan = pack(lengths, options);
  const expected = pack(plan.segment_length.slice(), options);
  expect(pack(plan.segment_length, { ...options, reuse: plan })).toEqual(expected);
});

test('whatever else a result has is let be', () => {
  const odd = Object.freeze({ ...pack(lengths, options), method: () => 1, fields: null, self: {} });
  Object.assign(odd.self, { odd });
  expect(pack(lengths, { ...options, reuse: odd })).toEqual(pack(lengths, options));
  expect(odd.segment_document.length).toBe(0);
  const proxy = new Proxy(pack(lengths, options), {});
  expect(pack(lengths, { ...options, reuse: proxy })).toEqual(pack(lengths, options));
});

test('a call that ends the engine takes nothing, and the next one may', async () => {
  const packscope = await createSlim({ bytes: withMemoryLimit(wasmBytes('simd'), 300) });
  const plan = packscope.pack(lengths, options);
  const copy = structuredClone(plan);
  const outOfMemory = expect.objectContaining({ name: 'PackscopeError', code: 'out_of_memory' });
  expect(() => packscope.pack(new Uint32Array(600_000).fill(4), { ...options, reuse: plan })).toThrow(outOfMemory);
  expect(plan).toEqual(copy);
  expect(packscope.pack(lengths, { ...options, reuse: plan })).toEqual(copy);
  expect(plan.window_offsets.length).toBe(0);
});

test('a plan gives its memory to its own batch', () => {
  const plan = pack(lengths, options);
  const expected = materialize(plan, lengths);
  expect(materialize(plan, lengths, { reuse: plan as never })).toEqual(expected);
  expect(plan.window_offsets.length).toBe(0);
});
