// SPDX-License-Identifier: MIT
// The windows of a plan in another order, for the eye only: the plan itself stays as it is.
import type { Plan } from 'packscope/slim';

import type { Order } from '../state/model.js';
import type { WindowFilter } from './protocol.js';

/** Tokens of each window. */
export function windowFill(plan: Plan): Uint32Array {
  const fill = new Uint32Array(plan.window_offsets.length - 1);
  for (let window = 0; window < fill.length; window += 1) {
    const end = plan.window_offsets[window + 1] as number;
    let tokens = 0;
    for (let i = plan.window_offsets[window] as number; i < end; i += 1) tokens += plan.segment_length[i] as number;
    fill[window] = tokens;
  }
  return fill;
}

/** The window of each row: the plan's order, the most padding first, or the most documents first. */
export function windowOrder(plan: Plan, order: Order): Uint32Array {
  const windows = Uint32Array.from({ length: plan.window_offsets.length - 1 }, (_, window) => window);
  if (order === 'plan') return windows;
  const key = order === 'waste' ? windowFill(plan) : documentCounts(plan);
  const sign = order === 'waste' ? 1 : -1;
  return windows.sort((a, b) => sign * ((key[a] as number) - (key[b] as number)) || a - b);
}

/** Those windows of an order that hold a document of the lengths wanted, and more padding than wanted. */
export function filteredOrder(plan: Plan, order: Uint32Array, lengths: Uint32Array, filter: WindowFilter): Uint32Array {
  const { lengths: wanted, paddingOver } = filter;
  if (wanted === undefined && paddingOver === undefined) return order;
  const { contextLength } = plan.options;
  const fill = windowFill(plan);
  const holds = (window: number, least: number, most: number) => {
    const end = plan.window_offsets[window + 1] as number;
    for (let i = plan.window_offsets[window] as number; i < end; i += 1) {
      const length = lengths[plan.segment_document[i] as number] as number;
      if (length >= least && length <= most) return true;
    }
    return false;
  };
  return order.filter((window) => {
    const padding = contextLength - (fill[window] as number);
    if (paddingOver !== undefined && padding * 100 <= paddingOver * contextLength) return false;
    return wanted === undefined || holds(window, wanted.least, wanted.most);
  });
}

const segmentsOf = ({ window_offsets: offsets }: Plan, window: number) =>
  (offsets[window + 1] as number) - (offsets[window] as number);

function documentCounts(plan: Plan): Uint32Array {
  return Uint32Array.from({ length: plan.window_offsets.length - 1 }, (_, window) => segmentsOf(plan, window));
}

/** The plan of some of the windows, in another order. */
export function arrangedPlan(plan: Plan, order: Uint32Array): Plan {
  const segments = order.reduce((sum, window) => sum + segmentsOf(plan, window), 0);
  const arranged = {
    ...plan,
    segment_document: new Uint32Array(segments),
    segment_offset: new Uint32Array(segments),
    segment_length: new Uint32Array(segments),
    window_offsets: new Uint32Array(order.length + 1),
  };
  let at = 0;
  order.forEach((window, row) => {
    const begin = plan.window_offsets[window] as number;
    const end = plan.window_offsets[window + 1] as number;
    for (const name of ['segment_document', 'segment_offset', 'segment_length'] as const) {
      arranged[name].set(plan[name].subarray(begin, end), at);
    }
    at += end - begin;
    arranged.window_offsets[row + 1] = at;
  });
  return arranged;
}
