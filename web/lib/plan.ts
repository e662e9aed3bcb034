// SPDX-License-Identifier: MIT
// The plan: segments grouped by window, as plain typed arrays, and the ledger of what was not packed whole.
import { isArray } from './documents.js';
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import { camelCaseKeys, snakeCase } from './names.js';
import type { ArrayOptions, ResolvedOptions } from './options.js';
import { areNames, describe, isDetached, optionList, resolvedOptions, wrongArgument } from './options.js';
import type { Answer, RawLedger, RawModule, RawOptions, RawPlan, RawPlanIn, RawRange, RawWindows } from './raw.js';

/**
 * Counts of documents not packed whole and of tokens that stand in no window. Always
 * `tokens === tokens in windows - separatorsAdded + tokensDropped`.
 */
export interface Ledger {
  /** Documents in, empty ones too. */
  readonly documents: number;
  /** Tokens in, without separators. */
  readonly tokens: number;
  /** Without a token: skipped. */
  readonly emptyDocuments: number;
  /** None of its tokens stand in a window. */
  readonly droppedDocuments: number;
  /** Some of its tokens stand in no window. */
  readonly truncatedDocuments: number;
  /** Stands in more than one segment. */
  readonly splitDocuments: number;
  /** Dropped by `dropDuplicates`. */
  readonly duplicateDocuments: number;
  /** Tokens that stand in no window, for whatever reason. */
  readonly tokensDropped: number;
  /** Separator and BOS tokens written. */
  readonly separatorsAdded: number;
  /** Added by `windowMultiple`; always 0 for a single source. */
  readonly fillerWindows: number;
}

/**
 * Segments grouped by window. A segment is a contiguous piece of one document inside one window. W windows,
 * S segments; window w holds segments `window_offsets[w]` up to `window_offsets[w + 1]`, from left to right.
 *
 * What this package returns lies in ArrayBuffers; `WindowList<ArrayBufferLike>` may lie in shared memory.
 */
export interface WindowList<Memory extends ArrayBufferLike = ArrayBuffer> {
  /** uint32 [S] index of the document among those packed. */
  readonly segment_document: Uint32Array<Memory>;
  /**
   * uint32 [S] where the segment begins in its lengthened document, which is [BOS] tokens [separator]. Without
   * `bosId`, offset k is the document's token k.
   */
  readonly segment_offset: Uint32Array<Memory>;
  /** uint32 [S] tokens, a separator and BOS included. */
  readonly segment_length: Uint32Array<Memory>;
  /** uint32 [W + 1] into the segments. */
  readonly window_offsets: Uint32Array<Memory>;
}

/**
 * What pack() returns: plain data outside the engine's memory. It can be cloned, transferred and stored, and
 * needs no disposal. Functions take an `AnyPlan`.
 */
export interface Plan<Memory extends ArrayBufferLike = ArrayBuffer> extends WindowList<Memory> {
  /** Every option it was made with, defaults filled in. */
  readonly options: ResolvedOptions;
  readonly ledger: Ledger;
  /** Names of the sources; empty where none were given. */
  readonly sourceNames: readonly string[];
  /** One for each source; a single one where no sources were given. */
  readonly ledgerBySource: readonly Ledger[];
  /**
   * 64-bit hash of contextLength, window_offsets and the segments, as 16 hex digits: the same for the same
   * documents and options in every build of Packscope, in JavaScript and native.
   */
  readonly fingerprint: string;
}

/** A plan as functions take it: its arrays may lie in shared memory. */
export type AnyPlan = Plan<ArrayBufferLike>;

/** Which windows of a plan: one, or [first, last) without the last. */
export type WindowSelection = number | readonly [first: number, last: number];

/** `options` are those that it was made with. */
export function planFromRaw(engine: Engine, raw: RawPlan, options: RawOptions): Plan {
  return {
    options: resolvedOptions(engine, options),
    segment_document: raw.segment_document,
    segment_offset: raw.segment_offset,
    segment_length: raw.segment_length,
    window_offsets: raw.window_offsets,
    ledger: ledgerFromRaw(raw.ledger),
    sourceNames: raw.sourceNames,
    ledgerBySource: raw.ledgerBySource.map(ledgerFromRaw),
    fingerprint: raw.fingerprint,
  };
}

export function ledgerFromRaw(raw: RawLedger): Ledger {
  return camelCaseKeys(raw) as unknown as Ledger;
}

function ledgerToRaw(ledger: Ledger): RawLedger {
  return Object.fromEntries(Object.entries(ledger).map(([name, count]) => [snakeCase(name), count]));
}

/** How many windows there are. */
export function windowCount(plan: WindowList<ArrayBufferLike>): number {
  return plan.window_offsets.length - 1;
}

/** All of a plan as the core takes it. */
export function wholePlan(plan: AnyPlan): RawPlanIn {
  checkPlan(plan);
  checkOffsets(plan, 0, windowCount(plan));
  const { ledger, sourceNames, ledgerBySource } = plan;
  checkPart(plan, 'ledger', isLedger(ledger));
  checkPart(plan, 'sourceNames', areNames(sourceNames));
  checkPart(plan, 'ledgerBySource', Array.isArray(ledgerBySource) && [...ledgerBySource].every(isLedger));
  return {
    ...windowsOf(plan),
    options: optionList(plan.options),
    ledger: ledgerToRaw(ledger),
    sourceNames,
    ledgerBySource: ledgerBySource.map(ledgerToRaw),
  };
}

function windowsOf({ segment_document, segment_offset, segment_length, window_offsets }: AnyPlan): RawWindows {
  return { segment_document, segment_offset, segment_length, window_offsets };
}

/** The windows [first, last) of a plan, which is as much of it as most questions need. */
export function planPart(
  plan: AnyPlan,
  [first, last]: readonly [number, number],
  overrides: ArrayOptions = {},
): RawPlanIn {
  const begin = plan.window_offsets[first] as number;
  const end = plan.window_offsets[last] as number;
  return {
    options: optionList(plan.options) + optionList(overrides),
    segment_document: plan.segment_document.subarray(begin, end),
    segment_offset: plan.segment_offset.subarray(begin, end),
    segment_length: plan.segment_length.subarray(begin, end),
    window_offsets: plan.window_offsets.slice(first, last + 1).map((offset) => offset - begin),
  };
}

/**
 * Asks the core about the windows [first, last), which `part` holds. They count from 0 there, so that a question costs
 * the same wherever they stand; only a refusal is asked for once more under their own numbers, for its message.
 */
export function askWindows<T>(
  engine: Engine,
  part: RawPlanIn,
  [first, last]: readonly [number, number],
  call: (raw: RawModule, part: RawPlanIn, range: RawRange) => Answer<T>,
): T {
  const answer = engine.run((raw) => call(raw, part, [0, last - first]));
  if (answer.error === undefined) return answer.value;
  return engine.ask((raw) => call(raw, { ...part, firstWindow: first }, [first, last]));
}

/** The windows asked for, all where none are, checked against the plan. */
export function windowRange(plan: AnyPlan, windows: WindowSelection | undefined): readonly [number, number] {
  checkPlan(plan);
  const range = windows === undefined ? ([0, windowCount(plan)] as const) : rangeOf(windows, windowCount(plan));
  checkOffsets(plan, ...range);
  return range;
}

function rangeOf(windows: WindowSelection, count: number): readonly [number, number] {
  const single = typeof windows === 'number' ? [windows, windows + 1] : [];
  const pair = (isArray(windows) ? windows : single) as readonly [number, number];
  const [first, last] = pair;
  const whole = pair.length === 2 && Number.isInteger(first) && Number.isInteger(last);
  if (whole && 0 <= first && first <= last && last <= count) return [first, last];
  const asked = isArray(windows)
    ? `windows [${Array.from(windows as readonly number[], describe).join(', ')}) are`
    : `window ${describe(windows)} is`;
  throw new PackscopeError('invalid_argument', `${asked} not in the plan, which has windows 0 to ${count - 1}`);
}

// Those of windows [first, last), which are walked along.
function checkOffsets({ window_offsets, segment_document }: AnyPlan, first: number, last: number): void {
  for (let window = first; window < last; window += 1) {
    const [begin, end] = [window_offsets[window] as number, window_offsets[window + 1] as number];
    if (begin <= end && end <= segment_document.length) continue;
    const text = `plan.window_offsets leads from ${begin} to ${end} in window ${window}, and there are ${segment_document.length} segments: pass what pack() returned`;
    throw new PackscopeError('invalid_plan', text);
  }
}

const arrayNames = ['segment_document', 'segment_offset', 'segment_length', 'window_offsets'] as const;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const isLedger = (value: unknown) => isObject(value) && Object.values(value as object).every(Number.isSafeInteger);

function checkPart(plan: AnyPlan, name: keyof Plan, fine: boolean): void {
  if (fine) return;
  throw new PackscopeError('invalid_plan', `plan.${name} is ${describe(plan[name])}; pass what pack() returned`);
}

/** What must hold before the arrays of a plan can be looked at. */
export function checkPlan(plan: AnyPlan): void {
  if (!isObject(plan)) {
    throw wrongArgument('plan', plan, 'what pack() returned');
  }
  for (const name of arrayNames) checkPart(plan, name, plan[name] instanceof Uint32Array && !isDetached(plan[name]));
  checkPart(plan, 'options', isObject(plan.options));
  // The two that are reckoned with here; the core looks at the others.
  for (const name of ['contextLength', 'documentMultiple'] as const) {
    const value = plan.options[name];
    if (Number.isInteger(value)) continue;
    throw new PackscopeError('invalid_plan', `plan.options.${name} is ${describe(value)}; pass what pack() returned`);
  }
  const segments = plan.segment_document.length;
  if (plan.segment_offset.length !== segments || plan.segment_length.length !== segments) {
    throw new PackscopeError('invalid_plan', 'the arrays of the plan differ in length: pass what pack() returned');
  }
  const offsets = plan.window_offsets;
  if (offsets.length === 0 || offsets[0] !== 0 || offsets[offsets.length - 1] !== segments) {
    throw new PackscopeError(
      'invalid_plan',
      `plan.window_offsets must lead from 0 to the ${segments} segments: pass what pack() returned`,
    );
  }
}
