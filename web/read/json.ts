// SPDX-License-Identifier: MIT
// Records of JSON, a line or an element of an array each, to documents. What the program refuses is refused here too,
// with line and byte.

import type { Choice, Column } from './columns.js';
import { chooseColumns, kindOf, sourceColumn } from './columns.js';
import type { Document } from './documents.js';
import type { Line } from './lines.js';
import { DataError } from './problem.js';
import type { Reading } from './reading.js';
import type { Tokenizer } from './tokenizer.js';

type Json = Record<string, unknown>;

export const largestId = 0x7fffffff;
export const longestLength = 0xfffffff0;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf({ bytes, at }: Line, place: string): string {
  try {
    return strict.decode(bytes);
  } catch {
    const offset = firstBadByte(bytes);
    throw new DataError(
      `${place}, byte ${at + offset}: invalid UTF-8. Convert the file to UTF-8, or take the line out.`,
    );
  }
}

// The longest beginning that decodes ends where the fault is.
function firstBadByte(bytes: Uint8Array): number {
  const stream = new TextDecoder('utf-8', { fatal: true });
  for (let i = 0; i < bytes.length; i += 1) {
    try {
      stream.decode(bytes.subarray(i, i + 1), { stream: true });
    } catch {
      return i;
    }
  }
  return bytes.length;
}

function parsed(text: string, line: Line, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const position = Number(message.match(/position (\d+)/)?.[1] ?? text.length);
    const byte = line.at + new TextEncoder().encode(text.slice(0, position)).length;
    const nan = /\b(?:NaN|-?Infinity)\b/.exec(text.slice(Math.max(position - 9, 0), position + 9))?.[0];
    const what = nan ? `${nan} is no JSON` : `no JSON: ${message.replace(/ in JSON at position.*| \(line.*/, '')}`;
    throw new DataError(`${place}, byte ${byte}: ${what}. Give one whole JSON record there.`);
  }
}

/** Turns records into documents; the first one tells what its fields are. */
export class RecordReader {
  readonly #title: string;
  readonly #reading: Reading;
  readonly #tokenizer: Tokenizer;
  #choice: Choice | undefined;
  #source: string | undefined;
  columns: readonly Column[] = [];

  constructor(title: string, reading: Reading, tokenizer: Tokenizer) {
    this.#title = title;
    this.#reading = reading;
    this.#tokenizer = tokenizer;
  }

  get chosen(): Choice | undefined {
    return this.#choice;
  }

  get source(): string | undefined {
    return this.#source;
  }

  /** `unit` is what a record is called: line or element. */
  read(line: Line, unit: string): Document {
    const place = `${this.#title}, ${unit} ${line.number}`;
    const text = textOf(line, place);
    const value = parsed(text, line, place);
    if (typeof value === 'number') return { length: wholeLength(value, place) };
    if (Array.isArray(value)) return tokensOf(value, place, 'the list');
    if (typeof value !== 'object' || value === null)
      throw new DataError(`${place} is no JSON object. Give one object a ${unit}, such as {"text": "…"}.`);
    const record = value as Json;
    const choice = this.#chosenFor(record);
    for (const name of choice.names) refuseDuplicate(text, name, place);
    return documentOf(record, choice, this.#source, this.#tokenizer, place);
  }

  #chosenFor(record: Json): Choice {
    if (this.#choice === undefined) {
      this.columns = Object.entries(record).map(([name, value]) => ({ name, kind: kindOf(value) }));
      this.#choice = chooseColumns(this.columns, this.#reading.columns, this.#title);
      this.#source = sourceColumn(this.columns, this.#reading.source);
    }
    return this.#choice;
  }
}

/** A document from the chosen fields of a record, and its source where a field names it, wherever the record comes from. */
export function documentOf(
  record: Json,
  choice: Choice,
  source: string | undefined,
  tokenizer: Tokenizer,
  place: string,
): Document {
  const document = contentOf(record, choice, tokenizer, place);
  return source === undefined ? document : { ...document, source: String(record[source] ?? '(none)') };
}

function contentOf(record: Json, { names, kind }: Choice, tokenizer: Tokenizer, place: string): Document {
  const [name] = names as [string];
  if (kind === 'tokens') return tokensOf(record[name], place, name);
  if (kind === 'number') return { length: wholeLength(record[name], `${place}: ${name}`) };
  const text = kind === 'messages' ? messagesText(record[name], place, name) : joinedText(record, names, place);
  return { text, length: tokenizer.count(text) };
}

function joinedText(record: Json, names: readonly string[], place: string): string {
  const parts = names.map((name) => {
    const value = record[name];
    if (typeof value !== 'string')
      throw new DataError(
        `${place}: ${name} is ${described(value)} where text must be. Give every record the text that the first has, or choose another column.`,
      );
    if (/[\ud800-\udfff]/.test(value) && !wellFormed(value))
      throw new DataError(`${place}: ${name} holds half a surrogate pair, which is no character. Correct the text.`);
    return value;
  });
  return parts.length === 1 ? (parts[0] as string) : parts.join('\n');
}

const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

function messagesText(value: unknown, place: string, name: string): string {
  if (!Array.isArray(value))
    throw new DataError(`${place}: ${name} is ${described(value)} where a list of messages must be.`);
  return value
    .map((message: unknown) => {
      const { content, value: said } = (message ?? {}) as { content?: unknown; value?: unknown };
      const text = content ?? said ?? '';
      return typeof text === 'string' ? text : JSON.stringify(text);
    })
    .join('\n');
}

function tokensOf(value: unknown, place: string, name: string): Document {
  const list = ArrayBuffer.isView(value) ? (value as unknown as ArrayLike<unknown>) : value;
  if (!Array.isArray(list) && !ArrayBuffer.isView(list))
    throw new DataError(
      `${place}: ${name} is ${described(value)} where a list of token ids must be. An empty document is [].`,
    );
  const given = list as ArrayLike<unknown>;
  const ids = new Uint32Array(given.length);
  for (let i = 0; i < given.length; i += 1) {
    const id = typeof given[i] === 'bigint' ? Number(given[i]) : given[i];
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id > largestId)
      throw new DataError(
        `${place}: ${name} holds ${described(given[i])} at index ${i}. Token ids are whole numbers from 0 to ${largestId}.`,
      );
    ids[i] = id;
  }
  return { ids, length: ids.length };
}

export function wholeLength(value: unknown, place: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= longestLength) return number;
  throw new DataError(
    `${place}: length ${described(value)} is no whole number from 0 to ${longestLength}. Correct it or take the line out.`,
  );
}

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

// JSON.parse keeps the last of two equal keys without a word; the scan is for lines that name a key twice.
function refuseDuplicate(text: string, name: string, place: string): void {
  const key = JSON.stringify(name);
  const first = text.indexOf(key);
  if (first < 0 || text.indexOf(key, first + key.length) < 0) return;
  if (keysAtTop(text).filter((found) => found === key).length > 1)
    throw new DataError(`${place}: the key ${key} stands twice in one record. Keep one of them.`);
}

function keysAtTop(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"(\s*:)?|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && token.endsWith(':')) keys.push(token.slice(0, -1).trimEnd());
  }
  return keys;
}
