// SPDX-License-Identifier: MIT
// Which arrays of a batch have an entry for each position, and which one for each window.

export const positionArrays: ReadonlySet<string> = new Set([
  ...['input_ids', 'labels', 'position_ids', 'doc_ids', 'segment_ids', 'loss_mask'],
]);
export const windowArrays: ReadonlySet<string> = new Set(['max_seqlen', 'filler']);
