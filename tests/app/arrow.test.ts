// SPDX-License-Identifier: MIT
// Arrow files of several record batches: read one batch at a time, whatever the format, and refused where they are cut.
import { columnFromArray, list, tableFromColumns, tableToIPC, uint32, utf8 } from '@uwdata/flechette';
import { expect, test } from 'vitest';

import { batchesOf } from '../../web/read/arrow-batches.js';
import type { DataFile } from '../../web/read/documents.js';

const rows = 7;
const batchRows = 3;

function arrowBytes(format: 'stream' | 'file'): Uint8Array<ArrayBuffer> {
  const options = { maxBatchRows: batchRows };
  const ids = Array.from({ length: rows }, (_, i) => Array.from({ length: i }, () => i));
  const texts = Array.from({ length: rows }, (_, i) => 'text '.repeat(i));
  const table = tableFromColumns({
    input_ids: columnFromArray(ids, list(uint32()), options),
    text: columnFromArray(texts, utf8(), options),
  });
  return tableToIPC(table, { format }) as Uint8Array<ArrayBuffer>;
}

/** The bytes as a file that remembers the longest piece asked for. */
function watched(bytes: Uint8Array<ArrayBuffer>): { file: DataFile; longest: () => number } {
  let longest = 0;
  const blob = new Blob([bytes]);
  const slice = (begin?: number, end?: number) => {
    const piece = blob.slice(begin, end);
    longest = Math.max(longest, piece.size);
    return piece;
  };
  const file = { name: 'a.arrow', size: blob.size, slice, arrayBuffer: () => blob.arrayBuffer() };
  return { file, longest: () => longest };
}

async function ends(file: DataFile): Promise<number[]> {
  const all: number[] = [];
  for await (const { end } of batchesOf(file)) all.push(end);
  return all;
}

test.each(['stream', 'file'] as const)('the batches of a %s come one by one', async (format) => {
  const bytes = arrowBytes(format);
  const { file, longest } = watched(bytes);
  const found = await ends(file);
  expect(found).toHaveLength(Math.ceil(rows / batchRows));
  expect(found).toEqual([...found].sort((a, b) => a - b));
  expect(longest()).toBeLessThan(bytes.length / 2);
});

test('a stream without an end mark is whole', async () => {
  const bytes = arrowBytes('stream');
  expect(await ends(watched(bytes.slice(0, -8)).file)).toHaveLength(3);
});

test.each([
  ['a stream inside a batch', 'stream', -40, 'it ends inside the message at byte'],
  ['a stream inside the schema', 'stream', 100, 'it ends inside the message at byte 0'],
  ['a file before its footer', 'file', -12, 'it has no footer'],
] as const)('%s is refused', async (_, format, end, message) => {
  await expect(ends(watched(arrowBytes(format).slice(0, end)).file)).rejects.toThrow(message);
});

test('what is no message is refused', async () => {
  const noise = Uint8Array.from({ length: 200 }, () => 0xff);
  noise.set([16, 0, 0, 0], 4);
  await expect(ends(watched(noise).file)).rejects.toThrow('a.arrow is no whole Arrow file: byte 0 begins no message');
});
