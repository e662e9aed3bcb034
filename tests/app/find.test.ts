// SPDX-License-Identifier: MIT
// Finding, filtering and colouring: what was typed, where the next one stands, which windows stay, which colour a tile
// takes.
import { readFile } from 'node:fs/promises';
import { createPackscope } from 'packscope/slim';
import { beforeAll, expect, test } from 'vitest';
import { lengthColors, wholenessColors } from '../../web/app/engine/colors.js';
import { lengthStep } from '../../web/app/engine/recolor.js';
import { PackingService } from '../../web/app/engine/service.js';
import { wanted } from '../../web/app/text/find.js';
import { plainReading } from '../../web/read/reading.js';

let service: PackingService;

beforeAll(async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  service = new PackingService(await createPackscope({ bytes: new Uint8Array(bytes) }));
  // next_fit with windows of 10: [4 5] [8] [3 3 3] [10] [2]
  const file = new File(['4\n5\n8\n3\n3\n3\n10\n2'], 'eight-lengths.txt');
  await service.load({ files: [file], reading: plainReading });
  service.plan({ contextLength: 10, algorithm: 'next_fit' }, 'plan');
});

test.each([
  ['doc 4325', { kind: 'document', document: 4325 }],
  ['4,325', { kind: 'document', document: 4325 }],
  ['window 412', { kind: 'window', window: 412 }],
  ['w412', { kind: 'window', window: 412 }],
  ['len>2000', { kind: 'length', least: 2001, most: 0xffffffff }],
  ['length <= 7', { kind: 'length', least: 0, most: 7 }],
  ['len = 7', { kind: 'length', least: 7, most: 7 }],
  ['', undefined],
  ['len>', undefined],
  ['doc x', undefined],
])('%j is read', (typed, expected) => {
  expect(wanted(typed)).toEqual(expected);
});

const find = (typed: string, window: number, segment: number, backwards = false) => {
  const place = service.find(wanted(typed) as NonNullable<ReturnType<typeof wanted>>, { window, segment }, backwards);
  return place && [place.window, place.segment?.index];
};

test('finds the next one from here, and around the end', () => {
  expect(find('doc 4', 0, -1)).toEqual([2, 1]);
  expect(find('window 3', 0, -1)).toEqual([3, undefined]);
  expect(find('window 9', 0, -1)).toBeUndefined();
  expect(find('len=3', 0, -1)).toEqual([2, 0]);
  expect(find('len=3', 2, 0)).toEqual([2, 1]);
  expect(find('len=3', 2, 2)).toEqual([2, 0]);
  expect(find('len=3', 2, 0, true)).toEqual([2, 2]);
  expect(find('len=4', 0, -1)).toEqual([0, 0]);
  expect(find('len=4', 1, -1, true)).toEqual([0, 0]);
  expect(find('len>10', 0, -1)).toBeUndefined();
});

test('a filter leaves the windows with such a document, or with so much padding', async () => {
  const windows = (rows: number) => Array.from({ length: rows }, (_, row) => service.windowAt(row));
  expect(windows(service.filter({ lengths: { least: 3, most: 4 } }))).toEqual([0, 2]);
  expect(service.window(1).window).toBe(0);
  expect(windows(service.filter({ paddingOver: 10 }))).toEqual([1, 4]);
  expect(find('len=3', 1, -1)).toBeUndefined();
  expect(service.filter({ paddingOver: 20, lengths: { least: 8, most: 8 } })).toBe(0);
  expect(service.window(1).segments).toEqual([]);
  const size = { width: 40, height: 20 };
  const view = { rows: [0, 1], positions: [0, 10], theme: 'light', colorBy: 'length', labelWidth: 0 } as const;
  expect((await service.drawRows({ ...view, ...size })).pixels).toHaveLength(3200);
  expect(service.drawMinimap(size, 'light').height).toBe(1);
  expect(service.filter({})).toBe(5);
});

test('the filter and the order hold for the next plan', () => {
  service.filter({ lengths: { least: 10, most: 10 } });
  service.plan({ contextLength: 12, algorithm: 'first_fit' }, 'waste');
  expect(service.window(0).segments.map(({ documentLength }) => documentLength)).toContain(10);
  service.filter({});
  service.plan({ contextLength: 10, algorithm: 'next_fit' }, 'plan');
});

const colorAt = (pixels: Uint8ClampedArray, index: number) => [...pixels.subarray(4 * index, 4 * index + 3)];

test('a tile takes the colour of its length, dimmed where the filter looks for others', async () => {
  const frame = { width: 100, height: 50, positions: [0, 10], theme: 'light', labelWidth: 0 } as const;
  const draw = async () => (await service.drawRows({ ...frame, rows: [0, 5], colorBy: 'length' })).pixels;
  const middleOf = (row: number, position: number) => (row * 10 + 4) * 100 + position * 10;
  expect(colorAt(await draw(), middleOf(3, 5))).toEqual(lengthColors.light[lengthStep(10, 10)]);
  service.filter({ lengths: { least: 4, most: 4 } });
  const { pixels } = await service.drawRows({ ...frame, height: 10, rows: [0, 1], colorBy: 'length' });
  expect(colorAt(pixels, 4 * 100 + 20)).toEqual(lengthColors.light[lengthStep(4, 10)]);
  expect(colorAt(pixels, 4 * 100 + 70)).not.toEqual(lengthColors.light[lengthStep(5, 10)]);
  service.filter({});
});

test('pieces of a cut document stand out', async () => {
  service.plan({ contextLength: 10, algorithm: 'wrap' }, 'plan');
  const frame = { width: 100, height: 10, positions: [0, 10], theme: 'light', labelWidth: 0 } as const;
  const { pixels } = await service.drawRows({ ...frame, rows: [0, 1], colorBy: 'split' });
  expect(colorAt(pixels, 4 * 100 + 20)).toEqual(wholenessColors.light.whole);
  expect(colorAt(pixels, 4 * 100 + 96)).toEqual(wholenessColors.light.piece);
  service.plan({ contextLength: 10, algorithm: 'next_fit' }, 'plan');
});

const contrast = (one: readonly number[], other: readonly number[]) => {
  const light = (color: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((value) =>
      value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [bright, dark] = [light(one), light(other)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
};

test.each([
  ['light', [255, 255, 255]],
  ['dark', [13, 17, 23]],
] as const)('every colour of %s can be told from the page', (theme, page) => {
  for (const color of [...lengthColors[theme], ...Object.values(wholenessColors[theme])])
    expect(contrast(color, page)).toBeGreaterThanOrEqual(3);
});

test('length steps are doublings below half a window', () => {
  expect([4096, 2048, 2047, 1024, 1023, 64, 1].map((length) => lengthStep(length, 4096))).toEqual([
    5, 5, 4, 4, 3, 0, 0,
  ]);
});
