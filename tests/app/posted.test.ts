// SPDX-License-Identifier: MIT
// Messages of other pages: what is taken, what is passed over, and what is refused with its place.
import { expect, test } from 'vitest';
import { postedBy } from '../../web/app/data/posted.js';
import { readNpy } from '../../web/read/npy.js';

async function lengthsOf(message: unknown): Promise<{ name: string; lengths: number[] }> {
  const posted = postedBy(message);
  if (posted?.kind !== 'file') throw new Error(JSON.stringify(posted));
  const { values } = readNpy(new Uint8Array(await posted.file.arrayBuffer()), posted.file.name);
  return { name: posted.file.name, lengths: Array.from(values, Number) };
}

test.each([
  ['an array', [4000, 96, 0]],
  ['a typed array', Uint16Array.of(4000, 96, 0)],
  ['a typed array of 64 bits', BigInt64Array.of(4000n, 96n, 0n)],
])('takes lengths as %s', async (_, lengths) => {
  const title = 'Mine';
  expect(await lengthsOf({ packscope: { lengths, title } })).toEqual({ name: title, lengths: [4000, 96, 0] });
});

test('takes the bytes of a file under its name', async () => {
  const { buffer } = new TextEncoder().encode('{"text": "a"}\n');
  const posted = postedBy({ packscope: { buffer, title: 'a.jsonl' } });
  if (posted?.kind !== 'file') throw new Error(JSON.stringify(posted));
  expect([posted.file.name, await posted.file.text()]).toEqual(['a.jsonl', '{"text": "a"}\n']);
});

test('documents without a title get one', async () => {
  expect((await lengthsOf({ packscope: { lengths: [1], title: ' ' } })).name).toBe('Posted documents');
});

test('answers a ping', () => expect(postedBy({ packscope: 'ping' })).toEqual({ kind: 'ping' }));

test.each([[undefined], [null], ['packscope'], [{ type: 'webpackOk' }]])('passes over %j', (message) => {
  expect(postedBy(message)).toBeUndefined();
});

test.each([
  [{ packscope: { lengths: [3, -5] } }, /^lengths\[1\] is -5; a length is a whole number from 0 to 4294967295\.$/],
  [{ packscope: { lengths: [2 ** 32] } }, /^lengths\[0\] is 4294967296; /],
  [{ packscope: { lengths: [1, 2.5] } }, /^lengths\[1\] is 2\.5; /],
  [{ packscope: { lengths: ['long'] } }, /^lengths\[0\] is long; /],
  [{ packscope: { lengths: [null] } }, /^lengths\[0\] is null; /],
  [{ packscope: { lengths: 'all' } }, /^lengths is string all; post an array/],
  [{ packscope: { buffer: 'text' } }, /^There are no lengths, and buffer is string text; post \{ packscope: /],
  [{ packscope: {} }, /buffer is undefined undefined; post/],
  [{ packscope: 7 }, /^packscope is number 7; post/],
])('refuses %j with what to post', (message, says) => {
  const posted = postedBy(message);
  expect(posted?.kind === 'refused' && posted.message).toMatch(says);
});
