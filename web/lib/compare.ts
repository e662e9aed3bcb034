// SPDX-License-Identifier: MIT
// Several algorithms and window lengths on the same documents, from their lengths or from a histogram of them.
import type { Documents, NumberArray } from './documents.js';
import { documentSet, isArray, wholeNumber } from './documents.js';
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import type { AlgorithmName, PackOptions } from './options.js';
import { describe, givenOptions, optionList, refuseOtherNames, wrongArgument } from './options.js';
import type { PackApi, Stats } from './pack.js';
import { statsFromRaw } from './pack.js';
import type { Ledger } from './plan.js';
import { ledgerFromRaw } from './plan.js';
import type { RawHistogram, RawOptions } from './raw.js';

/** How many documents there are of each length, in any order. */
export interface Histogram {
  /** Tokens of a document. */
  lengths: NumberArray;
  /** Documents of that length, as many entries as `lengths`. */
  counts: NumberArray;
}

export interface CompareOptions extends Omit<PackOptions, 'algorithm' | 'contextLength'> {
  /** Default: all. */
  algorithms?: readonly AlgorithmName[];
  /** Window lengths, in tokens. Default: that of pack(). */
  contextLengths?: readonly number[];
  /** Called after each plan with how many are done and how many there are. */
  onProgress?: (done: number, total: number) => void;
}

export interface ComparedPlan {
  readonly algorithm: AlgorithmName;
  readonly contextLength: number;
  readonly stats: Stats;
  readonly ledger: Ledger;
  /** From a histogram, for what depends on the order: planned on 100,000 documents drawn from it and scaled up. */
  readonly estimated: boolean;
  /** A histogram has no order: splits and attention of `wrap` are not known and stand at 0. */
  readonly orderUnknown: boolean;
  /** What planning took. */
  readonly milliseconds: number;
}

/** Compares one after another; a worker stops between two. */
export type CompareSteps = Generator<ComparedPlan, void, undefined>;

export interface CompareApi {
  /**
   * What each algorithm and window length would give, without making arrays.
   *
   * @param documents documents, or how many there are of each length
   * @example
   * ```js
   * const rows = compare({ lengths: [300, 700, 1200], counts: [5000, 2000, 400] }, { contextLengths: [2048, 4096] });
   * for (const { algorithm, contextLength, stats } of rows) console.log(algorithm, contextLength, stats.realTokenShare);
   * ```
   * @throws PackscopeError as pack()
   */
  compare(documents: Documents | Histogram, options?: CompareOptions): ComparedPlan[];
}

const drawnDocuments = 100_000;

export function compareApi(engine: Engine, packing: PackApi): CompareApi {
  return {
    compare(documents, options) {
      const given = givenOptions(options);
      const { onProgress } = given;
      const total = variants(engine, given).length;
      const rows: ComparedPlan[] = [];
      for (const row of compareSteps(engine, packing, documents, given)) {
        rows.push(row);
        onProgress?.(rows.length, total);
      }
      return rows;
    },
  };
}

export function* compareSteps(
  engine: Engine,
  packing: PackApi,
  documents: Documents | Histogram,
  options: CompareOptions,
): CompareSteps {
  const plans = variants(engine, options);
  for (const plan of plans) packing.resolveOptions(plan);
  const histogram = histogramOf(documents);
  const compareOne = histogram
    ? histogramComparer(engine, histogram, options)
    : documentComparer(packing, documents as Documents);
  for (const plan of plans) yield compareOne(plan);
}

type Variant = PackOptions & { algorithm: AlgorithmName; contextLength: number };

/** Every combination to plan, window lengths outside. */
export function variants(engine: Engine, options: CompareOptions): Variant[] {
  const { algorithms, contextLengths, onProgress, ...common } = options;
  refuseSingle(options, 'algorithm', 'algorithms');
  refuseSingle(options, 'contextLength', 'contextLengths');
  checkList('algorithms', algorithms);
  checkList('contextLengths', contextLengths);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw wrongArgument('onProgress', onProgress, 'a function');
  }
  const { description } = engine;
  const names = algorithms ?? description.algorithms.map(({ name }) => name as AlgorithmName);
  const defaultLength = Number(description.options.find(({ name }) => name === 'context_length')?.default);
  return (contextLengths ?? [defaultLength]).flatMap((contextLength) =>
    names.map((algorithm) => ({ ...common, algorithm, contextLength })),
  );
}

// Options of pack() with a list beside are meant; without one they would be left out unnoticed.
function refuseSingle(options: object, name: string, list: string): void {
  const { [name]: value, [list]: values } = options as Record<string, unknown>;
  if (value === undefined || values !== undefined) return;
  throw new PackscopeError(
    'invalid_option',
    `${name} is ${describe(value)}, but compare() plans several: give ${list}, such as [${describe(value)}]`,
  );
}

function checkList(name: string, list: unknown): void {
  if (list === undefined || Array.isArray(list)) return;
  throw wrongArgument(name, list, 'an array');
}

function documentComparer(packing: PackApi, documents: Documents): (plan: Variant) => ComparedPlan {
  return (options) => {
    const begin = performance.now();
    const plan = packing.pack(documents, options);
    const milliseconds = performance.now() - begin;
    const stats = packing.stats(plan, documents);
    const { algorithm, contextLength } = options;
    return {
      algorithm,
      contextLength,
      stats,
      ledger: plan.ledger,
      estimated: false,
      orderUnknown: false,
      milliseconds,
    };
  };
}

function histogramComparer(
  engine: Engine,
  histogram: RawHistogram,
  options: CompareOptions,
): (plan: Variant) => ComparedPlan {
  const seed = Number(options.seed ?? 0);
  let drawn: Uint32Array | undefined;
  const estimate = (list: RawOptions) => {
    drawn ??= engine.run((raw) => raw.drawLengths(histogram, drawnDocuments, seed));
    const lengths = drawn;
    return engine.ask((raw) => raw.estimateHistogram(list, histogram, lengths));
  };
  return (plan) => {
    const list = optionList(plan);
    const exact = engine.ask((raw) => raw.exactFromHistogram(list));
    const begin = performance.now();
    const made = exact ? engine.ask((raw) => raw.packHistogram(list, histogram)) : estimate(list);
    const milliseconds = performance.now() - begin;
    const { algorithm, contextLength } = plan;
    const splits = engine.description.algorithms.some((info) => info.name === algorithm && info.splits);
    return {
      algorithm,
      contextLength,
      stats: statsFromRaw(made.stats),
      ledger: ledgerFromRaw(made.ledger),
      estimated: !exact,
      orderUnknown: exact && splits,
      milliseconds,
    };
  };
}

function histogramOf(input: Documents | Histogram): RawHistogram | undefined {
  if (typeof input !== 'object' || input === null || !('counts' in input)) return undefined;
  refuseOtherNames(input, 'histogram', ['lengths', 'counts']);
  const lengths = documentSet({ lengths: input.lengths }).lengths();
  if (!isArray(input.counts)) {
    throw wrongArgument('counts', input.counts, 'an array of numbers');
  }
  const counts = Float64Array.from(input.counts as ArrayLike<unknown>, (count, index) =>
    wholeNumber(count, Number.MAX_SAFE_INTEGER, `counts[${index}]`),
  );
  if (counts.length === lengths.length) return { lengths, counts };
  throw new PackscopeError(
    'length_mismatch',
    `counts has ${counts.length} entries for ${lengths.length} lengths: give one for each`,
  );
}
