// SPDX-License-Identifier: MIT
// The tokens of the selected window, with text, id, position in the document, and whether the loss counts.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { ask } from '../engine/client.js';
import type { Lanes, WindowInfo } from '../engine/protocol.js';
import { count, counted } from '../format.js';
import { model, palette, planVersion, select, windowInfo } from '../state/store.js';
import type { Token } from '../text/tokens.js';
import { tokensOf } from '../text/tokens.js';
import { css } from './canvas.js';

const pageSize = 2048;

interface Read {
  readonly info: WindowInfo;
  readonly lanes: Lanes;
}

export function Tokens() {
  const read = useSignal<Read | undefined>(undefined);
  const first = useSignal(0);
  const info = windowInfo.value;
  const version = planVersion.value;
  useEffect(() => {
    if (info === undefined) return undefined;
    let wanted = true;
    first.value = 0;
    ask('lanes', info.window).then(
      (lanes) => {
        if (wanted) read.value = { info, lanes };
      },
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [info, version]);
  const now = read.value;
  if (now === undefined) return <p class="loading">Reading…</p>;
  const length = now.lanes.position_ids.length;
  const last = Math.min(first.value + pageSize, length);
  const tokens = tokensOf(now.info, now.lanes, first.value, last);
  // The widest number decides how wide all cells are, in letters.
  const widest = Math.max(...tokens.map(({ id = 0, positionId }) => String(Math.max(id, positionId)).length), 3);
  const columns = `repeat(auto-fill, minmax(calc(${widest}ch + 10px), 1fr))`;
  return (
    <div class="tokens-view" data-window={now.info.window}>
      <p class="tokens-about dim">
        Window {count(now.info.window)}, position {count(first.value)} to {count(last - 1)} of {count(length)}.{' '}
        {now.info.texts
          ? 'Each cell is a token: its text, its id, its position_id.'
          : 'Only lengths are known: a cell shows its position_id.'}{' '}
        Underlined: the loss counts what is predicted there.
      </p>
      <ol
        class="tokens"
        tabIndex={0}
        aria-label={`Tokens of window ${count(now.info.window)}`}
        style={{ gridTemplateColumns: columns }}
      >
        {tokens.map((token) => (
          <Cell key={token.position} token={token} window={now.info} />
        ))}
      </ol>
      {length > pageSize && (
        <p class="pager">
          <button type="button" disabled={first.value === 0} onClick={() => (first.value -= pageSize)}>
            Previous
          </button>
          <span>{counted(pageSize, 'position')} a page</span>
          <button type="button" disabled={last >= length} onClick={() => (first.value += pageSize)}>
            Next
          </button>
        </p>
      )}
    </div>
  );
}

function Cell({ token, window }: { token: Token; window: WindowInfo }) {
  const { position, segment, id, text, positionId, target } = token;
  if (segment === undefined) return <li class="token padding" title={`position ${position}: padding`} />;
  const colors = palette.value;
  const index = window.segments.indexOf(segment);
  const style = { backgroundColor: css(colors?.documents[segment.color]), color: css(colors?.inks[segment.color]) };
  const title = `position ${count(position)}, document ${count(segment.document)}, position_id ${count(positionId)}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the documents at the right are buttons for the same
    <li
      class={`token${target ? ' target' : ''}${index === model.value.segment ? ' of-chosen' : ''}${positionId === 0 ? ' starts' : ''}`}
      style={style}
      title={title}
      onClick={() => select(window.window, index)}
    >
      {text !== undefined && <span class="token-text">{text}</span>}
      {id !== undefined && <span class="token-id">{id}</span>}
      <span class="token-id">{positionId}</span>
    </li>
  );
}
