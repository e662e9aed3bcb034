// SPDX-License-Identifier: MIT
// Both builds of the package draw the pixels of the native program: the pictures of tests/golden, which the C++ tests
// draw from the same plans (tests/golden_pictures.hpp).
import { readdirSync, readFileSync } from 'node:fs';
import type { AlgorithmName, Packscope, Plan, Theme, View } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, describe, expect, test } from 'vitest';

import { wasmBytes } from './engine-memory.js';
import { decodePng } from './png.js';

const folder = new URL('../golden/', import.meta.url);
const golden = readdirSync(folder).filter((name) => name.endsWith('.png'));
const themes: readonly Theme[] = ['light', 'dark'];
const variants = ['simd', 'scalar'] as const;

interface Shape {
  readonly plan: PlanName;
  readonly view: View;
  readonly width: number;
  readonly height: number;
}

const plans = {
  padded: ['next_fit', 120, 1],
  cut: ['wrap', 120, 1],
  many: ['next_fit', 20_000, 1],
  gaps: ['next_fit', 120, 16],
} as const satisfies Record<string, readonly [AlgorithmName, documents: number, documentMultiple: number]>;
type PlanName = keyof typeof plans;

function packed(packscope: Packscope, name: PlanName): Plan {
  const [algorithm, documents, documentMultiple] = plans[name];
  // In 32 bits, as C++ counts.
  const lengths = Uint32Array.from({ length: documents }, (_, i) => 1 + ((Math.imul(Math.imul(i, i), 37) >>> 0) % 113));
  return packscope.pack(lengths, { contextLength: 256, algorithm, documentMultiple });
}

const twelve = { kind: 'rows', windows: [0, 12] } as const;
const mask = { kind: 'mask', window: 3 } as const;
const shapes: Readonly<Record<string, Shape>> = {
  rows: { plan: 'padded', view: twelve, width: 240, height: 192 },
  'rows-gaps': { plan: 'gaps', view: twelve, width: 240, height: 192 },
  'rows-split': { plan: 'cut', view: twelve, width: 240, height: 192 },
  'rows-thin': { plan: 'many', view: { kind: 'rows' }, width: 240, height: 120 },
  field: { plan: 'padded', view: { kind: 'field' }, width: 160, height: 40 },
  'field-many': { plan: 'many', view: { kind: 'field' }, width: 60, height: 30 },
  mask: { plan: 'padded', view: mask, width: 160, height: 160 },
  'mask-blocks': { plan: 'padded', view: { ...mask, block: 16 }, width: 160, height: 160 },
  'mask-leak': { plan: 'gaps', view: { ...mask, documentMask: false }, width: 160, height: 160 },
  'mask-sliding': { plan: 'cut', view: { ...mask, slidingWindow: 40 }, width: 160, height: 160 },
};

// What the page asks for while it scrolls and zooms: edges between pixels and between windows.
const zooms: readonly Shape[] = [
  { plan: 'padded', view: { kind: 'rows', windows: [2.3, 9.1], positions: [10.5, 200.25] }, width: 233, height: 171 },
  { plan: 'many', view: { kind: 'rows', windows: [100.75, 700.5], positions: [0, 256] }, width: 119, height: 301 },
  { plan: 'many', view: { kind: 'field', cellPx: 1, windowsPerCell: 3 }, width: 71, height: 43 },
  { plan: 'many', view: { kind: 'field', cellPx: 7, firstWindow: 12 }, width: 250, height: 99 },
  { plan: 'gaps', view: { ...mask, queries: [17, 93], keys: [5, 201] }, width: 131, height: 77 },
  { plan: 'cut', view: { ...mask, mask: 'bidirectional', block: [64, 32] }, width: 97, height: 97 },
];

const engines = new Map<string, Packscope>();

beforeAll(async () => {
  for (const variant of variants)
    engines.set(variant, await createPackscope({ bytes: new Uint8Array(wasmBytes(variant)) }));
});

function drawn(variant: string, { plan, view, width, height }: Shape, theme: Theme): Buffer {
  const packscope = engines.get(variant) as Packscope;
  return Buffer.from(packscope.render(packed(packscope, plan), { ...view, theme }, width, height).data);
}

describe.each(variants)('%s draws the pixels of the native program', (variant) => {
  const cases = Object.entries(shapes).flatMap(([name, shape]) => themes.map((theme) => ({ name, shape, theme })));
  test.each(cases)('$name, $theme', ({ name, shape, theme }) => {
    expect(engines.get(variant)?.variant()).toBe(variant);
    const native = decodePng(readFileSync(new URL(`${name}-${theme}.png`, folder)));
    expect([native.width, native.height]).toEqual([shape.width, shape.height]);
    expect(drawn(variant, shape, theme).equals(Buffer.from(native.data))).toBe(true);
  });
});

test('every golden picture is drawn', () => {
  const names = Object.keys(shapes).flatMap((name) => themes.map((theme) => `${name}-${theme}.png`));
  expect(names.sort()).toEqual(golden.sort());
});

test.each(zooms)('both builds draw the same at %j', (shape) => {
  for (const theme of themes) {
    const [simd, scalar] = variants.map((variant) => drawn(variant, shape, theme)) as [Buffer, Buffer];
    expect(new Set(new Uint32Array(simd.buffer, simd.byteOffset, simd.length / 4)).size).toBeGreaterThan(2);
    expect(simd.equals(scalar)).toBe(true);
  }
});
