// SPDX-License-Identifier: MIT
// What attention over a plan costs: blocks that a kernel skips, and how evenly windows share the work.
import type { MaskOptions, Packscope, Plan } from 'packscope/slim';

import type { AttentionCost, Block, BlockShare } from './protocol.js';

/** Above this many windows blocks are counted on windows spread evenly over the plan. */
const mostCountedWindows = 20_000;
const runs = 100;
const kernelBlock = 128;

/** Ranks that take windows in turn, as the table of plans says it. */
export const ranks = 8;

export function blockShare(packscope: Packscope, plan: Plan, options: MaskOptions, block: Block): BlockShare {
  const windows = plan.window_offsets.length - 1;
  if (windows <= mostCountedWindows) return packscope.countBlocks(plan, { ...options, block });
  const run = mostCountedWindows / runs;
  const total = { full: 0, partial: 0, skipped: 0 };
  for (let i = 0; i < runs; i += 1) {
    const first = Math.floor((i * (windows - run)) / (runs - 1));
    const part = packscope.countBlocks(plan, { ...options, block, windows: [first, first + run] });
    total.full += part.full;
    total.partial += part.partial;
    total.skipped += part.skipped;
  }
  return total;
}

export function skippedShareOf({ full, partial, skipped }: BlockShare): number {
  const all = full + partial + skipped;
  return all === 0 ? 0 : skipped / all;
}

export function attentionCost(packscope: Packscope, plan: Plan, options: MaskOptions): AttentionCost {
  const skippedShare = skippedShareOf(blockShare(packscope, plan, options, kernelBlock));
  return { skippedShare, ...spreadOf(windowPairs(plan)) };
}

/** Causal attention pairs of each window, documents apart. */
export function windowPairs({ window_offsets: offsets, segment_length: lengths }: Plan): Float64Array {
  const pairs = new Float64Array(offsets.length - 1);
  for (let window = 0; window < pairs.length; window += 1) {
    const end = offsets[window + 1] as number;
    let sum = 0;
    for (let i = offsets[window] as number; i < end; i += 1) {
      const length = lengths[i] as number;
      sum += (length * (length + 1)) / 2;
    }
    pairs[window] = sum;
  }
  return pairs;
}

/** A step takes as long as the busiest of the windows that the ranks have in it; the last step may leave ranks idle. */
export function spreadOf(pairs: Float64Array): Pick<AttentionCost, 'busiest' | 'balance'> {
  let [sum, most, waited] = [0, 0, 0];
  for (let first = 0; first < pairs.length; first += ranks) {
    const step = pairs.subarray(first, first + ranks);
    let slowest = 0;
    for (const work of step) {
      sum += work;
      slowest = Math.max(slowest, work);
    }
    waited += slowest * step.length;
    most = Math.max(most, slowest);
  }
  if (sum === 0) return { busiest: 1, balance: 1 };
  return { busiest: (most * pairs.length) / sum, balance: sum / waited };
}
