// SPDX-License-Identifier: MIT
// packscope-import as it is built: every kind of file to a corpus that holds the tokens computed here, that the program
// packs like the same ids as JSON lines, and that appears whole or not at all.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as encodeR50k } from 'gpt-tokenizer/encoding/r50k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { parquetFile } from '../app/parquet-file.js';

const command = resolve('dist/import/packscope-import.js');
const program = resolve(process.env['PACKSCOPE_PROGRAM'] ?? 'build/dev/packscope');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packscope-import-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function imported(...words: string[]) {
  return spawnSync(process.execPath, [command, ...words], { cwd: folder, encoding: 'utf8' });
}

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

/** A corpus as the description of its layout says: documents of sequences, which here are one each. */
function corpus(name: string): { code: number; documents: number[][] } {
  const index = readFileSync(join(folder, `${name}.idx`));
  const tokens = readFileSync(join(folder, `${name}.bin`));
  expect(index.subarray(0, 9).toString('latin1')).toBe('MMIDIDX\0\0');
  expect(index.readBigUInt64LE(9)).toBe(1n);
  const code = index.readUInt8(17);
  const count = Number(index.readBigUInt64LE(18));
  expect(Number(index.readBigUInt64LE(26))).toBe(count + 1);
  expect(index.length).toBe(34 + 12 * count + 8 * (count + 1));
  const width = code === 8 ? 2 : 4;
  const documents = Array.from({ length: count }, (_, i) => {
    const size = index.readInt32LE(34 + 4 * i);
    const pointer = Number(index.readBigInt64LE(34 + 4 * count + 8 * i));
    expect(Number(index.readBigInt64LE(34 + 12 * count + 8 * i))).toBe(i);
    const idAt = (at: number) => (code === 8 ? tokens.readUInt16LE(at) : tokens.readInt32LE(at));
    return Array.from({ length: size }, (_, t) => idAt(pointer + t * width));
  });
  expect(Number(index.readBigInt64LE(34 + 12 * count + 8 * count))).toBe(count);
  expect(tokens.length).toBe(documents.flat().length * width);
  return { code, documents };
}

const texts = ['Hello, world.', 'héllo 你好 <|endoftext|>', '', 'the end'];
const lines = texts.map((text) => `${JSON.stringify({ text, id: 1 })}\n`).join('');
const utf8 = (text: string) => [...new TextEncoder().encode(text)];
const plain = { disallowedSpecial: new Set<string>() };
const r50k = texts.map((text) => encodeR50k(text, plain));

test('JSON lines become the tokens of the tokenizer', () => {
  const done = imported(write('a.jsonl', lines), '--tokenizer', 'r50k_base', '--out', 'lines');
  expect(done.stderr).toBe('');
  expect(done.stdout).toBe(`lines.idx: 4 documents, ${r50k.flat().length} tokens, uint16, r50k_base\n`);
  expect(corpus('lines')).toEqual({ code: 8, documents: r50k });
});

test('a tokenizer of 100,000 ids is stored in 32 bits, and its short name will do', () => {
  expect(imported(write('a.jsonl', lines), '--tokenizer', 'cl100k', '--out', 'large.idx').status).toBe(0);
  expect(corpus('large')).toEqual({ code: 4, documents: texts.map((text) => encodeCl100k(text, plain)) });
});

test('a tokenizer.json is read', () => {
  const vocab = { a: 0, b: 1, ab: 2, c: 3 };
  const model = { type: 'BPE', vocab, merges: ['a b'], unk_token: null };
  const json = {
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: null,
    decoder: null,
    post_processor: null,
    model,
  };
  write('tokenizer.json', JSON.stringify(json));
  write('abc.jsonl', '{"text": "abcab"}\n{"text": "ba"}\n');
  const done = imported('abc.jsonl', '--tokenizer', 'tokenizer.json', '--out', 'own');
  expect(done.stderr).toBe('');
  expect(corpus('own')).toEqual({
    code: 4,
    documents: [
      [2, 3, 2],
      [1, 0],
    ],
  });
});

test('Parquet, Arrow, CSV and text become the same corpus, in the order of the files', () => {
  const some = ['one document', 'zwei', 'trois mots ici'];
  const table = tableToIPC(tableFromArrays({ text: some }), { format: 'stream' }) as Uint8Array;
  const files = [
    write('t.parquet', parquetFile({ id: [1, 2, 3], text: some })),
    write('t.arrow', table),
    write('t.csv', `text,id\n${some.map((text) => `"${text}",1`).join('\n')}\n`),
    write('t.jsonl.gz', gzipSync(some.map((text) => `{"text": "${text}"}`).join('\n'))),
    write('t.txt', some.join('\n')),
  ];
  const done = imported(...files, '--tokenizer', 'bytes', '--out', 'all');
  expect(done.stderr).toBe('');
  const once = some.map(utf8);
  expect(corpus('all').documents).toEqual([...once, ...once, ...once, ...once, ...once]);
});

test('columns are chosen, and texts joined by a line feed', () => {
  write('q.jsonl', '{"q": "a", "r": "b", "other": "c"}\n');
  expect(imported('q.jsonl', '--column', 'q,r', '--tokenizer', 'bytes', '--out', 'joined').status).toBe(0);
  expect(corpus('joined').documents).toEqual([utf8('a\nb')]);
});

test('token ids need no tokenizer', () => {
  const file = parquetFile({ id: [1, 2, 3], input_ids: [[1, 2], [], [70_000]] });
  expect(imported(write('ids.parquet', file), '--out', 'ids').stdout).toBe('ids.idx: 3 documents, 3 tokens, int32\n');
  expect(corpus('ids')).toEqual({ code: 4, documents: [[1, 2], [], [70_000]] });
  const refused = imported('ids.parquet', '--dtype', 'uint16', '--out', 'small');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(
    'Document 2 holds 70000 at index 0, and uint16 holds ids up to 65535. Give --dtype int32.',
  );
});

test('many documents and tokens keep their order', () => {
  const documents = Array.from({ length: 70_000 }, (_, i) =>
    Array.from({ length: (i * 7) % 40 }, (_, t) => (i + t) % 60_000),
  );
  write('many.jsonl', documents.map((ids) => `{"input_ids": ${JSON.stringify(ids)}}\n`).join(''));
  expect(imported('many.jsonl', '--out', 'many').status).toBe(0);
  expect(corpus('many').documents).toEqual(documents);
});

test.skipIf(!existsSync(program))('the program packs the corpus as it packs its ids', () => {
  imported(write('a.jsonl', lines), '--tokenizer', 'r50k', '--out', 'packed');
  write('ids.jsonl', r50k.map((ids) => `${JSON.stringify({ input_ids: ids })}\n`).join(''));
  const pack = (input: string) =>
    JSON.parse(
      spawnSync(program, ['pack', input, '-L', '16', '-q', '--json', '-o', `out-${input.replace('.', '-')}`], {
        cwd: folder,
        encoding: 'utf8',
      }).stdout,
    );
  const made = pack('packed.bin');
  expect(made.fingerprint).toBe(pack('ids.jsonl').fingerprint);
  expect(readFileSync(join(folder, 'out-packed-bin/input_ids.npy'))).toEqual(
    readFileSync(join(folder, 'out-ids-jsonl/input_ids.npy')),
  );
});

test('a corpus is replaced by --force only', () => {
  write('one.jsonl', '{"input_ids": [1]}\n');
  write('two.jsonl', '{"input_ids": [2, 2]}\n');
  expect(imported('one.jsonl', '--out', 'same').status).toBe(0);
  const refused = imported('two.jsonl', '--out', 'same');
  expect([refused.status, refused.stderr]).toEqual([
    2,
    'packscope-import: same.bin exists: name another --out, or replace it by --force. See packscope-import --help\n',
  ]);
  expect(corpus('same').documents).toEqual([[1]]);
  expect(imported('two.jsonl', '--out', 'same', '--force').status).toBe(0);
  expect(corpus('same').documents).toEqual([[2, 2]]);
});

const cutParquet = parquetFile({ text: ['a'] }).slice(0, 40);
test.each<[name: string, content: string | Uint8Array, words: string[], status: number, message: string]>([
  [
    'bad.jsonl',
    '{"input_ids": [1]}\n{"input_ids": [1, -2]}\n',
    [],
    1,
    'bad.jsonl, line 2: input_ids holds -2 at index 1',
  ],
  ['none.jsonl', '{"text": "a"}\nno record\n', ['--tokenizer', 'bytes'], 1, 'none.jsonl, line 2, byte 23: no JSON'],
  ['text.jsonl', '{"text": "a"}\n', [], 2, 'nothing says how it becomes tokens: give --tokenizer bytes, r50k_base'],
  ['text.jsonl', '{"text": "a"}\n', ['--tokenizer', 'gpt5'], 2, "--tokenizer 'gpt5' is none of bytes, r50k_base"],
  ['text.jsonl', '{"text": "a"}\n', ['--column', 'body'], 1, 'text.jsonl cannot be read by body'],
  ['text.jsonl', '{"text": "a"}\n', ['--unit', 'word'], 2, "--unit 'word' must be one of line, paragraph, file"],
  ['text.jsonl', '{"text": "a"}\n', ['--colunm', 'text'], 2, "Unknown option '--colunm'"],
  ['lengths.jsonl', '{"length": 3}\n', [], 1, 'Document 0 is known by its length alone'],
  ['lengths.txt', '3\n4\n', [], 1, 'lengths.txt holds no documents that become tokens'],
  ['cut.parquet', cutParquet, [], 1, 'cut.parquet is no whole Parquet file'],
  ['cut.arrow', new Uint8Array([65, 82, 82, 79, 87, 49, 0, 0, 1]), [], 1, 'cut.arrow is no whole Arrow file'],
  [
    'cut.jsonl.gz',
    gzipSync(lines).subarray(0, 40),
    ['--tokenizer', 'bytes'],
    1,
    'cut.jsonl.gz ends inside its compressed data',
  ],
])('%s is refused, and nothing is left', (name, content, words, status, message) => {
  write(name, content);
  const before = readdirSync(folder);
  const done = imported(name, ...words, '--out', 'never');
  expect(done.stderr).toContain(message);
  expect(done.stderr).not.toContain('    at ');
  expect(done.status).toBe(status);
  expect(readdirSync(folder)).toEqual(before);
});

test('what is missing is named', () => {
  expect(imported('--out', 'x').stderr).toContain('No file is named');
  expect(imported('a.jsonl').stderr).toContain('--out is missing');
  expect(imported('nowhere.jsonl', '--out', 'x').stderr).toContain("no such file or directory, open 'nowhere.jsonl'");
  expect(imported('.', '--out', 'x').stderr).toContain('. is no regular file');
});

test('help and version are told', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(imported('--version').stdout).toBe(`packscope-import ${version}\n`);
  const { stdout, status } = imported('--help');
  expect(status).toBe(0);
  for (const flag of ['--out', '--column', '--tokenizer', '--unit', '--dtype', '--force', '--quiet'])
    expect(stdout).toContain(flag);
});

test('an interrupted run leaves nothing', async () => {
  write('long.jsonl', '{"text": "some words to be tokenized"}\n'.repeat(1_000_000));
  const child = spawn(process.execPath, [command, 'long.jsonl', '--tokenizer', 'o200k', '--out', 'stopped'], {
    cwd: folder,
  });
  const pending = () => readdirSync(folder).filter((name) => name.startsWith('.stopped'));
  await expect.poll(pending, { timeout: 30_000 }).not.toEqual([]);
  const ended = new Promise<number | null>((done) => child.on('close', done));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(pending()).toEqual([]);
  expect(existsSync(join(folder, 'stopped.idx'))).toBe(false);
});
