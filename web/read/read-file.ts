// SPDX-License-Identifier: MIT
// A file to documents: what it is, by its first bytes and its name, and the reader for it.

import type { TableChoice } from './arrow.js';
import type { Compression } from './bytes.js';
import { compressionOf, restsOf, unpacked, wholeOf } from './bytes.js';
import { separatorOf, TableReader } from './csv.js';
import type { DataFile, DocumentSink } from './documents.js';
import { RecordReader, wholeLength } from './json.js';
import type { Line, Lines, Repairs } from './lines.js';
import { elementsOf, linesOf } from './lines.js';
import type { Npy } from './npy.js';
import { readNpy, readNpz } from './npy.js';
import { DataError } from './problem.js';
import type { Reading, Watch } from './reading.js';
import type { Tokenizer } from './tokenizer.js';

export type FileKind =
  | 'records'
  | 'array'
  | 'text'
  | 'table'
  | 'histogram'
  | 'lengths'
  | 'npy'
  | 'npz'
  | 'arrow'
  | 'parquet';

const startsWith = (bytes: Uint8Array, text: string) =>
  [...text].every((letter, index) => bytes[index] === letter.charCodeAt(0));

function binaryKind(begin: Uint8Array, name: string): FileKind | undefined {
  if (startsWith(begin, '\x93NUMPY')) return 'npy';
  if (startsWith(begin, 'PK\x03\x04')) return 'npz';
  if (startsWith(begin, 'PAR1')) return 'parquet';
  if (startsWith(begin, 'ARROW1')) return 'arrow';
  const stream = begin[0] === 0xff && begin[1] === 0xff && begin[2] === 0xff && begin[3] === 0xff;
  if (stream || /\.(arrow|feather)$/.test(name)) return 'arrow';
  if (/\.npy$/.test(name)) return 'npy';
  if (/\.npz$/.test(name)) return 'npz';
  return /\.parquet$/.test(name) ? 'parquet' : undefined;
}

/** What the text of a file is; `begin` is its first few thousand letters. */
export function textKind(begin: string, name: string): FileKind {
  const plain = name.toLowerCase().replace(/\.(gz|zst)$/, '');
  const body = begin.replace(/^\ufeff/, '');
  const uncommented = body.replace(/^#[^\n]*\n?/gm, '');
  const [first = ''] = uncommented.split('\n', 1);
  if (/\.(jsonl|ndjson)$/.test(plain)) return 'records';
  if (/^\s*\[/.test(body) && /\.json$/.test(plain)) return 'array';
  if (/\.hist\.tsv$/.test(plain) || /^(?:#[^\n]*\n)*\d+\t\d+\s*(?:\n\d+\t\d+\s*)*(?:\n\d*\t?\d*)?$/.test(body))
    return 'histogram';
  if (/\.(csv|tsv)$/.test(plain)) return 'table';
  if (/^\s*\{/.test(body)) return 'records';
  if (/^\s*\[\s*[[{\d]/.test(body) && /\.json$/.test(plain)) return 'array';
  if (/\.txt$/.test(plain) && !/^[\d\s,;]+$/.test(first)) return 'text';
  if (/^[\s\d,;[\]._-]+$/.test(uncommented)) return 'lengths';
  return 'text';
}

/** How a file is read, and where its documents go. */
export interface FileReading {
  readonly reading: Reading;
  readonly tokenizer: Tokenizer;
  readonly into: DocumentSink;
  readonly watch: Watch;
  /** Throws where a file is not to be read. */
  readonly check: (file: DataFile, kind: FileKind, form: Compression) => void;
}

export interface FileRead {
  /** What of a table was read. */
  readonly choice: TableChoice | undefined;
  /** Bytes that were read before reading was stopped. */
  readonly bytes: number;
}

interface Job extends FileReading {
  readonly file: DataFile;
  readonly form: Compression;
}

/** Reads one file, whatever it is. */
export async function readFile(file: DataFile, how: FileReading): Promise<FileRead> {
  const job = { ...how, file, form: await compressionOf(file) };
  const kind = await kindOf(job);
  how.check(file, kind, job.form);
  const choice = await readers[kind](job);
  const stopped = how.watch.stopped() === 'keep';
  return { choice, bytes: stopped ? (lastRead.get(file) ?? 0) : file.size };
}

const lastRead = new WeakMap<DataFile, number>();

async function kindOf({ file, form, watch }: Job): Promise<FileKind> {
  if (file.size === 0) throw new DataError(`${file.name} is empty. Give lengths, JSON lines or text.`);
  const begin = await beginOf(file, form, watch);
  const bare = file.name.toLowerCase().replace(/\.(gz|zst)$/, '');
  return binaryKind(begin, bare) ?? textKind(new TextDecoder().decode(begin), file.name);
}

async function beginOf(file: DataFile, form: Compression, watch: Watch): Promise<Uint8Array> {
  for await (const { bytes } of unpacked(file, form, { ...watch, tell: () => undefined }))
    if (bytes.length > 0) return bytes.subarray(0, 4096);
  return new Uint8Array(0);
}

type Reader = (job: Job) => Promise<TableChoice | undefined>;

const readers: Readonly<Record<FileKind, Reader>> = {
  records: (job) => {
    const repairs = noRepairs();
    return readRecords(job, linesOf(unpacked(job.file, job.form, job.watch), job.file.name, repairs), 'line', repairs);
  },
  array: (job) =>
    readRecords(job, elementsOf(unpacked(job.file, job.form, job.watch), job.file.name), 'element', noRepairs()),
  text: readText,
  table: readTable,
  histogram: readHistogram,
  lengths: readLengths,
  npy: async (job) => {
    addLengths(readNpy(await wholeOf(job.file, job.watch), job.file.name), job.file.name, job.into);
    return undefined;
  },
  npz: readArchive,
  arrow: async ({ file, reading, tokenizer, into, watch }) =>
    (await import('./arrow.js')).readArrow(file, reading, tokenizer, into, watch),
  parquet: async ({ file, reading, tokenizer, into, watch }) =>
    (await import('./parquet.js')).readParquet(file, reading, tokenizer, into, watch),
};

const noRepairs = (): Repairs => ({ marks: 0, carriageReturns: 0, blankLines: 0 });

const isBlank = ({ bytes }: Line) => bytes.every((byte) => byte === 32 || byte === 9);

// Calls `take` for every line, telling how far it is and letting other calls in every now and then.
async function eachLine(job: Job, lines: AsyncIterable<Lines>, take: (line: Line) => void): Promise<void> {
  const { file, into, watch } = job;
  const rest = restsOf(watch, `Reading ${file.name}`);
  let before = 0;
  for await (const { lines: some, read } of lines) {
    for (const [index, line] of some.entries()) {
      take(line);
      if (index % 16 !== 0 || !rest.isDue()) continue;
      const done = before + ((read - before) * (index + 1)) / some.length;
      lastRead.set(file, done);
      if (await rest.ends(done, file.size, into.count)) return;
    }
    lastRead.set(file, read);
    before = read;
  }
}

async function readRecords(
  job: Job,
  lines: AsyncIterable<Lines>,
  unit: string,
  repairs: Repairs,
): Promise<TableChoice | undefined> {
  const { file, reading, tokenizer, into } = job;
  const reader = new RecordReader(file.name, reading, tokenizer);
  await eachLine(job, lines, (line) => {
    if (isBlank(line)) repairs.blankLines += 1;
    else into.add(reader.read(line, unit));
  });
  noteRepairs(into, repairs);
  return reader.chosen && { columns: reader.columns, choice: reader.chosen, source: reader.source };
}

function noteRepairs({ notes }: DocumentSink, { marks, carriageReturns, blankLines }: Repairs): void {
  if (marks > 0) notes.push('A byte order mark was taken off.');
  if (carriageReturns > 0) notes.push(`${carriageReturns} lines end with CR LF.`);
  if (blankLines > 0) notes.push(`${blankLines} blank ${blankLines === 1 ? 'line was' : 'lines were'} passed over.`);
}

const lossy = new TextDecoder();
const plainLines = (job: Job, repairs = noRepairs()) =>
  linesOf(unpacked(job.file, job.form, job.watch), job.file.name, repairs);

async function readText(job: Job): Promise<undefined> {
  const { reading, tokenizer, into } = job;
  const add = (text: string) => into.add({ text, length: tokenizer.count(text) });
  if (reading.unit === 'line') {
    await eachLine(job, plainLines(job), (line) => add(lossy.decode(line.bytes)));
    return undefined;
  }
  let gathered: string[] = [];
  const end = () => {
    if (gathered.length > 0) add(gathered.join('\n'));
    gathered = [];
  };
  await eachLine(job, plainLines(job), (line) => {
    const text = lossy.decode(line.bytes);
    if (reading.unit === 'paragraph' && text.trim() === '') end();
    else gathered.push(text);
  });
  end();
  return undefined;
}

async function readTable(job: Job): Promise<TableChoice | undefined> {
  const { file, reading, tokenizer, into } = job;
  let reader: TableReader | undefined;
  await eachLine(job, plainLines(job), (line) => {
    if (isBlank(line)) return;
    const text = lossy.decode(line.bytes);
    reader ??= new TableReader(file.name, reading, tokenizer, separatorOf(text) ?? ',');
    const document = reader.read(text, line.number);
    if (document) into.add(document);
  });
  if (reader?.chosen === undefined) return undefined;
  return { columns: reader.columns, choice: reader.chosen, source: reader.source };
}

const mostHistogramDocuments = 100_000_000;

async function readHistogram(job: Job): Promise<undefined> {
  const { file, into } = job;
  await eachLine(job, plainLines(job), ({ bytes, number }) => {
    const text = lossy.decode(bytes).replace(/#.*/, '').trim();
    if (text === '') return;
    const place = `${file.name}, line ${number}`;
    const [length, count, ...more] = text.split(/\s+/);
    if (count === undefined || more.length > 0)
      throw new DataError(`${place}: ${text} is no length and count. Write them as 128<tab>40.`);
    if (number === 1 && !/^\d/.test(text)) return;
    const size = wholeLength(Number(length), place);
    const documents = wholeLength(Number(count), `${place}, count`);
    if (into.count + documents > mostHistogramDocuments)
      throw new DataError(
        `${place}: ${into.count + documents} documents are more than the ${mostHistogramDocuments} of this page. Use the program.`,
        { command: `packscope compare ${file.name} --input histogram` },
      );
    for (let i = 0; i < documents; i += 1) into.add({ length: size });
  });
  return undefined;
}

async function readLengths(job: Job): Promise<undefined> {
  const { file, into } = job;
  await eachLine(job, plainLines(job), ({ bytes, number }) => {
    const words = lossy
      .decode(bytes)
      .replace(/#.*/, '')
      .split(/[\s,;[\]]+/);
    for (const word of words) {
      if (word === '') continue;
      into.add({ length: wholeLength(/^-?[\d.]+$/.test(word) ? Number(word) : word, `${file.name}, line ${number}`) });
    }
  });
  return undefined;
}

function addLengths({ shape, values }: Npy, name: string, into: DocumentSink): void {
  if (shape.length !== 1)
    throw new DataError(
      `${name} has ${shape.length} dimensions (${shape.join(' × ')}). Lengths are one dimension: save array.reshape(-1), or the lengths of its rows.`,
    );
  values.forEach((value: number | bigint, index: number) => {
    into.add({ length: wholeLength(value, `${name}, element ${index}`) });
  });
}

const lengthArrays = ['lengths', 'length', 'num_tokens', 'arr_0'];
const offsetArrays = ['document_offsets', 'offsets'];

async function readArchive(job: Job): Promise<TableChoice> {
  const { file, reading, into } = job;
  const arrays = await readNpz(await wholeOf(file, job.watch), file.name);
  const flat = [...arrays].filter(([, { shape }]) => shape.length === 1).map(([name]) => name);
  const columns = flat.map((name) => ({ name, kind: 'number' as const }));
  const known = [...lengthArrays, ...offsetArrays].find((name) => flat.includes(name));
  const name = reading.columns?.[0] ?? known ?? (flat.length === 1 ? flat[0] : undefined);
  const array = name === undefined ? undefined : arrays.get(name);
  if (name === undefined || array === undefined) {
    throw new DataError(
      `No array of lengths in ${file.name}. Arrays found: ${[...arrays.keys()].join(', ') || 'none'}.`,
      {
        remedies: flat
          .slice(0, 4)
          .map((flatName) => ({ label: `Take ${flatName} as lengths`, reading: { columns: [flatName] } })),
      },
    );
  }
  addLengths(offsetArrays.includes(name) ? differences(array) : array, `${file.name}, ${name}`, into);
  return { columns, choice: { kind: 'number', names: [name] }, source: undefined };
}

function differences({ values }: Npy): Npy {
  const numbers = Array.from(values as ArrayLike<number | bigint>, Number);
  const lengths = numbers.slice(1).map((end, index) => end - (numbers[index] as number));
  if (lengths.some((length) => length < 0)) throw new DataError('Offsets do not ascend. Give lengths instead.');
  return { shape: [lengths.length], values: Uint32Array.from(lengths) };
}
