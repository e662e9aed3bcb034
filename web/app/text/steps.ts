// SPDX-License-Identifier: MIT
// One sentence for each decision of packing, with the numbers it was taken on.
import type { AlgorithmName, PackOptions, TraceStep } from 'packscope/slim';

import { count, counted } from '../format.js';
import type { Considered, Piece, StepView } from '../state/stepping.js';

export interface StepContext {
  readonly options: PackOptions;
  /** Of the documents, before anything is added. */
  readonly lengths: Uint32Array;
  /** The algorithm's rule, in the registry's words. */
  readonly rule: string;
}

const tokens = (length: number) => counted(length, 'token');

function sized({ length, needed }: Piece): string {
  return needed === length ? tokens(length) : `${tokens(length)} (${counted(needed, 'position')})`;
}

/** In which order packing looks at the documents; undefined where they come as they are. */
export function queueOrder({ algorithm, seed }: PackOptions): string | undefined {
  if (algorithm === 'first_fit_decreasing' || algorithm === 'best_fit_decreasing') return 'sorted longest first';
  if (algorithm === 'first_fit_shuffle') return `shuffled by seed ${seed ?? 0}`;
  return undefined;
}

export function stepSentence(view: StepView, context: StepContext): string {
  const { done } = view;
  if (done === undefined) return startSentence(context);
  const write: Readonly<Record<TraceStep['kind'], Sentence>> = {
    skip: skipped,
    drop: dropped,
    join: joined,
    open: opened,
    place: placed,
    separator: () => 'Another document follows, so a separator ends the one before it.',
    close: closed,
    evict: evicted,
    flush: flushed,
    discard: discarded,
  };
  return write[done.kind](done, view, context);
}

type Sentence = (done: TraceStep, view: StepView, context: StepContext) => string;

function startSentence({ options, lengths, rule }: StepContext): string {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const order = queueOrder(options);
  const waiting = `${counted(lengths.length, 'document')} of ${tokens(total)} wait${order ? `, ${order}` : ''}.`;
  return `${waiting} ${rule}`;
}

const skipped: Sentence = ({ document, length }) =>
  length === 0
    ? `Document ${count(document)} is empty and skipped.`
    : `Document ${count(document)} has come before and is skipped.`;

const dropped: Sentence = ({ document, length }, _, { options }) =>
  `Document ${count(document)} has ${tokens(length)}, more than a window of ${count(options.contextLength ?? 0)}: it is left out.`;

const joined: Sentence = ({ document, documentOffset, length }, { pool }, { options }) => {
  const who =
    documentOffset === 0
      ? `Document ${count(document)}, ${tokens(length)},`
      : `The last ${tokens(length)} of document ${count(document)}`;
  const joins = documentOffset === 0 || length === 1 ? 'joins' : 'join';
  const wanted = options.candidatePool ?? 0;
  return `${who} ${joins} the pool, the ${ordinal(pool.length + 1)} candidate. A window is built from ${count(wanted)} on, or when no documents are left.`;
};

const opened: Sentence = ({ window = 0 }, { considered, piece, document = 0, pool }, { options }) => {
  const name = `window ${count(window)}`;
  if (options.algorithm === 'best_fit_wrap')
    return `Window ${count(window)} opens; ${counted(pool.length, 'candidate')} wait.`;
  if (options.algorithm === 'pad')
    return `Every document gets a window of its own: ${name} opens for document ${count(document)}.`;
  if (piece === undefined) return `Window ${count(window)} opens.`;
  if (options.algorithm === 'wrap') return `The stream of tokens goes on in ${name}.`;
  const roomiest = Math.max(...considered.map(({ room }) => room));
  if (considered.length === 0)
    return `No window is open: ${name} opens for the ${sized(piece)} of document ${count(document)}.`;
  if (considered.length === 1)
    return `${sized(piece)} do not fit in the ${count(roomiest)} that window ${count((considered[0] as Considered).window)} has left: ${name} opens.`;
  return `${sized(piece)} fit in none of the ${count(considered.length)} open windows, of which the roomiest has ${count(roomiest)} left: ${name} opens.`;
};

const placed: Sentence = (done, view, context) => {
  const { algorithm } = context.options;
  if (algorithm === 'best_fit_wrap') return placedFromPool(done, view, context);
  if (algorithm === 'wrap') return placedInStream(done, view, context);
  if (algorithm === 'pad') return placedAlone(done, view);
  return placedWhole(done, view, algorithm);
};

const remaining = (room: number) => (room === 0 ? 'and fill it' : `and leave ${count(room)}`);

function placedWhole(
  { window = 0, room }: TraceStep,
  { piece, considered }: StepView,
  algorithm?: AlgorithmName,
): string {
  if (piece === undefined) return '';
  const chosen = considered.find(({ chosen: one }) => one);
  if (chosen === undefined) return `${sized(piece)} begin window ${count(window)} ${remaining(room)}.`;
  const fitting = considered.filter(({ fits }) => fits).length;
  const has = `${sized(piece)}. Window ${count(window)} has ${count(chosen.room)} left`;
  const then = room === 0 ? 'It is full now.' : `${count(room)} remain.`;
  if (algorithm === 'next_fit') return `${has}, enough. ${then}`;
  if (fitting === 1) return `${has}, the only one with room. ${then}`;
  return `${has}, ${why(algorithm, fitting)}. ${then}`;
}

function why(algorithm: AlgorithmName | undefined, fitting: number): string {
  if (algorithm === 'best_fit' || algorithm === 'best_fit_decreasing')
    return `the tightest of ${count(fitting)} that fit`;
  if (algorithm === 'worst_fit') return `the roomiest of ${count(fitting)} that fit`;
  return `the earliest opened of ${count(fitting)} that fit`;
}

function placedAlone({ window = 0, document, room }: TraceStep, { piece }: StepView): string {
  const size = piece ? sized(piece) : '';
  if (room === 0) return `Document ${count(document)}, ${size}, fills window ${count(window)}.`;
  return `Document ${count(document)}, ${size}, stands alone in window ${count(window)}: ${counted(room, 'position')} of padding.`;
}

// Tokens of the document after this piece, with what was added to it.
function rest({ document, documentOffset, length }: TraceStep, { lengths, options }: StepContext): number {
  return Math.max((lengths[document] ?? 0) + added(options) - documentOffset - length, 0);
}

const isSet = (id: number | null | undefined) => id !== null && id !== undefined;

function added({ separatorId, separator = 'after', bosId }: PackOptions): number {
  return (isSet(separatorId) && separator === 'after' ? 1 : 0) + (isSet(bosId) ? 1 : 0);
}

function placedInStream(done: TraceStep, { piece }: StepView, context: StepContext): string {
  if (piece === undefined) return '';
  const { window = 0, document, documentOffset, length, room } = done;
  const name = `window ${count(window)}`;
  const left = rest(done, context);
  const who = documentOffset === 0 ? `Document ${count(document)}` : `The rest of document ${count(document)}`;
  if (left > 0)
    return `${who}, ${tokens(length + left)}, is cut: ${count(length)} fill ${name}, ${count(left)} go on in the next.`;
  return `${who}, ${sized(piece)}, follows in the stream. ${room === 0 ? `Window ${count(window)} is full now.` : `Window ${count(window)} has ${count(room)} left.`}`;
}

function placedFromPool(done: TraceStep, { pool, piece }: StepView, context: StepContext): string {
  const { window = 0, document, length, room } = done;
  const free = room + (piece?.needed ?? length);
  const chosen = pool.find(({ chosen: one }) => one);
  const then = room === 0 ? 'It is full now.' : `${count(room)} remain.`;
  if (chosen === undefined)
    return `Document ${count(document)} is at least as long as a window: ${count(length)} of its tokens fill window ${count(window)} at once.`;
  const has = `Window ${count(window)} has ${count(free)} left`;
  const fitting = pool.filter(({ fits }) => fits);
  if (length < chosen.length) {
    const cut = `document ${count(document)}, the shortest of ${count(pool.length)}, gives its first ${count(length)} to fill it`;
    return `${has} and no candidate fits: ${cut}; ${count(chosen.length - length)} stay in the pool.`;
  }
  if (fitting.some(({ length: other }) => other > chosen.length)) {
    const waited = 8 * (context.options.candidatePool ?? 0);
    return `${has}. Document ${count(document)}, ${tokens(length)}, has waited for more than ${count(waited)} arrivals and goes first. ${then}`;
  }
  const which =
    fitting.length === 1
      ? 'the only candidate that fits'
      : `the longest of ${count(fitting.length)} candidates that fit`;
  return `${has}. Document ${count(document)}, ${tokens(length)}, is ${which}. ${then}`;
}

const closed: Sentence = ({ window = 0, room }) =>
  room === 0
    ? `Window ${count(window)} is full and closes.`
    : `Window ${count(window)} takes no more documents and closes with ${count(room)} left.`;

const evicted: Sentence = ({ window = 0, room }, { piece, considered }, { options }) => {
  const name = `Window ${count(window)}`;
  if (options.algorithm === 'pad')
    return `${name} takes no other document: it closes with ${counted(room, 'position')} of padding.`;
  const needed = piece ? sized(piece) : 'the next document';
  if (options.algorithm === 'next_fit') return `${name} has ${count(room)} left, too few for ${needed}: it closes.`;
  const which = options.evict === 'fullest' ? 'the fullest' : 'the oldest';
  const open =
    considered.length === 1
      ? 'the only window that may be open has'
      : `none of the ${count(considered.length)} that may be open has`;
  if (considered.length === 1)
    return `${name}, ${open} too little room for ${needed}: it closes with ${count(room)} left.`;
  return `${needed}: ${open} room. ${name}, ${which}, closes with ${count(room)} left.`;
};

const flushed: Sentence = ({ window = 0, room }) =>
  room === 0
    ? `No documents are left: window ${count(window)} closes, full.`
    : `No documents are left: window ${count(window)} closes with ${counted(room, 'position')} of padding.`;

const discarded: Sentence = ({ window = 0 }) =>
  `Window ${count(window)}, the last of the stream, is short and not kept.`;

function ordinal(number: number): string {
  const ending = number % 100 >= 11 && number % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${count(number)}${ending}`;
}
