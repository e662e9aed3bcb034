// SPDX-License-Identifier: MIT
// The open windows as rows of tiles, each marked with what the last step thought of it, and below them those that are
// closed.
import { effect, useSignal } from '@preact/signals';
import type { PlaybackWindow } from 'packscope/slim';
import { useEffect, useRef } from 'preact/hooks';

import { count, counted } from '../format.js';
import type { Traced } from '../state/player.js';
import { stepScale } from '../state/player.js';
import type { Considered, StepView } from '../state/stepping.js';
import { useSize } from './canvas.js';
import { StepPool } from './step-pool.js';
import { Tile } from './step-tiles.js';

interface Numbered {
  readonly number: number;
  readonly window: PlaybackWindow;
}

const fewOpen = 8;
const fewClosed = 10;

export function StepWindows({ now, view }: { now: Traced; view: StepView }) {
  const ruler = useRef<HTMLDivElement>(null);
  const size = useSize(ruler);
  const contextLength = now.data.options.contextLength ?? 1;
  useEffect(
    () =>
      effect(() => {
        stepScale.value = size.value.width / contextLength;
      }),
    [contextLength],
  );
  const all = view.windows.map((window, number) => ({ number, window }));
  const open = all.filter(({ window }) => window.closedBy === undefined);
  const closed = all.filter(({ window }) => window.closedBy !== undefined);
  return (
    <section class="step-windows" aria-label="Windows" tabIndex={0}>
      <h2>
        {counted(open.length, 'open window')} <span class="dim">of {count(contextLength)} positions</span>
      </h2>
      <div class="window-line ruler" aria-hidden="true">
        <span />
        <div ref={ruler} />
        <span />
      </div>
      {open.length === 0 && <p class="none">{view.step === 0 ? 'Nothing is placed yet.' : 'None is open.'}</p>}
      <ol class={open.length <= fewOpen ? 'few' : undefined}>
        {open.map(({ number, window }) => (
          <OpenWindow key={number} now={now} view={view} number={number} window={window} />
        ))}
      </ol>
      <StepPool now={now} view={view} />
      <ClosedWindows now={now} closed={closed} />
    </section>
  );
}

interface WindowProps extends Numbered {
  now: Traced;
  view: StepView;
}

type Mark = 'chosen' | 'room' | 'full' | 'none';

const markTexts: Readonly<Record<Mark, string>> = {
  chosen: 'chosen',
  room: 'has room',
  full: 'too little room',
  none: '',
};

function markOf(thought: Considered | undefined, touched: boolean): Mark {
  if (touched) return 'chosen';
  if (thought === undefined) return 'none';
  return thought.fits ? 'room' : 'full';
}

function OpenWindow({ now, view, number, window }: WindowProps) {
  const line = useRef<HTMLLIElement>(null);
  const { done } = view;
  const touched = done?.window === number && (done.kind === 'place' || done.kind === 'open');
  const mark = markOf(
    view.considered.find((considered) => considered.window === number),
    touched,
  );
  useEffect(() => {
    if (touched) line.current?.scrollIntoView({ block: 'nearest' });
  }, [touched, view.step]);
  const contextLength = now.data.options.contextLength ?? 1;
  const needed = view.piece?.needed ?? 0;
  return (
    <li ref={line} class={`window-line open ${mark}`}>
      <span class="window-name">{count(number)}</span>
      <span class="window-bar">
        <Tiles now={now} number={number} window={window} lit={touched && done?.kind === 'place'} />
        {mark === 'room' && (
          <span
            class="ghost"
            style={{
              left: `${(contextLength - window.room) * stepScale.value}px`,
              width: `${needed * stepScale.value - 1}px`,
            }}
          />
        )}
      </span>
      <span class="window-room">
        <Sign mark={mark} />
        {count(window.room)}
        <span class="hidden-text"> left{markTexts[mark] && `, ${markTexts[mark]}`}</span>
      </span>
    </li>
  );
}

const signs: Readonly<Record<Mark, string>> = { chosen: '✓', room: '', full: '✕', none: '' };

const Sign = ({ mark }: { mark: Mark }) => (
  <span class="sign" aria-hidden="true">
    {signs[mark]}
  </span>
);

function Tiles({ now, number, window, lit }: Numbered & { now: Traced; lit: boolean }) {
  const multiple = now.data.options.documentMultiple ?? 1;
  let begin = 0;
  return (
    <>
      {window.segments.map(({ document, documentOffset, length }, index) => {
        const left = begin;
        begin += Math.ceil(length / multiple) * multiple;
        return (
          <Tile
            key={`${document} ${documentOffset}`}
            document={document}
            length={length}
            left={left}
            color={now.colorIn.get(`${number} ${index}`)}
            scale={stepScale.value}
            continues={documentOffset > 0}
            lit={lit && index === window.segments.length - 1}
          />
        );
      })}
    </>
  );
}

// The newest first; the older ones are folded away.
function ClosedWindows({ now, closed }: { now: Traced; closed: readonly Numbered[] }) {
  const unfolded = useSignal(false);
  if (closed.length === 0) return null;
  const newest = [...closed].reverse();
  const shown = unfolded.value ? newest : newest.slice(0, fewClosed);
  return (
    <>
      <h2 class="closed-head">{counted(closed.length, 'closed window')}</h2>
      <ol>
        {shown.map(({ number, window }) => (
          <li key={number} class="window-line closed">
            <span class="window-name">{count(number)}</span>
            <span class="window-bar">
              <Tiles now={now} number={number} window={window} lit={false} />
            </span>
            <span class="window-room">{window.room === 0 ? 'full' : count(window.room)}</span>
          </li>
        ))}
      </ol>
      {closed.length > fewClosed && (
        <button type="button" class="link" onClick={() => (unfolded.value = !unfolded.value)}>
          {unfolded.value ? 'Show the newest only' : `Show ${count(closed.length - fewClosed)} more`}
        </button>
      )}
    </>
  );
}
