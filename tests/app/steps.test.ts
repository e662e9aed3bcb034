// SPDX-License-Identifier: MIT
// Step through: what is shown after each step, and the sentence for it, for every algorithm and kind of step.
import { readFile } from 'node:fs/promises';
import type { AlgorithmName, PackOptions, Packscope } from 'packscope/slim';
import { createPackscope } from 'packscope/slim';
import { beforeAll, describe, expect, test } from 'vitest';

import { tracedSteps } from '../../web/app/engine/steps.js';
import { stepping, viewAfter } from '../../web/app/state/stepping.js';
import { queueOrder, stepSentence } from '../../web/app/text/steps.js';

let packscope: Packscope;

beforeAll(async () => {
  const bytes = await readFile(new URL('../../dist/packscope.simd.wasm', import.meta.url));
  packscope = await createPackscope({ bytes: new Uint8Array(bytes) });
});

const names: readonly AlgorithmName[] = [
  ...(['pad', 'wrap', 'next_fit', 'first_fit', 'best_fit', 'worst_fit', 'best_fit_wrap'] as const),
  ...(['first_fit_decreasing', 'best_fit_decreasing', 'first_fit_shuffle'] as const),
];
const lengths = Uint32Array.of(5, 0, 3, 7, 12, 2, 8, 4, 1, 6, 2, 3, 5, 1, 7);

function walk(options: PackOptions, documents = lengths) {
  const data = tracedSteps(packscope, { title: '', lengths: documents }, options, documents.length);
  const of = stepping(data.trace);
  const rule = packscope.algorithms().find(({ name }) => name === options.algorithm)?.rule ?? '';
  const views = Array.from({ length: of.steps + 1 }, (_, step) => viewAfter(of, step));
  const sentences = views.map((view) => stepSentence(view, { options, lengths: documents, rule }));
  return { data, of, views, sentences };
}

const settings: readonly PackOptions[] = [
  {},
  { longDocuments: 'split', openWindows: 2, candidatePool: 3 },
  { longDocuments: 'split', separatorId: 0, documentMultiple: 2, openWindows: 3, evict: 'fullest' },
];

describe.each(names)('%s', (algorithm) => {
  test.each(settings)('says something of every step under %j, with the numbers of the trace', (extra) => {
    const { views, sentences } = walk({ contextLength: 8, algorithm, ...extra });
    for (const [step, sentence] of sentences.entries()) {
      expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
      expect(sentence).not.toMatch(/undefined|NaN|Infinity/);
      const { done } = views[step] as (typeof views)[number];
      if (done?.window !== undefined && done.kind !== 'separator')
        expect(sentence.toLowerCase()).toContain(`window ${done.window}`);
    }
  });

  test.each(settings)('judges candidates as the core did under %j', (extra) => {
    const { views } = walk({ contextLength: 8, algorithm, ...extra });
    for (const { done, considered, pool } of views) {
      if (done?.kind !== 'place') continue;
      const candidates = algorithm === 'best_fit_wrap' ? pool : considered;
      // Positions of a document that fills a window at once are no question to the pool.
      if (algorithm === 'best_fit_wrap' && !pool.some(({ chosen }) => chosen)) continue;
      expect(candidates).toHaveLength(done.candidates);
      if (algorithm === 'wrap') continue;
      expect(candidates.filter(({ fits }) => fits)).toHaveLength(done.fitting);
    }
  });

  test('brings every document once, and ends with the plan', () => {
    const { of, views } = walk({ contextLength: 8, algorithm });
    expect([...of.arrivals].sort((a, b) => a - b)).toEqual([...lengths.keys()]);
    const last = views.at(-1);
    expect(last?.arrived).toBe(lengths.length);
    const plan = packscope.pack(lengths, { contextLength: 8, algorithm });
    expect(last?.windows).toHaveLength(plan.window_offsets.length - 1);
    expect(last?.windows.every(({ closedBy }) => closedBy !== undefined)).toBe(true);
  });

  test('is the same after a step whichever way it was reached', () => {
    const { of, views } = walk({ contextLength: 8, algorithm });
    for (const step of [of.steps, 3, 0, 7, 1]) expect(viewAfter(of, step)).toEqual(views[step]);
  });
});

const saying = (algorithm: AlgorithmName, documents: number[], extra: PackOptions = {}) =>
  walk({ contextLength: 1000, algorithm, ...extra }, Uint32Array.from(documents)).sentences;

test('the tightest, the roomiest and the earliest window are called so', () => {
  const rooms = [800, 650, 900, 100];
  expect(saying('best_fit', rooms)).toContain(
    '100 tokens. Window 2 has 100 left, the tightest of 3 that fit. It is full now.',
  );
  expect(saying('worst_fit', rooms)).toContain(
    '100 tokens. Window 1 has 350 left, the roomiest of 3 that fit. 250 remain.',
  );
  expect(saying('first_fit', rooms)).toContain(
    '100 tokens. Window 0 has 200 left, the earliest opened of 3 that fit. 100 remain.',
  );
  expect(saying('first_fit', [800, 900, 150])).toContain(
    '150 tokens. Window 0 has 200 left, the only one with room. 50 remain.',
  );
});

test('a window opens because none has room, and an old one makes way', () => {
  const said = saying('best_fit', [800, 900, 700], { openWindows: 2 });
  expect(said[1]).toBe('No window is open: window 0 opens for the 800 tokens of document 0.');
  expect(said).toContain('900 tokens do not fit in the 200 that window 0 has left: window 1 opens.');
  expect(said).toContain(
    '700 tokens: none of the 2 that may be open has room. Window 0, the oldest, closes with 200 left.',
  );
  const fullest = saying('best_fit', [800, 900, 700], { openWindows: 2, evict: 'fullest' });
  expect(fullest.join(' ')).toContain('Window 1, the fullest, closes with 100 left.');
  expect(saying('first_fit', [800, 900, 700])).toContain(
    '700 tokens fit in none of the 2 open windows, of which the roomiest has 200 left: window 2 opens.',
  );
  expect(saying('next_fit', [800, 900])).toContain('Window 0 has 200 left, too few for 900 tokens: it closes.');
});

test('a stream says where it cuts', () => {
  const said = saying('wrap', [800, 500]);
  expect(said).toContain('Document 1, 500 tokens, is cut: 200 fill window 0, 300 go on in the next.');
  expect(said).toContain('The rest of document 1, 300 tokens, follows in the stream. Window 1 has 700 left.');
  expect(saying('wrap', [800, 500], { tail: 'drop' }).at(-1)).toMatch(/is short and not kept/);
});

test('the pool says who was chosen, and who was cut', () => {
  const said = saying('best_fit_wrap', [700, 500, 400], { candidatePool: 3 });
  expect(said).toContain(
    'Document 2, 400 tokens, joins the pool, the 3rd candidate. A window is built from 3 on, or when no documents are left.',
  );
  expect(said).toContain(
    'Window 0 has 1,000 left. Document 0, 700 tokens, is the longest of 3 candidates that fit. 300 remain.',
  );
  expect(said).toContain(
    'Window 0 has 300 left and no candidate fits: document 2, the shortest of 2, gives its first 300 to fill it; 100 stay in the pool.',
  );
  expect(saying('best_fit_wrap', [2500]).join(' ')).toContain('1,000 of its tokens fill window 0 at once');
});

test('what goes nowhere is said too', () => {
  expect(saying('first_fit', [0])).toContain('Document 0 is empty and skipped.');
  expect(saying('first_fit', [1200])).toContain(
    'Document 0 has 1,200 tokens, more than a window of 1,000: it is left out.',
  );
  expect(saying('pad', [900])).toContain('Document 0, 900 tokens, stands alone in window 0: 100 positions of padding.');
  expect(saying('first_fit', [900]).at(-1)).toBe(
    'No documents are left: window 0 closes with 100 positions of padding.',
  );
});

test('the start says what waits, in which order, and the rule', () => {
  expect(saying('best_fit_decreasing', [300, 900])[0]).toMatch(
    /^2 documents of 1,200 tokens wait, sorted longest first\. Documents from/,
  );
  expect(queueOrder({ algorithm: 'first_fit_shuffle', seed: 7 })).toBe('shuffled by seed 7');
  expect(queueOrder({ algorithm: 'first_fit' })).toBeUndefined();
});

test('it opens at a choice among several', () => {
  const { of, views } = walk({ contextLength: 8, algorithm: 'best_fit' });
  const view = views[of.telling];
  expect(view?.done?.kind).toBe('place');
  expect(view?.considered.length).toBeGreaterThan(1);
});
