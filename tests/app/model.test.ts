// SPDX-License-Identifier: MIT
// The model and its link.
import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Model } from '../../web/app/state/model.js';
import {
  defaultModel,
  fromHash,
  orders,
  sliderIndex,
  sliderLengths,
  tabs,
  themes,
  toHash,
} from '../../web/app/state/model.js';

test('a link names data, window length and algorithm even where they are the defaults', () => {
  expect(toHash(defaultModel)).toBe('#v=1&example=chat&context_length=4096&algorithm=best_fit_decreasing');
});

test('every model survives its link', () => {
  const models = fc.record({
    contextLength: fc.integer({ min: 1, max: 1 << 20 }),
    separator: fc.boolean(),
    shuffleWindows: fc.boolean(),
    documentMask: fc.boolean(),
    tab: fc.constantFrom(...tabs),
    theme: fc.constantFrom(...themes),
    order: fc.constantFrom(...orders),
    window: fc.nat(),
    segment: fc.integer({ min: -1, max: 1000 }),
    seed: fc.nat(),
    stepDocuments: fc.integer({ min: 1, max: 200 }),
    step: fc.integer({ min: -1, max: 1000 }),
  });
  fc.assert(
    fc.property(models, (change) => {
      const model: Model = { ...defaultModel, ...change };
      expect(fromHash(toHash(model))).toEqual(model);
    }),
  );
});

test.each([
  '#context_length=0',
  '#context_length=12abc',
  '#algorithm=magic',
  '#separator=yes',
  '#window=-1',
  '#example=constructor',
  '#tab=__proto__',
  '#%E0%A4%A',
])('the wrong link %s leaves the default', (hash) => {
  expect(fromHash(hash)).toEqual(defaultModel);
});

test('an example brings its window length unless the link has one', () => {
  expect(fromHash('#example=embedding').contextLength).toBe(512);
  expect(fromHash('#example=embedding&context_length=1024').contextLength).toBe(1024);
});

test('the slider stands at or below the length', () => {
  expect(sliderLengths[sliderIndex(4096)]).toBe(4096);
  expect(sliderLengths[sliderIndex(5000)]).toBe(4096);
  expect(sliderIndex(1)).toBe(0);
});
