// SPDX-License-Identifier: MIT
// Colours of tiles beyond the palette of the core: by length, by what was cut, and by source. Each has a contrast of at least 3
// with its page.
import type { Palette, Theme } from 'packscope/slim';

export type Rgb = readonly [red: number, green: number, blue: number];

/** Short to long. */
export const lengthColors: Readonly<Record<Theme, readonly Rgb[]>> = {
  light: [
    [63, 157, 174],
    [59, 134, 196],
    [79, 104, 198],
    [106, 69, 180],
    [124, 31, 143],
    [84, 12, 70],
  ],
  dark: [
    [74, 127, 181],
    [90, 165, 201],
    [108, 197, 184],
    [163, 217, 119],
    [240, 224, 106],
    [255, 180, 92],
  ],
};

export type Wholeness = 'whole' | 'piece' | 'cut';

export const wholenessColors: Readonly<Record<Theme, Readonly<Record<Wholeness, Rgb>>>> = {
  light: { whole: [124, 140, 164], piece: [194, 65, 12], cut: [140, 20, 100] },
  dark: { whole: [92, 108, 132], piece: [251, 146, 60], cut: [244, 114, 182] },
};

/** The first sources have a colour each; those after them share that of whole documents. */
export function sourceColor(source: number, palette: Palette, theme: Theme): Rgb {
  const [red, green, blue] = palette.documents[source] ?? wholenessColors[theme].whole;
  return [red as number, green as number, blue as number];
}
