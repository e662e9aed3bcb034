// SPDX-License-Identifier: MIT
// Words that the page makes: explanations, sentences, wrapped text, code.
import { expect, test } from 'vitest';

import type { Outcome, SegmentInfo, WindowInfo } from '../../web/app/engine/protocol.js';
import { explain, segmentAt } from '../../web/app/text/explain.js';
import { selectionSentence } from '../../web/app/text/selection.js';
import { difference, distance, price } from '../../web/app/text/sentences.js';
import {
  commandLine,
  flashAttention,
  flexAttention,
  huggingFace,
  inputWords,
  javaScript,
} from '../../web/app/text/snippets.js';
import { wrapped } from '../../web/app/text/wrap.js';

const segment = (document: number, begin: number, length: number): SegmentInfo => {
  return { document, begin, length, offset: 0, documentLength: length, color: 0 };
};
const segments = [segment(7, 0, 3), segment(9, 3, 4)];

test('finds the segment at a position, none on padding', () => {
  expect([0, 2, 3, 6, 7].map((position) => segmentAt(segments, position))).toEqual([0, 0, 1, 1, undefined]);
});

test.each([
  [5, 4, {}, true, 'attends'],
  [5, 1, {}, false, 'blocked: different documents'],
  [4, 5, {}, false, 'blocked: the key comes later'],
  [6, 3, { slidingWindow: 2 }, false, 'blocked: outside the sliding window'],
  [7, 1, {}, false, 'blocked: padding'],
  [7, 7, {}, true, 'padding sees itself only'],
  [5, 1, { documentMask: false }, true, 'attends, and should not: different documents'],
])('query %d, key %d under %j', (query, key, options, attends, text) => {
  expect(explain(segments, query, key, options, attends).text).toBe(text);
});

const outcome = (algorithm: string, windows: number, gap: number, split = 0): Outcome =>
  ({
    algorithm,
    stats: { windows, gap, lowerBound: windows - gap },
    ledger: { splitDocuments: split, droppedDocuments: 0, truncatedDocuments: 0 },
  }) as unknown as Outcome;
const title = (name: string) => ({ best: 'Best-fit', next: 'Next-fit' })[name] ?? name;

test('says what is saved, or lost, and how far from the best', () => {
  const [best, next] = [outcome('best', 3266, 0), outcome('next', 3900, 634, 2)];
  expect(difference(best, next, title)).toBe('Best-fit saves 634 windows (16.2%) over next-fit.');
  expect(difference(next, best, title)).toBe('Next-fit needs 634 more windows (19.4%) than best-fit.');
  expect(difference(best, best, title)).toBe('Best-fit needs as many windows as best-fit.');
  expect(distance(best, title)).toContain('reaches the lower bound');
  expect(distance(next, title)).toContain('634 windows (16.2%) above the lower bound of 3,266');
  expect(price(best, title)).toBe('Best-fit keeps every document whole.');
  expect(price(next, title)).toBe('Next-fit splits 2 documents.');
});

test('says the selection in words', () => {
  const window = { window: 412, row: 0, used: 7, segments, boundaries: [0, 3, 7, 8], texts: undefined };
  expect(selectionSentence(window, 1)).toBe('Window 412, document 2 of 2: number 9, 4 tokens, positions 3 to 6');
  expect(selectionSentence(window, -1)).toBe('Window 412, 2 documents, 7 tokens');
});

test('wraps between words and says where text was left out', () => {
  const fits = (line: string) => line.length <= 10;
  expect(wrapped('one two three four', 3, fits)).toEqual(['one two', 'three four']);
  expect(wrapped('one two three four', 1, fits)).toEqual(['one two t…']);
  expect(wrapped('abcdefghijklmno', 2, fits)).toEqual(['abcdefghij', 'klmno']);
  expect(wrapped('', 2, fits)).toEqual([]);
});

const info: WindowInfo = { window: 3, row: 3, used: 7, segments, boundaries: [0, 3, 7, 8], texts: undefined };
const chosen = {
  contextLength: 8,
  input: 'documents.jsonl --text-field text',
  options: { contextLength: 8, algorithm: 'best_fit', shuffleWindows: true, longDocuments: 'split' },
  windows: 5,
  fingerprint: '00ff00ff00ff00ff',
} as const;

test('fills the settings into the command and the JavaScript', () => {
  const { code } = commandLine(chosen);
  expect(code).toContain('--context-length 8');
  expect(code).toContain('--algorithm best_fit');
  expect(code).toContain('--shuffle-windows \\\n');
  expect(code).toContain('--long-documents split');
  expect(javaScript(chosen).code).toContain('longDocuments: "split",');
  expect(javaScript(chosen).code).toContain('plan.fingerprint === "00ff00ff00ff00ff"');
});

const columns = [
  { name: 'input_ids', kind: 'tokens' },
  { name: 'my text', kind: 'text' },
  { name: 'title', kind: 'text' },
] as const;

test.each([
  [[], undefined, '--text-field text'],
  [['input_ids'], undefined, '--tokens-field input_ids'],
  [['my text', 'title'], 'set', "--text-field 'my text,title' --source-field set"],
])('names the fields of the input: %j, %s', (chosen, sourceColumn, words) => {
  expect(inputWords({ columns, chosen, sourceColumn })).toBe(`documents.jsonl ${words}`);
});

test('fills the boundaries of the window into the Python', () => {
  const causal = { contextLength: 8, causal: true, slidingWindow: 0 };
  for (const { code } of [huggingFace(info, 8), flexAttention(info, causal)])
    expect(code).toContain('torch.tensor([0, 3, 7, 8]');
  expect(flashAttention(info, 8, true, 0).code).toContain('causal=True, window_size=(-1, -1)');
  expect(flashAttention(info, 8, true, 4).code).toContain('window_size=(3, 0)');
  expect(flashAttention(info, 8, false, 4).code).toContain('causal=False, window_size=(3, 3)');
});
