// SPDX-License-Identifier: MIT
// A command line that cannot be followed, in words for the person who typed it.

export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super(`${message}. See packscope-import --help`);
  }
}
