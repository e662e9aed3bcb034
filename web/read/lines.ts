// SPDX-License-Identifier: MIT
// Bytes to lines, or to the elements of a JSON array, each with its number and its place in the file. What is on its
// way between two pieces is one line, never the file.
import type { Piece } from './bytes.js';
import { DataError } from './problem.js';

export interface Line {
  readonly bytes: Uint8Array;
  /** From 1. */
  readonly number: number;
  /** Where it begins, in decompressed bytes. */
  readonly at: number;
}

export interface Lines {
  readonly lines: readonly Line[];
  readonly read: number;
}

const lineFeed = 10;
const carriageReturn = 13;
/** A line above this is no line of data. */
const longestLine = 256 * 1024 * 1024;

const byteOrderMark = [0xef, 0xbb, 0xbf];
const hasMark = (bytes: Uint8Array) => byteOrderMark.every((byte, index) => bytes[index] === byte);

/** Counts of what was taken off. */
export interface Repairs {
  marks: number;
  carriageReturns: number;
  blankLines: number;
}

export async function* linesOf(pieces: AsyncIterable<Piece>, title: string, repairs: Repairs): AsyncGenerator<Lines> {
  let rest = new Uint8Array(0);
  let number = 0;
  let at = 0;
  let read = 0;
  const lineOf = (bytes: Uint8Array, width: number): Line => {
    number += 1;
    const line = { bytes: trimmed(bytes, number === 1, repairs), number, at };
    at += width;
    return line;
  };
  for await (const piece of pieces) {
    read = piece.read;
    const bytes = rest.length === 0 ? piece.bytes : joined(rest, piece.bytes);
    const lines: Line[] = [];
    let begin = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, begin)) {
      lines.push(lineOf(bytes.subarray(begin, end), end + 1 - begin));
      begin = end + 1;
    }
    rest = bytes.slice(begin);
    if (rest.length > longestLine) throw tooLong(title, number + 1, rest.length);
    yield { lines, read };
  }
  if (rest.length > 0) yield { lines: [lineOf(rest, rest.length)], read };
}

function trimmed(bytes: Uint8Array, first: boolean, repairs: Repairs): Uint8Array {
  let line = bytes;
  if (first && hasMark(line)) {
    line = line.subarray(3);
    repairs.marks += 1;
  }
  if (line[line.length - 1] === carriageReturn) {
    line = line.subarray(0, -1);
    repairs.carriageReturns += 1;
  }
  return line;
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}

const tooLong = (title: string, number: number, bytes: number) =>
  new DataError(
    `${title}, line ${number} has more than ${bytes} bytes. Lines up to ${longestLine} are read; put one record on each line.`,
  );

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const blank = new Set([32, 9, lineFeed, carriageReturn]);

/** The elements of a JSON array, as their bytes: `number` counts elements. */
export async function* elementsOf(pieces: AsyncIterable<Piece>, title: string): AsyncGenerator<Lines> {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let number = 0;
  let ended = false;
  let offset = 0;
  let rest = new Uint8Array(0);
  let read = 0;
  for await (const piece of pieces) {
    read = piece.read;
    const from = rest.length;
    const bytes = from === 0 ? piece.bytes : joined(rest, piece.bytes);
    const lines: Line[] = [];
    let begin = from === 0 && depth === 0 ? -1 : 0;
    for (let i = from; i < bytes.length; i += 1) {
      const byte = bytes[i] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
        continue;
      }
      if (byte === quote) inString = true;
      const ends = depth === 1 && (byte === comma || byte === 0x5d);
      if (ends && hasContent(bytes, begin, i)) {
        number += 1;
        lines.push({ bytes: bytes.subarray(begin, i), number, at: offset + begin });
      }
      if (ends && byte === comma) begin = i + 1;
      if (opening.has(byte)) {
        depth += 1;
        if (depth === 1) begin = i + 1;
      }
      if (closing.has(byte)) {
        depth -= 1;
        ended ||= depth === 0;
      }
    }
    const kept = Math.max(begin, 0);
    rest = depth === 0 ? new Uint8Array(0) : bytes.slice(kept);
    offset += depth === 0 ? bytes.length : kept;
    if (rest.length > longestLine) throw tooLong(title, number + 1, rest.length);
    yield { lines, read };
  }
  if (!ended && rest.length > 0)
    throw new DataError(
      `${title} ends inside element ${number + 1}, at byte ${offset + rest.length}: the array has no end. Fetch the file again.`,
    );
}

function hasContent(bytes: Uint8Array, begin: number, end: number): boolean {
  for (let i = begin; i < end; i += 1) if (!blank.has(bytes[i] as number)) return true;
  return false;
}
