// SPDX-License-Identifier: MIT
// The grid of the field: how large its cells are, and which window stands where.
import type { FieldView } from 'packscope/slim';

import type { FieldCell } from './protocol.js';

export interface FieldGrid {
  readonly rows: number;
  readonly columns: number;
  /** Pixels. */
  readonly cell: number;
  readonly windowsPerCell: number;
}

const largestCell = 48;
const smallestCell = 2;

/** The largest cells with which all windows fit; where the smallest do not suffice, several windows share one. */
export function fieldGrid(rows: number, width: number, height: number): FieldGrid {
  const fits = (cell: number) => Math.floor(width / cell) * Math.floor(height / cell);
  let cell = largestCell;
  while (cell > smallestCell && fits(cell) < rows) cell -= 1;
  const windowsPerCell = Math.max(Math.ceil(rows / Math.max(fits(cell), 1)), 1);
  return { rows, columns: Math.max(Math.floor(width / cell), 1), cell, windowsPerCell };
}

export const fieldView = ({ cell, windowsPerCell }: FieldGrid): FieldView => {
  return { kind: 'field', cellPx: cell, windowsPerCell };
};

/** The first row of the cell at a pixel. */
export function rowAtCell(
  { rows, columns, cell, windowsPerCell }: FieldGrid,
  x: number,
  y: number,
): number | undefined {
  const column = Math.floor(x / cell);
  if (column < 0 || column >= columns) return undefined;
  const row = (Math.floor(y / cell) * columns + column) * windowsPerCell;
  return row >= 0 && row < rows ? row : undefined;
}

export function cellOfRow({ columns, cell, windowsPerCell }: FieldGrid, row: number): FieldCell {
  const index = Math.floor(row / windowsPerCell);
  return { x: (index % columns) * cell, y: Math.floor(index / columns) * cell, side: cell };
}
