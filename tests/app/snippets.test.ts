// SPDX-License-Identifier: MIT
// The Python of the code view runs, and its assertions hold: with NumPy, and with PyTorch where it is installed. JAX's
// array functions are NumPy's here.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { MaskOptions, Packscope, Plan } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SegmentInfo, WindowInfo } from '../../web/app/engine/protocol.js';
import { PackingService } from '../../web/app/engine/service.js';
import type { Snippet } from '../../web/app/text/snippets.js';
import {
  attendingPairs,
  flashAttention,
  flexAttention,
  huggingFace,
  jax,
  onnx,
  scaledDotProduct,
  segmentPrefixes,
} from '../../web/app/text/snippets.js';

const python = process.env['PACKSCOPE_PYTHON'] ?? '/usr/bin/python3';
const has = (module: string) => spawnSync(python, ['-c', `import ${module}`]).status === 0;
const [hasNumpy, hasTorch] = [has('numpy'), has('torch')];
if (!hasTorch) console.log('PyTorch snippets are skipped: there is no torch for Python; install python3-torch.');

// Starting Python takes its time, PyTorch's in particular, on a machine that is busy.
const patience = { timeout: 240_000 };

function run({ code }: Snippet): string {
  const program = code.replace('import jax.numpy as jnp', 'import numpy as jnp');
  const { status, stderr } = spawnSync(python, ['-'], { input: program, encoding: 'utf8' });
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
