// SPDX-License-Identifier: MIT
// How files become documents, and what is told while they do.

export const tokenizerNames = ['bytes', 'words', 'r50k_base', 'cl100k_base', 'o200k_base', 'file'] as const;
export const textUnits = ['line', 'paragraph', 'file'] as const;

export type TokenizerName = (typeof tokenizerNames)[number];
export type TextUnit = (typeof textUnits)[number];

/** What a person chose; what is undefined is found out. */
export interface Reading {
  /** Fields or columns that hold a document; several texts are joined by a line feed. */
  readonly columns?: readonly string[] | undefined;
  /** The field that names the data set a document comes from; an empty name for none. */
  readonly source?: string | undefined;
  readonly tokenizer: TokenizerName;
  /** The `tokenizer.json` behind the tokenizer `file`. */
  readonly tokenizerFile?: File | undefined;
  /** What a document is in plain text. */
  readonly unit: TextUnit;
}

export const plainReading: Reading = { tokenizer: 'bytes', unit: 'line' };

/** How far reading is. */
export interface Progress {
  readonly phase: string;
  /** Of `total` bytes, or of documents where the bytes are read at once. */
  readonly done: number;
  readonly total: number;
  readonly documents: number;
}

/** What a reader tells, and when it must stop: `keep` shows what was read so far, `cancel` nothing. */
export interface Watch {
  readonly tell: (progress: Progress) => void;
  readonly stopped: () => 'keep' | 'cancel' | undefined;
}

/** Thrown where reading was cancelled: nothing is wrong. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
