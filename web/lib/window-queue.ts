// SPDX-License-Identifier: MIT
// Closed windows of a stream, first in first out, taken so many at a time whatever they came in.
import type { RawWindows } from './raw.js';

interface Waiting {
  readonly windows: RawWindows;
  next: number;
}

export class WindowQueue {
  readonly #parts: Waiting[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(windows: RawWindows): void {
    const count = windows.window_offsets.length - 1;
    if (count === 0) return;
    this.#parts.push({ windows, next: 0 });
    this.#size += count;
  }

  /** Takes `count` windows, which must be there. */
  take(count: number): RawWindows {
    const pieces: RawWindows[] = [];
    for (let left = count; left > 0; ) {
      const part = this.#parts[0] as Waiting;
      const last = Math.min(part.windows.window_offsets.length - 1, part.next + left);
      pieces.push(slice(part.windows, part.next, last));
      left -= last - part.next;
      part.next = last;
      if (last === part.windows.window_offsets.length - 1) this.#parts.shift();
    }
    this.#size -= count;
    return pieces.length === 1 ? (pieces[0] as RawWindows) : concatenate(pieces);
  }
}

function slice(windows: RawWindows, first: number, last: number): RawWindows {
  const begin = windows.window_offsets[first] as number;
  const end = windows.window_offsets[last] as number;
  return {
    segment_document: windows.segment_document.subarray(begin, end),
    segment_offset: windows.segment_offset.subarray(begin, end),
    segment_length: windows.segment_length.subarray(begin, end),
    window_offsets: windows.window_offsets.slice(first, last + 1).map((offset) => offset - begin),
  };
}

function concatenate(pieces: readonly RawWindows[]): RawWindows {
  const join = (name: 'segment_document' | 'segment_offset' | 'segment_length') => {
    const total = pieces.reduce((sum, piece) => sum + piece[name].length, 0);
    const out = new Uint32Array(total);
    let at = 0;
    for (const piece of pieces) {
      out.set(piece[name], at);
      at += piece[name].length;
    }
    return out;
  };
  const offsets = [0];
  let before = 0;
  for (const { window_offsets } of pieces) {
    for (const offset of window_offsets.subarray(1)) offsets.push(before + offset);
    before += window_offsets[window_offsets.length - 1] as number;
  }
  return {
    segment_document: join('segment_document'),
    segment_offset: join('segment_offset'),
    segment_length: join('segment_length'),
    window_offsets: Uint32Array.from(offsets),
  };
}
