// SPDX-License-Identifier: MIT
// The alternative to packing: batches of documents of similar length, padded to the longest of each.
import type { Documents } from './documents.js';
import { documentSet, isArray, wholeNumber } from './documents.js';
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import { givenOptions, wrongArgument } from './options.js';

export interface GroupByLengthOptions {
  /** Rows times padded length of a batch, at most. Default: no limit. One of the two limits must be given. */
  maxTokens?: number;
  /** Documents in a batch, at most. Default: no limit. */
  maxRows?: number;
  /** Padded lengths are multiples of this. Default 1. */
  padTo?: number;
}

/** B batches of D documents, longest first. Batch b holds documents order[batch_offsets[b] .. batch_offsets[b + 1]). */
export interface LengthGroups<Memory extends ArrayBufferLike = ArrayBuffer> {
  /** uint32: documents, longest first; empty ones are skipped. */
  readonly order: Uint32Array<Memory>;
  /** uint32 [B + 1] into order. */
  readonly batch_offsets: Uint32Array<Memory>;
  /** uint32 [B] what each document of the batch is padded to. */
  readonly padded_lengths: Uint32Array<Memory>;
  /** uint32 [D] where document d stands in order; 4294967295 for one that was skipped. */
  readonly position: Uint32Array<Memory>;
  readonly realTokens: number;
  /** Rows times padded length, summed. */
  readonly paddedTokens: number;
  readonly emptyDocuments: number;
}

export interface GroupByLengthApi {
  /**
   * Sorts documents by length and cuts them into batches. restore() brings results back into their order.
   * @throws PackscopeError `invalid_option` without a limit, `document_too_long` for a document that exceeds maxTokens alone
   */
  groupByLength(documents: Documents, options: GroupByLengthOptions): LengthGroups;

  /**
   * Results, one for each document in the order of `groups.order`, back in the order of the documents. A document that was
   * skipped has undefined.
   */
  restore<T>(groups: LengthGroups<ArrayBufferLike>, results: ArrayLike<T>): (T | undefined)[];
}

export function groupByLengthApi(engine: Engine): GroupByLengthApi {
  return {
    groupByLength(documents, options) {
      const { maxTokens = 0, maxRows = 0, padTo = 1 } = givenOptions(options, ['maxTokens', 'maxRows', 'padTo']);
      const limits = [
        wholeNumber(maxTokens, Number.MAX_SAFE_INTEGER, 'maxTokens'),
        wholeNumber(maxRows, Number.MAX_SAFE_INTEGER, 'maxRows'),
        wholeNumber(padTo, 0xffffffff, 'padTo'),
      ] as const;
      const lengths = documentSet(documents).lengths();
      return engine.ask((raw) => raw.groupByLength(lengths, ...limits));
    },
    restore<T>(groups: LengthGroups<ArrayBufferLike>, results: ArrayLike<T>) {
      const { order, position } = groups ?? {};
      if (!isArray(order) || !isArray(position)) {
        throw wrongArgument('groups', groups, 'what groupByLength() returned');
      }
      if (results?.length !== order.length) {
        throw new PackscopeError(
          'length_mismatch',
          `${results?.length} results for ${order.length} documents: pass one for each, in the order of groups.order`,
        );
      }
      return Array.from(position, (at) => results[at]);
    },
  };
}
