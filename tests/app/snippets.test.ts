// SPDX-License-Identifier: MIT
// The code of the code view runs, and its assertions hold: by the program, in JavaScript, with NumPy, and with PyTorch
// where it is installed. JAX's array functions are NumPy's here.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MaskOptions, Packscope, Plan } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SegmentInfo, WindowInfo } from '../../web/app/engine/protocol.js';
import { PackingService } from '../../web/app/engine/service.js';
import type { Model } from '../../web/app/state/model.js';
import { defaultModel } from '../../web/app/state/model.js';
import { packOptions } from '../../web/app/state/planning.js';
import type { Snippet } from '../../web/app/text/snippets.js';
import {
  attendingPairs,
  changedOptions,
  commandLine,
  flashAttention,
  flexAttention,
  huggingFace,
  javaScript,
  jax,
  onnx,
  scaledDotProduct,
  segmentPrefixes,
} from '../../web/app/text/snippets.js';

const python = process.env['PACKSCOPE_PYTHON'] ?? '/usr/bin/python3';
const root = fileURLToPath(new URL('../..', import.meta.url));
const program = process.env['PACKSCOPE_PROGRAM'] ?? join(root, 'build/dev/packscope');
const has = (module: string) => spawnSync(python, ['-c', `import ${module}`]).status === 0;
const [hasNumpy, hasTorch] = [has('numpy'), has('torch')];
if (!hasTorch) console.log('PyTorch snippets are skipped: there is no torch for Python; install python3-torch.');

if (!existsSync(program)) console.log(`The command is skipped: there is no ${program}; build the preset dev.`);

// Starting Python takes its time, PyTorch's in particular, on a machine that is busy.
const patience = { timeout: 240_000 };

function run({ code }: Snippet): string {
  const input = code.replace('import jax.numpy as jnp', 'import numpy as jnp');
  const { status, stderr } = spawnSync(python, ['-'], { input, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

const contextLength = 256;
const options = { contextLength, algorithm: 'first_fit' } as const;
let packscope: Packscope;
let plan: Plan;
let info: WindowInfo;

beforeAll(async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  packscope = await createPackscope({ bytes: new Uint8Array(bytes) });
  const service = new PackingService(packscope);
  await service.load({ example: 'readable' });
  service.plan(options, 'plan');
  info = service.window(1);
  expect(info.used).toBeLessThan(contextLength);
  const lengths = Uint32Array.from(info.segments, ({ length }) => length);
  plan = packscope.pack(lengths, { ...options, algorithm: 'next_fit' });
});

const attentions = [
  { contextLength, causal: true, slidingWindow: 0 },
  { contextLength, causal: true, slidingWindow: 16 },
  { contextLength, causal: false, slidingWindow: 0 },
  { contextLength, causal: false, slidingWindow: 16 },
];
const percent = 40;
const prefixed = [0, 16].map((slidingWindow) => ({ contextLength, causal: true, slidingWindow }));
const withPrefixes = (attention: (typeof prefixed)[0]) => ({ ...attention, prefixes: segmentPrefixes(info, percent) });

test.each(attentions)('counts the pairs that the core lets attend: %j', (attention) => {
  const { causal, slidingWindow } = attention;
  const mask: MaskOptions = { mask: causal ? 'causal' : 'bidirectional', slidingWindow: slidingWindow || null };
  const used = info.used;
  const { begin, end } = packscope.keyIntervals(plan, 0, mask);
  let pairs = 0;
  for (let query = 0; query < used; query += 1) pairs += (end[query] as number) - (begin[query] as number);
  const real = info.boundaries.filter((end) => end <= used);
  expect(attendingPairs(real, attention)).toBe(pairs);
});

test.each(prefixed)('counts the pairs inside prefixes, too: %j', (attention) => {
  const prefixLengths = info.segments.map(({ documentLength }) => Math.round((documentLength * percent) / 100));
  const mask: MaskOptions = { slidingWindow: attention.slidingWindow || null, prefixLengths };
  const { begin, end } = packscope.keyIntervals(plan, 0, mask);
  const real = info.boundaries.filter((end) => end <= info.used);
  const pairs = Array.from({ length: info.used }, (_, query) => (end[query] as number) - (begin[query] as number));
  expect(attendingPairs(real, withPrefixes(attention))).toBe(pairs.reduce((sum, keys) => sum + keys, 0));
});

test('the prefix of a document goes on into its pieces', () => {
  const piece = (offset: number, length: number) => ({ offset, length, documentLength: 100 }) as SegmentInfo;
  const window = { ...info, segments: [piece(0, 30), piece(30, 50), piece(80, 20)] };
  expect(segmentPrefixes(window, 50)).toEqual([30, 20, 0]);
  expect(segmentPrefixes(window, 50, 1)).toEqual([30, 21, 0]);
  expect(segmentPrefixes(window, 0, 1)).toEqual([0, 0, 0]);
});

const records = Array.from({ length: 40 }, (_, index) => ({
  text: 'word '.repeat(1 + ((index * 7) % 30)),
  source: index % 3 === 0 ? "it's" : 'web page',
}));

// The settings of the page as it opens, and with every kind of value.
describe.each([
  ['as the page opens', {}],
  [
    'with groups, tokens and limits',
    {
      ...{ homogeneity: 'group', groups: "one=it's;two=web page", separator: true, bos: true, openWindows: 3 },
      ...{ algorithm: 'first_fit', longDocuments: 'split', maxDocumentsPerWindow: 5, dropDuplicates: true },
    },
  ],
] satisfies [string, Partial<Model>][])('the plan, %s,', (_, settings) => {
  function filledIn() {
    const wanted = packOptions({ ...defaultModel, contextLength, ...settings });
    const documents = records.map(({ text }) => new TextEncoder().encode(text));
    const sources = records.map(({ source }) => source);
    const made = packscope.pack({ documents, sources }, wanted);
    const changed = changedOptions(wanted, packscope.options());
    const windows = made.window_offsets.length - 1;
    const input = 'documents.jsonl --text-field text --source-field source';
    return { contextLength, input, options: changed, windows, fingerprint: made.fingerprint };
  }

  test('is the one that the JavaScript makes', patience, () => {
    const given = `
const bytes = (text) => Uint32Array.from(new TextEncoder().encode(text));
const records = ${JSON.stringify(records)};
const documents = { documents: records.map(({ text }) => bytes(text)), sources: records.map(({ source }) => source) };
`;
    const { code } = javaScript(filledIn());
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-'], {
      cwd: root,
      input: given + code,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  test.skipIf(!existsSync(program))('is the one that the command makes', patience, () => {
    const folder = mkdtempSync(join(tmpdir(), 'packscope-snippet-'));
    writeFileSync(join(folder, 'documents.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const { status, stderr } = spawnSync('sh', ['-e'], {
      cwd: folder,
      env: { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env['PATH']}` },
      input: commandLine(filledIn()).code,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  });
});

describe.skipIf(!hasNumpy)('with NumPy', () => {
  test.each(attentions)('JAX and ONNX run: %j', patience, (attention) => {
    expect(run(jax(info, attention))).toBe('');
    expect(run(onnx(info, attention))).toBe('');
  });

  test.each(prefixed)('JAX and ONNX run with prefixes: %j', patience, (attention) => {
    expect(run(jax(info, withPrefixes(attention)))).toBe('');
    expect(run(onnx(info, withPrefixes(attention)))).toBe('');
  });

  test('an assertion that does not hold is found', patience, () => {
    const wrong = onnx({ ...info, boundaries: [0, 3, contextLength] }, attentions[0] as (typeof attentions)[0]);
    expect(run({ ...wrong, code: wrong.code.replace('[0, 3, 256]', '[0, 4, 256]') })).toContain('AssertionError');
  });
});

describe.skipIf(!hasTorch)('with PyTorch', () => {
  test('position_ids, varlen arguments, mask_mod and SDPA run', patience, () => {
    const all = [
      ...attentions.map((attention) => scaledDotProduct(info, attention)),
      huggingFace(info, contextLength),
      flashAttention(info, contextLength, true, 16),
      ...attentions.map((attention) => flexAttention(info, attention)),
      ...prefixed.map((attention) => scaledDotProduct(info, withPrefixes(attention))),
      ...prefixed.map((attention) => flexAttention(info, withPrefixes(attention))),
    ];
    const code = all.map((snippet) => snippet.code).join('\n');
    expect(run({ ...(all[0] as Snippet), code })).toBe('');
  });
});
