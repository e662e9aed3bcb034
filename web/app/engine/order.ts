// SPDX-License-Identifier: MIT
// The windows of a plan in another order, for the eye only: the plan itself stays as it is.
import type { Plan } from 'packscope/slim';

import type { Order } from '../state/model.js';

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

function documentCounts(plan: Plan): Uint32Array {
  const { window_offsets: offsets } = plan;
  return Uint32Array.from(
    { length: offsets.length - 1 },
    (_, window) => (offsets[window + 1] as number) - (offsets[window] as number),
  );
}

export function arrangedPlan(plan: Plan, order: Uint32Array): Plan {
  const segments = plan.segment_document.length;
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
