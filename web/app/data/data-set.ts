// SPDX-License-Identifier: MIT
// Documents as the worker holds them: their lengths, and whatever else their file had.
import type { Plan } from 'packscope/slim';
import type { Column } from '../../read/columns.js';
import type { Tokenizer } from '../../read/tokenizer.js';

/** Where each document comes from. */
export interface Sources {
  readonly names: readonly string[];
  readonly indices: Uint32Array;
}

/** Where a segment stands in its window. */
export interface Tile {
  readonly begin: number;
  readonly length: number;
}

export interface WindowTokens {
  /** At each position. */
  readonly ids: Int32Array;
  /** Of each segment. */
  readonly texts: readonly string[];
}

export interface DataSet {
  readonly title: string;
  readonly lengths: Uint32Array;
  readonly texts?: readonly string[] | undefined;
  /** How the texts became tokens; without it a token is a byte of UTF-8. */
  readonly tokenizer?: Tokenizer | undefined;
  /** Token ids of all documents, one after another, where they were given and are not too many to keep. */
  readonly ids?: Uint32Array | undefined;
  readonly sources?: Sources | undefined;
  /** The same number for documents with the same content. */
  readonly identities?: Uint32Array | undefined;
  /** A plan that was read instead of made: shown as it is until an option changes. */
  readonly plan?: Plan | undefined;
  /** The plan is some windows of a larger one: documents elsewhere have the length 0. */
  readonly isPart?: boolean | undefined;
  /** Reads what a window of the plan that was read says; undefined where the folder has no tokens. */
  readonly windowTokens?: ((window: number, tiles: readonly Tile[]) => Promise<WindowTokens | undefined>) | undefined;
  /** What the file has to choose from, and what of it was read. */
  readonly columns?: readonly Column[] | undefined;
  readonly chosen?: readonly string[] | undefined;
  /** The column that names where documents come from. */
  readonly sourceColumn?: string | undefined;
  /** What was passed over or repaired, in words. */
  readonly notes?: readonly string[] | undefined;
  /** The share that was read, where reading was stopped. */
  readonly readShare?: number | undefined;
}
