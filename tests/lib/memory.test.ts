// SPDX-License-Identifier: MIT
// The engine's memory: what it gives out stays whole when it grows, it does not grow for nothing, and when it is
// exhausted the next call works.
import type { Documents, Packscope } from 'packscope';
import { createPackscope } from 'packscope';
import { createPackscope as createSlim } from 'packscope/slim';
import { describe, expect, test } from 'vitest';

import { memoryOf, wasmBytes } from './engine-memory.js';
import { withMemoryLimit } from './memory-limit.mjs';

const documents = [[11, 12, 13], [21, 22], [31]];
const pages = (memory: WebAssembly.Memory) => memory.buffer.byteLength / 65536;

function callEverything(packscope: Packscope, given: Documents): void {
  const plan = packscope.pack(given, { contextLength: 64 });
  packscope.materialize(plan, given, { int64: true });
  packscope.attentionMask(plan, { windows: 0, format: 'float16' });
  packscope.blockMask(plan);
  packscope.cuSeqlens(plan);
  packscope.stats(plan, given, { content: true });
  packscope.validate(plan, given);
  packscope.groupByLength(given, { maxRows: 4 });
  packscope.render(plan, { kind: 'rows' }, 16, 16);
  const session = packscope.createSession({ contextLength: 64 });
  session.push([[1, 2, 3]]);
  session.dispose();
  const finished = packscope.createSession({ contextLength: 64 });
  finished.push([[1, 2, 3]]);
  finished.finish();
  finished.take();
  packscope.trace(given, { contextLength: 64 });
  packscope.toTraining(packscope.packFlat([[1, 2, 3]], { contextLength: 64, extraToken: true }));
  packscope.compare(given, { contextLengths: [64], algorithms: ['wrap', 'best_fit'] });
  packscope.compare(
    { lengths: [3, 60], counts: [2, 1] },
    { contextLengths: [64], algorithms: ['best_fit_decreasing'] },
  );
  expect(() => packscope.pack([-1])).toThrow();
  expect(() => packscope.pack([1], { contextLength: 0 })).toThrow();
}

test('10,000 calls do not grow the heap', () => {
  const packscope = createPackscope();
  const memory = memoryOf(() => packscope.variant() && packscope.pack([1]));
  for (let i = 0; i < 100; i += 1) callEverything(packscope, documents);
  const before = pages(memory);
  for (let i = 0; i < 10_000 / 10; i += 1) callEverything(packscope, documents);
  expect(pages(memory)).toBe(before);
});

test('results stay whole while the memory grows', () => {
  const packscope = createPackscope();
  const memory = memoryOf(() => packscope.pack([1]));
  const plan = packscope.pack(documents, { contextLength: 4 });
  const batch = packscope.materialize(plan, documents);
  const drawing = packscope.createDrawing(plan);
  const before = pages(memory);
  const held = [plan.segment_document, batch.input_ids, batch.labels, batch.loss_mask].map(
    (array) => [array, array.slice()] as const,
  );
  packscope.pack(new Uint32Array(3_000_000).fill(7));
  expect(pages(memory)).toBeGreaterThan(before);
  for (const [array, copy] of held) expect(array).toEqual(copy);
  expect(drawing.waste(0, 2)).toEqual({ padding: 2, worst: 2, worstWindow: 1 });
  drawing.dispose();
});

test('results are outside the engine: they can be cloned and transferred', () => {
  const packscope = createPackscope();
  const plan = packscope.pack(documents, { contextLength: 4 });
  expect(structuredClone(plan)).toEqual(plan);
  const { input_ids } = packscope.materialize(plan, documents);
  const expected = Array.from(input_ids);
  const moved = structuredClone(input_ids, { transfer: [input_ids.buffer] });
  expect(Array.from(moved)).toEqual(expected);
  expect(Array.from(packscope.materialize(plan, documents).input_ids)).toEqual(expected);
});

describe('exhausted memory', () => {
  test('is out_of_memory, ends what was open, and the next call works', async () => {
    const packscope = await createSlim({ bytes: withMemoryLimit(wasmBytes('simd'), 512) });
    const plan = packscope.pack(documents, { contextLength: 4 });
    const session = packscope.createSession({ contextLength: 4 });
    const drawing = packscope.createDrawing(plan);
    const outOfMemory = expect.objectContaining({ name: 'PackscopeError', code: 'out_of_memory' });
    expect(() => packscope.pack(new Uint32Array(3_000_000).fill(7))).toThrow(outOfMemory);
    const restarted = expect.objectContaining({ name: 'PackscopeError', code: 'engine_restarted' });
    expect(() => session.push([[1]])).toThrow(restarted);
    expect(() => drawing.waste(0, 1)).toThrow(restarted);
    session.dispose();
    drawing.dispose();
    expect(packscope.pack(documents, { contextLength: 4 }).fingerprint).toBe(plan.fingerprint);
    expect(() => packscope.pack(new Uint32Array(3_000_000).fill(7))).toThrow(outOfMemory);
    expect(packscope.pack(documents, { contextLength: 4 }).fingerprint).toBe(plan.fingerprint);
  });
});
