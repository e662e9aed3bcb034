// SPDX-License-Identifier: MIT
// Data as people have it, from text: a list of lengths, JSON lines, or plain text with a document in each paragraph.
// Every refusal names the place, what stands there, and what to do.
import type { DataSet } from './examples.js';
import { DataError } from './problem.js';

const longestLength = 0xfffffff0;
const textKeys = ['text', 'content', 'question', 'instruction', 'prompt', 'answer', 'response', 'output', 'completion'];
const tokenKeys = ['input_ids', 'tokens', 'token_ids'];
const lengthKeys = ['length', 'num_tokens', 'token_count', 'n_tokens'];

/** Reads `text`; `title` is the file's name or says where it came from. */
export function parseData(text: string, title: string): DataSet {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (body.trim() === '') throw new DataError(`${title} is empty. Give lengths, JSON lines or text.`);
  if (/^\s*\{/.test(body)) return jsonLines(body, title);
  if (/^[\s\d,;[\]._-]+$/.test(body)) return lengthList(body, title);
  return paragraphs(body, title);
}

function lengthList(body: string, title: string): DataSet {
  const lengths: number[] = [];
  body.split('\n').forEach((line, index) => {
    for (const word of line.split(/[\s,;[\]]+/))
      if (word !== '') lengths.push(lengthOf(word, `${title}, line ${index + 1}`));
  });
  if (lengths.length === 0) throw new DataError(`${title} holds no number. Give lengths such as 120 48 900.`);
  return { title, lengths: Uint32Array.from(lengths) };
}

function lengthOf(value: unknown, place: string): number {
  const number = typeof value === 'string' ? (/^\d+$/.test(value) ? Number(value) : NaN) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= longestLength) return number;
  throw new DataError(
    `${place}: length ${String(value)} is no whole number from 0 to ${longestLength}. Correct it or take the line out.`,
  );
}

function paragraphs(body: string, title: string): DataSet {
  const texts = body
    .replace(/\r\n/g, '\n')
    .split(/\n[ \t]*\n+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return fromTexts(texts, title);
}

function fromTexts(texts: readonly string[], title: string): DataSet {
  const encoder = new TextEncoder();
  return { title, texts, lengths: Uint32Array.from(texts, (text) => encoder.encode(text).length) };
}

type Json = Record<string, unknown>;
type ReadLine = (record: Json, place: string) => string | number;

function jsonLines(body: string, title: string): DataSet {
  const values: (string | number)[] = [];
  let read: ReadLine | undefined;
  body.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const place = `${title}, line ${index + 1}`;
    const record = jsonObject(line, place);
    read ??= readerFor(record, title);
    values.push(read(record, place));
  });
  if (typeof values[0] === 'string') return fromTexts(values as string[], title);
  return { title, lengths: Uint32Array.from(values as number[]) };
}

function jsonObject(line: string, place: string): Json {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch (error) {
    throw new DataError(`${place} is no JSON: ${(error as Error).message}. Give one object a line.`);
  }
  throw new DataError(`${place} is no JSON object. Give one object a line, such as {"text": "..."}.`);
}

// The first record decides which keys hold the document.
function readerFor(first: Json, title: string): ReadLine {
  const tokens = tokenKeys.find((key) => Array.isArray(first[key]));
  if (tokens) return (record, place) => tokensIn(record[tokens], tokens, place);
  const texts = textKeys.filter((key) => typeof first[key] === 'string');
  if (texts.length > 0) return (record, place) => textIn(record, texts, place);
  const length = lengthKeys.find((key) => typeof first[key] === 'number');
  if (length) return (record, place) => lengthOf(record[length], `${place}, ${length}`);
  const keys = Object.keys(first).join(', ') || 'none';
  throw new DataError(
    `${title} has no key with text, tokens or a length. Keys found: ${keys}. Name one of them text, input_ids or length.`,
  );
}

function tokensIn(value: unknown, key: string, place: string): number {
  if (Array.isArray(value)) return value.length;
  throw new DataError(`${place}: ${key} is no list of token ids. Every line needs one.`);
}

function textIn(record: Json, keys: readonly string[], place: string): string {
  return keys
    .map((key) => {
      const value = record[key];
      if (typeof value === 'string') return value;
      throw new DataError(
        `${place}: ${key} is ${value === undefined ? 'missing' : 'no text'}. Every line needs the text that the first has.`,
      );
    })
    .join('\n');
}
