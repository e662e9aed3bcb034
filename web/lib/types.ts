// SPDX-License-Identifier: MIT
// The types and values that every entry exports besides its functions.
// Disposable is in none of the libs that TypeScript takes by itself; the declarations bring it with them.
/// <reference lib="esnext.disposable" preserve="true" />
export type { AlgorithmInfo } from './algorithms.js';
export type { ComparedPlan, CompareOptions, Histogram } from './compare.js';
export type {
  Documents,
  FieldValues,
  FlatDocuments,
  LengthDocuments,
  ListedDocuments,
  MaskArray,
  NumberArray,
  Sources,
  TokenArray,
  TokenDocuments,
} from './documents.js';
export type { Variant } from './engine.js';
export { simdSupported } from './engine.js';
export type { ErrorCode } from './errors.js';
export { PackscopeError } from './errors.js';
export type { GroupByLengthOptions, LengthGroups } from './group-by-length.js';
export type { DocumentRecord, LengthRecord, TokenRecord } from './held-documents.js';
export type {
  BlockCounts,
  BlockMask,
  BlockMaskOptions,
  CuSeqlens,
  CuSeqlensOptions,
  DenseMask,
  DenseMaskOptions,
  FormatIn,
  KeyIntervals,
  MaskArrays,
  MaskFormat,
} from './masks.js';
export type { ArrayName, Batch, BatchArrays, BatchFrame, MaterializeOptions } from './materialize.js';
export type { FlatWindows, PackedExamples, PackSequencesOptions, TrainingOptions } from './operators.js';
export type {
  AlgorithmName,
  ArrayOptions,
  MaskOptions,
  OptionInfo,
  OptionValue,
  PackOptions,
  PlanningOptions,
  ResolvedOptions,
} from './options.js';
export type { DocumentMeans, OutputArray, OutputOptions, OwnArray } from './outputs.js';
export type { DocumentFate, PackCallOptions, Stats, StatsOptions } from './pack.js';
export type { Packscope } from './packscope.js';
export type { AnyPlan, Ledger, Plan, WindowList, WindowSelection } from './plan.js';
export type { PlaybackSegment, PlaybackWindow, Trace, TraceKind, TraceStep } from './playback.js';
export { Playback, traceStep } from './playback.js';
export type {
  Color,
  Drawing,
  FieldView,
  Hit,
  MaskView,
  Palette,
  Picture,
  RowsView,
  Theme,
  View,
  Waste,
} from './render.js';
export type {
  DocumentStream,
  PackedStream,
  PackSession,
  RecordIn,
  StreamBatch,
  StreamOptions,
  StreamSummary,
} from './stream.js';
export type { TracedPlan, TraceOptions } from './trace.js';
