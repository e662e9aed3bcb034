// SPDX-License-Identifier: MIT
// Parquet: only the chosen columns are read, a group of rows at a time.
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import type { TableChoice } from './arrow.js';
import { paused, restsOf } from './bytes.js';
import type { Column, ColumnKind } from './columns.js';
import { chooseColumns, sourceColumn } from './columns.js';
import type { DataFile, DocumentSink } from './documents.js';
import { documentOf } from './json.js';
import { DataError } from './problem.js';
import type { Reading, Watch } from './reading.js';
import type { Tokenizer } from './tokenizer.js';

interface SchemaTree {
  readonly element: {
    readonly name: string;
    readonly type?: string;
    readonly converted_type?: string;
    readonly logical_type?: { readonly type: string };
  };
  readonly children: readonly SchemaTree[];
}

function kindOf({ element, children }: SchemaTree): ColumnKind {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (converted === 'LIST' || logical?.type === 'LIST') {
    const inner = children[0]?.children[0];
    if (inner === undefined) return 'other';
    if (inner.children.length > 0) return 'messages';
    return inner.element.type === 'INT32' || inner.element.type === 'INT64' ? 'tokens' : 'other';
  }
  if (type === 'INT32' || type === 'INT64') return 'number';
  return type === 'BYTE_ARRAY' && (converted === 'UTF8' || logical?.type === 'STRING') ? 'text' : 'other';
}

const blobBuffer = (file: DataFile): AsyncBuffer => ({
  byteLength: file.size,
  slice: (start, end) => file.slice(start, end).arrayBuffer(),
});

export async function readParquet(
  file: DataFile,
  reading: Reading,
  tokenizer: Tokenizer,
  into: DocumentSink,
  watch: Watch,
): Promise<TableChoice> {
  const [{ parquetMetadataAsync, parquetReadObjects, parquetSchema }, { decompress }, { gunzipSync }] =
    await Promise.all([import('hyparquet'), import('fzstd'), import('fflate')]);
  const compressors = {
    ZSTD: (bytes: Uint8Array) => decompress(bytes),
    GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  };
  const buffer = blobBuffer(file);
  const metadata = await parquetMetadataAsync(buffer).catch((error: Error): FileMetaData => {
    throw new DataError(`${file.name} is no whole Parquet file: ${error.message}. Fetch or write it again.`);
  });
  const columns: Column[] = (parquetSchema(metadata) as SchemaTree).children.map((child) => ({
    name: child.element.name,
    kind: kindOf(child),
  }));
  const choice = chooseColumns(columns, reading.columns, file.name);
  const source = sourceColumn(columns, reading.source);
  const wanted = source === undefined ? [...choice.names] : [...choice.names, source];
  const total = Number(metadata.num_rows);
  let rowStart = 0;
  const rest = restsOf(watch, 'Counting tokens');
  for (const group of metadata.row_groups) {
    if (await paused(watch, 'Reading rows', rowStart, total, into.count)) break;
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await parquetReadObjects({
      file: buffer,
      metadata,
      columns: wanted,
      rowStart,
      rowEnd,
      compressors,
    }).catch((error: Error): never => {
      throw new DataError(
        `${file.name}, rows ${rowStart + 1} to ${rowEnd}: ${error.message}. Write it with snappy, gzip, zstd or no compression, or fetch it again.`,
      );
    });
    for (const [index, record] of rows.entries()) {
      const place = `${file.name}, row ${rowStart + index + 1}`;
      into.add(documentOf(record, choice, source, tokenizer, place));
      if (index % 256 !== 0 || !rest.isDue()) continue;
      if (await rest.ends(rowStart + index, total, into.count)) return { columns, choice, source };
    }
    rowStart = rowEnd;
  }
  return { columns, choice, source };
}
