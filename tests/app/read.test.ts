// SPDX-License-Identifier: MIT
// Files to documents: every kind that is read, and for each kind of fault a message with its place and what to do.
import { gzipSync } from 'node:zlib';
import { columnFromArray, list, tableFromArrays, tableFromColumns, tableToIPC, uint32, utf8 } from '@uwdata/flechette';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';

import type { DataSet } from '../../web/app/data/data-set.js';
import { commandFor } from '../../web/app/data/reach.js';
import { readFiles } from '../../web/app/data/read.js';
import type { Reading, Watch } from '../../web/read/reading.js';
import { plainReading } from '../../web/read/reading.js';
import { parquetFile } from './parquet-file.js';

const silent: Watch = { tell: () => undefined, stopped: () => undefined };
type Content = string | Uint8Array<ArrayBuffer>;

function read(
  name: string,
  content: Content | Content[],
  reading: Partial<Reading> = {},
  watch = silent,
): Promise<DataSet> {
  const parts = Array.isArray(content) ? content : [content];
  return readFiles([new File(parts, name)], { ...plainReading, ...reading }, watch);
}
const lengths = async (...args: Parameters<typeof read>) => [...(await read(...args)).lengths];
const bytes = (text: string) => new TextEncoder().encode(text);
const gzip = (text: string) => new Uint8Array(gzipSync(text));

function npy(dtype: string, data: ArrayBufferView, shape: string, version = 1): Uint8Array<ArrayBuffer> {
  const header = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${shape}), }\n`;
  const size = version === 1 ? [header.length, 0] : [header.length, 0, 0, 0];
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return Uint8Array.from([0x93, ...bytes('NUMPY'), version, 0, ...size, ...bytes(header), ...raw]);
}

test.each([
  ['text of one field', 'a.jsonl', '{"text": "abc"}\n{"text": "é"}\n', [3, 2]],
  ['question and answer, joined by a line feed', 'a.jsonl', '{"question": "ab", "answer": "c"}\n', [4]],
  ['token ids', 'a.jsonl', '{"input_ids": [1, 2, 3]}\n{"input_ids": []}\n', [3, 0]],
  ['messages', 'a.jsonl', '{"messages": [{"role": "user", "content": "ab"}, {"role": "x", "content": "c"}]}\n', [4]],
  ['lengths in a field', 'a.jsonl', '{"length": 5}\n{"length": 6}', [5, 6]],
  [
    'byte order mark, CR LF, blank lines, no last line feed',
    'a.jsonl',
    '\ufeff{"text": "a"}\r\n\r\n{"text": "bc"}',
    [1, 2],
  ],
  ['U+2028 inside a string', 'a.jsonl', '{"text": "a\u2028b"}\n', [5]],
  ['an array of records', 'a.json', '[{"text": "a]"}, {"text": "\\"b,"},\n {"text": ""}]', [2, 3, 0]],
  ['an array of lengths', 'a.json', '[5, 6,7]', [5, 6, 7]],
  ['a line is a document', 'names.txt', 'emma\nolivia', [4, 6]],
  ['an empty line is an empty document', 'names.txt', 'emma\n\nava\n', [4, 0, 3]],
  ['a list of lengths', 'lengths.txt', '5 6\n# not this\n7,8\n', [5, 6, 7, 8]],
  ['a histogram', 'a.hist.tsv', '3\t2\n9\t1\n', [3, 3, 9]],
  ['a table with names', 'a.csv', 'id,length\n1,50\n2,60\n', [50, 60]],
  ['a table of text with quotes over lines', 'a.csv', 'id,text\n1,"a,""b\nc"\n', [6]],
  ['a table without names', 'a.csv', '5,1\n6,1\n', [5, 6]],
] as const)('reads %s', async (_, name, content, expected) => {
  expect(await lengths(name, content)).toEqual(expected);
});

test('lines may lie across the pieces that a file is read in', async () => {
  const line = (index: number) => `{"text": "${'x'.repeat(index % 700)}"}\n`;
  const content = Array.from({ length: 9000 }, (_, index) => line(index)).join('');
  expect(content.length).toBeGreaterThan(2 ** 21);
  const data = await read('long.jsonl', content);
  expect(data.lengths).toHaveLength(9000);
  expect([...data.lengths.subarray(0, 1400)]).toEqual(Array.from({ length: 1400 }, (_, index) => index % 700));
  const elements = `[${content.trim().replaceAll('\n', ',\n')}]`;
  expect((await read('long.json', elements)).lengths).toEqual(data.lengths);
});

test('reads gzip of several members', async () => {
  expect(await lengths('a.jsonl.gz', [gzip('{"text": "ab"}\n{"te'), gzip('xt": "c"}\n')])).toEqual([2, 1]);
});

test('reads gzip members that end and begin on both sides of a piece', async () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `{"text": "${(index * 7919) ** 2}"}\n`);
  const members = Array.from({ length: 4 }, (_, part) => lines.slice(part * 10_000, (part + 1) * 10_000).join(''));
  const stored = members.map((text) => new Uint8Array(gzipSync(text, { level: 0 })));
  expect(stored.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(1 << 20);
  expect(await lengths('a.jsonl.gz', stored)).toHaveLength(40_000);
});

test.each([
  ['first', 0],
  ['middle', 1],
  ['last', 2],
])('refuses gzip whose %s member has another checksum', async (_, wrong) => {
  const members = ['{"text": "ab"}\n', '{"text": "c"}\n', '{"text": "d"}\n'].map(gzip);
  const member = members[wrong] as Uint8Array;
  member[member.length - 8] = (member[member.length - 8] as number) ^ 1;
  await expect(read('a.jsonl.gz', members)).rejects.toThrow(/a\.jsonl\.gz is damaged \(its checksum is another\)/);
});

// `printf '{"text": "ab"}\n' | zstd`, twice.
const zstdFrame = Uint8Array.from(Buffer.from('KLUv/QRYeQAAeyJ0ZXh0IjogImFiIn0K7YQUiQ==', 'base64'));

test('reads zstd of several frames, and refuses one that ends early', async () => {
  expect(await lengths('a.jsonl.zst', [zstdFrame, zstdFrame])).toEqual([2, 2]);
  await expect(read('a.jsonl.zst', zstdFrame.slice(0, 20))).rejects.toThrow(/a\.jsonl\.zst (ends inside|is damaged)/);
});

test.each([
  ['<u2', Uint16Array.of(3, 4), 1],
  ['<i8', BigInt64Array.of(3n, 4n), 2],
  ['|u1', Uint8Array.of(3, 4), 3],
  ['>i4', Uint8Array.of(0, 0, 0, 3, 0, 0, 0, 4), 1],
] as const)('reads .npy of %s', async (dtype, data, version) => {
  expect(await lengths('a.npy', npy(dtype, data, '2,', version))).toEqual([3, 4]);
});

test('reads the lengths of an .npz, or offers its arrays', async () => {
  const one = { 'lengths.npy': npy('<u4', Uint32Array.of(7, 8), '2,'), 'x.npy': npy('<f4', Float32Array.of(1), '1,') };
  expect(await lengths('a.npz', zipSync(one) as Uint8Array<ArrayBuffer>)).toEqual([7, 8]);
  const two = zipSync({ 'a.npy': one['lengths.npy'], 'b.npy': one['lengths.npy'] }) as Uint8Array<ArrayBuffer>;
  const refused = read('a.npz', two);
  await expect(refused).rejects.toThrow('No array of lengths in a.npz. Arrays found: a, b.');
  await expect(refused).rejects.toMatchObject({ remedies: [{ reading: { columns: ['a'] } }, {}] });
  expect(await lengths('a.npz', two, { columns: ['b'] })).toEqual([7, 8]);
});

const arrowTable = () =>
  tableFromColumns({
    input_ids: columnFromArray([[1, 2], [], [3, 70_000, 5]], list(uint32())),
    text: columnFromArray(['a', 'bcd', ''], utf8()),
  });

test.each(['stream', 'file'] as const)('reads an Arrow %s', async (format) => {
  const table = tableToIPC(arrowTable(), { format }) as Uint8Array<ArrayBuffer>;
  const data = await read('a.arrow', table);
  expect([...data.lengths]).toEqual([2, 0, 3]);
  expect([...(data.ids ?? [])]).toEqual([1, 2, 3, 70_000, 5]);
  expect(await lengths('a.arrow', table, { columns: ['text'] })).toEqual([1, 3, 0]);
});

test('reads Parquet: text, numbers and lists, and offers what has no known name', async () => {
  const file = parquetFile({ id: [1, 2, 3], text: ['a', 'bcd', 'é'], input_ids: [[1, 2], [], [70_000]] });
  expect(await lengths('a.parquet', file)).toEqual([2, 0, 1]);
  expect(await lengths('a.parquet', file, { columns: ['text'] })).toEqual([1, 3, 2]);
  expect(await lengths('a.parquet', file, { columns: ['id'] })).toEqual([1, 2, 3]);
  const refused = read('train.parquet', parquetFile({ id: [1], body: ['ab'] }));
  await expect(refused).rejects.toThrow('No length or token column in train.parquet. Columns found: id, body.');
  await expect(refused).rejects.toMatchObject({ remedies: [{}, { label: 'Count tokens in body' }] });
});

test('a column without a known name is offered', async () => {
  const table = tableToIPC(tableFromArrays({ id: [1, 2], body: ['ab', 'c'] }), {}) as Uint8Array<ArrayBuffer>;
  const refused = read('train.arrow', table, {});
  await expect(refused).rejects.toThrow('No length or token column in train.arrow. Columns found: id, body.');
});

test('several files go on numbering', async () => {
  const files = [new File(['5 6'], 'a.txt'), new File(['{"text":"abc"}'], 'b.jsonl')];
  const data = await readFiles(files, plainReading, silent);
  expect([...data.lengths]).toEqual([5, 6, 3]);
  expect(data.title).toBe('a.txt and 1 more');
});

test('documents keep their source, and what repeats is known', async () => {
  const data = await read(
    'a.jsonl',
    '{"text":"a","source":"x"}\n{"text":"b","source":"y"}\n{"text":"a","source":"x"}\n',
  );
  expect(data.sources?.names).toEqual(['x', 'y']);
  expect([...(data.sources?.indices ?? [])]).toEqual([0, 1, 0]);
  expect([...(data.identities ?? [])]).toEqual([0, 1, 0]);
});

test.each([
  [
    'cut gzip',
    'a.jsonl.gz',
    gzip('{"text": "abcdefghijklmnop"}\n').slice(0, 30),
    /a\.jsonl\.gz ends inside its compressed data, after 30 of 30 bytes/,
  ],
  ['gzip without its tail', 'a.jsonl.gz', gzip('{"text": "abc"}\n').slice(0, -3), /a\.jsonl\.gz is damaged/],
  ['xz', 'a.jsonl.xz', Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0), /compressed by xz.*xz -d/],
  ['UTF-16', 'a.jsonl', Uint8Array.of(0xff, 0xfe, 0x7b, 0), /UTF-16.*iconv/],
  ['an empty file', 'a.jsonl', '', /a\.jsonl is empty/],
  ['NaN', 'a.jsonl', '{"text": "a"}\n{"length": NaN}\n', /a\.jsonl, line 2, byte \d+: NaN is no JSON/],
  ['broken JSON', 'a.jsonl', '{"text": "é"}\n{"text": \n', /line 2, byte 24: no JSON/],
  ['an id above 2^31', 'a.jsonl', '{"input_ids": [1, 2147483648]}', /line 1: input_ids holds 2147483648 at index 1/],
  ['an id above 2^53', 'a.jsonl', '{"input_ids": [9007199254740993]}', /input_ids holds 900719925474099\d at index 0/],
  ['a negative id', 'a.jsonl', '{"input_ids": [-1]}', /holds -1 at index 0.*from 0 to 2147483647/],
  ['a fractional id', 'a.jsonl', '{"input_ids": [1.5]}', /holds 1\.5 at index 0/],
  ['a key twice', 'a.jsonl', '{"text": "a", "text": "b"}', /line 1: the key "text" stands twice/],
  [
    'invalid UTF-8',
    'a.jsonl',
    Uint8Array.from([...bytes('{"text": "a'), 0xff, ...bytes('"}')]),
    /line 1, byte 11: invalid UTF-8/,
  ],
  ['half a surrogate pair', 'a.jsonl', '{"text": "\\ud800"}', /half a surrogate pair/],
  ['null for a list', 'a.jsonl', '{"input_ids": [1]}\n{"input_ids": null}', /line 2: input_ids is null where a list/],
  ['no known key', 'a.jsonl', '{"id": {}}', /No length or token column in a\.jsonl\. Columns found: id/],
  ['an array without an end', 'a.json', '[{"text": "a"}, {"te', /ends inside element 2, at byte 20/],
  ['a negative length', 'a.txt', '10\n-5', /line 2: length -5 is no whole number/],
  ['a short .npy', 'a.npy', npy('<u4', Uint32Array.of(1), '9,'), /ends after \d+ of \d+ bytes: the file is cut short/],
  ['a .npy of floats', 'a.npy', npy('<f8', Float64Array.of(1), '1,'), /holds <f8; lengths are whole numbers/],
  ['a .npy of two dimensions', 'a.npy', npy('<u4', Uint32Array.of(1), '1, 1'), /has 2 dimensions \(1 × 1\)/],
  ['a broken Arrow file', 'a.arrow', bytes('ARROW1 and no more'), /a\.arrow is no whole Arrow file/],
  ['a broken Parquet file', 'a.parquet', bytes('PAR1 and no more'), /a\.parquet is no whole Parquet file/],
] as const)('refuses %s with its place and what to do', async (_, name, content, message) => {
  await expect(read(name, content)).rejects.toThrow(message);
});

test('what is read so far can be kept, or nothing', async () => {
  const content = '{"text": "abc"}\n'.repeat(400_000);
  let told = 0;
  const stopping = (how: 'keep' | 'cancel'): Watch => ({
    tell: () => {
      told += 1;
    },
    stopped: () => (told > 0 ? how : undefined),
  });
  const kept = await read('a.jsonl', content, {}, stopping('keep'));
  expect(kept.readShare).toBeGreaterThan(0);
  expect(kept.readShare).toBeLessThan(1);
  expect(kept.lengths.length).toBeLessThan(400_000);
  await expect(read('a.jsonl', content, {}, stopping('cancel'))).rejects.toMatchObject({ name: 'Cancelled' });
});

test('a tokenizer of the reader counts and cuts', async () => {
  const vocabulary = Object.fromEntries([...'abc'].map((letter, index) => [letter, index]));
  const tokenizer = {
    version: '1.0',
    model: { type: 'BPE', vocab: { ...vocabulary, ab: 3 }, merges: ['a b'] },
    pre_tokenizer: null,
    decoder: null,
    normalizer: null,
    post_processor: null,
    added_tokens: [],
  };
  const tokenizerFile = new File([JSON.stringify(tokenizer)], 'tokenizer.json');
  const data = await read('a.jsonl', '{"text": "abcab"}', { tokenizer: 'file', tokenizerFile });
  expect([...data.lengths]).toEqual([3]);
  await expect(
    read('a.jsonl', '{"text": "a"}', { tokenizer: 'file', tokenizerFile: new File(['{}'], 'x.json') }),
  ).rejects.toThrow(/x\.json is no tokenizer that can be read: it has no "model"/);
});

// Ids as the published tokenizers give them.
test.each([
  ['r50k_base', [31_373, 995]],
  ['cl100k_base', [15_339, 1917]],
  ['o200k_base', [24_912, 2375]],
] as const)('%s makes its own ids of text, and its pieces make the text again', async (tokenizer, ids) => {
  const data = await read('a.jsonl', '{"text": "hello world"}\n{"text": "<|endoftext|> is text"}', { tokenizer });
  expect(data.lengths[0]).toBe(2);
  expect([...Array.from(data.tokenizer?.ids?.('hello world') ?? [])]).toEqual(ids);
  expect(data.tokenizer?.slice('hello world', 1, 2)).toBe(' world');
  expect(data.lengths[1]).toBeGreaterThan(3);
});

test('words are what stands between blanks', async () => {
  const data = await read('a.jsonl', '{"text": " one  two\\nthree "}', { tokenizer: 'words' });
  expect([...data.lengths]).toEqual([3]);
  expect(data.tokenizer?.slice(' one  two\nthree ', 1, 3)).toBe('two\nthree');
});

test('commands name the file safely', () => {
  expect(commandFor("it's.jsonl", 'records')).toBe(
    "packscope compare 'it'\\''s.jsonl' --text-field text --context-length 4096",
  );
});
