// SPDX-License-Identifier: MIT
// The settings that stand for the options of a plan that was read.
import type { PackOptions } from 'packscope/slim';

import type { Model } from './model.js';
import type { RarerOptions } from './options.js';
import { rarerDefaults } from './options.js';

/** The settings that stand for the options of a plan that was read. */
export function modelOf(options: PackOptions): Partial<Model> {
  const { openWindows = 64, seed = 0, longDocuments = 'default' } = options;
  return {
    ...rarerOf(options),
    contextLength: options.contextLength ?? 2048,
    algorithm: options.algorithm ?? 'best_fit_decreasing',
    longDocuments: longDocuments === 'error' ? 'default' : longDocuments,
    openWindows: openWindows === 'unlimited' ? 1_000_000 : openWindows,
    evict: options.evict ?? 'oldest',
    candidatePool: options.candidatePool ?? 1024,
    seed: Number(seed),
    documentMultiple: options.documentMultiple ?? 1,
    shuffleWindows: options.shuffleWindows ?? false,
    separator: (options.separatorId ?? null) !== null,
  };
}

function rarerOf(options: PackOptions): RarerOptions {
  const { maxDocumentsPerWindow: most = 'unlimited', flushEvery, groups = {} } = options;
  const known = Object.keys(rarerDefaults).filter((name) => name in options) as (keyof RarerOptions &
    keyof PackOptions)[];
  return {
    ...rarerDefaults,
    ...Object.fromEntries(known.map((name) => [name, options[name]])),
    separatorBetween: options.separator === 'between',
    bos: (options.bosId ?? null) !== null,
    maxDocumentsPerWindow: most === 'unlimited' ? 0 : most,
    flushEvery: flushEvery ?? 0,
    groups: Object.entries(groups)
      .map(([name, sources]) => `${name}=${sources.join(',')}`)
      .join(';'),
  };
}
