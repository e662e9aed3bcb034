// SPDX-License-Identifier: MIT
// Everything that a link restores: data, settings, selection, view. One record, its defaults, and the way to a URL
// hash and back. The keys of the hash are the names of the options.
import type { AlgorithmName } from 'packscope/slim';

import type { ExampleName } from '../data/examples.js';
import { examples, isExample } from '../data/examples.js';
import type { RarerOptions } from './options.js';
import { rarerDefaults } from './options.js';

export const tabs = ['windows', 'compare', 'step', 'code'] as const;
export const themes = ['system', 'light', 'dark'] as const;
export const orders = ['plan', 'waste', 'documents'] as const;
/** How close the view of windows looks. */
export const levels = ['field', 'rows', 'tokens', 'table'] as const;
export const maskKinds = ['causal', 'bidirectional', 'prefix'] as const;
export const colorings = ['document', 'length', 'split', 'source'] as const;
export const longDocumentRules = ['default', 'drop', 'truncate', 'truncate_left', 'split'] as const;
const algorithmNames = [
  ...(['pad', 'wrap', 'next_fit', 'first_fit', 'best_fit', 'worst_fit', 'best_fit_wrap'] as const),
  ...(['first_fit_decreasing', 'best_fit_decreasing', 'first_fit_shuffle'] as const),
] satisfies AlgorithmName[];

export type Tab = (typeof tabs)[number];
export type ThemeChoice = (typeof themes)[number];
export type Level = (typeof levels)[number];
export type MaskKind = (typeof maskKinds)[number];
export type Coloring = (typeof colorings)[number];
export type Order = (typeof orders)[number];
export type LongDocuments = (typeof longDocumentRules)[number];

export interface Model extends RarerOptions {
  /** A built-in, or `own`: data that the reader brought and that no link carries. */
  readonly example: ExampleName | 'own';
  readonly contextLength: number;
  readonly algorithm: AlgorithmName;
  /** One separator token after each document. */
  readonly separator: boolean;
  readonly longDocuments: LongDocuments;
  readonly openWindows: number;
  readonly evict: 'oldest' | 'fullest';
  readonly candidatePool: number;
  readonly seed: number;
  readonly documentMultiple: number;
  readonly shuffleWindows: boolean;
  readonly mask: MaskKind;
  /** Of prefix masks: the share of each document, from its start, that sees all of itself, in percent. */
  readonly prefixPercent: number;
  readonly documentMask: boolean;
  /** 0: no limit. */
  readonly slidingWindow: number;
  /** Queries in a block of the mask; 0 draws cells. See blockSize. */
  readonly block: number;
  readonly tab: Tab;
  readonly level: Level;
  /** What Compare shows beside the algorithm, names with commas between. */
  readonly compared: string;
  readonly order: Order;
  /** What the colour of a tile says. */
  readonly colorBy: Coloring;
  /** Only windows with a document of at least so many tokens; 0 with lengthTo 0: no such filter. */
  readonly lengthFrom: number;
  /** And at most so many. */
  readonly lengthTo: number;
  /** Only windows with more padding than this, in percent; -1: no such filter. */
  readonly paddingOver: number;
  /** The selected window, numbered as in the plan. */
  readonly window: number;
  /** The selected segment of it, or -1. */
  readonly segment: number;
  /** Documents that Step through packs. */
  readonly stepDocuments: number;
  /** How many steps are done there; -1 leaves the choice to the page. */
  readonly step: number;
  readonly theme: ThemeChoice;
}

export const longestWindow = 1 << 20;
export const mostStepDocuments = 200;

export type Filter = Pick<Model, 'lengthFrom' | 'lengthTo' | 'paddingOver'>;

export const noFilter: Filter = { lengthFrom: 0, lengthTo: 0, paddingOver: -1 };

export const defaultModel: Model = {
  example: 'chat',
  contextLength: examples.chat.contextLength,
  algorithm: 'best_fit_decreasing',
  separator: false,
  longDocuments: 'default',
  openWindows: 64,
  evict: 'oldest',
  candidatePool: 1024,
  seed: 0,
  documentMultiple: 1,
  ...rarerDefaults,
  // Decreasing algorithms leave the long documents in front, which is no order to train in, nor to look at.
  shuffleWindows: true,
  mask: 'causal',
  prefixPercent: 25,
  documentMask: true,
  slidingWindow: 0,
  block: 0,
  tab: 'windows',
  level: 'rows',
  compared: 'next_fit,wrap',
  order: 'plan',
  colorBy: 'document',
  ...noFilter,
  window: 416,
  segment: -1,
  stepDocuments: 40,
  step: -1,
  theme: 'system',
};

type Read<T> = (text: string) => T | undefined;
type Field<K extends keyof Model> = { readonly key: string; readonly read: Read<Model[K]> };

const whole =
  (least: number, most: number): Read<number> =>
  (text) => {
    const value = /^-?\d{1,10}$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most ? value : undefined;
  };
const oneOf =
  <T extends string>(values: readonly T[]): Read<T> =>
  (text) =>
    values.find((value) => value === text);
const flag: Read<boolean> = (text) => (text === 'true' ? true : text === 'false' ? false : undefined);
const exampleName: Read<Model['example']> = (text) => (text === 'own' || isExample(text) ? text : undefined);

const algorithmList: Read<string> = (text) => {
  const listed = text.split(',');
  return listed.length <= 3 && listed.every((name) => algorithmNames.some((known) => known === name))
    ? text
    : undefined;
};

const fields: { readonly [K in keyof Model]: Field<K> } = {
  example: { key: 'example', read: exampleName },
  contextLength: { key: 'context_length', read: whole(1, longestWindow) },
  algorithm: { key: 'algorithm', read: oneOf(algorithmNames) },
  separator: { key: 'separator', read: flag },
  longDocuments: { key: 'long_documents', read: oneOf(longDocumentRules) },
  openWindows: { key: 'open_windows', read: whole(1, 1_000_000) },
  evict: { key: 'evict', read: oneOf(['oldest', 'fullest']) },
  candidatePool: { key: 'candidate_pool', read: whole(1, 1_000_000) },
  seed: { key: 'seed', read: whole(0, 4_294_967_295) },
  documentMultiple: { key: 'document_multiple', read: whole(1, 4096) },
  shuffleWindows: { key: 'shuffle_windows', read: flag },
  separatorBetween: { key: 'separator_between', read: flag },
  bos: { key: 'bos', read: flag },
  minRoom: { key: 'min_room', read: whole(1, longestWindow) },
  maxDocumentsPerWindow: { key: 'max_documents_per_window', read: whole(0, 4_294_967_295) },
  windowMultiple: { key: 'window_multiple', read: whole(1, 65_536) },
  flushEvery: { key: 'flush_every', read: whole(0, 4_294_967_295) },
  tail: { key: 'tail', read: oneOf(['pad', 'drop']) },
  shuffleDocuments: { key: 'shuffle_documents', read: flag },
  extraToken: { key: 'extra_token', read: flag },
  dropDuplicates: { key: 'drop_duplicates', read: flag },
  homogeneity: { key: 'homogeneity', read: oneOf(['none', 'group', 'full']) },
  groups: { key: 'groups', read: (text) => (text.length <= 2000 ? text : undefined) },
  positionIds: { key: 'position_ids', read: oneOf(['restart', 'continue']) },
  paddingPositionIds: { key: 'padding_position_ids', read: oneOf(['count', 'zeros']) },
  cuSeqlens: { key: 'cu_seqlens', read: oneOf(['window', 'real']) },
  labels: { key: 'labels', read: oneOf(['shifted', 'aligned']) },
  separatorLoss: { key: 'separator_loss', read: flag },
  crossBoundaryLabels: { key: 'cross_boundary_labels', read: flag },
  paddingQueries: { key: 'padding_queries', read: oneOf(['self', 'masked']) },
  mask: { key: 'mask', read: oneOf(maskKinds) },
  prefixPercent: { key: 'prefix_percent', read: whole(0, 100) },
  documentMask: { key: 'document_mask', read: flag },
  slidingWindow: { key: 'sliding_window', read: whole(0, longestWindow) },
  block: { key: 'block', read: whole(0, 4096) },
  tab: { key: 'tab', read: oneOf(tabs) },
  compared: { key: 'compared', read: algorithmList },
  level: { key: 'level', read: oneOf(levels) },
  order: { key: 'order', read: oneOf(orders) },
  colorBy: { key: 'color_by', read: oneOf(colorings) },
  lengthFrom: { key: 'length_from', read: whole(0, 0xffffffff) },
  lengthTo: { key: 'length_to', read: whole(0, 0xffffffff) },
  paddingOver: { key: 'padding_over', read: whole(-1, 100) },
  window: { key: 'window', read: whole(0, 0xffffffff) },
  segment: { key: 'segment', read: whole(-1, 0xffffffff) },
  stepDocuments: { key: 'step_documents', read: whole(1, mostStepDocuments) },
  step: { key: 'step', read: whole(-1, 0xffffffff) },
  theme: { key: 'theme', read: oneOf(themes) },
};

/** The algorithms that Compare shows, two to four, the chosen one first. */
export function comparedAlgorithms(chosen: AlgorithmName, compared: string): AlgorithmName[] {
  const others = algorithmNames.filter((name) => name !== chosen);
  const listed = compared.split(',').filter((name): name is AlgorithmName => others.some((other) => other === name));
  const rivals = listed.length > 0 ? [...new Set(listed)] : others.slice(1, 2);
  return [chosen, ...rivals].slice(0, 4);
}

const version = '1';
const names = Object.keys(fields) as (keyof Model)[];

/** `#v=1&example=chat&...`: what differs from the defaults, and always the data, the window length and the algorithm. */
export function toHash(model: Model): string {
  const always: readonly (keyof Model)[] = ['example', 'contextLength', 'algorithm'];
  const kept = names.filter((name) => always.includes(name) || model[name] !== defaultModel[name]);
  const pairs = kept.map((name) => `${fields[name].key}=${encodeURIComponent(String(model[name]))}`);
  return `#${[`v=${version}`, ...pairs].join('&')}`;
}

/** The model that a hash describes. What it does not name, or names wrongly, keeps its default. */
export function fromHash(hash: string): Model {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const read = names.map((name) => {
    const text = given.get(fields[name].key);
    const value = text === null ? undefined : fields[name].read(text);
    return [name, value ?? defaultModel[name]] as const;
  });
  const named = Object.fromEntries(read) as unknown as Model;
  const model: Model = given.has('data') ? { ...named, example: 'own' } : named;
  if (given.has('context_length') || model.example === 'own') return model;
  return { ...model, contextLength: examples[model.example].contextLength };
}

/** Window lengths that the slider stops at. */
export const sliderLengths: readonly number[] = [
  ...[64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12_288, 16_384, 24_576, 32_768],
  ...[49_152, 65_536, 98_304, 131_072],
];

/** Where a window length stands on the slider: at or just below it. */
export function sliderIndex(contextLength: number): number {
  return Math.max(
    sliderLengths.findLastIndex((stop) => stop <= contextLength),
    0,
  );
}
