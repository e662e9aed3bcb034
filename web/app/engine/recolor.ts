// SPDX-License-Identifier: MIT
// Other colours for the tiles of a picture of rows: by length, by what was cut, by source, and dimmed where a filter looks for
// other documents. The core's pixels stay the pattern: gaps, notches and hatch are not touched.
import type { Palette, Theme } from 'packscope/slim';

import type { Coloring } from '../state/model.js';
import type { Rgb, Wholeness } from './colors.js';
import { lengthColors, sourceColor, wholenessColors } from './colors.js';
import type { Frame, LengthRange, SegmentInfo } from './protocol.js';

/** A step of `lengthColors` for each doubling, the last for documents of at least half a window. */
export function lengthStep(length: number, contextLength: number): number {
  const steps = lengthColors.light.length;
  const doublings = Math.ceil(Math.log2(contextLength / (2 * Math.max(length, 1))));
  return Math.max(steps - 1 - Math.max(doublings, 0), 0);
}

export interface Look {
  readonly colorBy: Coloring;
  readonly highlight: LengthRange | undefined;
  readonly theme: Theme;
  readonly palette: Palette;
  readonly contextLength: number;
  /** Long documents lose tokens in this plan. */
  readonly truncates: boolean;
}

export function wholenessOf(
  { offset, length, documentLength }: SegmentInfo,
  { truncates, contextLength }: Look,
): Wholeness {
  if (offset === 0 && length >= documentLength) return 'whole';
  return truncates && documentLength > contextLength ? 'cut' : 'piece';
}

const dimming = 0.72;

/** The colour of a tile. */
export function tileColor(segment: SegmentInfo, look: Look): Rgb {
  const full = fullColor(segment, look);
  const { highlight, palette } = look;
  if (highlight === undefined || inRange(segment.documentLength, highlight)) return full;
  const page = rgb(palette.page);
  return [0, 1, 2].map((i) =>
    Math.round((full[i] as number) * (1 - dimming) + (page[i] as number) * dimming),
  ) as unknown as Rgb;
}

export const inRange = (length: number, { least, most }: LengthRange) => length >= least && length <= most;

const rgb = (color: Uint8Array | undefined): Rgb => [color?.[0] ?? 0, color?.[1] ?? 0, color?.[2] ?? 0];

function fullColor(segment: SegmentInfo, look: Look): Rgb {
  const { colorBy, theme, palette, contextLength } = look;
  if (colorBy === 'length') return lengthColors[theme][lengthStep(segment.documentLength, contextLength)] as Rgb;
  if (colorBy === 'split') return wholenessColors[theme][wholenessOf(segment, look)];
  if (colorBy === 'source' && segment.source !== undefined) return sourceColor(segment.source, palette, theme);
  return rgb(palette.documents[segment.color]);
}

/** Black or white, whichever reads better on a colour. */
export function inkOn([red, green, blue]: Rgb): string {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#0b1220' : '#ffffff';
}

interface Span {
  readonly begin: number;
  readonly end: number;
  readonly old: number;
  readonly fresh: number;
}

const opaque = 0xff000000;
const packed = ([red, green, blue]: Rgb) => (opaque | (blue << 16) | (green << 8) | red) >>> 0;

export interface Seen {
  readonly rows: readonly [number, number];
  readonly positions: readonly [number, number];
  /** Without the colours of their tiles where these are not needed: they take the longest. */
  readonly segmentsOf: (row: number, withColors: boolean) => readonly SegmentInfo[];
  readonly rowCount: number;
}

/** Recolours in place. Rows thinner than a pixel show the tiles of the row in the pixel's middle. */
export function recolor(
  { width, height, pixels }: Pick<Frame, 'width' | 'height' | 'pixels'>,
  seen: Seen,
  look: Look,
): void {
  const { rows, rowCount } = seen;
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const perPixel = (rows[1] - rows[0]) / height;
  const thin = perPixel > 1;
  const paint = thin ? cover : replace;
  // Dimmed tiles of the palette's colours are mixed from them.
  const withColors = !thin || look.colorBy === 'document' || look.colorBy === 'source';
  let row = -1;
  let spans: readonly Span[] = [];
  for (let y = 0; y < height; y += 1) {
    const here = Math.floor(rows[0] + (y + 0.5) * perPixel);
    if (here >= rowCount) return;
    if (here !== row) spans = spansOf(seen, seen.segmentsOf(here, withColors), width, look);
    row = here;
    for (const span of spans) paint(words, y * width, span);
  }
}

function cover(words: Uint32Array, line: number, { begin, end, fresh }: Span): void {
  words.fill(fresh, line + begin, line + end);
}

// A tile is one stretch of its colour, between a notch or a corner on the left and a gap on the right.
function replace(words: Uint32Array, line: number, { begin, end, old, fresh }: Span): void {
  let [first, last] = [line + begin, line + end];
  while (first < last && words[first] !== old) first += 1;
  while (first < last && words[last - 1] !== old) last -= 1;
  words.fill(fresh, first, last);
}

function spansOf(
  { positions: [left, right] }: Seen,
  segments: readonly SegmentInfo[],
  width: number,
  look: Look,
): Span[] {
  const scale = width / (right - left);
  const spans: Span[] = [];
  for (const segment of segments) {
    const { begin, length, color } = segment;
    if (begin >= right || begin + length <= left) continue;
    spans.push({
      begin: Math.max(Math.floor((begin - left) * scale), 0),
      end: Math.min(Math.ceil((begin + length - left) * scale), width),
      old: packed(rgb(look.palette.documents[color])),
      fresh: packed(tileColor(segment, look)),
    });
  }
  return spans;
}
