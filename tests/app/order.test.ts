// SPDX-License-Identifier: MIT
// Windows filtered, sorted and arranged: as the plain rule says it, whatever is computed only once.
import { readFile } from 'node:fs/promises';
import type { Plan } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, expect, test } from 'vitest';

import { arrangedPlan, filteredOrder, windowFill, windowOrder } from '../../web/app/engine/order.js';
import type { WindowFilter } from '../../web/app/engine/protocol.js';

// Documents cut and whole, with and without a separator after each.
const variants = [
  { algorithm: 'best_fit_wrap' },
  { algorithm: 'best_fit_decreasing' },
  { algorithm: 'best_fit_decreasing', separatorId: 0 },
] as const;
const lengths = Uint32Array.from({ length: 3000 }, (_, index) => 1 + ((index * 7919) % 400));
let plan: Plan;
let plans: Plan[];

beforeAll(async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  const packscope = await createPackscope({ bytes: new Uint8Array(bytes) });
  plans = variants.map((variant) => packscope.pack(lengths, { contextLength: 512, ...variant }));
  plan = plans[0] as Plan;
});

const documentsOf = (of: Plan, window: number) =>
  Array.from(of.segment_document.subarray(of.window_offsets[window], of.window_offsets[window + 1]));

test.each<WindowFilter>([
  {},
  { lengths: { least: 390, most: 400 } },
  { lengths: { least: 1, most: 3 } },
  { lengths: { least: 200, most: 204 } },
  { lengths: { least: 500, most: 600 } },
  { paddingOver: 0 },
  { lengths: { least: 100, most: 120 }, paddingOver: 0 },
])('leaves the windows that %j names', (filter) => {
  for (const made of plans) {
    const order = windowOrder(made, 'waste');
    expect([...filteredOrder(made, order, lengths, filter)]).toEqual([...order].filter(isLeft(made, filter)));
  }
});

function isLeft(of: Plan, { lengths: wanted, paddingOver }: WindowFilter) {
  const fill = windowFill(of);
  return (window: number) => {
    const padded = paddingOver === undefined || (512 - (fill[window] as number)) / 512 > paddingOver / 100;
    const held = documentsOf(of, window).map((document) => lengths[document] as number);
    return padded && (wanted === undefined || held.some((length) => length >= wanted.least && length <= wanted.most));
  };
}

test('sorts by padding or by documents, equal windows in the order of the plan', () => {
  const windows = Array.from({ length: plan.window_offsets.length - 1 }, (_, window) => window);
  const fill = windowFill(plan);
  const documents = (window: number) => documentsOf(plan, window).length;
  const byWaste = [...windows].sort((a, b) => (fill[a] as number) - (fill[b] as number) || a - b);
  const byDocuments = [...windows].sort((a, b) => documents(b) - documents(a) || a - b);
  expect([...windowOrder(plan, 'plan')]).toEqual(windows);
  expect([...windowOrder(plan, 'waste')]).toEqual(byWaste);
  expect([...windowOrder(plan, 'documents')]).toEqual(byDocuments);
});

test('an arranged plan has the windows asked for, in their order', () => {
  const order = Uint32Array.of(7, 2, 11);
  const arranged = arrangedPlan(plan, order);
  expect(arranged.window_offsets).toHaveLength(4);
  order.forEach((window, row) => {
    expect(documentsOf(arranged, row)).toEqual(documentsOf(plan, window));
  });
  expect([...windowFill(arranged)]).toEqual([...order].map((window) => windowFill(plan)[window]));
});
