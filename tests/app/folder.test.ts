// SPDX-License-Identifier: MIT
// Packed folders: what is read of them, and what is not.
import { expect, test } from 'vitest';

import { readPackedFolder } from '../../web/app/data/folder.js';
import type { RangedFolder } from '../../web/app/data/ranged.js';

const silent = { tell: () => undefined, stopped: () => undefined };
const contextLength = 8;

function npy(dtype: string, data: ArrayBufferView, shape: string): Uint8Array<ArrayBuffer> {
  const header = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117);
  const text = new TextEncoder().encode(`${header}\n`);
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return Uint8Array.from([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, text.length, 0, ...text, ...raw]);
}

const ledger = { documents: 5, tokens: 15, tokens_dropped: 0 };
const options = { context_length: contextLength, groups: '', separator: 'after', separator_id: null, bos_id: null };
const manifest = { format: 'packscope', format_version: 1, fingerprint: 'f', options, ledger, inputs: ['in/a.jsonl'] };

// Three windows: documents 0 and 1, document 2, documents 3 and 4.
const files = {
  'manifest.json': new TextEncoder().encode(JSON.stringify(manifest)),
  'window_offsets.npy': npy('<u8', BigUint64Array.of(0n, 2n, 3n, 5n), '4,'),
  'segment_document.npy': npy('<u4', Uint32Array.of(0, 1, 2, 3, 4), '5,'),
  'segment_offset.npy': npy('<u4', new Uint32Array(5), '5,'),
  'segment_length.npy': npy('<u4', Uint32Array.of(5, 3, 2, 1, 4), '5,'),
  'input_ids.npy': npy(
    '<i4',
    Int32Array.from({ length: 24 }, (_, i) => i + 100),
    '3, 8',
  ),
};

/** The files above, and what of each was read. */
function watched(given: Readonly<Record<string, Uint8Array>> = files) {
  const reads: string[] = [];
  const folder: RangedFolder = (name) => {
    const bytes = given[name];
    if (bytes === undefined) return undefined;
    const read = async (begin: number, end: number) => {
      reads.push(`${name} ${begin}-${end}`);
      return bytes.slice(begin, end);
    };
    return { name, read };
  };
  return { folder, reads };
}

test('reads the plan, and no token', async () => {
  const { folder, reads } = watched();
  const data = await readPackedFolder(folder, undefined, silent);
  expect([...data.lengths]).toEqual([5, 3, 2, 1, 4]);
  expect([...(data.plan?.window_offsets ?? [])]).toEqual([0, 2, 3, 5]);
  expect(data.title).toBe('Packed: a.jsonl');
  expect(data.isPart).toBe(false);
  expect(reads.filter((read) => read.startsWith('input_ids'))).toEqual([]);
});

test('reads the tokens of a window when it is asked for, and those alone', async () => {
  const { folder, reads } = watched();
  const data = await readPackedFolder(folder, undefined, silent);
  reads.length = 0;
  const tokens = await data.windowTokens?.(1, [{ begin: 0, length: 2 }]);
  expect([...(tokens?.ids ?? [])]).toEqual([108, 109, 110, 111, 112, 113, 114, 115]);
  expect(tokens?.texts).toEqual(['108 109']);
  await data.windowTokens?.(2, []);
  expect(reads).toEqual(['input_ids.npy 0-1024', 'input_ids.npy 160-192', 'input_ids.npy 192-224']);
});

test('filler windows count for the plan, and for no source', async () => {
  const filled = { ...manifest, ledger: { ...ledger, filler_windows: 1 } };
  const text = new TextEncoder().encode(JSON.stringify(filled));
  const { plan } = await readPackedFolder(watched({ ...files, 'manifest.json': text }).folder, undefined, silent);
  expect(plan?.ledger.fillerWindows).toBe(1);
  expect(plan?.ledgerBySource.map(({ fillerWindows }) => fillerWindows)).toEqual([0]);
});

test('reads some windows of a larger plan, with their segments alone', async () => {
  const { folder, reads } = watched();
  const data = await readPackedFolder(folder, [1, 2], silent);
  expect([...(data.plan?.window_offsets ?? [])]).toEqual([0, 1]);
  expect([...(data.plan?.segment_document ?? [])]).toEqual([2]);
  expect([...data.lengths]).toEqual([0, 0, 2, 0, 0]);
  expect(data.isPart).toBe(true);
  expect(data.notes?.[0]).toBe(
    'Windows 1 to 1 of 3 are on show, numbered from 0. Others: add &windows=2:3 to the address.',
  );
  expect(reads).toContain('segment_length.npy 136-140');
  expect((await data.windowTokens?.(0, []))?.ids[0]).toBe(108);
});

test('windows beyond the last show the last', async () => {
  const data = await readPackedFolder(watched().folder, [7, 9], silent);
  expect([...(data.plan?.segment_document ?? [])]).toEqual([3, 4]);
});

test('tokens are found where the list of arrays says: in one file with others, ids of two bytes', async () => {
  const ids = Uint16Array.from({ length: 16 }, (_, i) => i + 60_000);
  const archive = new Uint8Array(7 + ids.byteLength);
  archive.set(new Uint8Array(ids.buffer), 7);
  const arrays = { input_ids: { dtype: '<u2', shape: [2, 8], file: 'windows.safetensors', offset: 7 } };
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const whole = {
    ...files,
    'manifest.json': json({ ...manifest, container: 'safetensors', arrays }),
    'windows.safetensors': archive,
  };
  const inShards = {
    ...files,
    'manifest.json': json({ ...manifest, container: 'safetensors', shard_windows: 2 }),
    'shard-00000/shard.json': json({ arrays }),
    'shard-00000/windows.safetensors': archive,
  };
  for (const given of [whole, inShards]) {
    const data = await readPackedFolder(watched(given).folder, undefined, silent);
    expect((await data.windowTokens?.(1, []))?.ids[0]).toBe(60_008);
  }
});

test('the tokens of a window are those of its shard', async () => {
  const row = (first: number) =>
    npy(
      '<i4',
      Int32Array.from({ length: 8 }, (_, i) => first + i),
      '1, 8',
    );
  const shards = {
    ...files,
    'manifest.json': new TextEncoder().encode(JSON.stringify({ ...manifest, shard_windows: 2 })),
    'shard-00000/input_ids.npy': npy(
      '<i4',
      Int32Array.from({ length: 16 }, (_, i) => i),
      '2, 8',
    ),
    'shard-00001/input_ids.npy': row(50),
  };
  const data = await readPackedFolder(watched(shards).folder, undefined, silent);
  expect((await data.windowTokens?.(1, []))?.ids[0]).toBe(8);
  expect((await data.windowTokens?.(2, []))?.ids[0]).toBe(50);
});

test('tokens that are bytes are text', async () => {
  const manifestOfText = JSON.stringify({ ...manifest, reader: { tokenizer: 'bytes' } });
  const text = { ...files, 'manifest.json': new TextEncoder().encode(manifestOfText) };
  const data = await readPackedFolder(watched(text).folder, undefined, silent);
  expect((await data.windowTokens?.(0, [{ begin: 1, length: 3 }]))?.texts).toEqual(['efg']);
});

test('a plan alone has no tokens', async () => {
  const { 'input_ids.npy': _, ...rest } = files;
  const data = await readPackedFolder(watched(rest).folder, undefined, silent);
  expect(await data.windowTokens?.(0, [])).toBeUndefined();
});

test('a folder that is damaged is refused with what to do', async () => {
  const cut = { ...files, 'segment_length.npy': files['segment_length.npy'].slice(0, -4) };
  await expect(readPackedFolder(watched(cut).folder, undefined, silent)).rejects.toThrow(
    'segment_length.npy ends before its value 5: the file is cut short. Pack it again.',
  );
  const { 'window_offsets.npy': _, ...rest } = files;
  await expect(readPackedFolder(watched(rest).folder, undefined, silent)).rejects.toThrow(
    'window_offsets.npy is missing beside manifest.json',
  );
  const other = { ...files, 'manifest.json': new TextEncoder().encode('{"format": "x"}') };
  await expect(readPackedFolder(watched(other).folder, undefined, silent)).rejects.toThrow(
    'manifest.json is not that of a folder written by packscope pack',
  );
});
