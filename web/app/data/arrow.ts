// SPDX-License-Identifier: MIT
// Arrow, as a stream (Hugging Face's .arrow) or a file: columns of lists, text or numbers to documents.
import { restsOf, wholeOf } from './bytes.js';
import type { Collector } from './collector.js';
import type { Choice, Column, ColumnKind } from './columns.js';
import { chooseColumns, sourceColumn } from './columns.js';
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
}

export async function readArrow(
  file: File,
  reading: Reading,
  tokenizer: Tokenizer,
  into: Collector,
  watch: Watch,
): Promise<TableChoice> {
  const flechette = await import('@uwdata/flechette');
  const { decompress } = await import('fzstd');
  const { CompressionType, Type: Types } = flechette;
  flechette.setCompressionCodec(CompressionType.ZSTD, {
    encode: (bytes) => bytes,
    decode: (bytes) => decompress(bytes),
  });
  const kinds = new Map<number, ColumnKind>([
    [Types.Int, 'number'],
    [Types.Utf8, 'text'],
    [Types.LargeUtf8, 'text'],
    [Types.Utf8View, 'text'],
  ]);
  const lists = new Set<number>([Types.List, Types.LargeList, Types.FixedSizeList]);
  const kindOf = (type: Type): ColumnKind => {
    if (!lists.has(type.typeId)) return kinds.get(type.typeId) ?? 'other';
    const inner = type.children?.[0]?.type.typeId;
    if (inner === Types.Int) return 'tokens';
    return inner === Types.Struct ? 'messages' : 'other';
  };
  const table = tableOf(flechette.tableFromIPC, await wholeOf(file, watch), file.name);
  const columns = table.schema.fields.map(({ name, type }) => ({ name, kind: kindOf(type as Type) }));
  const choice = chooseColumns(columns, reading.columns, file.name);
  const source = sourceColumn(columns, reading.source);
  const wanted = [...choice.names, ...(source === undefined ? [] : [source])].map((name) => ({
    name,
    column: table.getChild(name),
  }));
  const rest = restsOf(watch, 'Counting tokens');
  for (let row = 0; row < table.numRows; row += 1) {
    if (row % 256 === 0 && rest.isDue() && (await rest.ends(row, table.numRows, into.count))) break;
    const record = Object.fromEntries(wanted.map(({ name, column }) => [name, column?.at(row)]));
    into.add(documentOf(record, choice, source, tokenizer, `${file.name}, row ${row + 1}`));
  }
  return { columns, choice, source };
}

function tableOf<T>(read: (bytes: Uint8Array) => T, bytes: Uint8Array, name: string): T {
  try {
    return read(bytes);
  } catch (error) {
    throw new DataError(`${name} is no whole Arrow file: ${(error as Error).message}. Fetch or write it again.`);
  }
}
