// SPDX-License-Identifier: MIT
// The windows of a plan in another order, for the eye only: the plan itself stays as it is. What is known of each
// window is computed once for a plan: a filter over ten million documents looks at a million numbers.
import type { Plan } from 'packscope/slim';

import type { Order } from '../state/model.js';
import type { LengthRange, WindowFilter } from './protocol.js';

const fills = new WeakMap<Plan, Uint32Array>();

/** Tokens of each window. */
export function windowFill(plan: Plan): Uint32Array {
  const fill = fills.get(plan) ?? computedFill(plan);
  fills.set(plan, fill);
  return fill;
}

function computedFill({ window_offsets: offsets, segment_length: lengths }: Plan): Uint32Array {
  const fill = new Uint32Array(offsets.length - 1);
  for (let window = 0; window < fill.length; window += 1) {
    const end = offsets[window + 1] as number;
    let tokens = 0;
    for (let i = offsets[window] as number; i < end; i += 1) tokens += lengths[i] as number;
    fill[window] = tokens;
  }
  return fill;
}

/** Of each segment, the whole length of its document. */
function documentLengths({ options, ledger, ...plan }: Plan, lengths: Uint32Array): Uint32Array {
  const added = options.bosId !== null || options.separatorId !== null;
  // Nothing added and nothing cut: then it is that of the segment, and need not be fetched from all over.
  if (!added && ledger.splitDocuments + ledger.truncatedDocuments === 0) return plan.segment_length;
  return plan.segment_document.map((document) => lengths[document] as number);
}

/** What is known of documents: their lengths by segment, and of each window the shortest and the longest. */
interface Documents {
  readonly lengths: Uint32Array;
  readonly shortest: Uint32Array;
  readonly longest: Uint32Array;
}

const known = new WeakMap<Plan, Documents>();

function documentsIn(plan: Plan, lengths: Uint32Array): Documents {
  const found = known.get(plan) ?? withExtremes(plan.window_offsets, documentLengths(plan, lengths));
  known.set(plan, found);
  return found;
}

function withExtremes(offsets: Uint32Array, lengths: Uint32Array): Documents {
  const windows = offsets.length - 1;
  const shortest = new Uint32Array(windows);
  const longest = new Uint32Array(windows);
  for (let window = 0; window < windows; window += 1) {
    const end = offsets[window + 1] as number;
    let [least, most] = [0xffffffff, 0];
    for (let i = offsets[window] as number; i < end; i += 1) {
      const length = lengths[i] as number;
      if (length < least) least = length;
      if (length > most) most = length;
    }
    shortest[window] = least;
    longest[window] = most;
  }
  return { lengths, shortest, longest };
}

/** The window of each row: the plan's order, the most padding first, or the most documents first. */
export function windowOrder(plan: Plan, order: Order): Uint32Array {
  const windows = plan.window_offsets.length - 1;
  if (order === 'plan') return Uint32Array.from({ length: windows }, (_, window) => window);
  if (order === 'waste') return sortedBy(windowFill(plan));
  const mostDocuments = plan.segment_document.length;
  return sortedBy(Uint32Array.from({ length: windows }, (_, window) => mostDocuments - segmentsOf(plan, window)));
}

// Ascending, equal ones in their order. Key and index in one number: typed arrays sort fast without a comparison.
function sortedBy(keys: Uint32Array): Uint32Array {
  const pairs = Float64Array.from(keys, (key, index) => key * keys.length + index).sort();
  return Uint32Array.from(pairs, (pair) => pair % keys.length);
}

/** Those windows of an order that hold a document of the lengths wanted, and more padding than wanted. */
export function filteredOrder(plan: Plan, order: Uint32Array, lengths: Uint32Array, filter: WindowFilter): Uint32Array {
  const { lengths: wanted, paddingOver } = filter;
  const padded = paddingOver === undefined ? order : order.filter(hasPaddingOver(plan, paddingOver));
  return wanted === undefined ? padded : padded.filter(holdsLength(plan, lengths, wanted));
}

function hasPaddingOver(plan: Plan, percent: number): (window: number) => boolean {
  const { contextLength } = plan.options;
  const fill = windowFill(plan);
  return (window) => (contextLength - (fill[window] as number)) * 100 > percent * contextLength;
}

// Most windows are decided by their shortest and longest document.
function holdsLength(plan: Plan, lengths: Uint32Array, { least, most }: LengthRange): (window: number) => boolean {
  const { shortest, longest, lengths: ofSegments } = documentsIn(plan, lengths);
  const inRange = (length: number) => length >= least && length <= most;
  const holdsSome = (window: number) => {
    const end = plan.window_offsets[window + 1] as number;
    for (let i = plan.window_offsets[window] as number; i < end; i += 1)
      if (inRange(ofSegments[i] as number)) return true;
    return false;
  };
  return (window) => {
    const [short, long] = [shortest[window] as number, longest[window] as number];
    if (short > most || long < least) return false;
    return inRange(short) || inRange(long) || holdsSome(window);
  };
}

const segmentsOf = ({ window_offsets: offsets }: Plan, window: number) =>
  (offsets[window + 1] as number) - (offsets[window] as number);

/** The plan of some of the windows, in another order. */
export function arrangedPlan(plan: Plan, order: Uint32Array): Plan {
  const offsets = new Uint32Array(order.length + 1);
  order.forEach((window, row) => {
    offsets[row + 1] = (offsets[row] as number) + segmentsOf(plan, window);
  });
  const arranged = (of: Uint32Array) => {
    const moved = new Uint32Array(offsets[order.length] as number);
    let at = 0;
    for (const window of order) {
      const end = plan.window_offsets[window + 1] as number;
      for (let i = plan.window_offsets[window] as number; i < end; i += 1) moved[at++] = of[i] as number;
    }
    return moved;
  };
  return {
    ...plan,
    window_offsets: offsets,
    segment_document: arranged(plan.segment_document),
    segment_offset: arranged(plan.segment_offset),
    segment_length: arranged(plan.segment_length),
  };
}
