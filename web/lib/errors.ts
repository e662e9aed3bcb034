// SPDX-License-Identifier: MIT
// The one error of this package: what went wrong, at which document, and what to do about it.

/**
 * What kind of thing went wrong.
 *
 * - `invalid_option`: an option's value, or a combination of options, is not allowed
 * - `invalid_argument`: an argument that is not an option has the wrong type, range or size
 * - `document_too_long`: `longDocuments: 'error'` met a document longer than the window
 * - `token_out_of_range`: a token id is no whole number, negative, or not below `vocabSize`
 * - `length_mismatch`: two arrays that belong together differ in length
 * - `unknown_source`: a document's source is missing, or in no group
 * - `too_large`: a request exceeds a stated limit
 * - `invalid_plan`: a plan breaks an invariant
 * - `invalid_data`: a file's content is malformed
 * - `io_error`: the engine's `.wasm` could not be fetched, or the worker's script not loaded
 * - `out_of_memory`: memory could not be had
 * - `internal`: a fault of ours
 * - `engine_restarted`: the engine that held this stream or drawing has ended
 */
export type ErrorCode =
  | 'invalid_option'
  | 'invalid_argument'
  | 'document_too_long'
  | 'token_out_of_range'
  | 'length_mismatch'
  | 'unknown_source'
  | 'too_large'
  | 'invalid_plan'
  | 'invalid_data'
  | 'io_error'
  | 'out_of_memory'
  | 'internal'
  | 'engine_restarted';

const remedies: Readonly<Record<ErrorCode, string>> = {
  invalid_option: 'Change the option that the message names; its doc comment says what it takes.',
  invalid_argument: 'Pass what the doc comment of the function asks for.',
  document_too_long:
    "Set longDocuments to 'drop', 'truncate', 'truncate_left' or 'split', or use a longer contextLength.",
  token_out_of_range:
    'Token ids are whole numbers from 0 to 2147483647, and below vocabSize where that is set: tokenize again or raise vocabSize.',
  length_mismatch: 'Give one entry for each document or token, or leave the array out.',
  unknown_source: 'Name the source of every document, and put every source into a group.',
  too_large: 'Ask for less at a time: fewer windows, a shorter window, or fewer documents.',
  invalid_plan: 'Pass a plan as pack() returned it; validate() says what is wrong with any other.',
  invalid_data: 'Correct the data at the place that the message names.',
  io_error: 'Check that the file exists where the message says and is served without an error.',
  out_of_memory: 'Work on fewer documents or windows at a time; the next call runs on a fresh engine.',
  internal: 'Please report this with the call that led to it; the next call runs on a fresh engine.',
  engine_restarted: 'Open it again and start from the first document.',
};

/**
 * Thrown for every bad input and every failure.
 *
 * @example
 * ```js
 * try {
 *   pack([5000], { contextLength: 2048, longDocuments: 'error' });
 * } catch (error) {
 *   if (error instanceof PackscopeError) console.log(error.code, error.document, error.remedy);
 * }
 * ```
 */
export class PackscopeError extends Error {
  override readonly name = 'PackscopeError';
  /** What kind of thing went wrong. */
  readonly code: ErrorCode;
  /** Index of the document at fault, where there is one. */
  readonly document: number | undefined;
  /** What to do about it, in a sentence. The message says more where it can. */
  readonly remedy: string;

  constructor(
    code: ErrorCode,
    message: string,
    details: { document?: number | undefined; cause?: unknown; remedy?: string } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.document = details.document;
    this.remedy = details.remedy ?? remedies[code];
  }
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(remedies, code);
}

/** `error` as what this package throws; anything foreign becomes `internal`. */
export function asPackscopeError(error: unknown): PackscopeError {
  if (error instanceof PackscopeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new PackscopeError('internal', message, { cause: error });
}
