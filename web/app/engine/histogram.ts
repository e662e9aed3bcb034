// SPDX-License-Identifier: MIT
// Document lengths at a glance, from how many documents there are of each: ten million are looked at once.
import type { Ledger } from 'packscope/slim';

import type { LengthHistogram } from './protocol.js';

/** The lengths that occur, ascending, and how many documents have each. */
export interface LengthCounts {
  readonly lengths: Uint32Array;
  readonly counts: Uint32Array;
}

/** Shorter ones are counted in an array of all lengths; longer ones are few. */
const longLength = 1 << 20;

export function countLengths(lengths: Uint32Array): LengthCounts {
  let longest = 0;
  for (const length of lengths) if (length > longest) longest = length;
  const short = new Uint32Array(Math.min(longest + 1, longLength));
  const long = new Map<number, number>();
  for (const length of lengths) {
    if (length < longLength) short[length] = (short[length] as number) + 1;
    else long.set(length, (long.get(length) ?? 0) + 1);
  }
  const pairs: (readonly [length: number, count: number])[] = [];
  short.forEach((count, length) => {
    if (count > 0) pairs.push([length, count]);
  });
  for (const pair of [...long].sort(([a], [b]) => a - b)) pairs.push(pair);
  return {
    lengths: Uint32Array.from(pairs, ([length]) => length),
    counts: Uint32Array.from(pairs, ([, count]) => count),
  };
}

const stepsPerDoubling = 4;

const stepOf = (length: number) => Math.floor(Math.log2(Math.max(length, 1)) * stepsPerDoubling);
const edgeOf = (step: number) => Math.ceil(2 ** (step / stepsPerDoubling));

/** On a logarithmic scale. */
export function lengthHistogram({ lengths, counts: documents }: LengthCounts): LengthHistogram {
  if (lengths.length === 0) return { edges: [1, 2], counts: [0] };
  const first = stepOf(lengths[0] as number);
  const counts = new Array<number>(stepOf(lengths.at(-1) as number) - first + 1).fill(0);
  lengths.forEach((length, index) => {
    const step = stepOf(length) - first;
    counts[step] = (counts[step] as number) + (documents[index] as number);
  });
  return { counts, edges: Array.from({ length: counts.length + 1 }, (_, index) => edgeOf(first + index)) };
}

/** The length of the document in the middle, of two the longer; 0 where there is none. */
export function medianOf({ lengths, counts }: LengthCounts): number {
  const middle = Math.floor(counts.reduce((sum, count) => sum + count, 0) / 2);
  let before = 0;
  const at = counts.findIndex((count) => {
    before += count;
    return before > middle;
  });
  return lengths[at] ?? 0;
}

/** Documents longer than that. */
export const documentsAbove = ({ lengths, counts }: LengthCounts, length: number): number =>
  counts.reduce((sum, count, index) => ((lengths[index] as number) > length ? sum + count : sum), 0);

/** Windows if no two of the documents that stand in some shared one: for one that is split, as many as it takes. */
export function windowsApart({ lengths, counts }: LengthCounts, contextLength: number, ledger: Ledger): number {
  const { documents, emptyDocuments, droppedDocuments, duplicateDocuments, truncatedDocuments } = ledger;
  const placed = documents - emptyDocuments - droppedDocuments - duplicateDocuments;
  if (droppedDocuments + truncatedDocuments > 0) return placed;
  const more = (length: number) => Math.max(Math.ceil(length / contextLength) - 1, 0);
  return counts.reduce((sum, count, index) => sum + count * more(lengths[index] as number), placed);
}
