// SPDX-License-Identifier: MIT
// A small Parquet file written from scratch, for tests: required columns of text, whole numbers or lists of them, one
// group of rows, nothing compressed.

type Field = readonly [id: number, value: Thrift];
type Thrift =
  | number
  | string
  | boolean
  | readonly Thrift[]
  | { readonly struct: readonly Field[] }
  | { readonly i64: number };

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value);
const utf8 = (text: string) => [...new TextEncoder().encode(text)];
const little = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];

// Types of the compact protocol: 5 and 6 whole numbers, 8 bytes, 9 a list, 12 a struct.
function typeOf(value: Thrift): number {
  if (typeof value === 'number') return 5;
  if (typeof value === 'string') return 8;
  if (Array.isArray(value)) return 9;
  return 'i64' in (value as object) ? 6 : 12;
}

function encoded(value: Thrift): number[] {
  if (typeof value === 'number') return zigzag(value);
  if (typeof value === 'string') return [...varint(utf8(value).length), ...utf8(value)];
  if (Array.isArray(value)) {
    const list = value as readonly Thrift[];
    return [(list.length << 4) | typeOf(list[0] ?? 0), ...list.flatMap(encoded)];
  }
  if ('i64' in (value as object)) return zigzag((value as { i64: number }).i64);
  let last = 0;
  const fields = (value as { struct: readonly Field[] }).struct.flatMap(([id, field]) => {
    const head = ((id - last) << 4) | typeOf(field);
    last = id;
    return [head, ...encoded(field)];
  });
  return [...fields, 0];
}

const struct = (...fields: Field[]): Thrift => ({ struct: fields });

export type ParquetColumns = Readonly<Record<string, readonly (string | number | readonly number[])[]>>;

const isText = (values: ParquetColumns[string]) => typeof values[0] === 'string';
const isList = (values: ParquetColumns[string]) => Array.isArray(values[0]);

// A run of its own for each level: three bits of thrift saved are not worth the code.
const levels = (values: readonly number[]) => {
  const runs = values.flatMap((level) => [2, level]);
  return [...little(runs.length), ...runs];
};

function pageOf(values: ParquetColumns[string]): { bytes: number[]; count: number } {
  if (isText(values)) {
    const bytes = (values as readonly string[]).flatMap((text) => [...little(utf8(text).length), ...utf8(text)]);
    return { bytes, count: values.length };
  }
  if (!isList(values)) return { bytes: (values as readonly number[]).flatMap(little), count: values.length };
  const lists = values as readonly (readonly number[])[];
  const repetition = lists.flatMap((list) => (list.length === 0 ? [0] : list.map((_, index) => (index === 0 ? 0 : 1))));
  const definition = lists.flatMap((list) => (list.length === 0 ? [0] : list.map(() => 1)));
  return {
    bytes: [...levels(repetition), ...levels(definition), ...lists.flat().flatMap(little)],
    count: repetition.length,
  };
}

const [int32, byteArray] = [1, 6];
const [required, repeated] = [0, 2];

function schemaOf(name: string, values: ParquetColumns[string]): Thrift[] {
  if (isText(values)) return [struct([1, byteArray], [3, required], [4, name], [6, 0])];
  if (!isList(values)) return [struct([1, int32], [3, required], [4, name])];
  return [
    struct([3, required], [4, name], [5, 1], [6, 3]),
    struct([3, repeated], [4, 'list'], [5, 1]),
    struct([1, int32], [3, required], [4, 'element']),
  ];
}

export function parquetFile(columns: ParquetColumns): Uint8Array<ArrayBuffer> {
  const file = utf8('PAR1');
  const parts: Thrift[] = [];
  let rows = 0;
  for (const [name, values] of Object.entries(columns)) {
    const { bytes, count } = pageOf(values);
    rows = values.length;
    const header = struct(
      [1, 0],
      [2, bytes.length],
      [3, bytes.length],
      [5, struct([1, count], [2, 0], [3, 3], [4, 3])],
    );
    const page = [...encoded(header), ...bytes];
    const path = isList(values) ? [name, 'list', 'element'] : [name];
    const begin = { i64: file.length };
    const size = { i64: page.length };
    const meta = struct(
      ...([
        [1, isText(values) ? byteArray : int32],
        [2, [0, 3]],
        [3, path],
        [4, 0],
        [5, { i64: count }],
      ] as Field[]),
      ...([
        [6, size],
        [7, size],
        [9, begin],
      ] as Field[]),
    );
    parts.push(struct([2, begin], [3, meta]));
    file.push(...page);
  }
  const names = Object.entries(columns);
  const root = struct([4, 'schema'], [5, names.length]);
  const schema = [root, ...names.flatMap(([name, values]) => schemaOf(name, values))];
  const group = struct([1, parts], [2, { i64: file.length }], [3, { i64: rows }]);
  const footer = encoded(struct([1, 1], [2, schema], [3, { i64: rows }], [4, [group]]));
  return Uint8Array.from([...file, ...footer, ...little(footer.length), ...utf8('PAR1')]);
}
