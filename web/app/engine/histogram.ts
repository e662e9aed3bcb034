// SPDX-License-Identifier: MIT
// Document lengths at a glance: how many there are of each, on a logarithmic scale.
import type { LengthHistogram } from './protocol.js';

const stepsPerDoubling = 4;

const stepOf = (length: number) => Math.floor(Math.log2(Math.max(length, 1)) * stepsPerDoubling);
const edgeOf = (step: number) => Math.ceil(2 ** (step / stepsPerDoubling));

export function lengthHistogram(lengths: Uint32Array): LengthHistogram {
  if (lengths.length === 0) return { edges: [1, 2], counts: [0] };
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const length of lengths) {
    least = Math.min(least, length);
    most = Math.max(most, length);
  }
  const first = stepOf(least);
  const counts = new Array<number>(stepOf(most) - first + 1).fill(0);
  for (const length of lengths) {
    const step = stepOf(length) - first;
    counts[step] = (counts[step] as number) + 1;
  }
  return { counts, edges: Array.from({ length: counts.length + 1 }, (_, index) => edgeOf(first + index)) };
}

export function medianOf(lengths: Uint32Array): number {
  if (lengths.length === 0) return 0;
  return lengths.slice().sort()[Math.floor(lengths.length / 2)] as number;
}
