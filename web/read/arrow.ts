// SPDX-License-Identifier: MIT
// Arrow, as a stream (Hugging Face's .arrow) or a file: columns of lists, text or numbers to documents.
import type { Table } from '@uwdata/flechette';
import { batchesOf } from './arrow-batches.js';
import { compressionOf, restsOf, wholeOf } from './bytes.js';
import type { Choice, Column, ColumnKind } from './columns.js';
import { chooseColumns, sourceColumn } from './columns.js';
import type { DataFile, DocumentSink } from './documents.js';
import { documentOf } from './json.js';
import { DataError } from './problem.js';
import type { Reading, Watch } from './reading.js';
import type { Tokenizer } from './tokenizer.js';

/** What of a table was read. */
export interface TableChoice {
  readonly columns: readonly Column[];
  readonly choice: Choice;
  readonly source: string | undefined;
}

interface Type {
  readonly typeId: number;
  readonly children?: readonly { readonly type: Type }[] | null;
  /** What a dictionary holds. */
  readonly dictionary?: Type;
}

type Flechette = typeof import('@uwdata/flechette');

/** The library, ready for batches that are compressed by zstd. */
async function flechetteWithZstd(): Promise<Flechette> {
  const flechette = await import('@uwdata/flechette');
  const { decompress } = await import('fzstd');
  flechette.setCompressionCodec(flechette.CompressionType.ZSTD, {
    encode: (bytes) => bytes,
    decode: (bytes) => decompress(bytes),
  });
  return flechette;
}

function kindOf(flechette: Flechette, type: Type): ColumnKind {
  if (type.dictionary) return kindOf(flechette, type.dictionary);
  const { Type: Types } = flechette;
  const kinds = new Map<number, ColumnKind>([
    [Types.Int, 'number'],
    [Types.Utf8, 'text'],
    [Types.LargeUtf8, 'text'],
    [Types.Utf8View, 'text'],
  ]);
  const lists = new Set<number>([Types.List, Types.LargeList, Types.FixedSizeList]);
  if (!lists.has(type.typeId)) return kinds.get(type.typeId) ?? 'other';
  const inner = type.children?.[0]?.type.typeId;
  if (inner === Types.Int) return 'tokens';
  return inner === Types.Struct ? 'messages' : 'other';
}

export async function readArrow(
  file: DataFile,
  reading: Reading,
  tokenizer: Tokenizer,
  into: DocumentSink,
  watch: Watch,
): Promise<TableChoice | undefined> {
  const flechette = await flechetteWithZstd();
  const rest = restsOf(watch, `Reading ${file.name}`);
  let chosen: TableChoice | undefined;
  let rows = 0;
  for await (const { messages, end } of batchesOf(await unpackedFile(file, watch))) {
    const table = tableOf(flechette, messages, file.name);
    chosen ??= choiceOf(flechette, table, reading, file.name);
    const { choice, source } = chosen;
    const names = source === undefined ? choice.names : [...choice.names, source];
    const wanted = names.map((name) => ({ name, column: table.getChild(name) }));
    for (let row = 0; row < table.numRows; row += 1) {
      if (row % 256 === 0 && rest.isDue() && (await rest.ends(end, file.size, into.count))) return chosen;
      const record = Object.fromEntries(wanted.map(({ name, column }) => [name, column?.at(row)]));
      into.add(documentOf(record, choice, source, tokenizer, `${file.name}, row ${rows + row + 1}`));
    }
    rows += table.numRows;
  }
  return chosen;
}

function choiceOf(flechette: Flechette, table: Table, reading: Reading, name: string): TableChoice {
  const columns = table.schema.fields.map((field) => ({
    name: field.name,
    kind: kindOf(flechette, field.type as Type),
  }));
  const choice = chooseColumns(columns, reading.columns, name);
  return { columns, choice, source: sourceColumn(columns, reading.source) };
}

// Compressed as a whole, which Arrow's own compression makes rare, it is held as a whole.
async function unpackedFile(file: DataFile, watch: Watch): Promise<DataFile> {
  if ((await compressionOf(file)) === 'none') return file;
  const whole = new Blob([await wholeOf(file, watch)]);
  return {
    name: file.name,
    size: whole.size,
    slice: (begin, end) => whole.slice(begin, end),
    arrayBuffer: () => whole.arrayBuffer(),
  };
}

function tableOf({ tableFromIPC }: Flechette, messages: readonly Uint8Array[], name: string): Table {
  try {
    return tableFromIPC([...messages]);
  } catch (error) {
    throw new DataError(`${name} is no whole Arrow file: ${(error as Error).message}. Fetch or write it again.`);
  }
}
