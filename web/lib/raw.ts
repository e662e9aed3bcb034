// SPDX-License-Identifier: MIT
// The functions of the WebAssembly module as wasm-build/bindings.cpp lists them. Nothing outside web/lib sees
// these: names in answers are the core's own, in snake_case. Arrays in answers are copies in memory of their own;
// those in arguments may lie in any.

/** Names and values of options in turn, a NUL behind each: one text crosses faster than many. */
export type RawOptions = string;

/** The text of every option by its name. */
export type RawOptionTexts = Readonly<Record<string, string>>;

export interface RawError {
  readonly code: string;
  readonly message: string;
  readonly document?: number;
}
export type Answer<T> = { readonly value: T; readonly error?: undefined } | { readonly error: RawError };

export interface RawOptionInfo {
  readonly name: string;
  readonly value: string;
  readonly help: string;
  readonly plans: boolean;
  readonly default: string;
  readonly table: 'pack' | 'mask';
}

export interface RawAlgorithmInfo {
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  readonly splits: boolean;
  readonly options: string;
  readonly rule: string;
  readonly complexity: string;
  readonly guarantee: string;
  readonly use: string;
  readonly source: string;
}

export interface RawDocuments {
  readonly lengths: Uint32Array;
  readonly sources?: Uint32Array | undefined;
  readonly sourceNames?: readonly string[] | undefined;
  readonly duplicates?: Uint8Array | undefined;
}

export type FieldArray<Memory extends ArrayBufferLike = ArrayBufferLike> =
  | Uint8Array<Memory>
  | Int32Array<Memory>
  | BigInt64Array<Memory>
  | Float64Array<Memory>;

export interface RawField {
  readonly name: string;
  readonly dtype: number;
  readonly values: FieldArray;
}

export interface RawCorpus {
  readonly tokens?: Int32Array | undefined;
  readonly offsets: Uint32Array;
  readonly lossMask?: Uint8Array | undefined;
  readonly promptLengths?: Uint32Array | undefined;
  readonly fields?: readonly RawField[] | undefined;
  readonly sources?: Uint32Array | undefined;
  readonly sourceNames?: readonly string[] | undefined;
  /** Of an excerpt. */
  readonly documentLengths?: Uint32Array | undefined;
}

export interface RawWindows<Memory extends ArrayBufferLike = ArrayBufferLike> {
  readonly segment_document: Uint32Array<Memory>;
  readonly segment_offset: Uint32Array<Memory>;
  readonly segment_length: Uint32Array<Memory>;
  readonly window_offsets: Uint32Array<Memory>;
}

export type RawLedger = Readonly<Record<string, number>>;
export type RawStats = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

export interface RawPlan extends RawWindows<ArrayBuffer> {
  readonly ledger: RawLedger;
  readonly sourceNames: readonly string[];
  readonly ledgerBySource: readonly RawLedger[];
  readonly fingerprint: string;
}

/** A plan, or the windows of one from `firstWindow` on. */
export interface RawPlanIn extends RawWindows {
  readonly options: RawOptions;
  readonly firstWindow?: number;
  readonly ledger?: RawLedger;
  readonly sourceNames?: readonly string[];
  readonly ledgerBySource?: readonly RawLedger[];
}

export type RawRange = readonly [first: number, last: number];

export interface RawBatch {
  readonly input_ids?: Int32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
  readonly labels?: Int32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
  readonly position_ids?: Int32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
  readonly doc_ids?: Int32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
  readonly segment_ids?: Int32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
  readonly loss_mask?: Uint8Array<ArrayBuffer>;
  readonly cu_seqlens?: Int32Array<ArrayBuffer>;
  readonly cu_seqlens_offsets?: Uint32Array<ArrayBuffer>;
  readonly cu_seqlens_padded?: Int32Array<ArrayBuffer>;
  readonly cu_seqlens_count?: Int32Array<ArrayBuffer>;
  readonly max_seqlen?: Int32Array<ArrayBuffer>;
  readonly window_lengths: Int32Array<ArrayBuffer>;
  readonly filler: Uint8Array<ArrayBuffer>;
  readonly fields: Readonly<Record<string, FieldArray<ArrayBuffer>>>;
  readonly contextLength: number;
}

export interface RawFlat {
  readonly plan: RawPlan;
  readonly tokens: Int32Array<ArrayBuffer>;
  readonly positions: Int32Array<ArrayBuffer>;
  readonly loss_mask: Uint8Array<ArrayBuffer>;
  readonly fields: Readonly<Record<string, FieldArray<ArrayBuffer>>>;
  readonly window_lengths: Int32Array<ArrayBuffer>;
}

export interface RawFlatIn {
  readonly plan: RawPlanIn;
  readonly tokens: Int32Array;
  readonly positions: Int32Array;
  readonly loss_mask: Uint8Array;
  readonly fields: readonly RawField[];
  readonly window_lengths: Int32Array;
}

export interface RawHistogram {
  readonly lengths: Uint32Array;
  readonly counts: Float64Array;
}

export interface RawLengthGroups {
  readonly order: Uint32Array<ArrayBuffer>;
  readonly batch_offsets: Uint32Array<ArrayBuffer>;
  readonly padded_lengths: Uint32Array<ArrayBuffer>;
  readonly position: Uint32Array<ArrayBuffer>;
  readonly realTokens: number;
  readonly paddedTokens: number;
  readonly emptyDocuments: number;
}

export interface RawBlockMask {
  readonly queryBlocks: number;
  readonly keyBlocks: number;
  readonly kv_num_blocks: Int32Array<ArrayBuffer>;
  readonly kv_indices: Int32Array<ArrayBuffer>;
  readonly full_kv_num_blocks: Int32Array<ArrayBuffer>;
  readonly full_kv_indices: Int32Array<ArrayBuffer>;
}

type Prefixes = Uint32Array | undefined;
type DenseMask<T> = (plan: RawPlanIn, options: RawOptions, prefixes: Prefixes, range: RawRange) => Answer<T>;

/** Something that lives in the module until it is closed. */
export type Handle = number;

export interface RawFieldView {
  readonly firstWindow: number;
  readonly cellPx: number;
  readonly windowsPerCell: number;
  readonly theme: string;
}
export interface RawRowsView {
  readonly windows: RawRange;
  readonly positions: RawRange;
  readonly theme: string;
}
export interface RawMaskView {
  readonly window: number;
  readonly queries: RawRange;
  readonly keys: RawRange;
  readonly block?: readonly [queries: number, keys: number] | undefined;
  readonly theme: string;
}
type Image = Uint8Array | Uint8ClampedArray;

export interface RawPalette {
  readonly documents: readonly Uint8Array<ArrayBuffer>[];
  readonly inks: readonly Uint8Array<ArrayBuffer>[];
  readonly documentMean: Uint8Array<ArrayBuffer>;
  readonly page: Uint8Array<ArrayBuffer>;
  readonly padding: Uint8Array<ArrayBuffer>;
  readonly hatch: Uint8Array<ArrayBuffer>;
  readonly blocked: Uint8Array<ArrayBuffer>;
  readonly boundary: Uint8Array<ArrayBuffer>;
  readonly leak: Uint8Array<ArrayBuffer>;
  readonly waste: readonly Uint8Array<ArrayBuffer>[];
}

export interface RawTrace {
  readonly kinds: readonly string[];
  readonly kind: Uint8Array<ArrayBuffer>;
  readonly document: Uint32Array<ArrayBuffer>;
  readonly documentOffset: Uint32Array<ArrayBuffer>;
  readonly length: Uint32Array<ArrayBuffer>;
  readonly window: Uint32Array<ArrayBuffer>;
  readonly room: Uint32Array<ArrayBuffer>;
  readonly candidates: Uint32Array<ArrayBuffer>;
  readonly fitting: Uint32Array<ArrayBuffer>;
  readonly complete: boolean;
  readonly plan_windows: Uint32Array<ArrayBuffer>;
  readonly fillerWindows: number;
}

export interface RawModule {
  describe(): { readonly options: readonly RawOptionInfo[]; readonly algorithms: readonly RawAlgorithmInfo[] };
  checkOptions(options: RawOptions): Answer<RawOptionTexts>;
  pack(options: RawOptions, documents: RawDocuments): Answer<RawPlan>;
  trace(options: RawOptions, documents: RawDocuments, maxSteps: number): Answer<{ plan: RawPlan; trace: RawTrace }>;
  findDuplicates(corpus: RawCorpus): Uint8Array;
  fingerprint(plan: RawPlanIn): Answer<string>;
  stats(plan: RawPlanIn, documents: RawDocuments): Answer<RawStats>;
  statsOfCorpus(plan: RawPlanIn, corpus: RawCorpus): Answer<RawStats>;
  validate(plan: RawPlanIn, documents: RawDocuments): Answer<undefined>;
  fates(
    plan: RawPlanIn,
    documents: RawDocuments,
  ): Answer<readonly { document: number; fate: string; tokens_dropped: number }[]>;
  materialize(
    plan: RawPlanIn,
    excerpt: RawCorpus,
    range: RawRange,
    arrays: readonly string[],
    wide: boolean,
  ): Answer<RawBatch>;
  planArrays(plan: RawPlanIn, range: RawRange, arrays: readonly string[], wide: boolean): Answer<RawBatch>;
  exactFromHistogram(options: RawOptions): Answer<boolean>;
  packHistogram(options: RawOptions, histogram: RawHistogram): Answer<{ ledger: RawLedger; stats: RawStats }>;
  drawLengths(histogram: RawHistogram, size: number, seed: number): Uint32Array;
  estimateHistogram(
    options: RawOptions,
    histogram: RawHistogram,
    drawn: Uint32Array,
  ): Answer<{ ledger: RawLedger; stats: RawStats }>;
  groupByLength(lengths: Uint32Array, maxTokens: number, maxRows: number, padTo: number): Answer<RawLengthGroups>;
  packFlat(options: RawOptions, corpus: RawCorpus): Answer<RawFlat>;
  toTraining(flat: RawFlatIn, wide: boolean): Answer<RawBatch>;
  buildIntraDocumentMask(docIds: Int32Array): Answer<Float32Array<ArrayBuffer>>;
  attends(
    plan: RawPlanIn,
    options: RawOptions,
    prefixes: Prefixes,
    window: number,
    query: number,
    key: number,
  ): Answer<boolean>;
  keyIntervals(
    plan: RawPlanIn,
    options: RawOptions,
    prefixes: Prefixes,
    window: number,
  ): Answer<{ begin: Uint32Array<ArrayBuffer>; end: Uint32Array<ArrayBuffer> }>;
  booleanMask: DenseMask<Uint8Array<ArrayBuffer>>;
  packedMask: DenseMask<Uint8Array<ArrayBuffer>>;
  additiveMask: DenseMask<Float32Array<ArrayBuffer>>;
  additiveMaskF16: DenseMask<Uint16Array<ArrayBuffer>>;
  additiveMaskBf16: DenseMask<Uint16Array<ArrayBuffer>>;
  blockMask(
    plan: RawPlanIn,
    options: RawOptions,
    prefixes: Prefixes,
    range: RawRange,
    queries: number,
    keys: number,
  ): Answer<RawBlockMask>;
  countBlocks(
    plan: RawPlanIn,
    options: RawOptions,
    prefixes: Prefixes,
    range: RawRange,
    queries: number,
    keys: number,
  ): Answer<{ full: number; partial: number; skipped: number }>;
  openStream(options: RawOptions, sourceNames: readonly string[] | undefined): Answer<Handle>;
  pushDocuments(stream: Handle, documents: RawDocuments): Answer<undefined>;
  plannedEnds(stream: Handle, lengths: Uint32Array): Uint32Array;
  takeClosed(stream: Handle): RawWindows<ArrayBuffer>;
  finishStream(stream: Handle): RawPlan;
  closeStream(stream: Handle): void;
  openDrawing(plan: RawPlanIn): Answer<Handle>;
  drawField(drawing: Handle, view: RawFieldView, width: number, height: number, target: Image): Answer<undefined>;
  drawRows(drawing: Handle, view: RawRowsView, width: number, height: number, target: Image): Answer<undefined>;
  drawMask(
    drawing: Handle,
    view: RawMaskView,
    options: RawOptions,
    prefixes: Prefixes,
    width: number,
    height: number,
    target: Image,
  ): Answer<undefined>;
  fieldHit(drawing: Handle, view: RawFieldView, width: number, x: number, y: number): number | undefined;
  rowsHit(
    drawing: Handle,
    view: RawRowsView,
    width: number,
    height: number,
    x: number,
    y: number,
  ): { window: number; position: number; segment?: number } | undefined;
  maskHit(
    drawing: Handle,
    view: RawMaskView,
    width: number,
    height: number,
    x: number,
    y: number,
  ): { query: number; key: number } | undefined;
  waste(drawing: Handle, range: RawRange): { padding: number; worst: number; worstWindow: number };
  closeDrawing(drawing: Handle): void;
  fitField(windows: number, width: number, height: number, maxCellPx: number): Omit<RawFieldView, 'theme'>;
  documentColor(window: number, index: number): number;
  palette(view: { theme: string }): RawPalette;
}
