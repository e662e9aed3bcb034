// SPDX-License-Identifier: MIT
// What attention over a plan costs: blocks that a kernel skips, and how evenly windows share the work.
import type { MaskOptions, Packscope, Plan } from 'packscope/slim';

import type { AttentionCost, Block, BlockShare } from './protocol.js';

/** Above this many windows blocks are counted on windows spread evenly over the plan. */
const mostCountedWindows = 20_000;
/** Windows counted at once: pictures wait no longer than that. */
const windowsAtOnce = 40;
const kernelBlock = 128;

/** Ranks that take windows in turn, as the table of plans says it. */
export const ranks = 8;

/** Asked between two parts of a long count: lets other calls in, and says whether the count is still wanted. */
export type GoOn = () => Promise<boolean>;

/** Undefined where it is not wanted to the end. */
export async function blockShare(
  packscope: Packscope,
  plan: Plan,
  options: MaskOptions,
  block: Block,
  goOn: GoOn,
): Promise<BlockShare | undefined> {
  const total = { full: 0, partial: 0, skipped: 0 };
  for (const windows of countedRanges(plan.window_offsets.length - 1)) {
    const part = packscope.countBlocks(plan, { ...options, block, windows });
    total.full += part.full;
    total.partial += part.partial;
    total.skipped += part.skipped;
    if (!(await goOn())) return undefined;
  }
  return total;
}

function countedRanges(windows: number): (readonly [first: number, last: number])[] {
  const ranges = Math.ceil(Math.min(windows, mostCountedWindows) / windowsAtOnce);
  // Of all windows one range begins where the one before it ends; of very many there are gaps between them.
  const stride = windows <= mostCountedWindows ? windowsAtOnce : (windows - windowsAtOnce) / (ranges - 1);
  return Array.from({ length: ranges }, (_, index) => {
    const first = Math.floor(index * stride);
    return [first, Math.min(first + windowsAtOnce, windows)];
  });
}

export function skippedShareOf({ full, partial, skipped }: BlockShare): number {
  const all = full + partial + skipped;
  return all === 0 ? 0 : skipped / all;
}

export async function attentionCost(
  packscope: Packscope,
  plan: Plan,
  options: MaskOptions,
  goOn: GoOn,
): Promise<Omit<AttentionCost, 'estimated'>> {
  const blocks = await blockShare(packscope, plan, options, kernelBlock, goOn);
  return { skippedShare: blocks ? skippedShareOf(blocks) : 0, ...spreadOf(windowPairs(plan)) };
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
