// SPDX-License-Identifier: MIT
// What the views draw from: the field's grid, tokens, prefixes, plans side by side, and the plot.
import { readFile } from 'node:fs/promises';
import type { Packscope } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, expect, test } from 'vitest';
import { sourceColor } from '../../web/app/engine/colors.js';
import { cellOfRow, fieldGrid, rowAtCell } from '../../web/app/engine/field.js';
import type { SegmentInfo, WindowInfo } from '../../web/app/engine/protocol.js';
import { PackingService } from '../../web/app/engine/service.js';
import { comparedAlgorithms, defaultModel, fromHash } from '../../web/app/state/model.js';
import { blockSize, maskOptions } from '../../web/app/state/planning.js';
import { plotDots, ticksBetween } from '../../web/app/text/plot.js';
import { tokenName, tokensOf } from '../../web/app/text/tokens.js';
import { plainReading } from '../../web/read/reading.js';

let packscope: Packscope;
let service: PackingService;

beforeAll(async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  packscope = await createPackscope({ bytes: new Uint8Array(bytes) });
  service = new PackingService(packscope);
  await service.load({ example: 'readable' });
  service.plan({ contextLength: 256, algorithm: 'best_fit_decreasing' }, 'plan');
});

test.each([
  [1, 300, 200],
  [4, 700, 500],
  [3181, 745, 480],
  [1_000_000, 1490, 960],
  [10_000_000, 745, 480],
])('a field of %d windows holds each of them once', (rows, width, height) => {
  const grid = fieldGrid(rows, width, height);
  for (const row of [0, 1, Math.floor(rows / 2), rows - 1].filter((one) => one < rows)) {
    const { x, y, side } = cellOfRow(grid, row);
    expect(x + side).toBeLessThanOrEqual(width);
    expect(y + side).toBeLessThanOrEqual(height);
    const found = rowAtCell(grid, x, y) as number;
    expect(row - found).toBeGreaterThanOrEqual(0);
    expect(row - found).toBeLessThan(grid.windowsPerCell);
  }
  expect(rowAtCell(grid, width - 1, height + 50)).toBeUndefined();
});

test('the field names the window under the pointer', () => {
  const size = { width: 200, height: 100 };
  const cell = service.fieldCell(size, 2);
  expect(service.fieldAt(size, (cell?.x ?? 0) + 3, (cell?.y ?? 0) + 3)?.window).toBe(2);
  expect(service.fieldCell(size, 4)).toBeUndefined();
  expect(service.drawField(size, 'light').pixels).toHaveLength(4 * 200 * 100);
});

test('a token has its text, its id and its position in the document', () => {
  const info = service.window(0);
  const lanes = service.lanes(0);
  const tokens = tokensOf(info, lanes, 0, 256);
  expect(tokens).toHaveLength(256);
  const [first] = info.segments;
  const letters = tokens.slice(0, first?.length).map(({ id }) => String.fromCharCode(id as number));
  expect(letters.join('')).toBe(info.texts?.[0]);
  expect(tokens[(first?.length ?? 0) - 1]?.target).toBe(false);
  expect(tokens[0]).toMatchObject({ position: 0, positionId: 0, target: true });
  expect(tokens.filter(({ segment }) => segment === undefined)).toHaveLength(256 - info.used);
  expect(tokensOf(info, lanes, 250, 300)).toHaveLength(6);
});

test('a position is named by its text or its id, where they are known', () => {
  const segments = [3, 2].map((length, index) => ({ begin: 3 * index, length }) as SegmentInfo);
  const info = { segments, texts: ['a z', 'two words'] } as unknown as WindowInfo;
  expect([0, 1, 2, 3, 5].map((position) => tokenName(info, position))).toEqual(['a', '␣', 'z', undefined, undefined]);
  expect(tokenName({ ...info, ids: Int32Array.of(5, 6, 7, 8, 9) }, 4)).toBe('9');
});

test('a prefix sees all of itself, and nothing of it sees what follows', () => {
  const half = { ...maskOptions({ ...defaultModel, mask: 'prefix', prefixPercent: 50 }) };
  const [{ begin = 0, length = 0 } = {}] = service.window(0).segments;
  const prefix = Math.round(length / 2);
  expect(service.attends(0, begin, begin + prefix - 1, half)).toBe(true);
  expect(service.attends(0, begin, begin + prefix, half)).toBe(false);
  expect(service.attends(0, begin, begin + 1, maskOptions(defaultModel))).toBe(false);
});

test('blocks are square up to 128', () => {
  expect([64, 128, 256].map(blockSize)).toEqual([64, 128, [256, 128]]);
  const { full, partial, skipped } = service.windowBlocks(0, maskOptions(defaultModel), blockSize(256));
  expect(full + partial + skipped).toBe(2);
});

test('plans stand side by side, and a document is found in each', async () => {
  const plans = await service.compareOpen({ contextLength: 256 }, ['best_fit_decreasing', 'pad', 'wrap']);
  expect(plans).toEqual({ windows: [4, 12, 4], documents: 12, partly: false });
  const [segment] = service.window(0).segments;
  const tiles = service.compareAt(0, 0, 3);
  expect(tiles?.[0]?.[0]).toMatchObject({ document: segment?.document, window: 0, begin: 0 });
  expect(tiles?.[1]).toEqual([
    { document: segment?.document, window: segment?.document, begin: 0, length: segment?.length },
  ]);
  expect(tiles?.[2]?.reduce((sum, { length }) => sum + length, 0)).toBe(segment?.length);
  expect(service.compareAt(1, 0, 255)).toBeUndefined();
  expect(service.compareAt(0, 99, 0)).toBeUndefined();
  const size = { width: 60, height: 40 };
  expect(service.compareDraw(1, 10.5, 14, size, 'dark')?.pixels).toHaveLength(4 * 60 * 40);
  expect(service.compareDraw(0, 30, 34, size, 'dark')?.pixels).toHaveLength(4 * 60 * 40);
  expect(service.compareDraw(3, 0, 4, size, 'dark')).toBeUndefined();
});

test('of more than a million documents the first million stand side by side', async () => {
  const many = new PackingService(packscope);
  const lines = '2\t1000000\n4\t7\n';
  await many.load({ files: [new File([lines], 'many.hist.tsv')], reading: plainReading });
  many.plan({ contextLength: 4, algorithm: 'next_fit' }, 'plan');
  const plans = await many.compareOpen({ contextLength: 4 }, ['next_fit', 'pad']);
  expect(plans).toEqual({ windows: [500_000, 1_000_000], documents: 1_000_000, partly: true });
});

test('two to four algorithms are compared, the chosen one first and none twice', () => {
  expect(comparedAlgorithms('best_fit', 'next_fit,wrap')).toEqual(['best_fit', 'next_fit', 'wrap']);
  expect(comparedAlgorithms('wrap', 'next_fit,wrap')).toEqual(['wrap', 'next_fit']);
  expect(comparedAlgorithms('wrap', 'wrap')).toHaveLength(2);
  expect(fromHash('#compared=pad,best_fit').compared).toBe('pad,best_fit');
  expect(fromHash('#compared=pad,nonsense').compared).toBe(defaultModel.compared);
});

test('labels of the plot keep their distance and stay inside', () => {
  const size = { width: 700, height: 250, left: 60, right: 160, top: 10, bottom: 40 };
  const items = Array.from({ length: 10 }, (_, index) => ({ waste: index < 8 ? 0.0003 : 0.5, time: 3 + index }));
  const { dots, x, y } = plotDots(items, size);
  const labels = dots.map(({ labelY }) => labelY).sort((a, b) => a - b);
  for (let i = 1; i < labels.length; i += 1)
    expect((labels[i] as number) - (labels[i - 1] as number)).toBeGreaterThanOrEqual(18.9);
  expect(labels[0]).toBeGreaterThanOrEqual(size.top);
  expect(labels.at(-1)).toBeLessThanOrEqual(size.height);
  expect(ticksBetween(y.least, y.most)).toEqual([0.0001, 0.001, 0.01, 0.1, 1].map((tick) => expect.closeTo(tick, 9)));
  expect(x.at(1)).toBe(size.left);
  expect(x.at(100)).toBe(size.width - size.right);
});

test('tiles take the colour of their source', async () => {
  const lines = ['x', 'y', 'x', 'z'].map((source) => `{"text": "${'a'.repeat(64)}", "source": "${source}"}\n`);
  const files = [new File(lines, 'sources.jsonl')];
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  const packscope = await createPackscope({ bytes: new Uint8Array(bytes) });
  const sourced = new PackingService(packscope);
  const { sourceNames } = await sourced.load({ files, reading: plainReading });
  expect(sourceNames).toEqual(['x', 'y', 'z']);
  sourced.plan({ contextLength: 256, algorithm: 'next_fit' }, 'plan');
  const palette = packscope.palette('dark');
  const frame = { rows: [0, 1], positions: [0, 256], theme: 'dark', labelWidth: 0, width: 256, height: 9 } as const;
  const { pixels } = await sourced.drawRows({ ...frame, colorBy: 'source' });
  const middle = (position: number) => [...pixels.subarray(4 * (4 * 256 + position), 4 * (4 * 256 + position) + 3)];
  const expected = [0, 1, 0, 2].map((source) => sourceColor(source, palette, 'dark'));
  expect([32, 96, 160, 224].map(middle)).toEqual(expected);
});

test('sources beyond the palette share a colour', async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  const palette = (await createPackscope({ bytes: new Uint8Array(bytes) })).palette('light');
  const colors = Array.from({ length: 10 }, (_, source) => String(sourceColor(source, palette, 'light')));
  expect(new Set(colors).size).toBe(9);
  expect(colors[8]).toBe(colors[9]);
});
