// SPDX-License-Identifier: MIT
// The tokens of a window one by one: what stands at each position, in which document, and what it is trained to give.
import type { Lanes, SegmentInfo, WindowInfo } from '../engine/protocol.js';
import { segmentAt } from './explain.js';

export interface Token {
  readonly position: number;
  /** Undefined on padding. */
  readonly segment: SegmentInfo | undefined;
  /** Undefined where only lengths are known. */
  readonly id: number | undefined;
  readonly text: string | undefined;
  readonly positionId: number;
  /** The loss counts what is predicted here. */
  readonly target: boolean;
}

/** Tokens of [first, last). Without text a position is all there is to a token. */
export function tokensOf({ segments, texts, ids }: WindowInfo, lanes: Lanes, first: number, last: number): Token[] {
  const tokens: Token[] = [];
  const bytes = texts?.map((text, index) => bytesOf(text, segments[index]));
  let index = 0;
  for (let position = first; position < Math.min(last, lanes.position_ids.length); position += 1) {
    while (index < segments.length && endOf(segments[index]) <= position) index += 1;
    const next = segments[index];
    const segment = next !== undefined && next.begin <= position ? next : undefined;
    const byte = segment && bytes?.[index]?.[position - segment.begin];
    const id = segment && (ids?.[position] ?? byte);
    tokens.push({
      position,
      segment,
      id,
      text: byte === undefined ? undefined : shown(byte),
      positionId: lanes.position_ids[position] as number,
      target: lanes.loss_mask[position] === 1,
    });
  }
  return tokens;
}

/** What stands at a position, as a person names it: its text or its id; undefined where neither is known. */
export function tokenName({ segments, texts, ids }: WindowInfo, position: number): string | undefined {
  const index = segmentAt(segments, position);
  if (index === undefined) return undefined;
  const segment = segments[index] as SegmentInfo;
  const byte = texts && bytesOf(texts[index] ?? '', segment)?.[position - segment.begin];
  return byte === undefined ? ids?.[position]?.toString() : shown(byte);
}

// A text whose bytes are not its tokens says nothing about single tokens.
function bytesOf(text: string, segment: SegmentInfo | undefined): Uint8Array | undefined {
  const encoded = new TextEncoder().encode(text);
  const others = (segment?.length ?? 0) - encoded.length;
  // One more than the bytes is a separator.
  return others === 0 || others === 1 ? encoded : undefined;
}

const endOf = (segment: SegmentInfo | undefined) => (segment ? segment.begin + segment.length : 0);

const names: Readonly<Record<number, string>> = { 9: '⇥', 10: '⏎', 32: '␣' };

// A byte as a letter where it is one.
function shown(byte: number): string {
  if (names[byte] !== undefined) return names[byte];
  return byte > 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(16).padStart(2, '0');
}
