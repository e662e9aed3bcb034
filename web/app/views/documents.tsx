// SPDX-License-Identifier: MIT
// The documents of the selected window, with their text where there is any.
import type { SegmentInfo, WindowInfo } from '../engine/protocol.js';
import { count, counted } from '../format.js';
import { hovered, model, palette, select } from '../state/store.js';
import { css } from './canvas.js';

const mostListed = 200;

export function DocumentList({ info }: { info: WindowInfo }) {
  const { segments, texts } = info;
  if (segments.length === 0) return null;
  return (
    <section class="group">
      <h2>Documents in this window</h2>
      <ol class="documents">
        {segments.slice(0, mostListed).map((segment, index) => (
          <li key={index}>
            <DocumentButton info={info} segment={segment} index={index} text={texts?.[index]} />
          </li>
        ))}
      </ol>
      {segments.length > mostListed && <p class="help">and {counted(segments.length - mostListed, 'more document')}</p>}
    </section>
  );
}

interface DocumentProps {
  info: WindowInfo;
  segment: SegmentInfo;
  index: number;
  text: string | undefined;
}

function DocumentButton({ info, segment, index, text }: DocumentProps) {
  const { document, begin, length, offset, documentLength, color } = segment;
  const chosen = model.value.segment === index;
  const light = () => {
    hovered.value = { window: info.window, row: info.row, position: begin, segment: { ...segment, index } };
  };
  const piece = offset > 0 || length < documentLength;
  return (
    <button
      type="button"
      class="document"
      aria-pressed={chosen}
      onClick={() => select(info.window, chosen ? -1 : index)}
      onPointerEnter={light}
      onPointerLeave={() => (hovered.value = undefined)}
    >
      <span class="swatch" aria-hidden="true" style={{ background: css(palette.value?.documents[color]) }} />
      <span class="document-name">
        {count(document)}
        {piece && <span class="dim"> from {count(offset)}</span>}
      </span>
      <span class="document-length">{count(length)}</span>
      <span class="dim positions">
        {count(begin)} – {count(begin + length - 1)}
      </span>
      {text !== undefined && <span class="document-text">{text}</span>}
    </button>
  );
}
