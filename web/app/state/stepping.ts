// SPDX-License-Identifier: MIT
// What Step through shows after some steps: a function of the trace and their number. The open windows and the pool
// are those that the last step had before it, so that its choice can be judged.
import type { AlgorithmName, PlaybackWindow, Trace, TraceStep } from 'packscope/slim';
import { Playback, traceStep } from 'packscope/slim';

/** An open window that the last step could have chosen. */
export interface Considered {
  readonly window: number;
  /** Before the step. */
  readonly room: number;
  readonly fits: boolean;
  readonly chosen: boolean;
}

/** A candidate of `best_fit_wrap`, before the last step. */
export interface Candidate {
  readonly document: number;
  readonly offset: number;
  readonly length: number;
  readonly fits: boolean;
  readonly chosen: boolean;
}

export interface StepView {
  readonly step: number;
  /** The last one done; undefined before the first. */
  readonly done: TraceStep | undefined;
  /** The document that the last step is about. */
  readonly document: number | undefined;
  /** The piece of it that is placed, or that a window opens or closes for. */
  readonly piece: Piece | undefined;
  readonly considered: readonly Considered[];
  readonly pool: readonly Candidate[];
  /** After the step, in the order of opening. */
  readonly windows: readonly PlaybackWindow[];
  /** Documents that have come so far, of `arrivals`. */
  readonly arrived: number;
}

export interface Piece {
  readonly offset: number;
  readonly length: number;
  /** Positions that it takes. */
  readonly needed: number;
}

/** A trace, made ready to be looked at. */
export interface Stepping {
  readonly trace: Trace;
  readonly playback: Playback;
  /** Documents in the order in which packing looks at them. */
  readonly arrivals: readonly number[];
  /** How many of them have come after each step. */
  readonly arrivedAfter: Uint32Array;
  /** The step that places the next segment, from each step on; `steps` where none follows. */
  readonly nextPlace: Uint32Array;
  readonly steps: number;
  /** The step to open at: the first choice among several windows, or candidates, that not all had room. */
  readonly telling: number;
}

export function stepping(trace: Trace): Stepping {
  const steps = trace.kind.length;
  const arrivedAfter = new Uint32Array(steps);
  const seen = new Set<number>();
  for (let step = 0; step < steps; step += 1) {
    const { kind, document } = traceStep(trace, step);
    if (kind === 'skip' || kind === 'drop' || kind === 'join' || kind === 'place') seen.add(document);
    arrivedAfter[step] = seen.size;
  }
  const nextPlace = new Uint32Array(steps);
  let place = steps;
  for (let step = steps - 1; step >= 0; step -= 1) {
    if (traceStep(trace, step).kind === 'place') place = step;
    nextPlace[step] = place;
  }
  const arrivals = [...seen];
  return { trace, playback: new Playback(trace), arrivals, arrivedAfter, nextPlace, steps, telling: telling(trace) };
}

function telling(trace: Trace): number {
  const steps = trace.kind.length;
  const score = (step: number) => {
    const { kind, candidates, fitting } = traceStep(trace, step);
    if (kind !== 'place') return 0;
    return Math.min(fitting, 2) + (candidates > fitting ? 1 : 0) + (candidates >= 3 ? 1 : 0);
  };
  let best = 0;
  for (let step = 1; step < steps; step += 1) if (score(step) > score(best)) best = step;
  return steps === 0 ? 0 : best + 1;
}

export function viewAfter(of: Stepping, step: number): StepView {
  const { trace, playback, arrivedAfter } = of;
  if (step === 0) {
    playback.seek(0);
    const nothing = { document: undefined, piece: undefined, considered: [], pool: [], windows: [] };
    return { step, done: undefined, arrived: 0, ...nothing };
  }
  playback.seek(step - 1);
  const before = playback.windows.map(({ room, closedBy }) => ({ room, open: closedBy === undefined }));
  playback.seek(step);
  const windows = playback.windows.map((window) => ({ ...window, segments: window.segments.map((s) => ({ ...s })) }));
  const done = traceStep(trace, step - 1);
  const place = placing(of, step - 1);
  const piece = place === undefined ? undefined : pieceOf(of, place);
  return {
    step,
    done,
    windows,
    piece,
    document: documentOf(of, step - 1),
    considered: considered(of, step - 1, before, piece),
    pool: poolBefore(trace, step - 1),
    arrived: arrivedAfter[step - 1] as number,
  };
}

// The step that places what this one is about: itself, or for a window that opens or makes way the next.
function placing({ trace, nextPlace, steps }: Stepping, step: number): number | undefined {
  const { kind } = traceStep(trace, step);
  if (kind !== 'place' && kind !== 'open' && kind !== 'evict') return undefined;
  const place = nextPlace[step] as number;
  return place < steps ? place : undefined;
}

function documentOf(of: Stepping, step: number): number | undefined {
  const { kind, document } = traceStep(of.trace, step);
  if (kind === 'skip' || kind === 'drop' || kind === 'join') return document;
  const place = placing(of, step);
  return place === undefined ? undefined : traceStep(of.trace, place).document;
}

function pieceOf({ trace }: Stepping, place: number): Piece {
  const { documentOffset, length, room } = traceStep(trace, place);
  return { offset: documentOffset, length, needed: roomBefore(trace, place) - room };
}

/** What the window had left before the step. */
export function roomBefore(trace: Trace, step: number): number {
  const window = trace.window[step];
  for (let earlier = step - 1; earlier >= 0; earlier -= 1)
    if (trace.window[earlier] === window) return trace.room[earlier] as number;
  return 0;
}

interface Before {
  readonly room: number;
  readonly open: boolean;
}

function considered(
  { trace }: Stepping,
  step: number,
  before: readonly Before[],
  piece: Piece | undefined,
): Considered[] {
  if (piece === undefined) return [];
  const { kind, window } = traceStep(trace, step);
  // A window that was opened for the document was no candidate.
  const opened = kind === 'place' && step > 0 && traceStep(trace, step - 1).kind === 'open' ? window : undefined;
  return before
    .map(({ room, open }, index) => ({ window: index, room, open }))
    .filter(({ open, window: index }) => open && index !== opened)
    .map(({ window: index, room }) => ({
      window: index,
      room,
      fits: room >= piece.needed,
      chosen: index === window && kind !== 'open',
    }));
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function poolBefore(trace: Trace, step: number): Candidate[] {
  const pool = new Map<number, Mutable<Candidate>>();
  for (let earlier = 0; earlier < step; earlier += 1) {
    const { kind, document, documentOffset, length } = traceStep(trace, earlier);
    if (kind === 'join') pool.set(document, { document, offset: documentOffset, length, fits: false, chosen: false });
    if (kind === 'place') take(pool, document, documentOffset, length);
  }
  const { kind, document, documentOffset, room } = traceStep(trace, step);
  const free = kind === 'place' ? roomBefore(trace, step) : room;
  for (const candidate of pool.values()) {
    candidate.fits = kind === 'place' && candidate.length <= free;
    candidate.chosen = kind === 'place' && candidate.document === document && candidate.offset === documentOffset;
  }
  return [...pool.values()];
}

// A document at least as long as a window is placed from its start without joining first.
function take(pool: Map<number, Mutable<Candidate>>, document: number, offset: number, length: number): void {
  const candidate = pool.get(document);
  if (candidate === undefined || candidate.offset !== offset) return;
  candidate.offset += length;
  candidate.length -= length;
  if (candidate.length === 0) pool.delete(document);
}

/** Open windows in the order in which the algorithm looks at them. */
export function inLookingOrder(considered: readonly Considered[], algorithm: AlgorithmName): Considered[] {
  const sign = algorithm.startsWith('best_fit') ? 1 : algorithm === 'worst_fit' ? -1 : 0;
  return [...considered].sort((a, b) => sign * (a.room - b.room) || a.window - b.window);
}

/** Candidates from long to short. */
export const poolOrder = (pool: readonly Candidate[]) => [...pool].sort((a, b) => b.length - a.length);

/** At most `most` of a list, around what was chosen, and how many are left out at either end. */
export function nearChosen<T extends { readonly chosen: boolean }>(list: readonly T[], most: number) {
  const chosen = Math.max(
    list.findIndex((one) => one.chosen),
    0,
  );
  const before = Math.max(Math.min(chosen - Math.floor(most / 2), list.length - most), 0);
  const shown = list.slice(before, before + most);
  return { before, shown, after: list.length - before - shown.length };
}

/** The colour of each document's first tile, and of each tile by "window index". */
export function tileColors(trace: Trace, colors: Uint8Array) {
  const ofDocument = new Map<number, number>();
  const inWindow = new Map<string, number>();
  const counts = new Map<number, number>();
  for (let step = 0; step < trace.kind.length; step += 1) {
    const { kind, document, window = 0 } = traceStep(trace, step);
    if (kind !== 'place') continue;
    const color = colors[step] as number;
    const index = counts.get(window) ?? 0;
    counts.set(window, index + 1);
    inWindow.set(`${window} ${index}`, color);
    if (!ofDocument.has(document)) ofDocument.set(document, color);
  }
  return { ofDocument, inWindow };
}
