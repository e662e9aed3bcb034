// SPDX-License-Identifier: MIT
// What another page may post to this one: `{ packscope: 'ping' }`, lengths, or the bytes of a file.
import { npyBytes } from './npy-bytes.js';

/** A question whether this page listens, documents as a file, or why they are none; undefined for any other message. */
export type Posted =
  | { readonly kind: 'ping' }
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'refused'; readonly message: string }
  | undefined;

const longestLength = 0xffffffff;
const mostTitleLetters = 200;
const expected = 'post { packscope: { lengths, title } } or { packscope: { buffer, title } }';

export function postedBy(data: unknown): Posted {
  const { packscope: posted } = isRecord(data) ? data : {};
  if (posted === undefined) return undefined;
  if (posted === 'ping') return { kind: 'ping' };
  if (!isRecord(posted)) return refused(`packscope is ${kindOf(posted)}; ${expected}.`);
  const { lengths, buffer, title } = posted;
  const name = typeof title === 'string' && title.trim() !== '' ? title.slice(0, mostTitleLetters) : 'Posted documents';
  if (lengths !== undefined) return fileOfLengths(lengths, name);
  if (buffer instanceof ArrayBuffer) return { kind: 'file', file: new File([buffer], name) };
  return refused(`There are no lengths, and buffer is ${kindOf(buffer)}; ${expected}.`);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const refused = (message: string): Posted => ({ kind: 'refused', message });

const kindOf = (value: unknown) => (isRecord(value) ? value.constructor.name : `${typeof value} ${String(value)}`);

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined;
  return number >= 0 && number <= longestLength ? number : undefined;
}

function fileOfLengths(lengths: unknown, name: string): Posted {
  if (!isList(lengths)) return refused(`lengths is ${kindOf(lengths)}; post an array of whole numbers.`);
  const numbers = new Uint32Array(lengths.length);
  for (let i = 0; i < numbers.length; i += 1) {
    const length = wholeNumber(lengths[i]);
    if (length === undefined)
      return refused(`lengths[${i}] is ${String(lengths[i])}; a length is a whole number from 0 to ${longestLength}.`);
    numbers[i] = length;
  }
  return { kind: 'file', file: new File([npyBytes(numbers, [numbers.length])], name) };
}
