// SPDX-License-Identifier: MIT
// What a link says of documents of one's own: few lengths travel in it; of a file it tells the name, the size and a
// hash, so that the reader can bring the same one.
import type { Reading } from '../../read/reading.js';
import { plainReading, textUnits, tokenizerNames } from '../../read/reading.js';

const mostLinkedLengths = 2000;
const mostLinkLetters = 8000;

/** A file that a link was made with. */
export interface LinkedFile {
  readonly name: string;
  readonly size: number;
  readonly hash: string;
  readonly reading: Reading;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}

function varints(values: Iterable<number>): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (let value of values) {
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

function fromVarints(bytes: Uint8Array): number[] {
  const values: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += (byte & 127) * scale;
    scale = byte & 128 ? scale * 128 : 1;
    if (byte & 128) continue;
    values.push(value);
    value = 0;
  }
  return values;
}

/** Lengths as text for a link; undefined where they are too many. */
export async function encodeLengths(lengths: ArrayLike<number>): Promise<string | undefined> {
  if (lengths.length > mostLinkedLengths) return undefined;
  const packed = await through(varints([lengths.length, ...Array.from(lengths)]), new CompressionStream('deflate-raw'));
  const text = base64url(packed);
  return text.length <= mostLinkLetters ? text : undefined;
}

/** The lengths of a link; undefined where it is damaged: their number stands first and must hold. */
export async function decodeLengths(text: string): Promise<number[] | undefined> {
  if (text.length > mostLinkLetters || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const [count, ...lengths] = fromVarints(await through(fromBase64url(text), new DecompressionStream('deflate-raw')));
    const whole = count === lengths.length && count <= mostLinkedLengths;
    return whole && lengths.every((length) => length <= 0xfffffff0) ? lengths : undefined;
  } catch {
    return undefined;
  }
}

const hashedBytes = 1 << 16;

/** 53 bits of a file's beginning, end and size, as 14 hex digits: enough to tell one file from another. */
export async function fileHash(file: File): Promise<string> {
  const ends = [file.slice(0, hashedBytes), file.slice(-hashedBytes)];
  const bytes = new Uint8Array(await new Blob([...ends, String(file.size)]).arrayBuffer());
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte ^ (b >>> 15), 0x85ebca6b);
  }
  return ((a >>> 0) * 0x200000 + (b >>> 11)).toString(16).padStart(14, '0');
}

/** The part of a hash that names a file and how it is read. */
export function linkOfFile({ name, size, hash, reading }: LinkedFile): string {
  const pairs = [
    ['file', name],
    ['size', String(size)],
    ['hash', hash],
    ...(reading.tokenizer === plainReading.tokenizer ? [] : [['tokenizer', reading.tokenizer]]),
    ...(reading.unit === plainReading.unit ? [] : [['unit', reading.unit]]),
    ...(reading.columns ? [['columns', reading.columns.join(',')]] : []),
    ...(reading.source === undefined ? [] : [['source', reading.source]]),
  ];
  return pairs.map(([key, value]) => `&${key}=${encodeURIComponent(value as string)}`).join('');
}

/** The file that a hash names. */
export function fileOfLink(hash: string): LinkedFile | undefined {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const [name, size, digest] = ['file', 'size', 'hash'].map((key) => given.get(key));
  if (!name || !digest || !/^\d{1,15}$/.test(size ?? '')) return undefined;
  const tokenizer = tokenizerNames.find((known) => known === given.get('tokenizer')) ?? plainReading.tokenizer;
  const unit = textUnits.find((known) => known === given.get('unit')) ?? plainReading.unit;
  const columns = given.get('columns')?.split(',');
  const source = given.get('source') ?? undefined;
  return { name, size: Number(size), hash: digest, reading: { tokenizer, unit, columns, source } };
}
