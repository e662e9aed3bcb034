// SPDX-License-Identifier: MIT
// A refusal of data, in words for the person who gave it.

export class DataError extends Error {
  override readonly name = 'DataError';
}
