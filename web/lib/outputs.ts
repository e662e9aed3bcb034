// SPDX-License-Identifier: MIT
// From what a model gives for packed windows back to documents: all values of each, or their mean.
import { PackscopeError } from './errors.js';
import { givenOptions, wrongArgument } from './options.js';
import type { AnyPlan, WindowSelection } from './plan.js';
import { windowRange } from './plan.js';

/** Numbers a model gives: one or more for each position of the windows. */
export type OutputArray = Float32Array | Float64Array | Int32Array | Uint8Array;

/** An array of the same kind in memory of its own. */
export type OwnArray<T extends OutputArray> = T extends Float32Array
  ? Float32Array<ArrayBuffer>
  : T extends Float64Array
    ? Float64Array<ArrayBuffer>
    : T extends Int32Array
      ? Int32Array<ArrayBuffer>
      : Uint8Array<ArrayBuffer>;

export interface OutputOptions {
  /** Which windows `values` belongs to: one, or [first, last) without the last. Default: all. */
  windows?: WindowSelection;
}

/** Means of n documents, those that stand in the windows, ascending. */
export interface DocumentMeans {
  /** uint32 [n] */
  readonly documents: Uint32Array<ArrayBuffer>;
  /** float32 [n, width] */
  readonly means: Float32Array<ArrayBuffer>;
  /** uint32 [n] positions that each mean is of. */
  readonly counts: Uint32Array<ArrayBuffer>;
}

export interface OutputsApi {
  /**
   * Values of packed windows, sorted back to documents. A document's values are in its own order, also where it was split
   * over windows, and reach from its first to its last position in the windows (0 where it has none between). BOS and
   * separator have one as any token.
   *
   * @param values [W, contextLength, width] row-major, as the model gives them
   * @returns document to [length, width]
   * @throws PackscopeError `length_mismatch` where `values` is no multiple of the positions
   */
  unpack<T extends OutputArray>(plan: AnyPlan, values: T, options?: OutputOptions): Map<number, OwnArray<T>>;

  /**
   * The mean over the positions of each document, such as a sentence embedding from hidden states.
   *
   * @param values [W, contextLength, width] row-major, as the model gives them
   * @example
   * ```js
   * const plan = pack([[1, 2], [3]], { contextLength: 4 });
   * segmentMeanPool(plan, Float32Array.of(2, 4, 9, 0)).means; // Float32Array [3, 9]
   * ```
   * @throws PackscopeError `invalid_argument` for other numbers, such as float16 in a Uint16Array; `length_mismatch` where
   *   `values` is no multiple of the positions
   */
  segmentMeanPool(plan: AnyPlan, values: Float32Array | Float64Array, options?: OutputOptions): DocumentMeans;
}

export const outputsApi: OutputsApi = {
  unpack<T extends OutputArray>(plan: AnyPlan, values: T, options?: OutputOptions) {
    const range = windowRange(plan, givenOptions(options, ['windows']).windows);
    const width = widthOf(plan, values, range);
    const stretches = new Map<number, { begin: number; end: number }>();
    forEachSegment(plan, range, ({ document, offset, length }) => {
      const { begin, end } = stretches.get(document) ?? { begin: offset, end: offset };
      stretches.set(document, { begin: Math.min(begin, offset), end: Math.max(end, offset + length) });
    });
    const all = new Map<number, OwnArray<T>>();
    for (const [document, { begin, end }] of [...stretches].sort(([a], [b]) => a - b)) {
      all.set(document, new (values.constructor as new (length: number) => OwnArray<T>)((end - begin) * width));
    }
    forEachSegment(plan, range, ({ document, offset, length, position }) => {
      const at = (offset - (stretches.get(document)?.begin ?? 0)) * width;
      all.get(document)?.set(values.subarray(position * width, (position + length) * width), at);
    });
    return all;
  },
  segmentMeanPool(plan, values, options) {
    const range = windowRange(plan, givenOptions(options, ['windows']).windows);
    if (!(values instanceof Float32Array || values instanceof Float64Array)) {
      throw wrongArgument(
        'values',
        values,
        'a Float32Array or Float64Array: convert other numbers, such as float16, before',
      );
    }
    const width = widthOf(plan, values, range);
    const sums = new Map<number, { total: Float64Array; count: number }>();
    forEachSegment(plan, range, ({ document, length, position }) => {
      const sum = sums.get(document) ?? { total: new Float64Array(width), count: 0 };
      sums.set(document, sum);
      sum.count += length;
      addRows(sum.total, values, position * width, (position + length) * width);
    });
    return meansOf(sums, width);
  },
};

interface PlacedSegment {
  document: number;
  offset: number;
  length: number;
  /** Among all positions of the range. */
  position: number;
}

function forEachSegment(
  plan: AnyPlan,
  [first, last]: readonly [number, number],
  visit: (segment: PlacedSegment) => void,
): void {
  const { contextLength, documentMultiple } = plan.options;
  for (let window = first; window < last; window += 1) {
    let begin = 0;
    const end = plan.window_offsets[window + 1] as number;
    for (let i = plan.window_offsets[window] as number; i < end; i += 1) {
      const stored = plan.segment_length[i] as number;
      // extraToken stores one token more than there are positions.
      const length = Math.min(stored, contextLength - begin);
      const position = (window - first) * contextLength + begin;
      if (length > 0)
        visit({
          document: plan.segment_document[i] as number,
          offset: plan.segment_offset[i] as number,
          length,
          position,
        });
      begin += Math.ceil(stored / documentMultiple) * documentMultiple;
    }
  }
}

function widthOf(plan: AnyPlan, values: OutputArray, [first, last]: readonly [number, number]): number {
  const positions = (last - first) * plan.options.contextLength;
  if (!ArrayBuffer.isView(values)) {
    throw wrongArgument('values', values, 'a typed array [windows, contextLength, width]');
  }
  if (positions === 0 && values.length === 0) return 0;
  const width = values.length / positions;
  if (Number.isInteger(width) && width > 0) return width;
  throw new PackscopeError(
    'length_mismatch',
    `values has ${values.length} entries, no multiple of the ${positions} positions in ${last - first} windows of ${plan.options.contextLength}`,
  );
}

function addRows(total: Float64Array, values: Float32Array | Float64Array, begin: number, end: number): void {
  for (let row = begin; row < end; row += total.length) {
    for (let i = 0; i < total.length; i += 1) total[i] = (total[i] as number) + (values[row + i] as number);
  }
}

function meansOf(sums: ReadonlyMap<number, { total: Float64Array; count: number }>, width: number): DocumentMeans {
  const documents = Uint32Array.from(sums.keys()).sort();
  const means = new Float32Array(documents.length * width);
  const counts = new Uint32Array(documents.length);
  for (const [row, document] of documents.entries()) {
    const { total, count } = sums.get(document) as { total: Float64Array; count: number };
    counts[row] = count;
    for (let i = 0; i < width; i += 1) means[row * width + i] = (total[i] as number) / count;
  }
  return { documents, means, counts };
}
