// SPDX-License-Identifier: MIT
// The folder that `packscope pack` writes: its plan as it is, or some windows of one that is too large for a page.
// Documents are as long as their segments say; tokens are read when their window is looked at.
import type { Ledger, Plan } from 'packscope/slim';
import { paused } from '../../read/bytes.js';
import { DataError } from '../../read/problem.js';
import type { Watch } from '../../read/reading.js';
import type { DataSet } from './data-set.js';
import type { ListedArray, RangedFolder } from './ranged.js';
import { RangedArray } from './ranged.js';

/** What a page holds at once; windows beyond that are left out, and told. */
const mostSegments = 8_000_000;
const mostWindows = 2_000_000;
/** Documents of a folder, in windows on show or not: 4 bytes each. */
const mostDocuments = 100_000_000;
const valuesAtOnce = 1 << 20;
const mostManifestBytes = 16_000_000;

const manifestName = 'manifest.json';

/** Whether these are the files of such a folder. */
export function isPackedFolder(files: readonly File[]): boolean {
  return files.some(({ name }) => name === manifestName);
}

interface Manifest {
  readonly format?: string;
  readonly format_version?: number;
  readonly fingerprint?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly ledger?: Readonly<Record<string, number>>;
  readonly ledger_by_source?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly inputs?: readonly string[];
  readonly reader?: { readonly tokenizer?: string | null };
  /** Windows in a shard; null where there are no shards. */
  readonly shard_windows?: number | null;
  /** In which kind of file the arrays of windows stand: `npy`, or one whose places `arrays` tells. */
  readonly container?: string;
  readonly arrays?: Readonly<Record<string, ListedArray>>;
}

/** Windows [first, last) of a folder. */
export type WindowRange = readonly [first: number, last: number];

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const camelKeys = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [camelCase(name), value]));

function groupsOf(text: unknown): Record<string, string[]> {
  if (typeof text !== 'string' || text === '') return {};
  return Object.fromEntries(
    text.split(';').map((group) => {
      const [name = '', sources = ''] = group.split('=');
      return [name, sources.split(',')];
    }),
  );
}

const fileOf = (folder: RangedFolder, name: string) => {
  const file = folder(name);
  if (file) return file;
  throw new DataError(`${name} is missing beside ${manifestName}. Choose all files of the folder.`);
};

const arrayOf = (folder: RangedFolder, name: string) => RangedArray.open(fileOf(folder, `${name}.npy`));

async function jsonOf(folder: RangedFolder, name: string): Promise<Manifest> {
  const bytes = await fileOf(folder, name).read(0, mostManifestBytes);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
  } catch (error) {
    throw new DataError(`${name} is no JSON: ${(error as Error).message}. Pack the folder again.`);
  }
}

async function manifestOf(folder: RangedFolder): Promise<Manifest> {
  const manifest = await jsonOf(folder, manifestName);
  if (manifest.format === 'packscope' && manifest.format_version === 1 && manifest.options && manifest.ledger)
    return manifest;
  throw new DataError(
    `${manifestName} is not that of a folder written by packscope pack (format version 1). Choose all files of such a folder.`,
  );
}

/** Reads an array a piece at a time, telling how far it is. */
async function numbersOf(array: RangedArray, [first, last]: WindowRange, what: string, watch: Watch) {
  const numbers = new Float64Array(last - first);
  for (let at = first; at < last; at += valuesAtOnce) {
    if (at > first) await paused(watch, what, at - first, last - first, 0);
    const values = await array.values(at, Math.min(at + valuesAtOnce, last));
    numbers.set(Array.from(values as ArrayLike<number | bigint>, Number), at - first);
  }
  return numbers;
}

/** Of the windows asked for, as many as a page holds; with where the segments of each begin, and the last ends. */
async function windowsOf(folder: RangedFolder, asked: WindowRange | undefined, watch: Watch) {
  const array = await arrayOf(folder, 'window_offsets');
  const count = (array.shape[0] ?? 1) - 1;
  const [from, to] = asked ?? [0, count];
  const first = Math.min(from, Math.max(count - 1, 0));
  const last = Math.min(Math.max(to, first), count, first + mostWindows);
  const offsets = await numbersOf(array, [first, last + 1], 'Reading the windows', watch);
  const begin = offsets[0] as number;
  const fitting = offsets.findLastIndex((offset) => offset - begin <= mostSegments);
  return { first, count, offsets: offsets.subarray(0, fitting + 1) };
}

/** Reads a folder's plan, or some windows of it. */
export async function readPackedFolder(
  folder: RangedFolder,
  asked: WindowRange | undefined,
  watch: Watch,
): Promise<DataSet> {
  const manifest = await manifestOf(folder);
  const ledger = camelKeys(manifest.ledger ?? {}) as unknown as Ledger;
  if (ledger.documents > mostDocuments)
    throw new DataError(
      `The folder has ${ledger.documents} documents, more than the ${mostDocuments} of this page. The program shows any window of it.`,
      { command: 'packscope show OUT --window 0' },
    );
  const { first, count, offsets } = await windowsOf(folder, asked, watch);
  const begin = offsets[0] as number;
  const segments = [begin, offsets.at(-1) as number] as const;
  const read = async (name: string) =>
    Uint32Array.from(await numbersOf(await arrayOf(folder, name), segments, 'Reading the plan', watch));
  const segment_document = await read('segment_document');
  const segment_offset = await read('segment_offset');
  const segment_length = await read('segment_length');
  const bySource = Object.entries(manifest.ledger_by_source ?? {});
  const options = camelKeys(manifest.options ?? {});
  const plan = {
    options: { ...options, groups: groupsOf(options['groups']) } as unknown as Plan['options'],
    segment_document,
    segment_offset,
    segment_length,
    window_offsets: Uint32Array.from(offsets, (offset) => offset - begin),
    ledger,
    sourceNames: bySource.map(([name]) => name),
    // Filler windows are of no source.
    ledgerBySource:
      bySource.length === 0
        ? [{ ...ledger, fillerWindows: 0 }]
        : bySource.map(([, of]) => camelKeys(of) as unknown as Ledger),
    fingerprint: manifest.fingerprint ?? '',
  };
  const shown = offsets.length - 1;
  return {
    plan,
    title: titleOf(manifest),
    lengths: lengthsOf(plan),
    notes: notesOf(ledger, first, shown, count),
    isPart: shown < count,
    windowTokens: tokenReader(folder, first, plan.options.contextLength, manifest),
  };
}

function notesOf({ tokensDropped }: Ledger, first: number, shown: number, count: number): string[] {
  const notes: string[] = [];
  if (tokensDropped > 0) notes.push('Documents that stand in no window have no length in the folder.');
  if (shown < count)
    notes.push(
      `Windows ${first} to ${first + shown - 1} of ${count} are on show, numbered from 0. Others: add &windows=${first + shown}:${Math.min(first + 2 * shown, count)} to the address.`,
    );
  return notes;
}

/** Where a window's tokens stand: in the array of the folder itself, or in that of its shard. */
function rowOf(
  window: number,
  shardWindows: number | null | undefined,
): { readonly part: string; readonly row: number } {
  if (!shardWindows) return { part: '', row: window };
  const shard = String(Math.floor(window / shardWindows)).padStart(5, '0');
  return { part: `shard-${shard}/`, row: window % shardWindows };
}

/** The tokens of a part of the folder; undefined where it has none. */
async function tokensOf(folder: RangedFolder, part: string, manifest: Manifest): Promise<RangedArray | undefined> {
  if ((manifest.container ?? 'npy') === 'npy') {
    const file = folder(`${part}input_ids.npy`);
    return file && RangedArray.open(file);
  }
  const { arrays } = part === '' ? manifest : await jsonOf(folder, `${part}shard.json`);
  const listed = arrays?.['input_ids'];
  const file = listed?.file === undefined ? undefined : folder(`${part}${listed.file}`);
  return listed && file && RangedArray.listed(file, listed);
}

/** Reads the tokens of one window; nothing where the folder holds none. */
function tokenReader(
  folder: RangedFolder,
  first: number,
  contextLength: number,
  manifest: Manifest,
): DataSet['windowTokens'] {
  const textOf = manifest.reader?.tokenizer === 'bytes' ? textOfBytes : textOfIds;
  const arrays = new Map<string, Promise<RangedArray | undefined>>();
  const arrayOfPart = (part: string) => {
    // A plan alone has no tokens; its server says so here.
    const array = arrays.get(part) ?? tokensOf(folder, part, manifest).catch(() => undefined);
    arrays.set(part, array);
    return array;
  };
  return async (window, tiles) => {
    const { part, row } = rowOf(first + window, manifest.shard_windows);
    const array = await arrayOfPart(part);
    const values = await array?.values(row * contextLength, (row + 1) * contextLength);
    if (values === undefined) return undefined;
    const ids = Int32Array.from(values as ArrayLike<number>);
    return { ids, texts: tiles.map((tile) => textOf(ids.subarray(tile.begin, tile.begin + tile.length))) };
  };
}

const mostShownIds = 400;
const textOfIds = (ids: Int32Array) => ids.subarray(0, mostShownIds).join(' ');
const textOfBytes = (ids: Int32Array) => new TextDecoder().decode(Uint8Array.from(ids));

function titleOf({ inputs = [] }: Manifest): string {
  const of = inputs.map((input) => input.split('/').at(-1)).join(', ');
  return of === '' ? 'Packed folder' : `Packed: ${of}`;
}

// A segment's offset and length count an added BOS and separator, which its document does not have.
function lengthsOf({ segment_document, segment_offset, segment_length, ledger, options }: Plan): Uint32Array {
  const lengths = new Uint32Array(ledger.documents);
  segment_document.forEach((document, i) => {
    const end = (segment_offset[i] as number) + (segment_length[i] as number);
    lengths[document] = Math.max(lengths[document] ?? 0, end);
  });
  const after = options.separatorId !== null && options.separator === 'after' ? 1 : 0;
  const added = after + (options.bosId === null ? 0 : 1);
  return added === 0 ? lengths : lengths.map((length) => Math.max(length - added, 0));
}
