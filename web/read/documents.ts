// SPDX-License-Identifier: MIT
// What a reader makes of files, and where it puts that: the page gathers documents, packscope-import writes them.

export interface Document {
  readonly length: number;
  readonly text?: string | undefined;
  readonly ids?: ArrayLike<number> | undefined;
  readonly source?: string | undefined;
}

/** Takes documents one by one, in their order. */
export interface DocumentSink {
  add(document: Document): void;
  /** How many it has. */
  readonly count: number;
  /** What was passed over or repaired, in words. */
  readonly notes: string[];
}

/** As much of a File as readers need. */
export interface DataFile {
  readonly name: string;
  readonly size: number;
  slice(begin?: number, end?: number): { arrayBuffer(): Promise<ArrayBuffer> };
  arrayBuffer(): Promise<ArrayBuffer>;
}
