// SPDX-License-Identifier: MIT
// The operators of the field's guides and textbooks, by their usual names.
import type { FieldValues, TokenArray, TokenDocuments } from './documents.js';
import { documentSet, isArray, rawField } from './documents.js';
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import type { Batch, MaterializeApi } from './materialize.js';
import { batchFromRaw, ownWindows } from './materialize.js';
import type { PackOptions } from './options.js';
import { checkedFlag, givenOptions, optionList, wrongArgument } from './options.js';
import type { PackApi } from './pack.js';
import type { Plan } from './plan.js';
import { planFromRaw, wholePlan } from './plan.js';

/** W windows of N tokens, padded at the end; N is contextLength, plus one with extraToken. */
export interface FlatWindows<Memory extends ArrayBufferLike = ArrayBuffer> {
  readonly plan: Plan<Memory>;
  /** int32 [W, N] padTokenId in padding. */
  readonly tokens: Int32Array<Memory>;
  /** int32 [W, N] 0 marks the start of a document's piece, and of the padding tail. */
  readonly positions: Int32Array<Memory>;
  /** uint8 [W, N] aligned with tokens: 1 = this token is a target. */
  readonly loss_mask: Uint8Array<Memory>;
  /** [W, N] each: the documents' fields by name, 0 in padding. */
  readonly fields: Readonly<Record<string, FieldValues<Memory>>>;
  /** int32 [W] tokens, padding left out. */
  readonly window_lengths: Int32Array<Memory>;
}

export interface TrainingOptions {
  /** input_ids, labels, position_ids, doc_ids and segment_ids as BigInt64Array. Default false. */
  int64?: boolean;
}

/** What packExamples() returns. W windows of L = contextLength positions. */
export interface PackedExamples {
  readonly contextLength: number;
  /** int32 [W, L] */
  readonly input_ids: Int32Array<ArrayBuffer>;
  /** int32 [W, L] index of the example, -1 in padding. */
  readonly doc_ids: Int32Array<ArrayBuffer>;
}

export interface PackSequencesOptions<T> extends PackOptions {
  /** A piece of a record, asked for only where the plan cuts one. */
  slice?: (record: T, offset: number, length: number) => T;
}

export interface OperatorsApi {
  /**
   * Packs documents and writes every window out with tokens, positions and a loss mask.
   * @throws PackscopeError as pack() and materialize()
   */
  packFlat(documents: TokenDocuments, options?: PackOptions): FlatWindows;

  /**
   * Inputs and labels for training from what packFlat() returned: L = N - 1 tokens a window, labels one to the right. The
   * same batch as materialize() gives with extraToken and a contextLength of L.
   * @throws PackscopeError `invalid_option` for windows of one token or a documentMultiple above 1
   */
  toTraining<const O extends TrainingOptions = Record<never, never>>(
    flat: FlatWindows<ArrayBufferLike>,
    options?: O,
  ): Batch<O>;

  /** The textbook's concatenate-and-chop with doc_ids: windows of contextLength, the last one padded with padToken. */
  packExamples(examples: readonly TokenArray[], contextLength: number, padToken?: number): PackedExamples;

  /**
   * Groups the caller's own records, one group a window, by reference: nothing is read but what `length` says, and
   * nothing is copied. Every record is in a group, unless `longDocuments: 'drop'` or `tail: 'drop'` is given.
   *
   * @param length tokens of a record, 1 or more
   * @example
   * ```js
   * const texts = ['a long text', 'short', 'other'];
   * packSequences(texts, (text) => text.length, { contextLength: 12 });
   * // [['a long text'], ['short', 'other']]
   * ```
   * @throws PackscopeError `document_too_long` for a record longer than a window, unless longDocuments says what becomes of
   *   it; `invalid_argument` for one without tokens; `invalid_option` for separatorId, bosId and dropDuplicates, which
   *   records cannot carry, and for options that cut a record where no `slice` is given
   */
  packSequences<T>(records: readonly T[], length: (record: T) => number, options?: PackSequencesOptions<T>): T[][];
}

function checkPart(name: string, values: unknown): void {
  if (!ArrayBuffer.isView(values) || !isArray(values)) throw wrongArgument(name, values, 'what packFlat() returned');
}

export function operatorsApi(engine: Engine, { pack }: PackApi, { materialize }: MaterializeApi): OperatorsApi {
  function toTraining<O extends TrainingOptions>(flat: FlatWindows<ArrayBufferLike>, options?: O) {
    const plan = wholePlan(flat?.plan);
    const int64 = checkedFlag('int64', givenOptions<TrainingOptions>(options, ['int64']).int64);
    for (const name of ['tokens', 'positions', 'loss_mask', 'window_lengths'] as const) {
      checkPart(name, flat[name]);
    }
    const fields = Object.entries(flat.fields ?? {}).map(([name, values]) => {
      checkPart(`fields.${name}`, values);
      return rawField(name, values);
    });
    const batch = engine.ask((raw) => raw.toTraining({ ...flat, plan, fields }, int64));
    return batchFromRaw(batch, ownWindows(plan), 0) as unknown as Batch<O>;
  }

  return {
    packFlat(documents, options) {
      const corpus = documentSet(documents).corpus();
      if (corpus.tokens === undefined)
        throw new PackscopeError('invalid_argument', 'packFlat() needs tokens, and only lengths are given');
      const list = optionList(options);
      const flat = engine.ask((raw) => raw.packFlat(list, corpus));
      return { ...flat, plan: planFromRaw(engine, flat.plan, list) };
    },
    toTraining,
    packExamples(examples, contextLength, padToken = 0) {
      const documents = { documents: examples };
      const plan = pack(documents, { contextLength, algorithm: 'wrap', padTokenId: padToken });
      const { input_ids, doc_ids } = materialize(plan, documents, { arrays: ['input_ids', 'doc_ids'] });
      return { contextLength, input_ids, doc_ids };
    },
    packSequences<T>(records: readonly T[], length: (record: T) => number, options: PackSequencesOptions<T> = {}) {
      const { lengths, packing } = recordsToPack(records, length, options);
      return groupRecords(records, lengths, pack(lengths, packing), options);
    },
  };
}

/** packSequences() with a pack() that takes its time. */
export async function packSequencesBy<T>(
  pack: (lengths: readonly number[], options: PackOptions) => Promise<Plan>,
  records: readonly T[],
  length: (record: T) => number,
  options: PackSequencesOptions<T>,
): Promise<T[][]> {
  const { lengths, packing } = recordsToPack(records, length, options);
  return groupRecords(records, lengths, await pack(lengths, packing), options);
}

function recordsToPack<T>(records: readonly T[], length: (record: T) => number, options: PackSequencesOptions<T>) {
  const { slice, ...packing } = givenOptions(options);
  if (slice !== undefined && typeof slice !== 'function') throw wrongArgument('slice', slice, 'a function');
  refuseWhatRecordsCannotCarry(packing);
  return { lengths: recordLengths(records, length), packing };
}

function refuseWhatRecordsCannotCarry(options: PackOptions): void {
  for (const name of ['separatorId', 'bosId'] as const) {
    if (options[name] === undefined || options[name] === null) continue;
    throw new PackscopeError(
      'invalid_option',
      `${name} is set, but packSequences() cannot add a token to a record: add it to the records, or use packFlat()`,
    );
  }
  if (!options.dropDuplicates) return;
  throw new PackscopeError(
    'invalid_option',
    'dropDuplicates is set, but packSequences() does not compare records: use pack() with tokens, or leave duplicates out',
  );
}

function recordLengths<T>(records: readonly T[], length: (record: T) => number): number[] {
  if (!Array.isArray(records)) throw wrongArgument('records', records, 'an array');
  if (typeof length !== 'function') {
    throw wrongArgument('length', length, `a function that gives a record's tokens`);
  }
  return records.map((record) => length(record as T));
}

function groupRecords<T>(
  records: readonly T[],
  lengths: readonly number[],
  plan: Plan,
  { slice, longDocuments = 'default' }: PackSequencesOptions<T>,
): T[][] {
  refuseLost(lengths, plan, longDocuments === 'default');
  const groups: T[][] = [];
  for (let window = 0; window + 1 < plan.window_offsets.length; window += 1) {
    const group: T[] = [];
    const end = plan.window_offsets[window + 1] as number;
    for (let i = plan.window_offsets[window] as number; i < end; i += 1) {
      const document = plan.segment_document[i] as number;
      const size = plan.segment_length[i] as number;
      const record = records[document] as T;
      group.push(
        size === lengths[document] ? record : cut(record, document, plan.segment_offset[i] as number, size, slice),
      );
    }
    groups.push(group);
  }
  return groups;
}

// The groups are all that the caller gets: nothing tells of a record that is in none.
function refuseLost(lengths: readonly number[], { ledger, options }: Plan, dropsUnasked: boolean): void {
  if (ledger.emptyDocuments > 0) {
    const document = lengths.indexOf(0);
    const text = `record ${document} has no tokens, so that it would be in no group: leave such records out`;
    throw new PackscopeError('invalid_argument', text, { document });
  }
  if (!dropsUnasked || ledger.droppedDocuments === 0) return;
  const document = lengths.findIndex((length) => length > options.contextLength);
  const text = `record ${document} has ${lengths[document]} tokens, more than a window of ${options.contextLength}, so that it would be in no group`;
  throw new PackscopeError('document_too_long', text, { document });
}

function cut<T>(
  record: T,
  document: number,
  offset: number,
  length: number,
  slice: PackSequencesOptions<T>['slice'],
): T {
  if (slice) return slice(record, offset, length);
  throw new PackscopeError(
    'invalid_option',
    `record ${document} is to be cut at ${offset}, and no slice function is given: pass slice, or keep records whole`,
    { document },
  );
}
