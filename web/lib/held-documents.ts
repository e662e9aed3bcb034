// SPDX-License-Identifier: MIT
// The documents of a stream that are not packed yet, or not to their end. Each goes when its last token is out, so
// that a stream of any length takes the memory of its open windows.
import type { DocumentSet, FieldValues, MaskArray, TokenArray, TokenArrays } from './documents.js';
import { documentSet, fieldEntries, isArray } from './documents.js';
import { PackscopeError } from './errors.js';
import type { TokenSource } from './materialize.js';
import { refuseOtherNames, wrongArgument } from './options.js';
import type { RawWindows } from './raw.js';

/** A document with what belongs to it. */
export interface TokenRecord {
  readonly tokens: TokenArray;
  /** One of the names that the option `sources` lists. */
  readonly source?: string;
  /** 1 = this token is a target; as long as the document. */
  readonly lossMask?: MaskArray;
  /** Leading tokens that are no targets. */
  readonly promptLength?: number;
  /** As long as the document; every document of a stream has the same. */
  readonly fields?: Readonly<Record<string, FieldValues>>;
}

/** A document of which only the length is known. */
export interface LengthRecord {
  readonly length: number;
  /** One of the names that the option `sources` lists. */
  readonly source?: string;
}

/** A document of a stream: token ids, a length, or a record with what belongs to it. */
export type DocumentRecord = TokenArray | number | TokenRecord | LengthRecord;

/** A document in the same shape, whatever shape it came in, and its source. */
export interface OneDocument {
  /** Holds this document alone, number 0. */
  readonly set: DocumentSet;
  readonly length: number;
  readonly source: string | undefined;
}

/** Checks a record; `number` is the document's in the stream, for messages. */
export function oneDocument(record: DocumentRecord, number: number, vocabSize: number): OneDocument {
  return renumbered(number, () => {
    if (isTokens(record)) return tokenDocument({ tokens: record }, vocabSize);
    if (typeof record === 'number') return lengthDocument({ length: record });
    if (typeof record !== 'object' || record === null || !('tokens' in record || 'length' in record)) {
      throw wrongArgument('document 0', record, 'token ids, a length, or a record with tokens or a length');
    }
    if (!('tokens' in record)) return lengthDocument(record);
    refuseOtherNames(record, 'document 0', ['tokens', 'source', 'lossMask', 'promptLength', 'fields']);
    return tokenDocument(record, vocabSize);
  });
}

function lengthDocument(record: LengthRecord): OneDocument {
  refuseOtherNames(record, 'document 0', ['length', 'source']);
  const { length, source } = record;
  const set = documentSet([length]);
  return { set, length: set.lengths()[0] as number, source };
}

function isTokens(record: DocumentRecord): record is TokenArray {
  return Array.isArray(record) || ArrayBuffer.isView(record);
}

function tokenDocument(record: TokenRecord, vocabSize: number): OneDocument {
  const { tokens, source, lossMask, promptLength, fields } = record;
  // By name, so that all documents have theirs in one order.
  const named = fieldEntries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const set = documentSet({
    documents: [copyOf(tokens)],
    ...(lossMask && { lossMasks: [copyOf(lossMask)] }),
    ...(promptLength !== undefined && { promptLengths: [promptLength] }),
    fields: Object.fromEntries(named.map(([name, values]) => [name, [copyOf(values)]])),
  });
  set.check(vocabSize);
  return { set, length: set.length(0), source };
}

// A caller may fill the same array with the next document. What is no array is left to be refused.
function copyOf<T>(values: T): T {
  return isArray(values) ? ((values as unknown as number[]).slice() as T) : values;
}

// A set of one document calls it number 0; in the stream it has another.
function renumbered<T>(number: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof PackscopeError)) throw error;
    const message = error.message.replace(/document 0\b/, `document ${number}`);
    throw new PackscopeError(error.code, message, { document: number, cause: error.cause });
  }
}

export class HeldDocuments implements TokenSource {
  readonly #held = new Map<number, { set: DocumentSet; length: number; end: number; left?: number }>();
  // Whether documents are planned from somewhere on, which is where their first piece begins.
  readonly #cutsStarts: boolean;
  // What the first document has is what all of them have.
  #first: DocumentSet | undefined;
  #masked = false;
  hasPrompts = false;

  constructor(cutsStarts: boolean) {
    this.#cutsStarts = cutsStarts;
  }

  /** `end` is where in the windows the document's tokens end, 0 where none stand there. */
  hold(number: number, { set, length }: OneDocument, end: number): void {
    this.#masked ||= set.lossMask !== undefined;
    this.hasPrompts ||= set.hasPrompts;
    if (end > 0) this.#held.set(number, { set, length, end });
  }

  /** Refuses a document that differs in kind from the first. */
  checkKind(number: number, { set }: OneDocument): void {
    this.#first ??= set;
    const first = this.#first;
    const names = (of: DocumentSet) => of.fields.map(({ name, dtype }) => `${name}:${dtype}`).join();
    if ((set.tokens === undefined) === (first.tokens === undefined) && names(set) === names(first)) return;
    const text = `document ${number} has other fields than the first, or tokens where that has only a length: give all documents of a stream the same`;
    throw new PackscopeError('invalid_argument', text, { document: number });
  }

  get count(): number {
    return this.#held.size;
  }

  get hasTokens(): boolean {
    return this.#first?.tokens !== undefined;
  }

  // Only a separator can come after the last token, so that it begins where a document ended that is gone.
  length(document: number, begin: number): number {
    return this.#held.get(document)?.length ?? begin;
  }

  promptLength(document: number): number {
    return this.#held.get(document)?.set.promptLength(0) ?? 0;
  }

  arraysFor(total: number): TokenArrays {
    const arrays = (this.#first as DocumentSet).arraysFor(total);
    return { ...arrays, lossMask: this.#masked ? new Uint8Array(total).fill(1) : undefined };
  }

  copyPiece(arrays: TokenArrays, document: number, begin: number, end: number, at: number): void {
    this.#held.get(document)?.set.copyPiece(arrays, 0, begin, end, at);
  }

  /** Lets go of documents whose last tokens are in these windows. Pieces come in any order from first_fit_shuffle. */
  release({ segment_document, segment_offset, segment_length }: RawWindows): void {
    for (let i = 0; i < segment_document.length; i += 1) {
      const held = this.#held.get(segment_document[i] as number);
      if (held === undefined) continue;
      const offset = segment_offset[i] as number;
      held.left ??= held.end - (this.#cutsStarts ? offset : 0);
      held.left -= Math.max(Math.min(offset + (segment_length[i] as number), held.end) - offset, 0);
      if (held.left <= 0) this.#held.delete(segment_document[i] as number);
    }
  }
}
