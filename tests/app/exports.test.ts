// SPDX-License-Identifier: MIT
// Exports of the worker read back: what an Arrow table holds is what the package materializes.
import { readFile } from 'node:fs/promises';
import { tableFromIPC } from '@uwdata/flechette';
import type { Packscope } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, expect, test } from 'vitest';
import { lengthColors, wholenessColors } from '../../web/app/engine/colors.js';
import { lengthStep } from '../../web/app/engine/recolor.js';
import { PackingService } from '../../web/app/engine/service.js';
import { plainReading } from '../../web/read/reading.js';

const options = { contextLength: 16, algorithm: 'next_fit' } as const;
const wish = { theme: 'light', colorBy: 'document', width: 100, rowHeight: 10 } as const;
const ids = [[11, 12, 13], [21, 22, 23, 24, 25, 26, 27, 28, 29, 30], [31, 32, 33, 34], [41]];
let packscope: Packscope;
let service: PackingService;

beforeAll(async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  packscope = await createPackscope({ bytes: new Uint8Array(bytes) });
  service = new PackingService(packscope);
  const lines = ids.map((input_ids) => `${JSON.stringify({ input_ids })}\n`);
  await service.load({ files: [new File(lines, 'ids.jsonl')], reading: plainReading });
  service.plan(options, 'plan');
});

test.each([
  [0, 2],
  [1, 2],
] as const)('Arrow has the arrays of windows %d to %d, a row each', async (first, last) => {
  const { name, bytes } = await service.exportFile({ ...wish, kind: 'arrow', range: [first, last] });
  expect(name).toBe(`windows-${first}-${last}.arrow`);
  const table = tableFromIPC(bytes);
  const documents = ids.map((list) => Uint32Array.from(list));
  const plan = packscope.pack(documents, options);
  const batch = packscope.materialize(plan, documents, { windows: [first, last] });
  expect(table.numRows).toBe(last - first);
  for (const array of ['input_ids', 'labels', 'position_ids', 'doc_ids', 'segment_ids', 'loss_mask'] as const) {
    const rows = [...table.getChild(array)].map((row: Iterable<number>) => [...row]);
    expect(rows.flat()).toEqual([...batch[array]]);
    expect(rows[0]).toHaveLength(16);
  }
  const boundaries = table.getChild('cu_seqlens').toArray();
  for (let row = 0; row < last - first; row += 1) {
    const own = packscope.cuSeqlens(plan, { windows: first + row });
    expect([...boundaries[row]]).toEqual([...own.cu_seqlens]);
    expect(table.getChild('max_seqlen').at(row)).toBe(own.max_seqlen[0]);
  }
});

test('what was exported as Arrow can be opened again', async () => {
  const { name, bytes } = await service.exportFile({ ...wish, kind: 'arrow', range: [0, 2] });
  const again = new PackingService(packscope);
  const { documents, tokens, chosen } = await again.load({ files: [new File([bytes], name)], reading: plainReading });
  expect([documents, tokens, chosen]).toEqual([2, 32, ['input_ids']]);
});

const hex = (color: ArrayLike<number>) =>
  `#${Array.from(color, (part) => part.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, 6)}`;

test('tiles of an SVG have the colours on show', async () => {
  const fills = async (colorBy: 'document' | 'length' | 'split') => {
    const { bytes } = await service.exportFile({ ...wish, kind: 'svg', range: [0, 2], colorBy });
    const tiles = new TextDecoder().decode(bytes).matchAll(/fill="(#\w+)"><title>document/g);
    return Array.from(tiles, ([, fill]) => fill);
  };
  const { documents } = packscope.palette('light');
  const colorOf = (window: number, index: number) => documents[packscope.documentColor(window, index)] as Uint8Array;
  expect(await fills('document')).toEqual([colorOf(0, 0), colorOf(0, 1), colorOf(1, 0), colorOf(1, 1)].map(hex));
  expect(await fills('length')).toEqual(
    ids.map(({ length }) => hex(lengthColors.light[lengthStep(length, 16)] as readonly number[])),
  );
  expect(await fills('split')).toEqual(ids.map(() => hex(wholenessColors.light.whole)));
});
