// SPDX-License-Identifier: MIT
// The arrays that a trainer loads, for any range of windows of a plan. Only the tokens of those windows go
// through the engine.
import type { DocumentSet, Documents, FieldValues, LengthDocuments } from './documents.js';
import { documentSet, rawArrays } from './documents.js';
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import type { ArrayOptions, OptionIn } from './options.js';
import { checkedFlag, checkedNames, givenOptions, refuseOtherPlanning } from './options.js';
import type { AnyPlan, WindowList, WindowSelection } from './plan.js';
import { askWindows, planPart, windowRange } from './plan.js';
import type { RawBatch, RawCorpus, RawPlanIn, RawWindows } from './raw.js';

/** Arrays that can be asked for. `cu_seqlens` brings its offsets, its padded twin and max_seqlen; `fields` all fields. */
export type ArrayName =
  | 'input_ids'
  | 'labels'
  | 'position_ids'
  | 'doc_ids'
  | 'segment_ids'
  | 'loss_mask'
  | 'cu_seqlens'
  | 'fields';

export interface MaterializeOptions extends ArrayOptions {
  /** Which windows: one, or [first, last) without the last. Default: all. */
  windows?: WindowSelection;
  /** Which arrays to make. Default: all that the documents can give; lengths alone give no input_ids and no labels. */
  arrays?: readonly ArrayName[];
  /** input_ids, labels, position_ids, doc_ids and segment_ids as BigInt64Array, as ONNX Runtime wants them. Default false. */
  int64?: boolean;
  /**
   * A batch that is no longer needed. Its memory is used again where it fits, which spares what new memory costs. Its arrays are
   * empty afterwards, as they are after a transfer; where the call throws, they stay as they are. Default: none, every
   * batch has new memory.
   */
  reuse?: BatchFrame<ArrayBufferLike> | undefined;
}

/**
 * The arrays of W windows of L = contextLength positions, row-major [W, L] unless said otherwise. Plain data outside
 * the engine's memory. In padding: padTokenId, label -100, doc_id -1, segment_id 0, loss 0.
 */
export interface BatchArrays<Ids extends Int32Array | BigInt64Array = Int32Array<ArrayBuffer>> {
  /** int32 [W, L] token ids. */
  readonly input_ids: Ids;
  /** int32 [W, L] what each position is trained to give, -100 where nothing; see `labels`. */
  readonly labels: Ids;
  /** int32 [W, L] from 0 in each segment; see `positionIds` and `paddingPositionIds`. */
  readonly position_ids: Ids;
  /** int32 [W, L] index of the document, -1 in padding. */
  readonly doc_ids: Ids;
  /** int32 [W, L] 1, 2, ... for the segments of a window, 0 in padding. */
  readonly segment_ids: Ids;
  /** uint8 [W, L] 1 exactly where labels is not -100. */
  readonly loss_mask: Uint8Array<ArrayBuffer>;
  /** int32, concatenated: those of window w are [cu_seqlens_offsets[w], cu_seqlens_offsets[w + 1]). */
  readonly cu_seqlens: Int32Array<ArrayBuffer>;
  /** uint32 [W + 1] */
  readonly cu_seqlens_offsets: Uint32Array<ArrayBuffer>;
  /** int32 [W] the longest segment of cu_seqlens, the padding tail included. */
  readonly max_seqlen: Int32Array<ArrayBuffer>;
  /** int32, as cu_seqlens: where segments begin in memory. Only with documentMultiple above 1. */
  readonly cu_seqlens_padded?: Int32Array<ArrayBuffer>;
  /** int32 [W] entries of cu_seqlens that are a window's own. Only with cuSeqlensWidth. */
  readonly cu_seqlens_count?: Int32Array<ArrayBuffer>;
  /** [W, L] each: the documents' fields by name, 0 in padding. */
  readonly fields: Readonly<Record<string, FieldValues<ArrayBuffer>>>;
}

/** What every batch has. The plan of its windows comes with it, with window_offsets from 0. */
export interface BatchFrame<Memory extends ArrayBufferLike = ArrayBuffer> extends WindowList<Memory> {
  /** Number of the first window in the plan. */
  readonly firstWindow: number;
  /** W */
  readonly windowCount: number;
  /** L */
  readonly contextLength: number;
  /** int32 [W] real tokens among the L positions. */
  readonly window_lengths: Int32Array<Memory>;
  /** uint8 [W] 1 = a window of padding added by windowMultiple. */
  readonly filler: Uint8Array<Memory>;
}

type CuSeqlensArrays = 'cu_seqlens' | 'cu_seqlens_offsets' | 'max_seqlen' | 'cu_seqlens_padded' | 'cu_seqlens_count';
type ArraysNamed<N extends ArrayName> = Exclude<N, 'cu_seqlens'> | ('cu_seqlens' extends N ? CuSeqlensArrays : never);
type IdsFor<Int64> = Int64 extends true ? BigInt64Array<ArrayBuffer> : Int32Array<ArrayBuffer>;
type IdsIn<O> = IdsFor<OptionIn<O, 'int64'>>;

// Of the names in `arrays`: all, those that are there whatever else the type allows, and those that may be missing.
type NamesIn<A> = A extends readonly (infer N extends ArrayName)[] ? N : ArrayName;
type CertainIn<A> = A extends readonly [infer N, ...infer Rest] ? Single<N> | CertainIn<Rest> : never;
type DoubtfulIn<A> = A extends readonly unknown[] ? Exclude<ArrayName, CertainIn<A>> : never;
type Single<N, All = N> = N extends unknown ? ([All] extends [N] ? N : never) : never;

// Of documents that are, and that may be, lengths alone. `never` stands for documents with tokens.
type MadeOfTokens = 'input_ids' | 'labels';
type WithoutTokens<D> = [D] extends [never]
  ? never
  : [Exclude<D, LengthDocuments>] extends [never]
    ? MadeOfTokens
    : never;
type PerhapsWithoutTokens<D> = D extends LengthDocuments ? MadeOfTokens : never;

type PossibleArrays<O, D> = Exclude<ArraysNamed<NamesIn<OptionIn<O, 'arrays'>>>, WithoutTokens<D>>;
type DoubtfulArrays<O, D> = ArraysNamed<DoubtfulIn<OptionIn<O, 'arrays'>>> | PerhapsWithoutTokens<D>;

/**
 * What materialize() returns for options `O` and documents `D`. Where their types do not say it (a `MaterializeOptions`,
 * a `boolean`, `Documents`), arrays that may be missing are optional, and ids are of either type.
 */
export type Batch<O = Record<never, never>, D = never> = BatchFrame &
  Pick<BatchArrays<IdsIn<O>>, Exclude<PossibleArrays<O, D>, DoubtfulArrays<O, D>>> &
  Partial<Pick<BatchArrays<IdsIn<O>>, Extract<PossibleArrays<O, D>, DoubtfulArrays<O, D>>>>;

export interface MaterializeApi {
  /**
   * Makes the arrays of some or all windows of a plan. Any split into ranges gives the same bytes; ask for a few windows
   * at a time where all of them would be too much.
   *
   * Array options given here replace those that the plan was made with. Planning options cannot change any more: another
   * contextLength, for one, is refused.
   *
   * @param documents those that the plan was made of, in the same order
   * @example
   * ```js
   * const documents = [[11, 12, 13], [21, 22], [31]];
   * const plan = pack(documents, { contextLength: 4 });
   * const batch = materialize(plan, documents, { windows: 0, labels: 'aligned' });
   * batch.input_ids; // Int32Array [11, 12, 13, 31]
   * batch.doc_ids; // Int32Array [0, 0, 0, 2]
   * ```
   * @throws PackscopeError `invalid_argument` for windows that the plan does not have or documents that it was not made
   *   of, `invalid_option`, `token_out_of_range`, `too_large`
   */
  materialize<const O extends MaterializeOptions = Record<never, never>, const D extends Documents = Documents>(
    plan: AnyPlan,
    documents: D,
    options?: O,
  ): Batch<O, D>;
}

export const allArrays: readonly ArrayName[] = [
  ...(['input_ids', 'labels', 'position_ids', 'doc_ids', 'segment_ids'] as const),
  ...(['loss_mask', 'cu_seqlens', 'fields'] as const),
];

const needsTokens = (name: ArrayName) => name === 'input_ids' || name === 'labels';

export function materializeApi(engine: Engine): MaterializeApi {
  return {
    materialize<O extends MaterializeOptions, D extends Documents>(plan: AnyPlan, documents: D, options?: O) {
      const { windows, arrays, int64, reuse, ...overrides } = givenOptions<MaterializeOptions>(options);
      const range = windowRange(plan, windows);
      refuseOtherPlanning(engine, plan.options, overrides);
      const set = documentSet(documents);
      const batch = materializeSet(engine, plan, set, range, {
        arrays: checkedArrays(arrays, set.tokens !== undefined),
        int64: checkedFlag('int64', int64),
        reuse,
        overrides,
      });
      return batch as unknown as Batch<O, D>;
    },
  };
}

/** The arrays asked for, or all; what needs tokens is refused where there are none and it is asked for by name. */
export function checkedArrays(arrays: readonly ArrayName[] | undefined, tokensKnown: boolean): readonly ArrayName[] {
  const names = checkedNames('arrays', arrays ?? allArrays);
  const missing = names.find(needsTokens);
  if (arrays === undefined || tokensKnown || missing === undefined) return names;
  throw new PackscopeError(
    'invalid_argument',
    `arrays has ${missing}, which needs tokens, and only lengths are given: give tokens, or leave it out`,
  );
}

interface Wanted {
  readonly arrays: readonly ArrayName[];
  readonly int64: boolean;
  readonly reuse: BatchFrame<ArrayBufferLike> | undefined;
  readonly overrides: ArrayOptions;
}

function materializeSet(
  engine: Engine,
  plan: AnyPlan,
  set: DocumentSet,
  range: readonly [number, number],
  wanted: Wanted,
) {
  const part = planPart(plan, range, wanted.overrides);
  const windows = ownWindows(part);
  const bos = plan.options.bosId === null ? 0 : 1;
  const excerpt = excerptOf(part, set, bos);
  const raw = engine.reusing(wanted.reuse, () =>
    materializePart(engine, part, excerpt, range, wanted, set.tokens !== undefined),
  );
  return batchFromRaw(raw, windows, range[0]);
}

/** Arrays of a part of a plan, from an excerpt that holds the tokens of just its segments. */
export function materializePart(
  engine: Engine,
  part: RawPlanIn,
  excerpt: RawCorpus,
  range: readonly [number, number],
  { arrays, int64 }: Pick<Wanted, 'arrays' | 'int64'>,
  tokensKnown: boolean,
): RawBatch {
  const possible = tokensKnown ? arrays : arrays.filter((name) => !needsTokens(name));
  return askWindows(engine, part, range, (raw, plan, at) => raw.materialize(plan, excerpt, at, possible, int64));
}

/** Where an excerpt takes documents from: all at once, or those that a stream still holds. */
export type TokenSource = Pick<DocumentSet, 'arraysFor' | 'copyPiece' | 'hasPrompts' | 'promptLength'> & {
  /** Tokens of a document; `begin` is where in it the segment begins that asks. */
  length(document: number, begin: number): number;
};

/**
 * The tokens of a plan's segments, one segment after another. Which of a segment's positions hold the separator is
 * the core's to know, so that a segment may bring one token more than it has.
 */
export function excerptOf(windows: RawWindows, set: TokenSource, bos: number): RawCorpus {
  const { segment_document, segment_offset, segment_length } = windows;
  const count = segment_document.length;
  const begins = new Uint32Array(count);
  const offsets = new Uint32Array(count + 1);
  const documentLengths = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) {
    const offset = segment_offset[i] as number;
    const length = set.length(segment_document[i] as number, Math.max(offset - bos, 0));
    const begin = Math.min(Math.max(offset - bos, 0), length);
    const end = Math.min(Math.max(offset + (segment_length[i] as number) - bos, begin), length);
    documentLengths[i] = length;
    begins[i] = begin;
    offsets[i + 1] = (offsets[i] as number) + end - begin;
  }
  const arrays = set.arraysFor(offsets[count] as number);
  for (let i = 0; i < count; i += 1) {
    const at = offsets[i] as number;
    const begin = begins[i] as number;
    set.copyPiece(arrays, segment_document[i] as number, begin, begin + (offsets[i + 1] as number) - at, at);
  }
  const promptLengths = set.hasPrompts
    ? Uint32Array.from(segment_document, (document) => set.promptLength(document))
    : undefined;
  return { ...rawArrays(arrays), offsets, documentLengths, promptLengths };
}

export function batchFromRaw(raw: RawBatch, windows: RawWindows, firstWindow: number) {
  return { firstWindow, windowCount: raw.window_lengths.length, ...raw, ...windows };
}

/** Windows that are part of more, in arrays of their own. */
export function ownWindows(windows: RawWindows): RawWindows {
  return {
    segment_document: windows.segment_document.slice(),
    segment_offset: windows.segment_offset.slice(),
    segment_length: windows.segment_length.slice(),
    window_offsets: windows.window_offsets.slice(),
  };
}
