// SPDX-License-Identifier: MIT
// pack(), and what can be asked about a plan and its documents: statistics, validity, what became of whom.
import type { DocumentSet, Documents } from './documents.js';
import { documentSet } from './documents.js';
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import { camelCaseKeys } from './names.js';
import type { PackOptions } from './options.js';
import { givenOptions, optionList, resolvedOptions } from './options.js';
import type { AnyPlan, Plan } from './plan.js';
import { planFromRaw, wholePlan } from './plan.js';
import type { RawDocuments, RawOptions, RawStats } from './raw.js';

/** What a plan achieved. Counts are exact up to 2^53. */
export interface Stats {
  /** Windows, fillers included. */
  readonly windows: number;
  readonly fillerWindows: number;
  readonly segments: number;
  /** Tokens in windows, separators included. */
  readonly realTokens: number;
  /** Positions without a token, filler windows left out. */
  readonly paddingTokens: number;
  /** realTokens / (realTokens + paddingTokens); 0 for an empty plan. */
  readonly realTokenShare: number;
  /** No plan has fewer windows. */
  readonly lowerBound: number;
  /** Windows above the lower bound, fillers left out. */
  readonly gap: number;
  /** Squared lengths summed over segments. */
  readonly sumSquaredLengths: number;
  /** Query-key pairs of the causal document mask, real tokens. */
  readonly attentionPairs: number;
  /** The same without the document rule, padding included. */
  readonly causalPairs: number;
  /** Over windows that hold documents. */
  readonly documentsPerWindow: {
    readonly min: number;
    readonly p50: number;
    readonly p95: number;
    readonly max: number;
    readonly mean: number;
  };
  /** Documents that repeat an earlier one; with `content` only. */
  readonly exactDuplicates?: number;
  /** Documents that train nothing; with `content`, where a loss mask or prompt lengths are given. */
  readonly documentsWithoutTarget?: number;
}

export interface StatsOptions {
  /** Also look at tokens, loss masks and prompts, for which all of them are copied into the engine. Default false. */
  content?: boolean;
}

/** A document that was not packed whole. */
export interface DocumentFate {
  readonly document: number;
  readonly fate: 'empty' | 'dropped' | 'truncated' | 'split' | 'duplicate';
  /** Of its tokens, those that stand in no window. */
  readonly tokensDropped: number;
}

export interface PackCallOptions extends PackOptions {
  /**
   * A plan that is no longer needed. Its memory is used again where it fits, which spares what new memory costs: in browsers
   * about a third of the time of fast algorithms. Its arrays are empty afterwards, as they are after a transfer; where the
   * call throws, they stay as they are. Default: none, every plan has new memory.
   */
  reuse?: AnyPlan | undefined;
}

export interface PackApi {
  /**
   * Packs documents into windows of `contextLength` tokens. Planning reads lengths only; where tokens are given
   * they are checked, but not copied. The same documents and options give the same plan everywhere.
   *
   * @example
   * ```js
   * const plan = pack([[11, 12, 13], [21, 22], [31]], { contextLength: 4 });
   * plan.segment_document; // Uint32Array [0, 2, 1]
   * plan.window_offsets; // Uint32Array [0, 2, 3]
   * ```
   * @throws PackscopeError `invalid_option`, `invalid_argument`, `length_mismatch`, `token_out_of_range`,
   *   `unknown_source`, `document_too_long` (only with `longDocuments: 'error'`), `too_large`, `out_of_memory`
   */
  pack(documents: Documents, options?: PackCallOptions): Plan;

  /**
   * What a plan achieved: windows, padding, attention cost, and how far it is from the best possible.
   * @throws PackscopeError `invalid_plan` for a plan that breaks its promises
   */
  stats(plan: AnyPlan, documents: Documents, options?: StatsOptions): Stats;

  /**
   * Checks every promise of a plan, whoever made it: no window overflows, every token stands in at most one place,
   * and those that stand in none are in the ledger.
   * @throws PackscopeError `invalid_plan` that names the first broken promise
   */
  validate(plan: AnyPlan, documents: Documents): void;

  /** Every document that was not packed whole, ascending: the ids behind the ledger's counts. */
  documentFates(plan: AnyPlan, documents: Documents): DocumentFate[];

  /** The fingerprint of a plan as it is now; `plan.fingerprint` is that of the plan as it was made. */
  fingerprint(plan: AnyPlan): string;

  /**
   * Checks options without packing and fills in every default.
   * @throws PackscopeError `invalid_option` that names option, value and limit
   */
  resolveOptions(options?: PackOptions): Required<PackOptions>;
}

const callOptions = new Set(['reuse']);

export function packApi(engine: Engine): PackApi {
  return {
    pack(documents, options) {
      const list = optionList(options, callOptions);
      const given = documentsToPack(engine, documentSet(documents), list);
      const raw = engine.reusing(options?.reuse, () => engine.ask((module) => module.pack(list, given)));
      return planFromRaw(engine, raw, list);
    },
    stats(plan, documents, options) {
      const { content } = givenOptions(options, ['content']);
      const set = documentSet(documents);
      const whole = wholePlan(plan);
      return statsFromRaw(
        engine.ask((raw) => (content ? raw.statsOfCorpus(whole, set.corpus()) : raw.stats(whole, set.raw()))),
      );
    },
    validate(plan, documents) {
      const whole = wholePlan(plan);
      const set = documentSet(documents);
      engine.ask((raw) => raw.validate(whole, withDuplicates(engine, plan, set)));
    },
    documentFates(plan, documents) {
      const whole = wholePlan(plan);
      const set = documentSet(documents);
      checkDocumentsOf(plan, set);
      const fates = engine.ask((raw) => raw.fates(whole, withDuplicates(engine, plan, set)));
      return fates.map((fate) => camelCaseKeys(fate) as unknown as DocumentFate);
    },
    fingerprint(plan) {
      const whole = wholePlan(plan);
      return engine.ask((raw) => raw.fingerprint(whole));
    },
    resolveOptions(options) {
      return resolvedOptions(engine, optionList(options));
    },
  };
}

/** Documents checked for packing; options first, so that a wrong one is refused before documents are looked at. */
export function documentsToPack(engine: Engine, set: DocumentSet, list: RawOptions): RawDocuments {
  const { vocabSize, dropDuplicates } = resolvedOptions(engine, list);
  set.check(vocabSize ?? Number.POSITIVE_INFINITY);
  return { ...set.raw(), duplicates: dropDuplicates ? findDuplicates(engine, set) : undefined };
}

export function statsFromRaw(raw: RawStats): Stats {
  return camelCaseKeys(raw) as unknown as Stats;
}

function checkDocumentsOf({ segment_document }: AnyPlan, { count }: DocumentSet): void {
  const missing = segment_document.find((document) => document >= count);
  if (missing === undefined) return;
  throw new PackscopeError(
    'invalid_argument',
    `the plan has document ${missing}, but there are ${count}: pass the documents that it was made of`,
    { document: missing },
  );
}

function withDuplicates(engine: Engine, plan: AnyPlan, set: DocumentSet): RawDocuments {
  return { ...set.raw(), duplicates: plan.options.dropDuplicates ? findDuplicates(engine, set) : undefined };
}

function findDuplicates(engine: Engine, set: DocumentSet): Uint8Array {
  if (set.tokens) return engine.run((raw) => raw.findDuplicates(set.corpus()));
  throw new PackscopeError(
    'invalid_option',
    'dropDuplicates is set, but only lengths are given: pass tokens, or leave duplicates out yourself',
  );
}
