// SPDX-License-Identifier: MIT
// What WebAssembly is held against: four of the algorithms as a careful author would write them in plain JavaScript
// over typed arrays, with the same result, and the counting sort that no planner with ids does without.

/** Segments as they are placed, in typed arrays that are large enough from the start. */
class Segments {
  constructor(most) {
    this.document = new Uint32Array(most);
    this.offset = new Uint32Array(most);
    this.length = new Uint32Array(most);
    this.ends = new Uint32Array(most + 1);
    this.count = 0;
    this.windows = 0;
  }

  add(document, offset, length) {
    this.document[this.count] = document;
    this.offset[this.count] = offset;
    this.length[this.count] = length;
    this.count += 1;
  }

  endWindow() {
    this.windows += 1;
    this.ends[this.windows] = this.count;
  }

  plan() {
    return {
      segment_document: this.document.slice(0, this.count),
      segment_offset: this.offset.slice(0, this.count),
      segment_length: this.length.slice(0, this.count),
      window_offsets: this.ends.slice(0, this.windows + 1),
    };
  }
}

/** Documents by length, longest first, the first ones first among equals. */
export function countingSort(lengths) {
  let longest = 0;
  for (let i = 0; i < lengths.length; i += 1) if (lengths[i] > longest) longest = lengths[i];
  const next = new Uint32Array(longest + 1);
  for (let i = 0; i < lengths.length; i += 1) next[lengths[i]] += 1;
  for (let length = longest, rank = 0; length >= 0; length -= 1) {
    const count = next[length];
    next[length] = rank;
    rank += count;
  }
  const ids = new Uint32Array(lengths.length);
  for (let i = 0; i < lengths.length; i += 1) {
    ids[next[lengths[i]]] = i;
    next[lengths[i]] += 1;
  }
  return ids;
}

function nextFit(lengths, contextLength) {
  const segments = new Segments(lengths.length);
  let room = contextLength;
  for (let i = 0; i < lengths.length; i += 1) {
    const length = lengths[i];
    if (length === 0 || length > contextLength) continue;
    if (length > room) {
      segments.endWindow();
      room = contextLength;
    }
    segments.add(i, 0, length);
    room -= length;
  }
  if (room < contextLength) segments.endWindow();
  return segments.plan();
}

function wrap(lengths, contextLength) {
  let tokens = 0;
  for (let i = 0; i < lengths.length; i += 1) tokens += lengths[i];
  const segments = new Segments(lengths.length + Math.ceil(tokens / contextLength));
  let room = contextLength;
  for (let i = 0; i < lengths.length; i += 1) {
    const length = lengths[i];
    for (let offset = 0; offset < length; ) {
      const piece = Math.min(room, length - offset);
      segments.add(i, offset, piece);
      offset += piece;
      room -= piece;
      if (room > 0) continue;
      segments.endWindow();
      room = contextLength;
    }
  }
  if (room < contextLength) segments.endWindow();
  return segments.plan();
}

const openWindows = 64;

function bestFit(lengths, contextLength) {
  const segments = new Segments(lengths.length);
  // Open windows, the oldest first: their rooms and their documents.
  const rooms = [];
  const members = [];
  const close = (w) => {
    for (const document of members[w]) segments.add(document, 0, lengths[document]);
    segments.endWindow();
    rooms.splice(w, 1);
    members.splice(w, 1);
  };
  for (let i = 0; i < lengths.length; i += 1) {
    const length = lengths[i];
    if (length === 0 || length > contextLength) continue;
    let best = tightest(rooms, length);
    if (best < 0 && length === contextLength) {
      segments.add(i, 0, length);
      segments.endWindow();
      continue;
    }
    if (best < 0) {
      if (rooms.length === openWindows) close(0);
      best = rooms.push(contextLength) - 1;
      members.push([]);
    }
    rooms[best] -= length;
    members[best].push(i);
    if (rooms[best] === 0) close(best);
  }
  while (rooms.length > 0) close(0);
  return segments.plan();
}

// The window with the least room that is enough, the oldest among equals, or -1.
function tightest(rooms, length) {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let w = 0; w < rooms.length; w += 1) {
    if (rooms[w] < length || rooms[w] >= least) continue;
    best = w;
    least = rooms[w];
  }
  return best;
}

/** Numbers of windows; the smallest comes out first. */
class Heap {
  #items = [];

  get size() {
    return this.#items.length;
  }

  push(item) {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent] < item) break;
      items[at] = items[parent];
      at = parent;
    }
    items[at] = item;
  }

  pop() {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length === 0) return first;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && items[child + 1] < items[child]) child += 1;
      if (items[child] >= last) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = last;
    return first;
  }
}

function bestFitDecreasing(lengths, contextLength) {
  const order = countingSort(lengths);
  const windowOf = new Uint32Array(lengths.length);
  const placed = [];
  // Open windows by their room.
  const byRoom = Array.from({ length: contextLength + 1 }, () => new Heap());
  let windows = 0;
  for (const document of order) {
    const length = lengths[document];
    if (length > contextLength || length === 0) continue;
    let room = length;
    while (room <= contextLength && byRoom[room].size === 0) room += 1;
    const window = room <= contextLength ? byRoom[room].pop() : windows++;
    const left = Math.min(room, contextLength) - length;
    if (left > 0) byRoom[left].push(window);
    windowOf[document] = window;
    placed.push(document);
  }
  return groupByWindow(placed, windowOf, windows, lengths);
}

function groupByWindow(placed, windowOf, windows, lengths) {
  const window_offsets = new Uint32Array(windows + 1);
  for (const document of placed) window_offsets[windowOf[document] + 1] += 1;
  for (let w = 0; w < windows; w += 1) window_offsets[w + 1] += window_offsets[w];
  const next = window_offsets.slice();
  const segment_document = new Uint32Array(placed.length);
  const segment_length = new Uint32Array(placed.length);
  for (const document of placed) {
    const at = next[windowOf[document]];
    next[windowOf[document]] += 1;
    segment_document[at] = document;
    segment_length[at] = lengths[document];
  }
  return { segment_document, segment_offset: new Uint32Array(placed.length), segment_length, window_offsets };
}

/** Algorithm to function of (lengths, contextLength). */
export const plainPackers = { best_fit_decreasing: bestFitDecreasing, next_fit: nextFit, wrap, best_fit: bestFit };
