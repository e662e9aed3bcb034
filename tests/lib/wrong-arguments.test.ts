// SPDX-License-Identifier: MIT
// Every function with something else in the place of each argument, and of each entry of an argument: it is taken, or
// refused with a PackscopeError, and never ends the engine.
import type { Packscope } from 'packscope';
import { createPackscope, PackscopeError } from 'packscope';
import { expect, test } from 'vitest';

const packscope = createPackscope();
const documents = [[11, 12, 13], [21, 22], [31]];
const listed = {
  documents,
  sources: ['a', 'b', 'a'],
  promptLengths: [1, 0, 0],
  lossMasks: [[1, 1, 0], [1, 1], [0]],
  fields: { reward: [Float64Array.of(1, 2, 3), Float64Array.of(1, 2), Float64Array.of(1)] },
};
const flat = {
  tokens: [1, 2, 3, 4],
  offsets: [0, 3, 4],
  sources: { names: ['x', 'y'], indices: [0, 1] },
  lossMask: [1, 1, 1, 0],
  promptLengths: [0, 1],
  fields: { reward: Int32Array.of(1, 2, 3, 4) },
};
const contextLength = 4;
const plan = packscope.pack(documents, { contextLength });
const windows = packscope.packFlat(listed, { contextLength });
const groups = packscope.groupByLength([3, 9, 4], { maxTokens: 10 });
const mask = { mask: 'causal', slidingWindow: 2, prefixLengths: [1, 1, 0] } as const;

type Call = [name: keyof Packscope, args: readonly unknown[]];
const calls: Call[] = [
  ['pack', [listed, { contextLength, homogeneity: 'group', groups: { g: ['a', 'b'] }, reuse: structuredClone(plan) }]],
  ['pack', [flat, { contextLength, dropDuplicates: true }]],
  [
    'materialize',
    [plan, documents, { windows: [0, 1], arrays: ['labels'], int64: true, reuse: structuredClone(plan) }],
  ],
  ['stats', [plan, documents, { content: true }]],
  ['validate', [plan, documents]],
  ['documentFates', [plan, documents]],
  ['fingerprint', [plan]],
  ['resolveOptions', [{ contextLength, seed: 5n }]],
  ['createSession', [{ contextLength, windowsPerBatch: 2, arrays: ['labels'], int64: true, sources: ['a'] }]],
  ['createPackStream', [{ contextLength }]],
  ['packStream', [documents, { contextLength }]],
  ['attends', [plan, 0, 1, 0, mask]],
  ['keyIntervals', [plan, 0, mask]],
  ['attentionMask', [plan, { ...mask, windows: [0, 2], format: 'packed' }]],
  ['blockMask', [plan, { ...mask, windows: [0, 2], block: 2 }]],
  ['countBlocks', [plan, { ...mask, windows: 1, block: [2, 2] }]],
  ['cuSeqlens', [plan, { windows: 0, cuSeqlens: 'real' }]],
  ['buildIntraDocumentMask', [[0, 0, 1]]],
  ['packFlat', [listed, { contextLength }]],
  ['toTraining', [windows, { int64: true }]],
  ['packExamples', [documents, contextLength, 0]],
  ['packSequences', [['abc', 'd'], () => 3, { contextLength }]],
  ['groupByLength', [[3, 9, 4], { maxTokens: 10, maxRows: 4, padTo: 2 }]],
  ['restore', [groups, ['a', 'b', 'c']]],
  ['unpack', [plan, new Float32Array(8), { windows: [0, 2] }]],
  ['segmentMeanPool', [plan, new Float32Array(8), { windows: [0, 2] }]],
  ['compare', [documents, { algorithms: ['pad'], contextLengths: [4], onProgress: () => undefined }]],
  ['compare', [{ lengths: [3, 4], counts: [5, 6] }, { algorithms: ['pad'] }]],
  ['trace', [documents, { contextLength, maxSteps: 10 }]],
  ['createDrawing', [plan]],
  ['render', [plan, { kind: 'field', firstWindow: 0, cellPx: 4, theme: 'dark' }, 8, 8]],
  ['render', [plan, { kind: 'rows', windows: [0, 1], positions: [0, 4] }, 8, 8]],
  ['render', [plan, { kind: 'mask', window: 0, queries: [0, 4], block: 2, prefixLengths: [1, 1, 1] }, 8, 8]],
  ['palette', ['dark']],
  ['documentColor', [0, 1]],
];

function detached(): Uint32Array {
  const array = Uint32Array.of(1, 2);
  structuredClone(array, { transfer: [array.buffer] });
  return array;
}

const others: unknown[] = [
  ...[null, undefined, true, 0, -1, 1.5, Number.NaN, 2 ** 53, 5n, '', 'text', Symbol('text'), () => 1],
  ...[[], [null], [undefined], [1.5], ['a'], [[1], 2], [1, [2]], new Array(3)],
  ...[{}, { length: 5 }, new Map(), new Date(0), Promise.resolve(1), Object.create(null)],
  ...[new Float32Array(2), new BigInt64Array(2), Uint8Array.of(1), Uint32Array.of(1, 2, 3), detached()],
  ...[new DataView(new ArrayBuffer(8)), new ArrayBuffer(8), new Uint32Array(new SharedArrayBuffer(8))],
];

const replaced = (args: readonly unknown[], index: number, value: unknown) =>
  args.map((argument, at) => (at === index ? value : argument));

/** `value`, or something at most `levels` deep in it, replaced by each of `others`. */
function* altered(value: unknown, levels: number): Generator<unknown> {
  yield* others;
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (ArrayBuffer.isView(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const other of altered(inner, levels - 1)) yield { ...value, [key]: other };
  }
}

function* variants(args: readonly unknown[]): Generator<unknown[]> {
  for (const [index, argument] of args.entries()) {
    for (const other of altered(argument, 2)) yield replaced(args, index, other);
  }
}

function faultOf(name: keyof Packscope, args: readonly unknown[]): string | undefined {
  try {
    const result = (packscope[name] as (...args: readonly unknown[]) => unknown)(...args);
    if (name === 'createSession' || name === 'createDrawing') (result as Disposable)[Symbol.dispose]();
  } catch (error) {
    if (error instanceof PackscopeError && error.code !== 'internal') return undefined;
    return String(error);
  }
  return undefined;
}

test.each(calls)('%s() %#', (name, args) => {
  expect(faultOf(name, args)).toBeUndefined();
  const faults = new Set<string>();
  for (const other of variants(args)) {
    const fault = faultOf(name, other);
    if (fault !== undefined) faults.add(fault);
  }
  expect([...faults]).toEqual([]);
});

test('hit() of a drawing', () => {
  using drawing = packscope.createDrawing(plan);
  const view = { kind: 'rows' } as const;
  expect(drawing.hit(view, 8, 8, 0, 0)).toMatchObject({ window: 0 });
  for (const other of others.filter((value) => typeof value !== 'number')) {
    for (const at of [
      [other, 0],
      [0, other],
    ] as [number, number][]) {
      expect(() => drawing.hit(view, 8, 8, ...at)).toThrow(PackscopeError);
    }
  }
});
