// SPDX-License-Identifier: MIT
// The arrays of some windows as an Arrow stream: a row for each window, a list of numbers for each array. The arrays go
// in as they are, not number by number.
import type { DataType } from '@uwdata/flechette';
import { batchType, Column, int32, list, tableFromColumns, tableToIPC, uint8, uint32 } from '@uwdata/flechette';

import { positionArrays, windowArrays } from './array-names.js';

type Numbers = Int32Array | Uint32Array | Uint8Array;

const isNumbers = (value: unknown): value is Numbers =>
  value instanceof Int32Array || value instanceof Uint32Array || value instanceof Uint8Array;

function typeOf(values: Numbers): DataType {
  if (values instanceof Int32Array) return int32();
  return values instanceof Uint32Array ? uint32() : uint8();
}

/** What the library calls a batch: numbers, or lists over them. */
function batchOver(type: DataType, length: number, parts: object) {
  const Batch = batchType(type) as new (of: object) => object;
  return new Batch({ length, nullCount: 0, type, validity: new Uint8Array(0), ...parts });
}

const columnOf = (type: DataType, batch: object) => new Column([batch] as never, type);

const numberColumn = (values: Numbers) =>
  columnOf(typeOf(values), batchOver(typeOf(values), values.length, { values }));

function listColumn(values: Numbers, offsets: Int32Array) {
  const type = list(typeOf(values));
  const numbers = batchOver(typeOf(values), values.length, { values });
  return columnOf(type, batchOver(type, offsets.length - 1, { offsets, children: [numbers] }));
}

export function arrowBytes(batch: object, windows: number, contextLength: number): Uint8Array<ArrayBuffer> {
  const byPosition = Int32Array.from({ length: windows + 1 }, (_, window) => window * contextLength);
  const byBoundary = Int32Array.from((batch as { cu_seqlens_offsets: Uint32Array }).cu_seqlens_offsets);
  const columnFor = (name: string, values: Numbers): Column<unknown> | undefined => {
    if (positionArrays.has(name)) return listColumn(values, byPosition);
    if (name === 'cu_seqlens') return listColumn(values, byBoundary);
    return windowArrays.has(name) ? numberColumn(values) : undefined;
  };
  const columns = Object.entries(batch).flatMap(([name, values]): [string, Column<unknown>][] => {
    const column = isNumbers(values) ? columnFor(name, values) : undefined;
    return column === undefined ? [] : [[name, column]];
  });
  return tableToIPC(tableFromColumns(columns), { format: 'stream' }) as Uint8Array<ArrayBuffer>;
}
