// SPDX-License-Identifier: MIT
// How long the documents are, with the window length drawn in: what lies beyond it cannot stay whole. A brush over it
// filters the windows.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import type { LengthHistogram } from '../engine/protocol.js';
import { count, counted } from '../format.js';
import { clearFilter, filteredRows, lengthsWanted } from '../state/filtering.js';
import { data, model, plan, update } from '../state/store.js';

const width = 1000;
const height = 100;

export function HistogramPanel() {
  const summary = data.value;
  if (summary === undefined) return <section class="histogram" aria-busy="true" />;
  const { histogram, median, longest } = summary;
  const over = plan.value?.longDocuments ?? 0;
  return (
    <section class="histogram" aria-label="Document lengths">
      <h2>
        Document lengths{' '}
        {lengthsWanted.value === undefined && (
          <span class="dim">
            tokens, log scale · median {count(median)} · longest {count(longest)}
          </span>
        )}
        {over > 0 && <span class="over"> · {count(over)} longer than the window</span>}
        <FilterNote />
      </h2>
      <Bars histogram={histogram} />
    </section>
  );
}

function FilterNote() {
  const wanted = lengthsWanted.value;
  if (wanted === undefined) return <span class="dim filter-hint">· drag here to filter</span>;
  return (
    <span class="filter-note">
      {counted(filteredRows.value ?? 0, 'window')} with a document of {count(wanted.least)} to{' '}
      {counted(wanted.most, 'token')}{' '}
      <button type="button" class="link" onClick={clearFilter}>
        Clear the filter
      </button>
    </span>
  );
}

/** The steps from one to another, whichever is less, as lengths. */
function brush(edges: readonly number[], one: number, other: number): void {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  update({ lengthFrom: edges[first] as number, lengthTo: Math.max((edges[last + 1] as number) - 1, 1) });
}

function Bars({ histogram: { edges, counts } }: { histogram: LengthHistogram }) {
  const active = useSignal(-1);
  const { contextLength } = model.value;
  const [least, most] = [edges[0] as number, edges[edges.length - 1] as number];
  const span = Math.log2(Math.max(most, least + 1)) - Math.log2(least);
  const x = (length: number) => ((Math.log2(Math.max(length, 1)) - Math.log2(least)) / span) * width;
  const tallest = Math.max(...counts, 1);
  const marker = x(contextLength);
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef(-1);
  const stepAt = (event: PointerEvent) => {
    const bounds = (box.current as HTMLDivElement).getBoundingClientRect();
    const length = least * 2 ** (((event.clientX - bounds.left) / bounds.width) * span);
    const found = edges.findLastIndex((edge) => edge <= Math.max(length, least));
    return Math.max(0, Math.min(found, counts.length - 1));
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as HTMLElement).matches('input')) return;
    anchor.current = stepAt(event);
    box.current?.setPointerCapture(event.pointerId);
    brush(edges, anchor.current, anchor.current);
  };
  const drag = (event: PointerEvent) => {
    if (anchor.current >= 0) brush(edges, anchor.current, stepAt(event));
  };
  const release = () => {
    anchor.current = -1;
  };
  const step = active.value;
  const tip =
    step >= 0 && counts[step] !== undefined
      ? `${counted(counts[step], 'document')} of ${count(edges[step] as number)} to ${count((edges[step + 1] as number) - 1)} tokens`
      : '';
  return (
    <div
      ref={box}
      class="bars"
      onPointerLeave={() => (active.value = -1)}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <Brush x={(length) => (x(length) / width) * 100} />
      <BrushKeys edges={edges} />
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Histogram of document lengths from ${count(least)} to ${count(most)} tokens`}
      >
        {counts.map((documents, index) => {
          const left = x(edges[index] as number);
          const right = x(edges[index + 1] as number);
          // A step without a whole number in it has no width; a single document still shows.
          const tall = documents === 0 ? 0 : Math.max((documents / tallest) * height, 1);
          return (
            <g key={index} onPointerEnter={() => (active.value = index)}>
              <rect x={left} y={0} width={Math.max(right - left, 0)} height={height} fill="transparent" />
              <rect
                class={(edges[index] as number) > contextLength ? 'bar over' : 'bar'}
                x={left + 0.8}
                y={height - tall}
                width={Math.max(right - left - 1.6, 0)}
                height={tall}
              />
            </g>
          );
        })}
      </svg>
      {marker >= 0 && marker <= width && (
        <div class={marker > 0.8 * width ? 'marker left' : 'marker'} style={{ left: `${(marker / width) * 100}%` }}>
          <span>window {count(contextLength)}</span>
        </div>
      )}
      {tip && <p class="bar-tip">{tip}</p>}
      <div class="ticks" aria-hidden="true">
        {ticks(least, most).map((length) => (
          <span key={length} style={{ left: `${(x(length) / width) * 100}%` }}>
            {count(length)}
          </span>
        ))}
      </div>
    </div>
  );
}

function Brush({ x }: { x: (length: number) => number }) {
  const wanted = lengthsWanted.value;
  if (wanted === undefined) return null;
  const [left, right] = [Math.max(x(wanted.least), 0), Math.min(x(wanted.most + 1), 100)];
  return <div class="brush" style={{ left: `${left}%`, width: `${Math.max(right - left, 0.4)}%` }} />;
}

// The brush by keyboard: two sliders that only the focus shows.
function BrushKeys({ edges }: { edges: readonly number[] }) {
  const last = edges.length - 2;
  const wanted = lengthsWanted.value;
  const at = (length: number) =>
    Math.max(
      edges.findLastIndex((edge) => edge <= length),
      0,
    );
  const [from, to] = wanted ? [at(wanted.least), Math.min(at(wanted.most), last)] : [0, last];
  const slider = (name: string, value: number, length: number, change: (step: number) => void) => (
    <input
      type="range"
      class="brush-key"
      aria-label={name}
      aria-valuetext={counted(length, 'token')}
      min={0}
      max={last}
      value={value}
      onInput={({ currentTarget }) => change(currentTarget.valueAsNumber)}
    />
  );
  return (
    <>
      {slider('Filter: shortest document', from, edges[from] as number, (step) =>
        brush(edges, step, Math.max(to, step)),
      )}
      {slider('Filter: longest document', to, (edges[to + 1] as number) - 1, (step) =>
        brush(edges, Math.min(from, step), step),
      )}
    </>
  );
}

function ticks(least: number, most: number): number[] {
  const powers: number[] = [];
  for (let length = 1; length <= most; length *= 4) if (length >= least) powers.push(length);
  return powers;
}
