// SPDX-License-Identifier: MIT
// What lies over the core's picture of rows: other colours where these are asked for, and words on wide tiles.
import type { Frame, SegmentInfo, TileLabel } from './protocol.js';
import type { Look, Seen } from './recolor.js';
import { inkOn, recolor, tileColor } from './recolor.js';

const mostLabels = 400;
const mostLabelLetters = 200;

export interface Readable extends Seen {
  readonly textOf: (segment: SegmentInfo) => string | undefined;
}

/** Tiles at least `labelWidth` pixels wide are labelled; none where it is 0. */
export function decorated(frame: Frame, seen: Readable, look: Look, labelWidth: number): Frame {
  if (look.colorBy !== 'document' || look.highlight !== undefined) recolor(frame, seen, look);
  return labelWidth === 0 ? frame : { ...frame, labels: labelsOf(seen, labelWidth / frame.width, look) };
}

// Numbers of the documents whose tiles take at least `share` of the picture's width.
function labelsOf({ rows, positions, segmentsOf, textOf, rowCount }: Readable, share: number, look: Look): TileLabel[] {
  const [left, right] = positions;
  const least = share * (right - left);
  const labels: TileLabel[] = [];
  for (let row = Math.floor(rows[0]); row < Math.min(rows[1], rowCount); row += 1) {
    for (const segment of segmentsOf(row, true)) {
      const { document, begin, length } = segment;
      const position = Math.max(begin, left);
      const room = Math.min(begin + length, right) - position;
      if (room < least) continue;
      const text = textOf(segment);
      const words = text === undefined ? '' : `  ${text.slice(0, mostLabelLetters).replace(/\s+/g, ' ')}`;
      const ink = inkOn(tileColor(segment, look));
      labels.push({ text: `${document}${words}`, row, position, room, ink });
      if (labels.length === mostLabels) return labels;
    }
  }
  return labels;
}
