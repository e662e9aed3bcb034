// SPDX-License-Identifier: MIT
// Results in the memory of earlier ones: they are what they would be without, and nobody sees the old ones change.
import fc from 'fast-check';
import type { Batch, Plan } from 'packscope';
import { materialize, pack } from 'packscope';
import { expect, test } from 'vitest';

import { randomCase } from './random-case.js';

const lengths = Uint32Array.from({ length: 1000 }, (_, i) => 1 + (i % 4));
const options = { contextLength: 4 } as const;

test('plans and batches are the same in used memory, over random documents and options', () => {
  let plan: Plan | undefined;
  let batch: Batch | undefined;
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
  expect(() => materialize(first, lengths)).toThrow('window_offsets');
  expect(pack(lengths, { ...options, reuse: fewer })).toEqual(pack(lengths, options));
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
  const theirs = new Uint32Array(memory.buffer, 0, 1000).fill(7);
  const plan = pack(lengths, { ...options, reuse: { segment_document: theirs } as never });
  expect(plan).toEqual(pack(lengths, options));
  expect(theirs.every((value) => value === 7)).toBe(true);
});

test('a plan gives its memory to its own batch', () => {
  const plan = pack(lengths, options);
  const expected = materialize(plan, lengths);
  expect(materialize(plan, lengths, { reuse: plan as never })).toEqual(expected);
  expect(plan.window_offsets.length).toBe(0);
});
