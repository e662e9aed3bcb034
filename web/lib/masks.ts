// SPDX-License-Identifier: MIT
// Attention masks of packed windows in every form: predicate, intervals, block lists, dense arrays, cu_seqlens.
import { wholeNumber } from './documents.js';
import type { Engine } from './engine.js';
import type { ArrayOptions, MaskOptions, OptionIn } from './options.js';
import { givenOptions, isDetached, optionList, refuseOtherPlanning, wrongArgument } from './options.js';
import type { AnyPlan, WindowSelection } from './plan.js';
import { askWindows, planPart, windowRange } from './plan.js';
import type { RawOptions, RawPlanIn } from './raw.js';

/**
 * Cells of a dense mask.
 *
 * - `boolean`: `Uint8Array`, 1 = may attend
 * - `packed`: `Uint8Array`, eight keys a byte, the first in the lowest bit; every query begins at a byte
 * - `float32`: `Float32Array`, 0 = may attend, -Infinity = may not, to be added to the scores
 * - `float16`, `bfloat16`: the same as bit patterns in a `Uint16Array`
 */
export type MaskFormat = 'boolean' | 'packed' | 'float32' | 'float16' | 'bfloat16';

export interface MaskArrays {
  boolean: Uint8Array<ArrayBuffer>;
  packed: Uint8Array<ArrayBuffer>;
  float32: Float32Array<ArrayBuffer>;
  float16: Uint16Array<ArrayBuffer>;
  bfloat16: Uint16Array<ArrayBuffer>;
}

export interface DenseMaskOptions extends MaskOptions {
  /** Which windows: one, or [first, last) without the last. Default: all. */
  windows?: WindowSelection;
  /** Default `boolean`. */
  format?: MaskFormat;
}

export interface DenseMask<F extends MaskFormat = MaskFormat> {
  /** Row-major in `shape`. */
  readonly data: MaskArrays[F];
  /** [windows, 1, contextLength, contextLength]: window, head, query, key. The last of `packed` counts bytes. */
  readonly shape: readonly [number, number, number, number];
  readonly format: F;
}

type FormatFor<F> = F extends MaskFormat ? F : 'boolean';
/** The format that options `O` ask for. */
export type FormatIn<O> = FormatFor<OptionIn<O, 'format'>>;

export interface BlockMaskOptions extends MaskOptions {
  /** Which windows: one, or [first, last) without the last. Default: all. */
  windows?: WindowSelection;
  /** Positions in a block: of queries and of keys. Default 128. */
  block?: number | readonly [queries: number, keys: number];
}

/**
 * What FlexAttention's BlockMask holds: which blocks to compute. In a full block every query attends to every key; in a
 * partial one some do; all others are skipped. W windows, Q query blocks, K key blocks.
 */
export interface BlockMask {
  /** Q */
  readonly queryBlocks: number;
  /** K */
  readonly keyBlocks: number;
  /** int32 [W, 1, Q] how many partial blocks. */
  readonly kv_num_blocks: Int32Array<ArrayBuffer>;
  /** int32 [W, 1, Q, K] which, ascending; past the count unspecified. */
  readonly kv_indices: Int32Array<ArrayBuffer>;
  /** int32 [W, 1, Q] how many full blocks. */
  readonly full_kv_num_blocks: Int32Array<ArrayBuffer>;
  /** int32 [W, 1, Q, K] which, ascending; past the count unspecified. */
  readonly full_kv_indices: Int32Array<ArrayBuffer>;
}

export interface BlockCounts {
  readonly full: number;
  readonly partial: number;
  readonly skipped: number;
}

/** Keys [begin, end) of each query, [0, 0) where there is none. */
export interface KeyIntervals {
  /** uint32 [contextLength] */
  readonly begin: Uint32Array<ArrayBuffer>;
  /** uint32 [contextLength] */
  readonly end: Uint32Array<ArrayBuffer>;
}

export interface CuSeqlensOptions extends Pick<ArrayOptions, 'cuSeqlens' | 'cuSeqlensWidth'> {
  /** Which windows: one, or [first, last) without the last. Default: all. */
  windows?: WindowSelection;
}

/** Boundaries of segments for kernels that take sequences of different lengths. */
export interface CuSeqlens {
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
}

export interface MasksApi {
  /**
   * Whether the query at position `query` of a window may attend to the key at position `key`. All other forms say the
   * same as this one.
   * @param window number of the window in the plan
   * @param query position in the window, below contextLength
   * @param key position in the window, below contextLength
   * @throws PackscopeError `invalid_argument` for a window or position that does not exist, `invalid_option`
   */
  attends(plan: AnyPlan, window: number, query: number, key: number, options?: MaskOptions): boolean;

  /**
   * The keys of each query of one window, which are an interval: causal, from the start of its document to itself.
   * Small for any window length.
   * @throws PackscopeError `invalid_option` where they are none: `documentMask: false` with a documentMultiple above 1
   */
  keyIntervals(plan: AnyPlan, window: number, options?: MaskOptions): KeyIntervals;

  /**
   * A mask with a cell for each query and key. It grows with contextLength squared; blockMask(), keyIntervals() and
   * cuSeqlens() do not.
   * @throws PackscopeError `too_large` above 1 GiB
   */
  attentionMask<const O extends DenseMaskOptions = Record<never, never>>(
    plan: AnyPlan,
    options?: O,
  ): DenseMask<FormatIn<O>>;

  /** Which blocks of queries by keys to compute, as FlexAttention's BlockMask.from_kv_blocks takes them. */
  blockMask(plan: AnyPlan, options?: BlockMaskOptions): BlockMask;

  /** How many blocks are of each kind. Makes no lists, so that any length will do. */
  countBlocks(plan: AnyPlan, options?: BlockMaskOptions): BlockCounts;

  /** cu_seqlens and max_seqlen, from the plan alone. */
  cuSeqlens(plan: AnyPlan, options?: CuSeqlensOptions): CuSeqlens;

  /**
   * The textbook's rule on doc_ids [n], -1 in padding: 0 where key <= query in the same document, else -Infinity. A row of
   * padding is all -Infinity.
   * @returns float32 [n, n]
   * @throws PackscopeError `too_large` above 1 GiB
   */
  buildIntraDocumentMask(docIds: Int32Array | readonly number[]): Float32Array<ArrayBuffer>;
}

const denseMasks = {
  boolean: 'booleanMask',
  packed: 'packedMask',
  float32: 'additiveMask',
  float16: 'additiveMaskF16',
  bfloat16: 'additiveMaskBf16',
} as const;

const own = ['windows', 'format', 'block'];

export function masksApi(engine: Engine): MasksApi {
  return {
    attends(plan, window, query, key, options = {}) {
      const { part, list, prefixes, range } = question(plan, window, options);
      checkPosition(plan, 'query', query);
      checkPosition(plan, 'key', key);
      return askWindows(engine, part, range, (raw, plan, [at]) => raw.attends(plan, list, prefixes, at, query, key));
    },
    keyIntervals(plan, window, options = {}) {
      const { part, list, prefixes, range } = question(plan, window, options);
      return askWindows(engine, part, range, (raw, plan, [at]) => raw.keyIntervals(plan, list, prefixes, at));
    },
    attentionMask<O extends DenseMaskOptions>(plan: AnyPlan, options?: O) {
      const given: DenseMaskOptions = givenOptions(options);
      const { format = 'boolean' } = given;
      const name = typeof format === 'string' && Object.hasOwn(denseMasks, format) ? denseMasks[format] : undefined;
      if (name === undefined) {
        throw wrongArgument('format', format, `one of ${Object.keys(denseMasks).join(', ')}`);
      }
      const { part, list, prefixes, range } = question(plan, given.windows, given);
      const data = askWindows<MaskArrays[MaskFormat]>(engine, part, range, (raw, plan, at) =>
        raw[name](plan, list, prefixes, at),
      );
      const length = plan.options.contextLength;
      const columns = format === 'packed' ? Math.ceil(length / 8) : length;
      const shape = [range[1] - range[0], 1, length, columns] as const;
      return { data, shape, format } as DenseMask as DenseMask<FormatIn<O>>;
    },
    blockMask(plan, options = {}) {
      const { part, list, prefixes, range } = question(plan, givenOptions(options).windows, options);
      const [queries, keys] = blockSize(options.block);
      return askWindows(engine, part, range, (raw, plan, at) => raw.blockMask(plan, list, prefixes, at, queries, keys));
    },
    countBlocks(plan, options = {}) {
      const { part, list, prefixes, range } = question(plan, givenOptions(options).windows, options);
      const [queries, keys] = blockSize(options.block);
      return askWindows(engine, part, range, (raw, plan, at) =>
        raw.countBlocks(plan, list, prefixes, at, queries, keys),
      );
    },
    cuSeqlens(plan, options) {
      const { windows, ...overrides } = givenOptions(options);
      const range = windowRange(plan, windows);
      refuseOtherPlanning(engine, plan.options, overrides);
      const part = planPart(plan, range, overrides);
      const batch = askWindows(engine, part, range, (raw, plan, at) => raw.planArrays(plan, at, ['cu_seqlens'], false));
      const { cu_seqlens_padded, cu_seqlens_count } = batch;
      return {
        cu_seqlens: batch.cu_seqlens as Int32Array<ArrayBuffer>,
        cu_seqlens_offsets: batch.cu_seqlens_offsets as Uint32Array<ArrayBuffer>,
        max_seqlen: batch.max_seqlen as Int32Array<ArrayBuffer>,
        ...(cu_seqlens_padded && { cu_seqlens_padded }),
        ...(cu_seqlens_count && { cu_seqlens_count }),
      };
    },
    buildIntraDocumentMask(docIds) {
      const whole = docIds instanceof Int32Array && !isDetached(docIds);
      const ids = whole ? docIds : int32Array('docIds', docIds);
      return engine.ask((raw) => raw.buildIntraDocumentMask(ids));
    },
  };
}

interface MaskQuestion {
  readonly range: readonly [number, number];
  readonly part: RawPlanIn;
  readonly list: RawOptions;
  readonly prefixes: Uint32Array | undefined;
}

function question(plan: AnyPlan, windows: WindowSelection | undefined, options: MaskOptions): MaskQuestion {
  const range = windowRange(plan, windows);
  const part = planPart(plan, range);
  const list = optionList(options, new Set(['prefixLengths', ...own]));
  return { range, part, list, prefixes: prefixesOf(options.prefixLengths, part.segment_document) };
}

/** As many prefix lengths as the documents of a part need, which is all that they are asked for. */
export function prefixesOf(
  prefixLengths: MaskOptions['prefixLengths'],
  documents: Uint32Array,
): Uint32Array | undefined {
  if (prefixLengths === undefined) return undefined;
  let needed = 0;
  for (const document of documents) needed = Math.max(needed, document + 1);
  if (prefixLengths instanceof Uint32Array && !isDetached(prefixLengths)) return prefixLengths.subarray(0, needed);
  if (!Array.isArray(prefixLengths)) {
    throw wrongArgument('prefixLengths', prefixLengths, 'an array with an entry for each document');
  }
  return Uint32Array.from(prefixLengths.slice(0, needed), (prefix: unknown, document) =>
    wholeNumber(prefix, 0xffffffff, `document ${document}: prefix length`, document),
  );
}

function checkPosition(plan: AnyPlan, name: string, position: number): void {
  if (Number.isInteger(position) && position >= 0 && position < plan.options.contextLength) return;
  throw wrongArgument(name, position, `a position of the window, 0 to ${plan.options.contextLength - 1}`);
}

function blockSize(block: BlockMaskOptions['block'] = 128): readonly [number, number] {
  const sides = (typeof block === 'number' ? [block, block] : [block].flat()) as [number, number];
  if (sides.length > 2) throw wrongArgument('block', block, 'a number of positions, or [queries, keys]');
  const [queries, keys] = sides;
  for (const size of [queries, keys]) {
    if (Number.isInteger(size) && size >= 1 && size <= 0xffffffff) continue;
    throw wrongArgument('block', size, 'a whole number of positions, 1 or more');
  }
  return [queries, keys];
}

function int32Array(name: string, values: unknown): Int32Array {
  if (!Array.isArray(values)) throw wrongArgument(name, values, 'an Int32Array or an array of whole numbers');
  return Int32Array.from(values, (value: unknown, index) => {
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 0x7fffffff) return value;
    throw wrongArgument(`${name}[${index}]`, value, 'a whole number of 32 bits');
  });
}
