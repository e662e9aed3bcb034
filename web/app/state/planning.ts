// SPDX-License-Identifier: MIT
// The options of packing and of masks that a model stands for, in the package's own words.
import type { PackOptions } from 'packscope/slim';

import type { Block, MaskChoice } from '../engine/protocol.js';

import type { Model } from './model.js';
import { rarerPackOptions } from './options.js';

/** Any id will do: the plan depends on whether there is a separator, not on which. */
const separatorId = 0;

export function packOptions(model: Model): PackOptions {
  return {
    contextLength: model.contextLength,
    algorithm: model.algorithm,
    longDocuments: model.longDocuments,
    openWindows: model.openWindows,
    evict: model.evict,
    candidatePool: model.candidatePool,
    seed: model.seed,
    documentMultiple: model.documentMultiple,
    shuffleWindows: model.shuffleWindows,
    separatorId: model.separator ? separatorId : null,
    ...rarerPackOptions(model),
  };
}

export function maskOptions(model: Model): MaskChoice {
  return {
    mask: model.mask === 'prefix' ? 'causal' : model.mask,
    ...(model.mask === 'prefix' ? { prefixPercent: model.prefixPercent } : {}),
    documentMask: model.documentMask,
    slidingWindow: model.slidingWindow === 0 ? null : model.slidingWindow,
    paddingQueries: model.paddingQueries,
  };
}

/** Blocks are square up to 128; larger ones have 128 keys, as newer kernels take them. */
export const blockSize = (block: number): Block => (block > 128 ? [block, 128] : block);
