// SPDX-License-Identifier: MIT
// Tiles of Step through: a document as a bar whose length is to scale, with its number where that fits.
import { count } from '../format.js';
import { palette } from '../state/store.js';
import { css } from './canvas.js';

interface TileProps {
  document: number;
  length: number;
  /** Index of its colour in the palette; undefined for a document that no window takes. */
  color: number | undefined;
  /** CSS pixels of a token. */
  scale: number;
  left?: number;
  lit?: boolean;
  /** The piece continues a document that began elsewhere. */
  continues?: boolean;
}

const digitWidth = 7;
const labelMargin = 10;

export function Tile({ document, length, color, scale, left, lit = false, continues = false }: TileProps) {
  const width = length * scale;
  const label = count(document);
  const fits = width >= label.length * digitWidth + labelMargin;
  const classes = ['tile', lit && 'placed', continues && 'continues', color === undefined && 'nowhere'];
  const colors = palette.value;
  return (
    <span
      class={classes.filter(Boolean).join(' ')}
      title={`Document ${label}, ${count(length)} tokens`}
      style={{
        left: left === undefined ? undefined : `${left * scale}px`,
        width: `${Math.max(width - 1, 1)}px`,
        background: color === undefined ? undefined : css(colors?.documents[color]),
        color: color === undefined ? undefined : css(colors?.inks[color]),
      }}
    >
      {fits && label}
    </span>
  );
}
