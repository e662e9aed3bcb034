// SPDX-License-Identifier: MIT
// What the engine knows about itself: its algorithms and its options.
import type { Engine, Variant } from './engine.js';
import { camelCase } from './names.js';
import type { AlgorithmName, OptionInfo } from './options.js';
import { optionTable } from './options.js';

/** One algorithm, from the registry that command line, docs and this package share. */
export interface AlgorithmInfo {
  /** As the option `algorithm` takes it. */
  readonly name: AlgorithmName;
  readonly title: string;
  /** `streaming` ones place documents as they come; `offline` ones need all of them first. */
  readonly kind: 'baseline' | 'streaming' | 'offline';
  /** Whether it may cut documents that would fit a window. */
  readonly splits: boolean;
  /** Options that it reads beyond the common ones. */
  readonly options: readonly string[];
  /** How it works, in one or two sentences. */
  readonly rule: string;
  readonly complexity: string;
  /** Of windows against the optimum, or of what it never does. */
  readonly guarantee: string;
  /** When to take it. */
  readonly use: string;
  /** Where it comes from. */
  readonly source: string;
}

export interface AlgorithmsApi {
  /** Every algorithm, in the order of the documentation. */
  algorithms(): AlgorithmInfo[];
  /** Every option of packing and of masks, with what it takes and its default. */
  options(): OptionInfo[];
  /** Which build of the core runs. */
  variant(): Variant;
}

export function algorithmsApi(engine: Engine): AlgorithmsApi {
  return {
    algorithms: () =>
      engine.description.algorithms.map((info) => ({
        ...info,
        name: info.name as AlgorithmName,
        kind: info.kind as AlgorithmInfo['kind'],
        options: info.options === '' ? [] : info.options.split(',').map((name) => camelCase(name.trim())),
      })),
    options: () => optionTable(engine),
    variant: () => engine.variant,
  };
}
