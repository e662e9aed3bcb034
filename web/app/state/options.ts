// SPDX-License-Identifier: MIT
// The rarer options of packing, and of masks: their defaults, and what the package is given for them.
import type { PackOptions } from 'packscope/slim';

export interface RarerOptions {
  /** Documents are separated in windows only, not at their ends. */
  readonly separatorBetween: boolean;
  readonly bos: boolean;
  readonly minRoom: number;
  /** 0: no limit. */
  readonly maxDocumentsPerWindow: number;
  readonly windowMultiple: number;
  /** 0: only at the end. */
  readonly flushEvery: number;
  readonly tail: 'pad' | 'drop';
  readonly shuffleDocuments: boolean;
  readonly extraToken: boolean;
  readonly dropDuplicates: boolean;
  readonly homogeneity: 'none' | 'group' | 'full';
  /** As the program writes them: chat=alpaca,oasst;code=stack. */
  readonly groups: string;
  readonly positionIds: 'restart' | 'continue';
  readonly paddingPositionIds: 'count' | 'zeros';
  readonly cuSeqlens: 'window' | 'real';
  readonly labels: 'shifted' | 'aligned';
  readonly separatorLoss: boolean;
  readonly crossBoundaryLabels: boolean;
  /** Of masks: what a position of padding attends to. */
  readonly paddingQueries: 'self' | 'masked';
}

export const rarerDefaults: RarerOptions = {
  separatorBetween: false,
  bos: false,
  minRoom: 1,
  maxDocumentsPerWindow: 0,
  windowMultiple: 1,
  flushEvery: 0,
  tail: 'pad',
  shuffleDocuments: false,
  extraToken: false,
  dropDuplicates: false,
  homogeneity: 'none',
  groups: '',
  positionIds: 'restart',
  paddingPositionIds: 'count',
  cuSeqlens: 'window',
  labels: 'shifted',
  separatorLoss: false,
  crossBoundaryLabels: false,
  paddingQueries: 'self',
};

/** Any id will do: a plan depends on whether there is a token, not on which. */
const bosId = 0;

function groupsOf(text: string): Record<string, string[]> {
  const pairs = text
    .split(';')
    .map((group) => group.split('='))
    .filter(([name = '', sources = '']) => name.trim() !== '' && sources.trim() !== '');
  return Object.fromEntries(
    pairs.map(([name = '', sources = '']) => [name.trim(), sources.split(',').map((source) => source.trim())]),
  );
}

export function rarerPackOptions(of: RarerOptions): PackOptions {
  const { bos, separatorBetween, maxDocumentsPerWindow, flushEvery, groups, ...same } = of;
  return {
    minRoom: same.minRoom,
    windowMultiple: same.windowMultiple,
    tail: same.tail,
    shuffleDocuments: same.shuffleDocuments,
    extraToken: same.extraToken,
    dropDuplicates: same.dropDuplicates,
    homogeneity: same.homogeneity,
    positionIds: same.positionIds,
    paddingPositionIds: same.paddingPositionIds,
    cuSeqlens: same.cuSeqlens,
    labels: same.labels,
    separatorLoss: same.separatorLoss,
    crossBoundaryLabels: same.crossBoundaryLabels,
    separator: separatorBetween ? 'between' : 'after',
    bosId: bos ? bosId : null,
    maxDocumentsPerWindow: maxDocumentsPerWindow === 0 ? 'unlimited' : maxDocumentsPerWindow,
    flushEvery: flushEvery === 0 ? null : flushEvery,
    groups: same.homogeneity === 'group' ? groupsOf(groups) : {},
  };
}
