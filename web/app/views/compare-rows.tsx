// SPDX-License-Identifier: MIT
// The same documents as packed by two to four algorithms, side by side. One scroll moves all; a document that is
// pointed at lights up in each.
import { effect, useSignal } from '@preact/signals';
import type { AlgorithmName } from 'packscope/slim';
import { useEffect, useRef } from 'preact/hooks';

import { ask } from '../engine/client.js';
import type { ComparedPlans, ComparedTile } from '../engine/protocol.js';
import { count, counted, percent } from '../format.js';
import { comparedAlgorithms } from '../state/model.js';
import { packOptions } from '../state/planning.js';
import { data, description, model, outcomeOf, planVersion, theme, update } from '../state/store.js';
import { latest, overlay, show, useSize } from './canvas.js';

const rowHeight = 14;
/** Browsers end a page's height somewhere beyond this. */
const mostPixels = 15_000_000;

export function CompareRows() {
  const plans = useSignal<ComparedPlans | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const tiles = useSignal<readonly ComparedTile[][] | undefined>(undefined);
  const top = useSignal(0);
  const { algorithm, compared } = model.value;
  const names = comparedAlgorithms(algorithm, compared);
  const version = planVersion.value;
  const key = names.join();
  useEffect(() => {
    if (version === 0) return undefined;
    let wanted = true;
    const show = (opened: ComparedPlans | undefined, message?: string) => {
      if (!wanted) return;
      plans.value = opened;
      problem.value = message;
    };
    ask('compareOpen', packOptions(model.peek()), names).then(show, ({ message }: Error) => show(undefined, message));
    return () => {
      wanted = false;
    };
  }, [key, version]);
  const { windows = [], documents = 0, partly = false } = plans.value ?? {};
  const most = Math.max(...windows, 0);
  return (
    <section class="compare-rows">
      <h2>
        Side by side <span class="dim">one scroll moves all; point at a document to find it in each</span>
      </h2>
      {partly && (
        <p class="compare-part">
          The first {count(documents)} of {count(data.value?.documents ?? documents)} documents, packed alone: plans of
          all, side by side, would not fit in memory. The figures are of all.
        </p>
      )}
      {problem.value && <p class="compare-part">These plans cannot be shown side by side: {problem.value}</p>}
      <Choices names={names} />
      <div
        class="compare-scroll"
        tabIndex={0}
        role="region"
        aria-label="Windows side by side"
        onScroll={({ currentTarget }) => (top.value = currentTarget.scrollTop / rowHeight)}
      >
        <div class="compare-panels">
          {names.map((name, which) => (
            <Panel
              key={`${which} ${name}`}
              which={which}
              top={top}
              ready={windows.length === names.length}
              windows={windows[which] ?? 0}
              tiles={tiles}
            />
          ))}
        </div>
        <div style={{ height: `${Math.min(Math.max(most * rowHeight - 294, 0), mostPixels)}px` }} />
      </div>
      <Found names={names} tiles={tiles.value} />
    </section>
  );
}

// The chosen algorithm stands first; up to three others beside it.
function Choices({ names }: { names: readonly AlgorithmName[] }) {
  const infos = description.value?.algorithms ?? [];
  const others = names.slice(1);
  const change = (place: number, name: string) => {
    const next = [...others];
    if (name === '') next.splice(place, 1);
    else next[place] = name as AlgorithmName;
    update({ compared: next.join(',') });
  };
  const places = Math.min(others.length + 1, 3);
  return (
    <div class="compare-choices" style={{ gridTemplateColumns: `repeat(${names.length}, minmax(0, 1fr))` }}>
      <Head name={names[0] as AlgorithmName} />
      {others.map((name, place) => (
        <div key={place} class="compare-head">
          <select
            aria-label={`Compared algorithm ${place + 2}`}
            value={name}
            onChange={({ currentTarget }) => change(place, currentTarget.value)}
          >
            {infos
              .filter((info) => info.name === name || !names.includes(info.name))
              .map((info) => (
                <option key={info.name} value={info.name}>
                  {info.title}
                </option>
              ))}
            {others.length > 1 && <option value="">remove</option>}
          </select>
          <Result name={name} />
          {place === places - 2 && others.length < 3 && (
            <button
              type="button"
              class="icon"
              aria-label="Compare one more"
              title="Compare one more"
              onClick={() => change(others.length, infos.find((info) => !names.includes(info.name))?.name ?? '')}
            >
              +
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

function Head({ name }: { name: AlgorithmName }) {
  const title = description.value?.algorithms.find((info) => info.name === name)?.title ?? name;
  return (
    <div class="compare-head">
      <strong>{title}</strong>
      <Result name={name} />
    </div>
  );
}

function Result({ name }: { name: AlgorithmName }) {
  const outcome = outcomeOf.value.get(name);
  if (outcome === undefined) return <span class="dim">…</span>;
  return (
    <span class="dim">
      {counted(outcome.stats.windows, 'window')}, {percent(outcome.stats.realTokenShare)}
    </span>
  );
}

interface PanelProps {
  which: number;
  top: { value: number; peek: () => number };
  ready: boolean;
  windows: number;
  tiles: { value: readonly ComparedTile[][] | undefined };
}

function Panel({ which, top, ready, windows, tiles }: PanelProps) {
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);
  const contextLength = model.value.contextLength;
  const at = useRef<{ window: number; position: number } | undefined>(undefined);
  const look = useRef(
    latest(async () => {
      const point = at.current;
      tiles.value = point && (await ask('compareAt', which, point.window, point.position));
    }),
  ).current;
  useEffect(() => {
    if (!ready) return undefined;
    const draw = latest(async () => {
      const { width, height, ratio } = size.peek();
      if (width === 0) return;
      const from = top.peek();
      const pixels = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
      const made = await ask('compareDraw', which, from, from + height / rowHeight, pixels, theme.peek());
      if (made && picture.current) show(picture.current, made);
    });
    // The plan under a resting pointer may be a new one.
    look();
    return effect(() => {
      void [top.value, size.value, theme.value];
      draw();
    });
  }, [ready, windows, which]);
  useEffect(
    () =>
      effect(() => {
        const context = marks.current && overlay(marks.current, size.value);
        if (!context) return;
        context.strokeStyle = theme.value === 'dark' ? '#ffffff' : '#0b1220';
        context.lineWidth = 2.5;
        const scale = size.value.width / contextLength;
        for (const { window, begin, length } of tiles.value?.[which] ?? [])
          context.strokeRect(
            begin * scale + 1,
            (window - top.value) * rowHeight + 1,
            Math.max(length * scale - 3, 2),
            rowHeight - 3,
          );
      }),
    [which, contextLength],
  );
  const move = (event: PointerEvent) => {
    const { left, top: edge, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    at.current = {
      window: Math.floor(top.peek() + (event.clientY - edge) / rowHeight),
      position: Math.floor(((event.clientX - left) / width) * contextLength),
    };
    look();
  };
  const leave = () => {
    at.current = undefined;
    look();
  };
  return (
    <div ref={box} class="compare-panel" onPointerMove={move} onPointerDown={move} onPointerLeave={leave}>
      <canvas ref={picture} class="layer" aria-hidden="true" />
      <canvas ref={marks} class="layer" aria-hidden="true" />
    </div>
  );
}

function Found({ names, tiles }: { names: readonly AlgorithmName[]; tiles: readonly ComparedTile[][] | undefined }) {
  const document = tiles?.flat()[0]?.document;
  if (tiles === undefined || document === undefined) return <p class="compare-found dim">No document is pointed at.</p>;
  const title = (name: AlgorithmName) =>
    description.value?.algorithms.find((info) => info.name === name)?.title ?? name;
  const places = names.map((name, which) => {
    const windows = [...new Set((tiles[which] ?? []).map(({ window }) => count(window)))];
    const where = windows.length === 0 ? 'left out' : `window${windows.length > 1 ? 's' : ''} ${windows.join(', ')}`;
    return `${title(name)}: ${where}`;
  });
  return (
    <p class="compare-found">
      <strong>Document {count(document)}</strong> {places.join(' · ')}
    </p>
  );
}
