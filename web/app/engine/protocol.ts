// SPDX-License-Identifier: MIT
// What the page asks of its worker: one type for the calls, and the records that go over.
import type {
  AlgorithmInfo,
  AlgorithmName,
  Ledger,
  MaskOptions,
  OptionInfo,
  PackOptions,
  Palette,
  Stats,
  Theme,
  Trace,
} from 'packscope/slim';

import type { Column } from '../../read/columns.js';
import type { Remedy } from '../../read/problem.js';
import type { Reading } from '../../read/reading.js';
import type { WindowTokens } from '../data/data-set.js';
import type { ExampleName } from '../data/examples.js';
import type { WindowRange } from '../data/folder.js';
import type { Coloring, Order } from '../state/model.js';
import type { Wanted } from '../text/find.js';

export interface Description {
  readonly algorithms: readonly AlgorithmInfo[];
  readonly options: readonly OptionInfo[];
  readonly palettes: Readonly<Record<Theme, Palette>>;
}

export type DataSource =
  | { readonly example: ExampleName }
  | { readonly files: readonly File[]; readonly reading: Reading }
  /** A packed folder below an address, or some windows of it. */
  | { readonly folder: string; readonly windows: WindowRange | undefined };

export interface DataSummary {
  readonly title: string;
  readonly documents: number;
  readonly tokens: number;
  readonly longest: number;
  readonly median: number;
  readonly hasText: boolean;
  /** A folder that tokens can be read of, a window at a time. */
  readonly keepsTokens: boolean;
  /** How text became tokens. */
  readonly tokenizer: string | undefined;
  /** What the files have to choose from, and what of it was read. */
  readonly columns: readonly Column[];
  readonly chosen: readonly string[];
  readonly sourceColumn: string | undefined;
  readonly sourceNames: readonly string[];
  /** Whether documents with the same content are known. */
  readonly knowsDuplicates: boolean;
  readonly notes: readonly string[];
  /** The share that was read, where reading was stopped. */
  readonly readShare: number | undefined;
  /** Options of a plan that was read, to be shown as it is. */
  readonly planOptions: PackOptions | undefined;
  readonly histogram: LengthHistogram;
}

/** Documents by length, on a logarithmic scale with four steps to a doubling. */
export interface LengthHistogram {
  /** Where the steps begin, ascending; the last entry ends the last step. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

export interface PlanSummary {
  readonly options: PackOptions;
  readonly stats: Stats;
  readonly ledger: Ledger;
  readonly fingerprint: string;
  /** Documents longer than the window, before separators. */
  readonly longDocuments: number;
  /** Windows if no two documents shared one: one each, and as many as it takes for one that is split. */
  readonly windowsApart: number;
  readonly milliseconds: number;
}

/** What one algorithm gives on the same data. */
export interface Outcome {
  readonly algorithm: AlgorithmName;
  readonly contextLength: number;
  readonly stats: Stats;
  readonly ledger: Ledger;
  /** Drawn from a histogram and scaled up. */
  readonly estimated: boolean;
  readonly milliseconds: number;
}

export interface SegmentInfo {
  readonly document: number;
  /** First position in the window. */
  readonly begin: number;
  readonly length: number;
  /** Where the segment begins in its document. */
  readonly offset: number;
  readonly documentLength: number;
  /** Index of its colour in the palette. */
  readonly color: number;
  /** Index of the name of its document's source, where documents have any. */
  readonly source?: number | undefined;
}

export interface WindowInfo {
  readonly window: number;
  /** Its place in the chosen order. */
  readonly row: number;
  readonly used: number;
  readonly segments: readonly SegmentInfo[];
  /** cu_seqlens of the window, the padding tail included. */
  readonly boundaries: readonly number[];
  readonly texts: readonly string[] | undefined;
  /** The token at each position, once they are read of a folder that holds them. */
  readonly ids?: Int32Array;
}

export interface BlockShare {
  readonly full: number;
  readonly partial: number;
  readonly skipped: number;
}

/** What attention over a plan costs, and how evenly windows share it. */
export interface AttentionCost {
  /** Of all blocks of the mask, those that a kernel skips. */
  readonly skippedShare: number;
  /** Attention pairs of the busiest window, over those of a window on average. */
  readonly busiest: number;
  /** Of the time that ranks spend on attention, the share in which they do not wait for the busiest. */
  readonly balance: number;
  /** Of the first documents alone, because there are very many. */
  readonly estimated: boolean;
}

/** One plan of those that are compared: a few of its windows as a picture, and its attention. */
export interface PlanLook extends Frame {
  readonly attention: AttentionCost;
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface RowsFrame extends PixelSize {
  /** Rows from top to bottom, [first, last), fractions allowed. */
  readonly rows: readonly [number, number];
  readonly positions: readonly [number, number];
  readonly theme: Theme;
  readonly colorBy: Coloring;
  /** Tiles at least this wide, in pixels, come with their document's number; 0 for none. */
  readonly labelWidth: number;
}

/** A document's number, and its text where there is any, to write on its tile. */
export interface TileLabel {
  readonly text: string;
  readonly row: number;
  readonly position: number;
  /** Positions of the tile from there on. */
  readonly room: number;
  /** Colour of the text. */
  readonly ink: string;
}

export interface Frame extends PixelSize {
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  readonly labels: readonly TileLabel[];
}

/** A mask as the page asks for it: prefixes, where it has them, are a share of each document. */
export interface MaskChoice extends MaskOptions {
  readonly prefixPercent?: number;
}

/** Positions in a block of a mask: of queries and keys, or of queries and of keys. */
export type Block = number | readonly [queries: number, keys: number];

export interface MaskFrame extends PixelSize {
  readonly window: number;
  readonly theme: Theme;
  readonly options: MaskChoice;
  readonly block: Block;
}

/** A square of the field, in device pixels. */
export interface FieldCell {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

export interface Place {
  readonly window: number;
  readonly row: number;
  readonly position: number;
  /** Undefined on padding. */
  readonly segment: (SegmentInfo & { readonly index: number }) | undefined;
}

/** What stands at each position of a window, padding included. */
export interface Lanes {
  readonly position_ids: Int32Array;
  readonly loss_mask: Uint8Array;
}

/** Every decision on the first documents. */
export interface StepData {
  readonly trace: Trace;
  /** For each step that places a segment, the index of its colour in the palette. */
  readonly colors: Uint8Array;
  /** Of the documents that were traced. */
  readonly lengths: Uint32Array;
  readonly options: PackOptions;
}

/** A window as a line of a table. */
export interface WindowRow {
  readonly window: number;
  readonly documents: number;
  readonly used: number;
  readonly padding: number;
}

export interface LengthRange {
  readonly least: number;
  readonly most: number;
}

/** Which windows are on show. */
export interface WindowFilter {
  /** Those with a document of these lengths, which are lit in them. */
  readonly lengths?: LengthRange | undefined;
  /** Those with more padding than this, in percent. */
  readonly paddingOver?: number | undefined;
}

/** Plans of the same documents, to be seen side by side. */
export interface ComparedPlans {
  /** Of each plan. */
  readonly windows: readonly number[];
  readonly documents: number;
  /** They are the first of more documents: so many plans of all would not fit in memory. */
  readonly partly: boolean;
}

/** A piece of a document in one of the plans that are compared. */
export interface ComparedTile {
  readonly document: number;
  readonly window: number;
  readonly begin: number;
  readonly length: number;
}

export type ExportKind = 'windows-csv' | 'documents-csv' | 'npz' | 'arrow' | 'json' | 'svg';

export interface ExportWish {
  readonly kind: ExportKind;
  /** [first, last) of npz and Arrow, by number in the plan; of svg, rows as shown. */
  readonly range: readonly [number, number];
  /** Of svg, and its size in CSS pixels. */
  readonly theme: Theme;
  readonly colorBy: Coloring;
  readonly width: number;
  readonly rowHeight: number;
}

export interface ExportedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Service {
  describe(): Description;
  /** Tells its Progress. A newer call ends an older one. */
  load(source: DataSource): DataSummary;
  /** Ends reading: with what was read so far, or with nothing. */
  stopReading(how: 'keep' | 'cancel'): void;
  /** All lengths, where they are few enough for a link. */
  fewLengths(): Uint32Array | undefined;
  /** A file of the plan on show. */
  exportFile(wish: ExportWish): ExportedFile;
  plan(options: PackOptions, order: Order): PlanSummary;
  /** Shows some windows only, in later plans too, and says how many. */
  filter(filter: WindowFilter): number;
  /** Undefined where a newer question ended it. */
  blocks(options: MaskChoice, block: Block): BlockShare | undefined;
  window(window: number): WindowInfo;
  /** Reads the tokens of a window of a packed folder; undefined where there are none, or another plan is on show. */
  windowTokens(window: number): WindowTokens | undefined;
  windowAt(row: number): number;
  windowBlocks(window: number, options: MaskChoice, block: Block): BlockShare;
  drawRows(frame: RowsFrame): Frame;
  drawMinimap(size: PixelSize, theme: Theme): Frame;
  /** A cell for each window. */
  drawField(size: PixelSize, theme: Theme): Frame;
  /** The window at a pixel of that picture. */
  fieldAt(size: PixelSize, x: number, y: number): WindowRow | undefined;
  /** Where the cell of a row stands in it. */
  fieldCell(size: PixelSize, row: number): FieldCell | undefined;
  drawMask(frame: MaskFrame): Frame;
  attends(window: number, query: number, key: number, options: MaskChoice): boolean;
  placeAt(row: number, position: number): Place | undefined;
  findDocument(document: number): Place | undefined;
  /** The next place, from the selected one on, in the order on show. */
  find(
    wanted: Wanted,
    from: { readonly window: number; readonly segment: number },
    backwards: boolean,
  ): Place | undefined;
  /** The first promise that the plan breaks; undefined where it keeps all, `part` where not all of it is here. */
  validate(): string | undefined;
  lanes(window: number): Lanes;
  /** Rows of the chosen order. */
  windowRows(first: number, count: number): WindowRow[];
  /** Each algorithm on each length, told through `progress` as it is ready. */
  outcomes(options: PackOptions, contextLengths: readonly number[]): Outcome[];
  /** Packs with each algorithm, to be drawn side by side. */
  compareOpen(options: PackOptions, algorithms: readonly AlgorithmName[]): ComparedPlans;
  /** Rows [top, bottom) of one of them. */
  compareDraw(which: number, top: number, bottom: number, size: PixelSize, theme: Theme): Frame | undefined;
  /** For the document at a position of one of them, its places in each. */
  compareAt(which: number, window: number, position: number): ComparedTile[][] | undefined;
  /** Packs the first documents on their own, with every decision. */
  steps(options: PackOptions, documents: number): StepData;
  /** A plan of its own: windows from its middle as a picture, and what its attention costs. */
  planLook(options: PackOptions, mask: MaskChoice, windows: number, size: PixelSize, theme: Theme): PlanLook;
}

export type Method = keyof Service;

/** The first message to a worker: where its engine comes from. */
export type EngineSource = { readonly module: WebAssembly.Module } | { readonly url: string };

export interface Request {
  readonly id: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}

/** An error as it goes over: what, and what can be done about it. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly remedy: string | undefined;
  readonly remedies: readonly Remedy[];
  readonly command: string | undefined;
}

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly progress: unknown }
  | {
      readonly id: number;
      readonly error: Failure;
    };
