// SPDX-License-Identifier: MIT
// Why a token may attend to another, or may not, in a few words.
import type { MaskChoice, SegmentInfo } from '../engine/protocol.js';

export interface Explanation {
  readonly attends: boolean;
  /** May attend although it stands in another document. */
  readonly leaks: boolean;
  readonly text: string;
}

/** The segment at a position, or undefined on padding. */
export function segmentAt(segments: readonly SegmentInfo[], position: number): number | undefined {
  const index = segments.findLastIndex(({ begin }) => begin <= position);
  const segment = segments[index];
  return segment !== undefined && position < segment.begin + segment.length ? index : undefined;
}

/** `attends` is the core's answer; the words only say which rule it comes from. */
export function explain(
  segments: readonly SegmentInfo[],
  query: number,
  key: number,
  options: MaskChoice,
  attends: boolean,
): Explanation {
  const [from, to] = [segmentAt(segments, query), segmentAt(segments, key)];
  const leaks = attends && from !== to;
  if (leaks) return { attends, leaks, text: 'attends, and should not: different documents' };
  if (attends) return { attends, leaks, text: from === undefined ? 'padding sees itself only' : 'attends' };
  return { attends, leaks, text: `blocked: ${reason(from, to, query, key, options)}` };
}

function reason(
  from: number | undefined,
  to: number | undefined,
  query: number,
  key: number,
  options: MaskChoice,
): string {
  if (from === undefined || to === undefined) return 'padding';
  if (options.documentMask !== false && from !== to) return 'different documents';
  if (options.prefixPercent !== undefined && key > query) return 'the key comes later, and not both are in the prefix';
  if (options.mask !== 'bidirectional' && key > query) return 'the key comes later';
  return 'outside the sliding window';
}
