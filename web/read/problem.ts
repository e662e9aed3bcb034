// SPDX-License-Identifier: MIT
// A refusal of data, in words for the person who gave it: what, where, and what to do, perhaps at one press.
import type { Reading } from './reading.js';

/** Something the reader can do about it: a button, and how the same files are then read. */
export interface Remedy {
  readonly label: string;
  readonly reading: Partial<Reading>;
}

export class DataError extends Error {
  override readonly name = 'DataError';
  readonly remedies: readonly Remedy[];
  /** A command for what is too much for a page. */
  readonly command: string | undefined;

  constructor(message: string, { remedies = [], command }: { remedies?: readonly Remedy[]; command?: string } = {}) {
    super(message);
    this.remedies = remedies;
    this.command = command;
  }
}
