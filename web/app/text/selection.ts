// SPDX-License-Identifier: MIT
// The selection in words, for those who listen.
import type { WindowInfo } from '../engine/protocol.js';
import { count, counted } from '../format.js';

/** "Window 412, document 3 of 12: number 7,855, 343 tokens, positions 686 to 1,028" */
export function selectionSentence({ window, segments, used }: WindowInfo, segment: number): string {
  const place = `Window ${count(window)}`;
  const chosen = segments[segment];
  if (chosen === undefined) return `${place}, ${counted(segments.length, 'document')}, ${counted(used, 'token')}`;
  const { document, begin, length } = chosen;
  const which = `document ${count(segment + 1)} of ${count(segments.length)}: number ${count(document)}`;
  return `${place}, ${which}, ${counted(length, 'token')}, positions ${count(begin)} to ${count(begin + length - 1)}`;
}
