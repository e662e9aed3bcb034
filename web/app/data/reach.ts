// SPDX-License-Identifier: MIT
// What is too much for a page, told before it is tried: an estimate, and the command of the program that does it.
import type { Compression } from '../../read/bytes.js';
import type { DataFile } from '../../read/documents.js';
import { DataError } from '../../read/problem.js';
import type { FileKind } from '../../read/read-file.js';
import { shellWord } from '../text/shell-word.js';

const gibibyte = 2 ** 30;
/** Read as a stream: only lengths and some text stay. */
const mostStreamed = 16 * gibibyte;
/** Held whole, with what is read out of it. */
const mostHeld = 1 * gibibyte;
const heldKinds: ReadonlySet<FileKind> = new Set(['npy', 'npz', 'arrow']);

/** Bytes of memory that reading a file takes, roughly. */
export function memoryEstimate(size: number, kind: FileKind): number {
  if (kind === 'npy') return size * 2;
  if (heldKinds.has(kind)) return size * 2.5;
  if (kind === 'parquet') return Math.min(size * 3, 2 * gibibyte);
  return Math.min(size * 2, gibibyte) + size / 50;
}

const inGibibytes = (bytes: number) => `${(bytes / gibibyte).toFixed(1)} GiB`;

export function refuseTooLarge({ name, size }: DataFile, kind: FileKind, form: Compression): void {
  const most = heldKinds.has(kind) ? mostHeld : mostStreamed;
  if (size <= most) return;
  const unpackedSize = form === 'none' ? size : size * 4;
  const memory = memoryEstimate(unpackedSize, kind);
  throw new DataError(
    `${name} has ${inGibibytes(size)}, about ${inGibibytes(memory)} of memory here; this page reads such files up to ${inGibibytes(most)}. The program reads it whole:`,
    { command: commandFor(name, kind) },
  );
}

const programKinds: Partial<Record<FileKind, string>> = {
  histogram: 'histogram',
  lengths: 'lengths',
  text: 'text',
  npy: 'npy',
};

export function commandFor(name: string, kind: FileKind): string {
  const input = programKinds[kind];
  return `packscope compare ${shellWord(name)}${input ? ` --input ${input}` : ' --text-field text'} --context-length 4096`;
}
