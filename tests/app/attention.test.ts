// SPDX-License-Identifier: MIT
// What attention costs: the same pairs as the core counts, blocks of many windows from some of them, and the wait for
// the busiest rank.
import { readFile } from 'node:fs/promises';
import type { Packscope } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, expect, test } from 'vitest';

import { examples } from '../../web/app/data/examples.js';
import { attentionCost, blockShare, skippedShareOf, spreadOf, windowPairs } from '../../web/app/engine/attention.js';
import type { BlockShare } from '../../web/app/engine/protocol.js';

let packscope: Packscope;
const goOn = async () => true;

beforeAll(async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  packscope = await createPackscope({ bytes: new Uint8Array(bytes) });
});

test('pairs of the windows add up to those of the plan', () => {
  const { lengths } = examples.chat.make();
  const plan = packscope.pack(lengths, { contextLength: 4096 });
  const sum = windowPairs(plan).reduce((total, pairs) => total + pairs, 0);
  expect(sum).toBe(packscope.stats(plan, lengths).attentionPairs);
});

test('ranks wait for the busiest of their windows', () => {
  expect(spreadOf(Float64Array.of(5, 5, 5, 5, 5, 5, 5, 5, 5))).toEqual({ busiest: 1, balance: 1 });
  // One step of eight in which seven wait for the last, then a step of one.
  const { busiest, balance } = spreadOf(Float64Array.of(1, 1, 1, 1, 1, 1, 1, 3, 2));
  expect(busiest).toBeCloseTo(3 / (12 / 9));
  expect(balance).toBeCloseTo(12 / (8 * 3 + 2));
  expect(spreadOf(new Float64Array(0))).toEqual({ busiest: 1, balance: 1 });
});

test('cut into equal windows work is shared evenly, one document a window is not', async () => {
  const lengths = Uint32Array.from({ length: 64 }, (_, index) => (index % 8 === 0 ? 1000 : 16));
  const cost = (algorithm: 'wrap' | 'pad') =>
    attentionCost(packscope, packscope.pack(lengths, { contextLength: 1024, algorithm }), {}, goOn);
  const [wrap, pad] = [await cost('wrap'), await cost('pad')];
  expect(wrap.balance).toBeGreaterThan(pad.balance);
  expect(pad.skippedShare).toBeGreaterThan(wrap.skippedShare);
});

test('blocks of very many windows are counted on some of them', async () => {
  const lengths = Uint32Array.from({ length: 100_000 }, (_, index) => 20 + ((index * 7919) % 200));
  const plan = packscope.pack(lengths, { contextLength: 256, algorithm: 'next_fit' });
  expect(plan.window_offsets.length).toBeGreaterThan(40_000);
  const some = (await blockShare(packscope, plan, {}, 64, goOn)) as BlockShare;
  const all = packscope.countBlocks(plan, { block: 64 });
  expect(some.full + some.partial + some.skipped).toBe(20_000 * 16);
  expect(skippedShareOf(some)).toBeCloseTo(skippedShareOf(all), 2);
});

test('blocks are counted in parts, every window once, and no further than wanted', async () => {
  const lengths = Uint32Array.from({ length: 1001 }, (_, index) => 1 + (index % 256));
  const plan = packscope.pack(lengths, { contextLength: 256, algorithm: 'pad' });
  expect(await blockShare(packscope, plan, {}, 64, goOn)).toEqual(packscope.countBlocks(plan, { block: 64 }));
  expect(await blockShare(packscope, plan, {}, 64, async () => false)).toBeUndefined();
});
