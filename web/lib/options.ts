// SPDX-License-Identifier: MIT
// The options of packing and of masks: their types, and the way between JavaScript values and the text that
// the core reads. Which options exist, what they take and their defaults is known to the core alone.
import type { Engine } from './engine.js';
import type { ErrorCode } from './errors.js';
import { PackscopeError } from './errors.js';
import { camelCase, snakeCase } from './names.js';
import type { RawOptionInfo, RawOptions } from './raw.js';

/** How documents are placed in windows. `algorithms()` explains each. */
export type AlgorithmName =
  | 'pad'
  | 'wrap'
  | 'next_fit'
  | 'first_fit'
  | 'best_fit'
  | 'worst_fit'
  | 'best_fit_wrap'
  | 'first_fit_decreasing'
  | 'best_fit_decreasing'
  | 'first_fit_shuffle';

/** Options that decide where documents stand. */
export interface PlanningOptions {
  /** Tokens in a window, from 1 to 16777216. Default 2048. */
  contextLength?: number;
  /** How documents are placed in windows. Default `best_fit_decreasing`. */
  algorithm?: AlgorithmName;
  /** Partly filled windows kept open by `first_fit`, `best_fit` and `worst_fit`. Default 64. */
  openWindows?: number | 'unlimited';
  /** Documents that `best_fit_wrap` chooses among. Default 1024. */
  candidatePool?: number;
  /** Which open window closes when a new one is needed and `openWindows` are open. Default `oldest`. */
  evict?: 'oldest' | 'fullest';
  /** A window with less room than this many tokens closes. Not read by `pad`, `wrap` and `best_fit_wrap`. Default 1. */
  minRoom?: number;
  /** Decides every shuffle. A whole number up to 2^64 - 1; above 2^53 - 1 a bigint. Default 0. */
  seed?: number | bigint;
  /**
   * Documents longer than the window: `drop` (counted in the ledger), `truncate` (keeps the start),
   * `truncate_left` (keeps the end), `split` (pieces of contextLength, the rest last) or `error`.
   * Default: `split` for `wrap` and `best_fit_wrap`, else `drop`.
   */
  longDocuments?: 'default' | 'drop' | 'truncate' | 'truncate_left' | 'split' | 'error';
  /** The last short window of `wrap`: padded, or dropped with a count. Default `pad`. */
  tail?: 'pad' | 'drop';
  /** Each segment takes a multiple of this many positions; contextLength must be one. Not with extraToken. Default 1. */
  documentMultiple?: number;
  /** Windows of padding are added until their count is a multiple of this. Default 1. */
  windowMultiple?: number;
  /** A window that holds this many documents closes. Default `unlimited`. */
  maxDocumentsPerWindow?: number | 'unlimited';
  /** Shuffle the documents by seed before packing. Streams refuse it. Default false. */
  shuffleDocuments?: boolean;
  /** Shuffle the windows by seed after packing. Streams refuse it. Default false. */
  shuffleWindows?: boolean;
  /** Which sources may share a window: all, those of one of `groups`, or only the same. Default `none`. */
  homogeneity?: 'none' | 'group' | 'full';
  /** With `homogeneity: 'group'`: the sources of each group, such as `{ chat: ['alpaca', 'oasst'], code: ['stack'] }`. */
  groups?: Readonly<Record<string, readonly string[]>>;
  /** Empty every open window after this many documents. Default null: only at the end. */
  flushEvery?: number | null;
  /** Drop documents whose tokens repeat an earlier one's, with a count. Needs tokens. Streams refuse it. Default false. */
  dropDuplicates?: boolean;
  /** Store contextLength + 1 tokens a window: inputs are all but the last, labels all but the first. Default false. */
  extraToken?: boolean;
  /** Token id added before each document. Default null: none. */
  bosId?: number | null;
  /** Token id added after or between documents, see `separator`. Default null: none. */
  separatorId?: number | null;
  /** `after`: each document ends with separatorId; `between`: the last of a window does not. Default `after`. */
  separator?: 'after' | 'between';
}

/** Options that decide what the arrays hold, and leave the plan as it is. */
export interface ArrayOptions {
  /** Token id that fills padding. Padding is told by position, never by this id. Default 0. */
  padTokenId?: number;
  /** Make the separator (and BOS) a training target. Default false. */
  separatorLoss?: boolean;
  /** position_ids restart at 0 in each segment, or continue at the offset inside the document. Default `restart`. */
  positionIds?: 'restart' | 'continue';
  /** position_ids of the padding tail: a run of its own from 0, or zeros. Default `count`. */
  paddingPositionIds?: 'count' | 'zeros';
  /** cu_seqlens up to contextLength with the padding tail as last entry, or of real tokens only. Default `window`. */
  cuSeqlens?: 'window' | 'real';
  /** Entries of cu_seqlens in each window, the total repeated: 2 to 1024, or to contextLength + 2 where that is more. Default null: as many as it takes. */
  cuSeqlensWidth?: number | null;
  /** `shifted`: label[t] is token[t + 1]; `aligned`: label[t] is token[t] and the model shifts (Hugging Face). Default `shifted`. */
  labels?: 'shifted' | 'aligned';
  /** Also train the first token of a segment from the segment before it. Default false. */
  crossBoundaryLabels?: boolean;
  /** A token id that is not below this is an error. Default null: no limit. */
  vocabSize?: number | null;
}

/** Every option of packing; all may be left out. */
export interface PackOptions extends PlanningOptions, ArrayOptions {}

/** Options with every default filled in. */
export type ResolvedOptions = Readonly<Required<PackOptions>>;

/** Which keys a query may attend to. */
export interface MaskOptions {
  /** A query sees what stands before it, or both ways. Default `causal`. */
  mask?: 'causal' | 'bidirectional';
  /** Keep documents apart; false shows what leaks without that. Default true. */
  documentMask?: boolean;
  /**
   * A query sees keys less than this many positions away: 0 <= q - k < slidingWindow, so 1 is itself alone;
   * |q - k| for bidirectional and prefix pairs. Default null: no limit.
   */
  slidingWindow?: number | null;
  /** What a query on padding sees: itself, so that softmax stays finite, or nothing. Default `self`. */
  paddingQueries?: 'self' | 'masked';
  /** Prefix-LM: these first tokens of each document see each other both ways. One entry for each document. */
  prefixLengths?: Uint32Array | readonly number[];
}

/** One option, from the table that command line, manifests and this package share. */
export interface OptionInfo {
  /** As written here: `openWindows`. */
  readonly name: string;
  /** What it takes: `N`, `N|unlimited`, `oldest|fullest`, `true|false`. */
  readonly value: string;
  /** Meaning, unit and interaction in one sentence. */
  readonly help: string;
  /** Whether it changes the plan; otherwise only arrays or masks. */
  readonly plans: boolean;
  /** Whether it is an option of packing or of masks. */
  readonly of: 'pack' | 'mask';
  readonly default: OptionValue;
}

export type OptionValue = number | bigint | boolean | string | null | Readonly<Record<string, readonly string[]>>;

/** What options of type `O` may say of `K`: undefined where they leave it out, every value where `O` is wide. */
export type OptionIn<O, K extends string> = O extends unknown
  ? K extends keyof O
    ? O[K] | (string extends keyof O ? undefined : never)
    : undefined
  : never;

/** The options that the engine knows, in the order of its documentation. */
export function optionTable(engine: Engine): OptionInfo[] {
  return engine.description.options.map((option) => ({
    name: camelCase(option.name),
    value: option.value,
    help: option.help,
    plans: option.plans,
    of: option.table,
    default: optionValue(option, option.default),
  }));
}

/** What options come to with every default filled in. Throws what the core has against them. */
export function resolvedOptions(engine: Engine, list: RawOptions): ResolvedOptions {
  const texts = engine.optionTexts(list);
  const rows = engine.description.options.filter((option) => option.table === 'pack');
  const entries = rows.map((row) => [camelCase(row.name), optionValue(row, texts[row.name] ?? row.default)]);
  return Object.fromEntries(entries) as ResolvedOptions;
}

function optionValue(option: RawOptionInfo, text: string): OptionValue {
  if (option.name === 'groups') return groupsOf(text);
  if (option.value === 'true|false') return text === 'true';
  if (!/^N(\||$)/.test(option.value)) return text;
  if (text === 'none') return null;
  if (!/^-?\d+$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function groupsOf(text: string): Record<string, string[]> {
  const groups = text === '' ? [] : text.split(';').map((group) => group.split('=') as [string, string]);
  return Object.fromEntries(groups.map(([name, sources]) => [name, sources.split(',')]));
}

/** The options of a call, none where they are left out; with `names` no others than these. */
export function givenOptions<O extends object>(options: O | undefined, names?: readonly (keyof O & string)[]): O {
  if (options === undefined) return {} as O;
  if (!isPlain(options)) {
    throw wrongArgument('options', options, 'an object such as { contextLength: 2048 }');
  }
  if (names) refuseOtherNames(options, 'options', names, 'invalid_option');
  return options;
}

/** Options as the names and texts that the core reads, of which the last of a name counts; whatever it does not read is left to it to refuse. */
export function optionList(options: object | undefined, ignored: ReadonlySet<string> = new Set()): RawOptions {
  let list = '';
  for (const [name, value] of Object.entries(givenOptions(options))) {
    if (value === undefined || ignored.has(name)) continue;
    if (name.includes('_')) {
      throw new PackscopeError('invalid_option', `there is no option '${name}'; write '${camelCase(name)}'`);
    }
    const text = optionText(name, value);
    if (/[\0\p{Surrogate}]/u.test(name + text)) {
      throw new PackscopeError(
        'invalid_option',
        `option ${JSON.stringify(name)} holds a NUL character or half of a surrogate pair; leave it out`,
      );
    }
    list += `${snakeCase(name)}\0${text}\0`;
  }
  return list;
}

/** Refuses planning options that differ from those of a plan that is made already. */
export function refuseOtherPlanning(engine: Engine, made: ResolvedOptions, given: object): void {
  const planning = engine.description.options.filter((option) => option.plans).map(({ name }) => name);
  const asked = Object.keys(given).map(snakeCase);
  if (!asked.some((name) => planning.includes(name))) return;
  const texts = engine.optionTexts(optionList(made) + optionList(given));
  const madeTexts = engine.optionTexts(optionList(made));
  for (const name of planning) {
    if (texts[name] === madeTexts[name]) continue;
    throw new PackscopeError(
      'invalid_option',
      `${camelCase(name)} is ${texts[name]}, but the plan was made with ${madeTexts[name]}: leave it out, or pack() again with it`,
    );
  }
}

function optionText(name: string, value: unknown): string {
  if (value === null) return 'none';
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (name === 'groups' && typeof value === 'object') return groupsText(value);
      throw new PackscopeError(
        'invalid_option',
        `${name} is ${describe(value)}; it must be a number, a string, a boolean or null`,
      );
  }
}

// The core's text has , ; = between names, so that a name cannot have them.
function groupsText(groups: object): string {
  const parts = Object.entries(groups).map(([group, sources]: [string, unknown]) => {
    if (!Array.isArray(sources)) {
      throw new PackscopeError(
        'invalid_option',
        `groups: group '${group}' is ${describe(sources)}; it must be a list of source names`,
      );
    }
    for (const name of [group, ...sources]) {
      if (typeof name === 'string' && name !== '' && !/[,;=]/.test(name)) continue;
      throw new PackscopeError(
        'invalid_option',
        `groups: ${describe(name)} in group '${group}' cannot be a name: it is empty, no text or has one of , ; =`,
      );
    }
    return `${group}=${sources.join(',')}`;
  });
  return parts.join(';');
}

/** An object of which the names count. A Map has none, nor has a promise. */
export function isPlain(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

export const nameRule = 'a text without half of a surrogate pair';

/** Whether it is a name that comes out of the engine as it goes in, which half a pair would not. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value);
}

/** Whether it is a list of names, which is all that the engine takes for one. */
export function areNames(value: unknown): boolean {
  // Spread, because every() does not see holes.
  return Array.isArray(value) && [...value].every(isName);
}

export function checkedNames<N extends string>(what: string, names: readonly N[]): readonly N[] {
  if (areNames(names)) return names;
  throw wrongArgument(what, names, 'a list of names');
}

/** Refuses names that nothing reads: of one misspelt, what it holds would be left out unnoticed. */
export function refuseOtherNames(
  given: object,
  place: string,
  names: readonly string[],
  code: ErrorCode = 'invalid_argument',
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || names.includes(name)) continue;
    const one = names.length === 1 ? `not ${names[0]}` : `none of ${names.join(', ')}`;
    throw new PackscopeError(
      code,
      `${place} has ${describe(name)}, which is ${one}: correct the name, or leave it out`,
    );
  }
}

export function checkedFlag(name: string, value: boolean | undefined): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw wrongArgument(name, value, 'true or false');
}

/** The error for an argument that is not what it must be. */
export function wrongArgument(place: string, value: unknown, rule: string, document?: number): PackscopeError {
  return new PackscopeError('invalid_argument', `${place} is ${describe(value)}; it must be ${rule}`, { document });
}

/** A value as messages name it. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}...` : value}'`;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  const type = Object.prototype.toString.call(value).slice(8, -1);
  if (type === 'Object') return 'an object';
  return `a ${type}${isDetached(value) ? ' whose memory was transferred or reused' : ''}`;
}

/** Whether an array was transferred, say to a worker, which leaves it empty. */
export function isDetached(value: unknown): boolean {
  if (!ArrayBuffer.isView(value) || value instanceof DataView || value.byteLength > 0) return false;
  try {
    return new Uint8Array(value.buffer).length < 0;
  } catch {
    return true;
  }
}
