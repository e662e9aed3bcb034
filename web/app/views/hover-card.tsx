// SPDX-License-Identifier: MIT
// What the pointer is over: document, length, positions, source.

import type { Place } from '../engine/protocol.js';
import { count, counted } from '../format.js';
import { data, hovered } from '../state/store.js';
import { pointer, scene } from './rows.js';

const widthOfCard = 232;

export function HoverCard() {
  const place = hovered.value;
  const at = pointer.value;
  const bounds = scene.value;
  if (!place || !at || !bounds) return null;
  const left = Math.min(Math.max(at.x + 14, 4), Math.max(bounds.width - widthOfCard, 4));
  const below = at.y < bounds.height - 90;
  return (
    <div class="hover-card" style={{ left: `${left}px`, top: `${below ? at.y + 18 : at.y - 74}px` }} aria-hidden="true">
      <Content place={place} />
    </div>
  );
}

function Content({ place }: { place: Place }) {
  const { segment, window, position } = place;
  if (segment === undefined) {
    return (
      <>
        <strong>Padding</strong>
        <span>
          Window {count(window)}, position {count(position)}
        </span>
      </>
    );
  }
  const { document, begin, length, offset, documentLength, source } = segment;
  const sourceName = source === undefined ? undefined : data.value?.sourceNames[source];
  const piece = offset > 0 || length < documentLength;
  return (
    <>
      <strong>Document {count(document)}</strong>
      <span>
        {counted(length, 'token')}, positions {count(begin)} to {count(begin + length - 1)}
      </span>
      {piece && (
        <span>
          a piece: from token {count(offset)} of {count(documentLength)}
        </span>
      )}
      <span class="dim">
        Window {count(window)}
        {sourceName && `, from ${sourceName}`}
      </span>
    </>
  );
}
