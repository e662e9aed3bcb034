// SPDX-License-Identifier: MIT
// Documents from text, and what is said of text that holds none.
import { expect, test } from 'vitest';

import { parseData } from '../../web/app/data/parse.js';

const lengthsOf = (text: string) => [...parseData(text, 'file').lengths];

test.each([
  ['120 48 900', [120, 48, 900]],
  ['120, 48;900\n3', [120, 48, 900, 3]],
  ['[5, 6, 0]', [5, 6, 0]],
  ['\u{feff}7\r\n8\r\n', [7, 8]],
])('reads lengths from %j', (text, lengths) => {
  expect(lengthsOf(text)).toEqual(lengths);
});

test('reads text of JSON lines, a token for each byte', () => {
  const data = parseData('{"text": "abc"}\n\n{"text": "é\\u2028"}\n', 'a.jsonl');
  expect([...data.lengths]).toEqual([3, 5]);
  expect(data.texts).toEqual(['abc', 'é\u2028']);
});

test('joins question and answer', () => {
  expect(parseData('{"question": "1+1?", "answer": "2"}', 'q.jsonl').texts).toEqual(['1+1?\n2']);
});

test('reads lengths of token lists and of length keys', () => {
  expect(lengthsOf('{"input_ids": [1, 2, 3]}\n{"input_ids": []}')).toEqual([3, 0]);
  expect(lengthsOf('{"id": 1, "length": 42}')).toEqual([42]);
});

test('takes paragraphs as documents', () => {
  expect(parseData('One.\nStill one.\r\n\r\nTwo.', 'a.txt').texts).toEqual(['One.\nStill one.', 'Two.']);
});

test.each([
  ['', 'file is empty'],
  ['12 -3', 'line 1: length -3 is no whole number'],
  ['1\n2.5', 'line 2: length 2.5 is no whole number'],
  ['4294967296', 'from 0 to 4294967280'],
  ['{"text": "a"}\n{"text": 3}', 'line 2: text is no text'],
  ['{"text": "a"}\n{"txt": "b"}', 'line 2: text is missing'],
  ['{"text": "a"}\n{"text": ', 'line 2 is no JSON'],
  ['{"text": "a"}\n[1]', 'line 2 is no JSON object'],
  ['{"a": 1, "b": {}}', 'Keys found: a, b'],
  ['{"input_ids": [1]}\n{"input_ids": null}', 'line 2: input_ids is no list'],
])('refuses %j with its place and a remedy', (text, message) => {
  expect(() => parseData(text, 'file')).toThrow(message);
});
