// SPDX-License-Identifier: MIT
// The plan on show as files for elsewhere: CSV, JSON and SVG here, NPZ and Arrow by their own writers.
import type { Documents, Packscope, Plan } from 'packscope/slim';
import { DataError } from '../../read/problem.js';
import type { DataSet } from '../data/data-set.js';
import { count } from '../format.js';
import type { Rgb } from './colors.js';
import { addedBefore, contentOf, idsOf } from './documents.js';
import { windowFill } from './order.js';
import type { ExportedFile, ExportKind, ExportWish, SegmentInfo } from './protocol.js';
import type { Look } from './recolor.js';
import { inkOn, tileColor } from './recolor.js';

export interface Exported {
  readonly plan: Plan;
  /** The plan with its windows in the order on show. */
  readonly arranged: Plan;
  /** The tiles of a row in that order, and how they are coloured. */
  readonly segmentsOf: (row: number) => readonly SegmentInfo[];
  readonly look: Look;
  readonly data: DataSet;
  readonly packscope: Packscope;
}

type Maker = (of: Exported, wish: ExportWish) => Promise<ExportedFile>;

const makers: Readonly<Record<ExportKind, Maker>> = {
  'windows-csv': async ({ plan }) => textFile('windows.csv', 'text/csv', windowLines(plan)),
  'documents-csv': async ({ plan, data }) => textFile('documents.csv', 'text/csv', documentLines(plan, data)),
  json: async ({ plan }) => textFile('plan.json', 'application/json', planLines(plan)),
  npz: makeNpz,
  arrow: makeArrow,
  svg: async (of, wish) => textFile('windows.svg', 'image/svg+xml', svgLines(of, wish)),
};

export function makeFile(wish: ExportWish, of: Exported): Promise<ExportedFile> {
  return makers[wish.kind](of, wish);
}

const mostBufferedLines = 50_000;

// Lines are encoded some at a time: a string of all of them may be longer than strings can be.
function textFile(name: string, type: string, lines: Iterable<string>): ExportedFile {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let some: string[] = [];
  const flush = () => {
    parts.push(encoder.encode(some.join('')));
    some = [];
  };
  for (const line of lines) {
    some.push(line);
    if (some.length === mostBufferedLines) flush();
  }
  flush();
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { name, type, bytes };
}

function* windowLines(plan: Plan): Iterable<string> {
  yield 'window,documents,tokens,padding\r\n';
  for (const [window, tokens] of windowFill(plan).entries()) {
    const documents = (plan.window_offsets[window + 1] as number) - (plan.window_offsets[window] as number);
    yield `${window},${documents},${tokens},${plan.options.contextLength - tokens}\r\n`;
  }
}

// One line for each segment, and one with empty places for each document that stands in no window.
function* documentLines(plan: Plan, { lengths, sources }: DataSet): Iterable<string> {
  yield `document,document_length,window,position,offset,length${sources ? ',source' : ''}\r\n`;
  const placed = new Uint8Array(lengths.length);
  const sourceOf = (document: number) =>
    sources ? `,${quoted(sources.names[sources.indices[document] as number] ?? '')}` : '';
  const multiple = plan.options.documentMultiple;
  for (let window = 0; window + 1 < plan.window_offsets.length; window += 1) {
    let position = 0;
    for (let i = plan.window_offsets[window] as number; i < (plan.window_offsets[window + 1] as number); i += 1) {
      const document = plan.segment_document[i] as number;
      const length = plan.segment_length[i] as number;
      placed[document] = 1;
      yield `${document},${lengths[document]},${window},${position},${plan.segment_offset[i]},${length}${sourceOf(document)}\r\n`;
      position += Math.ceil(length / multiple) * multiple;
    }
  }
  for (const [document, length] of lengths.entries())
    if (placed[document] === 0) yield `${document},${length},,,,${sourceOf(document)}\r\n`;
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const planArrays = ['window_offsets', 'segment_document', 'segment_offset', 'segment_length'] as const;

function* planLines(plan: Plan): Iterable<string> {
  const { options, fingerprint, ledger } = plan;
  const plainOptions = JSON.stringify(options, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  yield `{\n"fingerprint": ${JSON.stringify(fingerprint)},\n"options": ${plainOptions},\n"ledger": ${JSON.stringify(ledger)}`;
  for (const name of planArrays) {
    yield `,\n"${name}": [`;
    for (const [index, value] of plan[name].entries()) yield index === 0 ? String(value) : `,${value}`;
    yield ']';
  }
  yield '\n}\n';
}

const mostPositions = 64_000_000;

type Batch = ReturnType<Packscope['materialize']>;

function batchOf({ plan, data, packscope }: Exported, { range }: ExportWish): Batch {
  const [first, last] = range;
  const positions = (last - first) * plan.options.contextLength;
  if (positions > mostPositions)
    throw new DataError(
      `${count(last - first)} windows are ${count(positions)} positions; this page exports up to ${count(mostPositions)}. Take fewer windows, or use the program:`,
      { command: 'packscope pack documents.jsonl -o packed' },
    );
  return packscope.materialize(plan, tokensFor(data, plan, range), { windows: [first, last] });
}

/** The arrays of some windows, with the plan of them, as numpy.load reads them. */
async function makeNpz(of: Exported, wish: ExportWish): Promise<ExportedFile> {
  const { npzBytes } = await import('./npz-export.js');
  const { contextLength } = of.plan.options;
  return arrayFile(wish, 'npz', 'application/zip', npzBytes(batchOf(of, wish), contextLength));
}

/** The same arrays as a table, a row for each window. */
async function makeArrow(of: Exported, wish: ExportWish): Promise<ExportedFile> {
  const { arrowBytes } = await import('./arrow-export.js');
  const [first, last] = wish.range;
  const { contextLength } = of.plan.options;
  const bytes = arrowBytes(batchOf(of, wish), last - first, contextLength);
  return arrayFile(wish, 'arrow', 'application/vnd.apache.arrow.stream', bytes);
}

function arrayFile({ range: [first, last] }: ExportWish, ending: string, type: string, bytes: Uint8Array<ArrayBuffer>) {
  return { name: `windows-${first}-${last}.${ending}`, type, bytes };
}

// Tokens of the documents in these windows, where they are known; else lengths, which give every array but two.
function tokensFor(data: DataSet, plan: Plan, [first, last]: readonly [number, number]): Documents {
  const { lengths, texts, tokenizer } = data;
  const idsOfText = tokenizer === undefined ? (text: string) => new TextEncoder().encode(text) : tokenizer.ids;
  const known = data.ids !== undefined || (texts !== undefined && idsOfText !== undefined);
  if (!known) return lengths;
  const none = new Uint32Array(0);
  const tokens = new Array<ArrayLike<number>>(lengths.length).fill(none);
  const end = plan.window_offsets[last] as number;
  for (let i = plan.window_offsets[first] as number; i < end; i += 1) {
    const document = plan.segment_document[i] as number;
    if ((tokens[document] as ArrayLike<number>).length > 0) continue;
    tokens[document] = idsOf(data, document) ?? idsOfText?.(texts?.[document] ?? '') ?? none;
  }
  return tokens as unknown as readonly Uint32Array[];
}

const mostTiles = 5000;
const gap = 1;
const letterWidth = 6.6;
const number = (value: number) => String(Math.round(value * 100) / 100);
const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const hex = (color: ArrayLike<number> | undefined) =>
  `#${[0, 1, 2].map((part) => (color?.[part] ?? 0).toString(16).padStart(2, '0')).join('')}`;

/** Rows as tiles with text that can be selected, in the colours on show. */
function* svgLines(
  { arranged, segmentsOf, look, data }: Exported,
  { range, width, rowHeight }: ExportWish,
): Iterable<string> {
  const [first, last] = range;
  const { window_offsets: offsets, options } = arranged;
  const tiles = (offsets[last] as number) - (offsets[first] as number);
  if (tiles > mostTiles)
    throw new DataError(
      `These ${count(last - first)} windows are ${count(tiles)} tiles; an SVG holds up to ${count(mostTiles)}. Take fewer windows, or a PNG.`,
    );
  const { palette, theme, colorBy } = look;
  const height = (last - first) * rowHeight;
  const scale = width / options.contextLength;
  const ink = theme === 'dark' ? '#e9edf3' : '#12171f';
  yield `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11" fill="${ink}">\n`;
  yield `<title>Packed windows ${first} to ${last - 1}, coloured by ${colorBy}</title>\n<rect width="${width}" height="${height}" fill="${hex(palette.page)}"/>\n`;
  yield `<pattern id="padding" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="${hex(palette.padding)}"/><path d="M-1 7L7 -1" stroke="${hex(palette.hatch)}"/></pattern>\n`;
  for (let row = first; row < last; row += 1) {
    const y = (row - first) * rowHeight;
    yield `<rect y="${number(y)}" width="${width}" height="${number(rowHeight - gap)}" fill="url(#padding)"/>\n`;
    for (const segment of segmentsOf(row)) {
      const across = Math.max(segment.length * scale - gap, 0.5);
      const place = { x: segment.begin * scale, y, across, rowHeight };
      const text = contentOf(data, segment, addedBefore(arranged));
      yield svgTile(segment, text, place, tileColor(segment, look));
    }
  }
  yield '</svg>\n';
}

interface TilePlace {
  readonly x: number;
  readonly y: number;
  readonly across: number;
  readonly rowHeight: number;
}

function svgTile(
  { document, length }: SegmentInfo,
  text: string | undefined,
  { x, y, across, rowHeight }: TilePlace,
  color: Rgb,
): string {
  const tile = `<rect x="${number(x)}" y="${number(y)}" width="${number(across)}" height="${number(rowHeight - gap)}" fill="${hex(color)}"><title>document ${document}, ${length} tokens</title></rect>\n`;
  const letters = Math.floor((across - 10) / letterWidth);
  if (rowHeight < 12 || letters < String(document).length) return tile;
  const label = text === undefined ? String(document) : `${document}  ${text.replace(/\s+/g, ' ')}`;
  return `${tile}<text x="${number(x + 5)}" y="${number(y + rowHeight / 2 + 3.5)}" fill="${inkOn(color)}">${escaped(label.slice(0, letters))}</text>\n`;
}
