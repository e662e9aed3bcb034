// SPDX-License-Identifier: MIT
// Which files a corpus can be made of.
import type { DataFile } from '../read/documents.js';
import { DataError } from '../read/problem.js';
import type { FileKind } from '../read/read-file.js';

const withoutTokens: ReadonlySet<FileKind> = new Set(['histogram', 'lengths', 'npy', 'npz']);

/** Refuses files that hold lengths alone, or arrays that the program reads itself. */
export function hasTokens({ name }: DataFile, kind: FileKind): void {
  if (!withoutTokens.has(kind)) return;
  const read =
    kind === 'npy' ? 'packscope pack reads .npy tokens itself, with --offsets' : 'packscope pack reads it as it is';
  throw new DataError(`${name} holds no documents that become tokens (it is read as ${kind}): ${read}.`);
}
