// SPDX-License-Identifier: MIT
// Numbers on screen.
import { expect, test } from 'vitest';

import { byteSize, count, percent, shortCount, times } from '../../web/app/format.js';

test.each([
  [1, '100%'],
  [0.99999999, '99.9999%'],
  [0.9997, '99.97%'],
  [0.99949, '99.94%'],
  [0.9995, '99.95%'],
  [0.29, '29.0%'],
  [0.00001, '0.001%'],
  [0.0000000001, '0.0000%'],
  [0, '0%'],
])('cuts the share %d to %s and never rounds it up to a whole', (share, text) => {
  expect(percent(share)).toBe(text);
});

test('says 100% of nothing but the whole', () => {
  for (let missing = 1; missing < 1000; missing += 1) expect(percent(1 - missing / 1e7)).not.toBe('100%');
});

test('groups digits in threes', () => {
  expect(count(0)).toBe('0');
  expect(count(999)).toBe('999');
  expect(count(1234567)).toBe('1,234,567');
});

test('shortens large counts without rounding them up', () => {
  expect(shortCount(9999)).toBe('9,999');
  expect(shortCount(13_026_668)).toBe('13.0M');
  expect(shortCount(999_999)).toBe('999k');
});

test('writes factors and sizes', () => {
  expect(times(6.12)).toBe('6.1×');
  expect(times(18.4)).toBe('18×');
  expect(byteSize(512)).toBe('512 bytes');
  expect(byteSize(536_870_912)).toBe('512 MiB');
});
