// SPDX-License-Identifier: MIT
// Steps through a trace both ways. What stands where is a function of the trace and the number of steps done; one
// step costs the same in either direction.
import { PackscopeError } from './errors.js';
import { describe, wrongArgument } from './options.js';

/**
 * What a step did.
 *
 * - `skip`: an empty document or a duplicate goes nowhere
 * - `drop`: a document longer than the window, with `longDocuments: 'drop'`
 * - `join`: a document joins the candidates of `best_fit_wrap`
 * - `open`: a window opens
 * - `place`: a segment goes into a window
 * - `separator`: the window's last segment gets one, as another document follows
 * - `close`: a window is full
 * - `evict`: a window closes to make way for the next document
 * - `flush`: a window closes because the input, or flushEvery documents, ended
 * - `discard`: the last window of `wrap` is not kept, with `tail: 'drop'`
 */
export type TraceKind =
  | 'skip'
  | 'drop'
  | 'join'
  | 'open'
  | 'place'
  | 'separator'
  | 'close'
  | 'evict'
  | 'flush'
  | 'discard';

/** One decision. What a kind has no use for is 0; `window` is undefined there. */
export interface TraceStep {
  readonly kind: TraceKind;
  /** Of skip, drop, join and place. */
  readonly document: number;
  /** Of place: where in the lengthened document the segment begins. */
  readonly documentOffset: number;
  /** Tokens: of skip and drop the document's, of join and place with what was added to it. */
  readonly length: number;
  /** In the order of opening, over all groups. */
  readonly window: number | undefined;
  /** Positions that the window has left after the step. */
  readonly room: number;
  /** Of place: open windows that were considered, or candidates of `best_fit_wrap`. */
  readonly candidates: number;
  /** Of place: those of them that had room, or fitted. */
  readonly fitting: number;
}

/** N steps, one typed array for each of their fields; Playback and traceStep() read them. Plain data. */
export interface Trace<Memory extends ArrayBufferLike = ArrayBuffer> {
  /** Names of the codes in `kind`. */
  readonly kinds: readonly TraceKind[];
  /** uint8 [N] */
  readonly kind: Uint8Array<Memory>;
  /** uint32 [N] each, as in TraceStep; a window of 4294967295 is none. */
  readonly document: Uint32Array<Memory>;
  readonly documentOffset: Uint32Array<Memory>;
  readonly length: Uint32Array<Memory>;
  readonly window: Uint32Array<Memory>;
  readonly room: Uint32Array<Memory>;
  readonly candidates: Uint32Array<Memory>;
  readonly fitting: Uint32Array<Memory>;
  /** Whether all steps are there; false where more than `maxSteps` were taken. */
  readonly complete: boolean;
  /** uint32: for each window in the order of opening its number in the plan; 4294967295 for one that was discarded. */
  readonly plan_windows: Uint32Array<Memory>;
  /** Windows of padding that come after all steps. */
  readonly fillerWindows: number;
}

/** A window as it stands after some steps. */
export interface PlaybackWindow {
  /** Number in the plan; undefined for one that is discarded in the end. */
  readonly planWindow: number | undefined;
  /** Positions left. */
  readonly room: number;
  /** From left to right. */
  readonly segments: readonly PlaybackSegment[];
  /** The step that closed it; undefined while it is open. */
  readonly closedBy: 'close' | 'evict' | 'flush' | 'discard' | undefined;
}

export interface PlaybackSegment {
  readonly document: number;
  readonly documentOffset: number;
  readonly length: number;
}

const noWindow = 0xffffffff;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type State = Mutable<Omit<PlaybackWindow, 'segments'>> & { segments: Mutable<PlaybackSegment>[] };

/**
 * A trace, step by step, forwards and backwards.
 *
 * @example
 * ```js
 * const { trace: steps } = trace([[1, 2], [3, 4, 5], [6]], { contextLength: 4, algorithm: 'first_fit' });
 * const playback = new Playback(steps);
 * playback.seek(3);
 * playback.windows.map(({ room }) => room); // [2, 4]
 * playback.next()?.kind; // 'place'
 * ```
 */
export class Playback {
  readonly trace: Trace<ArrayBufferLike>;
  readonly #windows: State[] = [];
  // What the window's room was before each step, to step back to.
  readonly #roomBefore: Uint32Array;
  #step = 0;

  constructor(trace: Trace<ArrayBufferLike>) {
    if (typeof trace !== 'object' || trace === null || !(trace.kind instanceof Uint8Array)) {
      throw wrongArgument('trace', trace, 'what trace() returned as trace');
    }
    this.trace = trace;
    this.#roomBefore = roomsBefore(trace);
  }

  /** How many steps there are. */
  get length(): number {
    return this.trace.kind.length;
  }

  /** How many steps are done. */
  get step(): number {
    return this.#step;
  }

  /** The windows opened so far, in the order of opening. */
  get windows(): readonly PlaybackWindow[] {
    return this.#windows;
  }

  /** Takes the next step and returns it; undefined at the end. */
  next(): TraceStep | undefined {
    if (this.#step >= this.length) return undefined;
    const step = traceStep(this.trace, this.#step);
    this.#step += 1;
    this.#apply(step);
    return step;
  }

  /** Takes the last step back and returns it; undefined at the start. */
  previous(): TraceStep | undefined {
    if (this.#step === 0) return undefined;
    this.#step -= 1;
    const step = traceStep(this.trace, this.#step);
    this.#revert(step, this.#roomBefore[this.#step] as number);
    return step;
  }

  /** Goes to where `step` steps are done. */
  seek(step: number): void {
    if (!Number.isInteger(step) || step < 0 || step > this.length) {
      throw wrongArgument('step', step, `from 0 to ${this.length}`);
    }
    while (this.#step < step) this.next();
    while (this.#step > step) this.previous();
  }

  #apply({ kind, document, documentOffset, length, window, room }: TraceStep): void {
    if (window === undefined) return;
    if (kind === 'open') {
      const planWindow = this.trace.plan_windows[window];
      this.#windows.push({
        planWindow: planWindow === noWindow ? undefined : planWindow,
        room,
        segments: [],
        closedBy: undefined,
      });
      return;
    }
    const state = this.#windows[window] as State;
    state.room = room;
    if (kind === 'place') state.segments.push({ document, documentOffset, length });
    else if (kind === 'separator') lastOf(state).length += 1;
    else if (isClosing(kind)) state.closedBy = kind;
  }

  #revert({ kind, window }: TraceStep, roomBefore: number): void {
    if (window === undefined) return;
    if (kind === 'open') {
      this.#windows.pop();
      return;
    }
    const state = this.#windows[window] as State;
    state.room = roomBefore;
    if (kind === 'place') state.segments.pop();
    else if (kind === 'separator') lastOf(state).length -= 1;
    else if (isClosing(kind)) state.closedBy = undefined;
  }
}

/** One step of a trace. */
export function traceStep(trace: Trace<ArrayBufferLike>, step: number): TraceStep {
  const kind = trace.kinds[trace.kind[step] ?? -1];
  if (kind === undefined) {
    throw new PackscopeError('invalid_argument', `step is ${describe(step)}; the trace has ${trace.kind.length} steps`);
  }
  const window = trace.window[step] as number;
  return {
    kind,
    document: trace.document[step] as number,
    documentOffset: trace.documentOffset[step] as number,
    length: trace.length[step] as number,
    window: window === noWindow ? undefined : window,
    room: trace.room[step] as number,
    candidates: trace.candidates[step] as number,
    fitting: trace.fitting[step] as number,
  };
}

function roomsBefore({ window, room }: Trace<ArrayBufferLike>): Uint32Array {
  const before = new Uint32Array(window.length);
  const rooms = new Map<number, number>();
  for (let step = 0; step < window.length; step += 1) {
    const number = window[step] as number;
    before[step] = rooms.get(number) ?? 0;
    rooms.set(number, room[step] as number);
  }
  return before;
}

function isClosing(kind: TraceKind): kind is 'close' | 'evict' | 'flush' | 'discard' {
  return kind === 'close' || kind === 'evict' || kind === 'flush' || kind === 'discard';
}

function lastOf({ segments }: State): Mutable<PlaybackSegment> {
  return segments[segments.length - 1] as Mutable<PlaybackSegment>;
}
