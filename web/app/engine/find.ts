// SPDX-License-Identifier: MIT
// Finds the next segment that the reader looks for, from a place on, in the order on show, around the end.
import type { Plan } from 'packscope/slim';

import type { Wanted } from '../text/find.js';

/** The row of the segment at `index` of all segments. */
export function rowOfSegment(offsets: Uint32Array, index: number): number {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] as number) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The index, among all segments of the arranged plan, of the next one wanted after `from`; undefined where there is
 * none. `lengths` are those of whole documents.
 */
export function nextSegment(
  plan: Plan,
  lengths: Uint32Array,
  wanted: Exclude<Wanted, { kind: 'window' }>,
  from: number,
  backwards: boolean,
): number | undefined {
  const { segment_document: documents } = plan;
  const segments = documents.length;
  const step = backwards ? segments - 1 : 1;
  let index = from;
  for (let tried = 0; tried < segments; tried += 1) {
    index = (index + step) % segments;
    const document = documents[index] as number;
    if (wanted.kind === 'document' && document === wanted.document) return index;
    if (wanted.kind === 'length' && within(lengths[document] as number, wanted)) return index;
  }
  return undefined;
}

const within = (length: number, { least, most }: { least: number; most: number }) => length >= least && length <= most;
