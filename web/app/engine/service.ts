// SPDX-License-Identifier: MIT
// What the worker does for the page: it holds the documents and the plan, and answers with numbers and pictures only.
import type {
  AlgorithmName,
  Documents,
  Drawing,
  Histogram,
  MaskOptions,
  PackOptions,
  Packscope,
  Palette,
  Picture,
  Plan,
  Theme,
  View,
} from 'packscope/slim';
import { DataError } from '../../read/problem.js';
import type { Progress, Watch } from '../../read/reading.js';
import type { DataSet, WindowTokens } from '../data/data-set.js';
import { examples } from '../data/examples.js';
import type { Coloring, Order } from '../state/model.js';
import type { Wanted } from '../text/find.js';
import type { Comparison } from './comparison.js';
import { addedBefore, contentOf, documentsFor, firstDocuments, isMadeWith } from './documents.js';
import { cellOfRow, fieldGrid, fieldView, rowAtCell } from './field.js';
import { nextSegment, rowOfSegment } from './find.js';
import {
  countLengths,
  documentsAbove,
  type LengthCounts,
  lengthHistogram,
  medianOf,
  windowsApart,
} from './histogram.js';
import { arrangedPlan, filteredOrder, windowOrder } from './order.js';
import type {
  Block,
  BlockShare,
  ComparedPlans,
  ComparedTile,
  DataSource,
  DataSummary,
  Description,
  ExportedFile,
  ExportWish,
  FieldCell,
  Frame,
  Lanes,
  MaskChoice,
  MaskFrame,
  Outcome,
  PixelSize,
  Place,
  PlanLook,
  PlanSummary,
  RowsFrame,
  SegmentInfo,
  Service,
  StepData,
  WindowFilter,
  WindowInfo,
  WindowRow,
} from './protocol.js';
import type { Look } from './recolor.js';

/** The methods of `T`, allowed to take their time. */
type Awaitable<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => R | Promise<R> : never;
};

const noRow = 0xffffffff;

/** The plan on show. */
interface Shown {
  readonly plan: Plan;
  /** The window of each row. */
  readonly order: Uint32Array;
  /** The row of each window; `noRow` for one that the filter hides. */
  readonly rows: Uint32Array;
  /** The plan with its windows in that order, those that the filter leaves. */
  readonly arranged: Plan;
  readonly drawing: Drawing;
}

/** Documents, and how many there are of each length. */
interface Held {
  readonly data: DataSet;
  readonly counts: LengthCounts;
}

/** A plan and what is told of it. */
interface Packed extends PlanSummary {
  readonly plan: Plan;
}

/** More would make a link too long. */
const mostLinkedLengths = 2000;

/** Above this many documents algorithms are compared by histogram, and only the first so many are seen side by side. */
const mostComparedDocuments = 1_000_000;
/** Of so many, their first ones stand for all in the table of plans. */
const mostLookedAtDocuments = 200_000;

/** Work in the background rests until so long after the last picture: another one may be wanted next. */
const restMs = 100;

const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

export class PackingService implements Awaitable<Service> {
  readonly #packscope: Packscope;
  #held: Held = {
    data: { title: '', lengths: new Uint32Array() },
    counts: { lengths: new Uint32Array(), counts: new Uint32Array() },
  };
  /** What was loaded last, until there is a plan of it. */
  #loaded: Held | undefined;
  #shown: Shown | undefined;
  #prefixes: { readonly percent: number; readonly of: DataSet; readonly lengths: Uint32Array } | undefined;
  #order: Order = 'plan';
  #filter: WindowFilter = {};
  #comparison: Comparison | undefined;
  #stop: { how: 'keep' | 'cancel' | undefined } | undefined;
  #outcomesAsked = 0;
  #blocksAsked = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #last: { readonly data: DataSet; readonly key: string; readonly packed: Packed } | undefined;
  readonly #palettes = new Map<Theme, Palette>();

  constructor(packscope: Packscope) {
    this.#packscope = packscope;
  }

  describe(): Description {
    const { algorithms, options, palette } = this.#packscope;
    return {
      algorithms: algorithms(),
      options: options(),
      palettes: { light: palette('light'), dark: palette('dark') },
    };
  }

  async load(source: DataSource, progress?: (progress: Progress) => void): Promise<DataSummary> {
    this.stopReading('cancel');
    const stop: { how: 'keep' | 'cancel' | undefined } = { how: undefined };
    this.#stop = stop;
    const data = await dataOf(source, { tell: (told) => progress?.(told), stopped: () => stop.how });
    // Of documents that are not here no length is known, and none counts.
    const counts = countLengths(data.isPart ? data.lengths.filter((length) => length > 0) : data.lengths);
    this.#loaded = { data, counts };
    return summaryOf(data, counts);
  }

  stopReading(how: 'keep' | 'cancel'): void {
    if (this.#stop) this.#stop.how = how;
  }

  fewLengths(): Uint32Array | undefined {
    const { lengths } = this.#data;
    return lengths.length <= mostLinkedLengths ? lengths : undefined;
  }

  // Where new documents cannot be packed, those that were there stay, with their plan.
  plan(options: PackOptions, order: Order): PlanSummary {
    const [held, filter] = [this.#held, this.#filter];
    if (this.#loaded !== undefined) [this.#held, this.#filter] = [this.#loaded, {}];
    try {
      const { plan, ...summary } = this.#packed(options);
      this.#show(plan, order);
      this.#loaded = undefined;
      return summary;
    } catch (error) {
      if (this.#shown !== undefined) [this.#held, this.#filter, this.#loaded] = [held, filter, undefined];
      throw error;
    }
  }

  get #data(): DataSet {
    return this.#held.data;
  }

  // Another order of the same plan is not packed anew.
  #packed(options: PackOptions): Packed {
    const { data, counts } = this.#held;
    const key = JSON.stringify(options);
    if (this.#last?.data === data && this.#last.key === key) return this.#last.packed;
    const begin = performance.now();
    const documents = documentsFor(data, options);
    const plan = data.plan && isMadeWith(data.plan, options) ? data.plan : this.#packscope.pack(documents, options);
    const milliseconds = performance.now() - begin;
    const stats = this.#packscope.stats(plan, documents);
    const { ledger, fingerprint } = plan;
    const longDocuments = documentsAbove(counts, plan.options.contextLength);
    const apart = windowsApart(counts, plan.options.contextLength, ledger);
    const packed = { plan, options, stats, ledger, fingerprint, longDocuments, windowsApart: apart, milliseconds };
    this.#last = { data, key, packed };
    return packed;
  }

  filter(filter: WindowFilter): number {
    this.#filter = filter;
    const { plan } = this.#current();
    this.#show(plan, this.#order);
    return this.#current().order.length;
  }

  #show(plan: Plan, order: Order): void {
    const windows = filteredOrder(plan, windowOrder(plan, order), this.#data.lengths, this.#filter);
    const rows = new Uint32Array(plan.window_offsets.length - 1).fill(noRow);
    windows.forEach((window, row) => {
      rows[window] = row;
    });
    const asPlanned = order === 'plan' && windows.length === rows.length;
    const arranged = asPlanned ? plan : arrangedPlan(plan, windows);
    // The old drawing stays until the new one stands: opening it may run out of memory.
    const drawing = this.#packscope.createDrawing(arranged);
    this.#shown?.drawing.dispose();
    this.#shown = { plan, order: windows, rows, arranged, drawing };
    this.#order = order;
  }

  #current(): Shown {
    if (this.#shown) return this.#shown;
    throw new DataError('There is no plan yet. Load documents first.');
  }

  async blocks(choice: MaskChoice, block: Block): Promise<BlockShare | undefined> {
    const { blockShare } = await import('./attention.js');
    this.#blocksAsked += 1;
    const mine = this.#blocksAsked;
    const { plan } = this.#current();
    return blockShare(this.#packscope, plan, this.#maskOptions(choice), block, async () => {
      await this.#rest();
      return mine === this.#blocksAsked;
    });
  }

  async #rest(): Promise<void> {
    do await pause();
    while (performance.now() - this.#drawnAt < restMs);
  }

  // Each prefix is a share of its document: the data carries none of its own.
  #maskOptions({ prefixPercent, ...options }: MaskChoice): MaskOptions {
    if (prefixPercent === undefined) return options;
    if (this.#prefixes?.percent !== prefixPercent || this.#prefixes.of !== this.#data) {
      const lengths = this.#data.lengths.map((length) => Math.round((length * prefixPercent) / 100));
      this.#prefixes = { percent: prefixPercent, of: this.#data, lengths };
    }
    return { ...options, prefixLengths: this.#prefixes.lengths };
  }

  windowBlocks(window: number, choice: MaskChoice, block: Block): BlockShare {
    return this.#packscope.countBlocks(this.#current().plan, { ...this.#maskOptions(choice), block, windows: window });
  }

  window(window: number): WindowInfo {
    const { plan, rows, order } = this.#current();
    const shown = this.#nearest(window);
    const row = rows[shown] ?? 0;
    const segments = order.length === 0 ? [] : this.#segments(row);
    const data = this.#data;
    const hasContent = data.texts !== undefined || data.ids !== undefined;
    const boundaries = order.length === 0 ? [] : [...this.#packscope.cuSeqlens(plan, { windows: shown }).cu_seqlens];
    return {
      window: shown,
      row,
      segments,
      boundaries,
      used: segments.reduce((sum, { length }) => sum + length, 0),
      texts: hasContent ? segments.map((segment) => contentOf(data, segment, addedBefore(plan)) ?? '') : undefined,
    };
  }

  async windowTokens(window: number): Promise<WindowTokens | undefined> {
    const { plan, rows } = this.#current();
    return plan === this.#data.plan ? this.#data.windowTokens?.(window, this.#segments(rows[window] ?? 0)) : undefined;
  }

  // The window itself, or where there is none, or the filter hides it, the one on show that is next to it.
  #nearest(window: number): number {
    const { rows, order } = this.#current();
    const inside = Math.min(window, Math.max(rows.length - 1, 0));
    if (order.length === 0 || rows[inside] !== noRow) return inside;
    return order.reduce((best, one) => (Math.abs(one - inside) < Math.abs(best - inside) ? one : best));
  }

  windowAt(row: number): number {
    const { order } = this.#current();
    return order[Math.min(Math.max(row, 0), order.length - 1)] ?? 0;
  }

  #segments(row: number, withColors = true): SegmentInfo[] {
    const { arranged } = this.#current();
    const from = arranged.window_offsets[row] as number;
    const to = arranged.window_offsets[row + 1] as number;
    const multiple = arranged.options.documentMultiple;
    const segments: SegmentInfo[] = [];
    let begin = 0;
    for (let i = from; i < to; i += 1) {
      const document = arranged.segment_document[i] as number;
      const length = arranged.segment_length[i] as number;
      const offset = arranged.segment_offset[i] as number;
      const documentLength = this.#data.lengths[document] as number;
      const color = withColors ? this.#packscope.documentColor(row, i - from) : 0;
      const source = this.#data.sources?.indices[document];
      segments.push({ document, begin, length, offset, documentLength, color, source });
      begin += Math.ceil(length / multiple) * multiple;
    }
    return segments;
  }

  async drawRows({ rows, positions, theme, colorBy, labelWidth, width, height }: RowsFrame): Promise<Frame> {
    const view = { kind: 'rows', windows: rows, positions, theme } as const;
    const plain = colorBy === 'document' && this.#filter.lengths === undefined && labelWidth === 0;
    // The page's first picture is plain, and waits for nothing.
    const decorated = plain ? undefined : await import('./decorated.js');
    const { data: pixels } = this.#draw(view, width, height);
    const frame = { width, height, pixels, labels: [] };
    if (decorated === undefined) return frame;
    const { order, arranged } = this.#current();
    const segmentsOf = (row: number, withColors: boolean) => this.#segments(row, withColors);
    const textOf = (segment: SegmentInfo) => contentOf(this.#data, segment, addedBefore(arranged));
    const seen = { rows, positions, segmentsOf, textOf, rowCount: order.length };
    return decorated.decorated(frame, seen, this.#look(theme, colorBy), labelWidth);
  }

  #look(theme: Theme, colorBy: Coloring): Look {
    const { contextLength, longDocuments } = this.#current().plan.options;
    const truncates = longDocuments === 'truncate' || longDocuments === 'truncate_left';
    const palette = this.#palette(theme);
    return { colorBy, theme, palette, contextLength, truncates, highlight: this.#filter.lengths };
  }

  #palette(theme: Theme): Palette {
    const known = this.#palettes.get(theme) ?? this.#packscope.palette(theme);
    this.#palettes.set(theme, known);
    return known;
  }

  drawMinimap({ height }: PixelSize, theme: Theme): Frame {
    const { order } = this.#current();
    const windowsPerCell = Math.max(Math.ceil(order.length / height), 1);
    const used = Math.max(Math.ceil(order.length / windowsPerCell), 1);
    const picture = this.#draw({ kind: 'field', cellPx: 1, windowsPerCell, theme }, 1, used);
    return { width: 1, height: used, pixels: picture.data, labels: [] };
  }

  drawField({ width, height }: PixelSize, theme: Theme): Frame {
    const grid = fieldGrid(this.#current().order.length, width, height);
    const picture = this.#draw({ ...fieldView(grid), theme }, width, height);
    return { width, height, pixels: picture.data, labels: [] };
  }

  fieldAt({ width, height }: PixelSize, x: number, y: number): WindowRow | undefined {
    const { order } = this.#current();
    const row = rowAtCell(fieldGrid(order.length, width, height), x, y);
    return row === undefined ? undefined : this.windowRows(row, 1)[0];
  }

  fieldCell({ width, height }: PixelSize, row: number): FieldCell | undefined {
    const { order } = this.#current();
    return row < order.length ? cellOfRow(fieldGrid(order.length, width, height), row) : undefined;
  }

  // An engine that ran out of memory has lost its drawing; the plan is still here.
  #draw(view: View, width: number, height: number): Picture {
    const shown = this.#current();
    this.#drawnAt = performance.now();
    try {
      return shown.drawing.draw(view, width, height);
    } catch (error) {
      if ((error as { code?: string }).code !== 'engine_restarted') throw error;
      const drawing = this.#packscope.createDrawing(shown.arranged);
      this.#shown = { ...shown, drawing };
      return drawing.draw(view, width, height);
    }
  }

  drawMask({ window, theme, options, block, width, height }: MaskFrame): Frame {
    const { rows } = this.#current();
    const row = rows[this.#nearest(window)] ?? 0;
    const view = { kind: 'mask', ...this.#maskOptions(options), window: row, theme } as const;
    const picture = this.#draw(block === 0 ? view : { ...view, block }, width, height);
    return { width, height, pixels: picture.data, labels: [] };
  }

  attends(window: number, query: number, key: number, choice: MaskChoice): boolean {
    return this.#packscope.attends(this.#current().plan, window, query, key, this.#maskOptions(choice));
  }

  placeAt(row: number, position: number): Place | undefined {
    const { order } = this.#current();
    const window = order[row];
    if (window === undefined) return undefined;
    const segments = this.#segments(row);
    const index = segments.findLastIndex(({ begin }) => begin <= position);
    const segment = segments[index];
    const inside = segment !== undefined && position < segment.begin + segment.length;
    return { window, row, position, segment: inside ? { ...segment, index } : undefined };
  }

  find(wanted: Wanted, from: { window: number; segment: number }, backwards: boolean): Place | undefined {
    const { arranged, order, rows } = this.#current();
    if (wanted.kind === 'window') {
      const row = rows[wanted.window] ?? noRow;
      return row === noRow ? undefined : { window: wanted.window, row, position: 0, segment: undefined };
    }
    if (order.length === 0) return undefined;
    const begin = arranged.window_offsets[rows[this.#nearest(from.window)] as number] as number;
    // Without a chosen segment the search begins at the window's first one, or before it.
    const segment = backwards ? Math.max(from.segment, 0) : from.segment;
    const at = nextSegment(arranged, this.#data.lengths, wanted, begin + segment, backwards);
    return at === undefined ? undefined : this.#placeOf(at);
  }

  findDocument(document: number): Place | undefined {
    const { arranged } = this.#current();
    const at = arranged.segment_document.indexOf(document);
    return at < 0 ? undefined : this.#placeOf(at);
  }

  // Of the segment at an index of all those on show.
  #placeOf(at: number): Place {
    const { arranged, order } = this.#current();
    const row = rowOfSegment(arranged.window_offsets, at);
    const index = at - (arranged.window_offsets[row] as number);
    const segment = this.#segments(row)[index] as SegmentInfo;
    return { window: order[row] as number, row, position: segment.begin, segment: { ...segment, index } };
  }

  async exportFile(wish: ExportWish): Promise<ExportedFile> {
    const { makeFile } = await import('./exports.js');
    const { plan, arranged } = this.#current();
    const segmentsOf = (row: number) => this.#segments(row);
    const look = this.#look(wish.theme, wish.colorBy);
    return makeFile(wish, { plan, arranged, segmentsOf, look, data: this.#data, packscope: this.#packscope });
  }

  // Gives way after each plan, so that pictures and newer settings come first.
  async outcomes(
    options: PackOptions,
    contextLengths: readonly number[],
    progress?: (outcome: Outcome) => void,
  ): Promise<Outcome[]> {
    this.#outcomesAsked += 1;
    const mine = this.#outcomesAsked;
    const documents = this.#comparable(options);
    const done: Outcome[] = [];
    const algorithms: AlgorithmName[] = this.#packscope.algorithms().map(({ name }) => name);
    for (const contextLength of contextLengths) {
      for (const algorithm of algorithms) {
        await this.#rest();
        if (mine !== this.#outcomesAsked) return done;
        const [outcome] = this.#packscope.compare(documents, {
          ...options,
          algorithms: [algorithm],
          contextLengths: [contextLength],
        });
        if (outcome === undefined) continue;
        done.push(outcome);
        progress?.(outcome);
      }
    }
    return done;
  }

  // Very many documents are compared by their histogram: exact where the order does not matter, else an estimate.
  #comparable(options: PackOptions): Documents | Histogram {
    if (this.#data.lengths.length <= mostComparedDocuments) return documentsFor(this.#data, options);
    return this.#held.counts;
  }

  validate(): string | undefined {
    const { plan } = this.#current();
    if (this.#data.isPart && plan === this.#data.plan) return 'part';
    try {
      this.#packscope.validate(plan, documentsFor(this.#data, plan.options));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  lanes(window: number): Lanes {
    const { plan } = this.#current();
    const batch = this.#packscope.materialize(plan, this.#data.lengths, {
      windows: window,
      arrays: ['position_ids', 'loss_mask'],
    });
    return { position_ids: batch.position_ids, loss_mask: batch.loss_mask };
  }

  windowRows(first: number, count: number): WindowRow[] {
    const { arranged, order } = this.#current();
    const last = Math.min(first + count, order.length);
    return Array.from({ length: Math.max(last - first, 0) }, (_, index) => {
      const row = first + index;
      const segments = this.#segments(row);
      const used = segments.reduce((sum, { length }) => sum + length, 0);
      const padding = arranged.options.contextLength - used;
      return { window: order[row] as number, documents: segments.length, used, padding };
    });
  }

  async compareOpen(options: PackOptions, algorithms: readonly AlgorithmName[]): Promise<ComparedPlans> {
    const { Comparison } = await import('./comparison.js');
    this.#comparison?.dispose();
    this.#comparison = undefined;
    const partly = this.#data.lengths.length > mostComparedDocuments;
    const data = partly ? firstDocuments(this.#data, mostComparedDocuments) : this.#data;
    this.#comparison = new Comparison(this.#packscope, documentsFor(data, options), options, algorithms);
    return { windows: this.#comparison.windows, documents: data.lengths.length, partly };
  }

  compareDraw(which: number, top: number, bottom: number, size: PixelSize, theme: Theme): Frame | undefined {
    const pixels = this.#comparison?.draw(which, top, bottom, size, theme);
    return pixels && { ...size, pixels, labels: [] };
  }

  compareAt(which: number, window: number, position: number): ComparedTile[][] | undefined {
    return this.#comparison?.tilesAt(which, window, position);
  }

  async steps(options: PackOptions, documents: number): Promise<StepData> {
    const { tracedSteps } = await import('./steps.js');
    return tracedSteps(this.#packscope, this.#data, options, documents);
  }

  async planLook(
    options: PackOptions,
    mask: MaskChoice,
    windows: number,
    { width, height }: PixelSize,
    theme: Theme,
  ): Promise<PlanLook> {
    const { attentionCost } = await import('./attention.js');
    const estimated = this.#data.lengths.length > mostComparedDocuments;
    const data = estimated ? firstDocuments(this.#data, mostLookedAtDocuments) : this.#data;
    const plan = this.#packscope.pack(documentsFor(data, options), options);
    const middle = Math.max(Math.floor((plan.window_offsets.length - 1 - windows) / 2), 0);
    const view = { kind: 'rows', windows: [middle, middle + windows], theme } as const;
    const { data: pixels } = this.#packscope.render(plan, view, width, height);
    const goOn = () => pause().then(() => true);
    const cost = await attentionCost(this.#packscope, plan, this.#maskOptions(mask), goOn);
    return { width, height, pixels, labels: [], attention: { ...cost, estimated } };
  }
}

async function dataOf(source: DataSource, watch: Watch): Promise<DataSet> {
  if ('example' in source) return examples[source.example].make();
  const { readFiles, readServedFolder } = await import('../data/read.js');
  if ('folder' in source) return readServedFolder(source.folder, source.windows, watch);
  return readFiles(source.files, source.reading, watch);
}

function summaryOf(data: DataSet, lengthCounts: LengthCounts): DataSummary {
  const { title, lengths } = data;
  const tokens = lengthCounts.lengths.reduce(
    (sum, length, index) => sum + length * (lengthCounts.counts[index] as number),
    0,
  );
  return {
    title,
    tokens,
    longest: lengthCounts.lengths.at(-1) ?? 0,
    documents: lengths.length,
    median: medianOf(lengthCounts),
    hasText: data.texts !== undefined,
    keepsTokens: data.windowTokens !== undefined,
    tokenizer: data.texts && (data.tokenizer?.name ?? 'bytes'),
    columns: data.columns ?? [],
    chosen: data.chosen ?? [],
    sourceColumn: data.sourceColumn,
    sourceNames: data.sources?.names ?? [],
    knowsDuplicates: data.identities !== undefined,
    notes: data.notes ?? [],
    readShare: data.readShare,
    planOptions: data.plan?.options,
    histogram: lengthHistogram(lengthCounts),
  };
}
