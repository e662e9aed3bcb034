// SPDX-License-Identifier: MIT
// Where the dots and labels of the plot stand: logarithmic axes, and labels that do not cover each other.

export interface PlotItem {
  /** A share from 0 to 1. */
  readonly waste: number;
  /** Milliseconds. */
  readonly time: number;
}

export interface PlotDot<T> {
  readonly item: T;
  readonly x: number;
  readonly y: number;
  readonly labelY: number;
}

export interface Axis {
  readonly least: number;
  readonly most: number;
  readonly at: (value: number) => number;
}

export interface PlotSize {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Below these nothing can be told apart; and a logarithm has no zero. */
const leastWaste = 0.0001;
const leastTime = 0.1;
const labelHeight = 19;

function axis(values: readonly number[], floor: number, from: number, to: number): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const least = 10 ** Math.floor(Math.log10(Math.max(low, floor)));
  const most = Math.max(10 ** Math.ceil(Math.log10(Math.max(high, floor))), least * 10);
  const span = Math.log10(most) - Math.log10(least);
  const at = (value: number) => from + ((Math.log10(Math.max(value, least)) - Math.log10(least)) / span) * (to - from);
  return { least, most, at };
}

/** Powers of ten. */
export function ticksBetween(least: number, most: number): number[] {
  const first = Math.round(Math.log10(least));
  const last = Math.round(Math.log10(most));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

export function plotDots<T extends PlotItem>(items: readonly T[], size: PlotSize) {
  const x = axis(
    items.map(({ time }) => time),
    leastTime,
    size.left,
    size.width - size.right,
  );
  const y = axis(
    items.map(({ waste }) => waste),
    leastWaste,
    size.height - size.bottom,
    size.top,
  );
  const placed = items.map((item) => ({ item, x: x.at(item.time), y: y.at(item.waste), labelY: y.at(item.waste) }));
  return { x, y, dots: spread(placed, size.top, size.height - size.bottom) };
}

// Labels keep the order of their dots and their distance; from the bottom up where they would run out below.
function spread<T>(dots: readonly PlotDot<T>[], top: number, bottom: number): PlotDot<T>[] {
  const sorted = [...dots].sort((a, b) => a.y - b.y || a.x - b.x);
  const ends = sorted.map((_, index) => bottom - (sorted.length - 1 - index) * labelHeight);
  let free = top;
  return sorted.map((dot, index) => {
    const labelY = Math.min(Math.max(dot.y, free), ends[index] as number);
    free = labelY + labelHeight;
    return { ...dot, labelY };
  });
}
