// SPDX-License-Identifier: MIT
// What a link carries comes back as it was, and a damaged one is told from a whole one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLengths, encodeLengths, fileHash, fileOfLink, linkOfFile } from '../../web/app/state/link.js';
import { modelOf } from '../../web/app/state/made-with.js';
import { defaultModel, fromHash, toHash } from '../../web/app/state/model.js';
import { packOptions } from '../../web/app/state/planning.js';
import { plainReading } from '../../web/read/reading.js';

test('lengths survive a link, whatever they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 0xfffffff0 }), { maxLength: 300 }), async (lengths) => {
      expect(await decodeLengths((await encodeLengths(lengths)) ?? '')).toEqual(lengths);
    }),
    { numRuns: 30 },
  );
});

test('what is too much for a link is not put in one', async () => {
  expect(await encodeLengths(new Uint32Array(2001))).toBeUndefined();
  expect(await encodeLengths(new Uint32Array(2000))).toBeDefined();
});

test.each(['', 'AAAA', 'not base64!', 'x'.repeat(9000)])('a damaged link is refused: %s', async (text) => {
  expect(await decodeLengths(text)).toBeUndefined();
});

test('a link that was cut is refused', async () => {
  const whole = (await encodeLengths([4000, 96, 2048, 17])) ?? '';
  expect(await decodeLengths(whole.slice(0, -3))).toBeUndefined();
});

test('a file in a link keeps how it was read', async () => {
  const reading = { ...plainReading, columns: ['a&b', 'c'], source: '', tokenizer: 'o200k_base' } as const;
  const file = new File(['{"a": 1}'], 'träin & more.jsonl');
  const linked = { name: file.name, size: file.size, hash: await fileHash(file), reading };
  expect(fileOfLink(`#v=1${linkOfFile(linked)}`)).toEqual(linked);
  expect(await fileHash(new File(['{"a": 2}'], 'x'))).not.toBe(linked.hash);
  expect(fileOfLink('#v=1&file=x&size=lots&hash=1')).toBeUndefined();
});

test('rarer options survive a link, and the options of a plan become settings again', () => {
  const model = {
    ...defaultModel,
    ...({ separator: true, separatorBetween: true, bos: true, maxDocumentsPerWindow: 3, flushEvery: 50 } as const),
    ...({ homogeneity: 'group', groups: 'a=x,y;b=z', tail: 'drop', labels: 'aligned', extraToken: true } as const),
  };
  expect(fromHash(toHash(model))).toEqual(model);
  const options = packOptions(model);
  expect(options).toMatchObject({ separator: 'between', bosId: 0, maxDocumentsPerWindow: 3, flushEvery: 50 });
  expect(options.groups).toEqual({ a: ['x', 'y'], b: ['z'] });
  expect({ ...model, ...modelOf(options) }).toEqual(model);
});
