// SPDX-License-Identifier: MIT
// What the worker does, without a worker: the service over the package's own engine.
import { readFile } from 'node:fs/promises';
import type { Ledger } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, expect, test, vi } from 'vitest';

import { examples } from '../../web/app/data/examples.js';
import { countLengths, lengthHistogram, medianOf, windowsApart } from '../../web/app/engine/histogram.js';
import type { Outcome } from '../../web/app/engine/protocol.js';
import { PackingService } from '../../web/app/engine/service.js';

let service: PackingService;
const options = { contextLength: 256, algorithm: 'best_fit_decreasing' } as const;

beforeAll(async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  service = new PackingService(await createPackscope({ bytes: new Uint8Array(bytes) }));
  await service.load({ example: 'readable' });
  service.plan(options, 'plan');
});

test('every document of the readable example stands in exactly one window, with its text', async () => {
  const { texts: all } = await examples.readable.make();
  const found: number[] = [];
  const { stats } = service.plan(options, 'plan');
  for (let window = 0; window < stats.windows; window += 1) {
    const { segments, texts } = service.window(window);
    found.push(...segments.map(({ document }) => document));
    expect(texts).toEqual(segments.map(({ document }) => all?.[document]));
  }
  expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index));
});

test('the order of windows changes rows and nothing else', () => {
  const { fingerprint } = service.plan(options, 'plan');
  const used = [0, 1, 2, 3].map((window) => service.window(window).used);
  expect(service.plan(options, 'waste').fingerprint).toBe(fingerprint);
  const rows = [0, 1, 2, 3].map((row) => service.windowAt(row));
  const inOrder = rows.map((window) => used[window] as number);
  expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
  expect(service.window(rows[0] as number).row).toBe(0);
  expect(service.validate()).toBeUndefined();
});

test('a place on a tile names its document, one on padding none', () => {
  service.plan(options, 'plan');
  const { segments, used, row } = service.window(1);
  expect(service.placeAt(row, 0)?.segment?.document).toBe(segments[0]?.document);
  expect(service.placeAt(row, used)?.segment).toBeUndefined();
  expect(service.placeAt(99, 0)).toBeUndefined();
});

test('work in the background rests while pictures are asked for', async () => {
  service.plan(options, 'plan');
  const outcomes: Outcome[] = [];
  vi.useFakeTimers();
  try {
    let told = false;
    const blocks = service.blocks({}, [128, 128]).then(() => {
      told = true;
    });
    const compared = service.outcomes(options, [256], (outcome) => outcomes.push(outcome));
    for (let picture = 0; picture < 10; picture += 1) {
      service.drawField({ width: 8, height: 8 }, 'light');
      await vi.advanceTimersByTimeAsync(90);
    }
    expect([told, outcomes.length]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all([blocks, compared]);
    expect([told, outcomes.length]).toEqual([true, 10]);
  } finally {
    vi.useRealTimers();
  }
});

test('a document is found where its segment stands', () => {
  const place = service.findDocument(11);
  expect(place?.segment?.document).toBe(11);
  expect(service.window(place?.window ?? 0).segments[place?.segment?.index ?? 0]?.document).toBe(11);
});

test('lanes begin again at each document', () => {
  const { segments } = service.window(0);
  const { position_ids, loss_mask } = service.lanes(0);
  for (const { begin, length } of segments) {
    expect(position_ids[begin]).toBe(0);
    expect(position_ids[begin + length - 1]).toBe(length - 1);
    expect(loss_mask[begin + length - 1]).toBe(0);
  }
});

test('labels of tiles carry the text where there is any', async () => {
  const frame = await service.drawRows({
    rows: [0, 4],
    positions: [0, 256],
    theme: 'light',
    colorBy: 'document',
    labelWidth: 70,
    width: 700,
    height: 160,
  });
  expect(frame.pixels.length).toBe(4 * 700 * 160);
  expect(frame.labels.length).toBeGreaterThan(5);
  expect(frame.labels[0]?.text).toMatch(/^\d+ {2}\S/);
});

test('outcomes come one after another, and a newer question ends an older one', async () => {
  const heard: Outcome[] = [];
  const old = service.outcomes(options, [256], (outcome) => heard.push(outcome));
  const all = await service.outcomes(options, [256, 512]);
  expect((await old).length).toBeLessThan(10);
  expect(all).toHaveLength(20);
  expect(heard.length).toBeLessThan(10);
});

test('the same example is the same documents every time', () => {
  const [once, again] = [examples.chat.make().lengths, examples.chat.make().lengths];
  expect(once).toEqual(again);
  expect(once).toHaveLength(20_000);
});

test('the histogram counts every document once', () => {
  const lengths = Uint32Array.from([0, 1, 1, 2, 3, 5, 8, 1000, 4_000_000_000]);
  const counted = countLengths(lengths);
  expect([...counted.lengths]).toEqual([...new Set(lengths)]);
  const { edges, counts } = lengthHistogram(counted);
  expect(counts.reduce((sum, value) => sum + value, 0)).toBe(lengths.length);
  expect(edges).toHaveLength(counts.length + 1);
  expect(edges.at(-1)).toBeGreaterThan(4_000_000_000);
  expect(medianOf(counted)).toBe(3);
  expect(medianOf(countLengths(new Uint32Array()))).toBe(0);
});

test('alone, documents take a window each, one that is split several, one that is left out none', () => {
  const counts = countLengths(Uint32Array.of(5, 10, 25, 0));
  const ledger = { documents: 4, emptyDocuments: 1, droppedDocuments: 0, duplicateDocuments: 0, truncatedDocuments: 0 };
  const of = (change: Partial<Ledger>) => windowsApart(counts, 10, { ...ledger, ...change } as Ledger);
  expect(of({})).toBe(1 + 1 + 3);
  expect(of({ droppedDocuments: 1 })).toBe(2);
  expect(of({ truncatedDocuments: 1 })).toBe(3);
});
