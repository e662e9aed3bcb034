// SPDX-License-Identifier: MIT
// How long the documents are, with the window length drawn in: what lies beyond it cannot stay whole.
import { useSignal } from '@preact/signals';

import type { LengthHistogram } from '../engine/protocol.js';
import { count, counted } from '../format.js';
import { data, model, plan } from '../state/store.js';

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
        <span class="dim">
          tokens, log scale · median {count(median)} · longest {count(longest)}
        </span>
        {over > 0 && <span class="over"> · {counted(over, 'document')} longer than the window</span>}
      </h2>
      <Bars histogram={histogram} />
    </section>
  );
}

function Bars({ histogram: { edges, counts } }: { histogram: LengthHistogram }) {
  const active = useSignal(-1);
  const { contextLength } = model.value;
  const [least, most] = [edges[0] as number, edges[edges.length - 1] as number];
  const span = Math.log2(Math.max(most, least + 1)) - Math.log2(least);
  const x = (length: number) => ((Math.log2(Math.max(length, 1)) - Math.log2(least)) / span) * width;
  const tallest = Math.max(...counts, 1);
  const marker = x(contextLength);
  const step = active.value;
  const tip =
    step >= 0 && counts[step] !== undefined
      ? `${counted(counts[step], 'document')} of ${count(edges[step] as number)} to ${count((edges[step + 1] as number) - 1)} tokens`
      : '';
  return (
    <div class="bars" onPointerLeave={() => (active.value = -1)}>
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

function ticks(least: number, most: number): number[] {
  const powers: number[] = [];
  for (let length = 1; length <= most; length *= 4) if (length >= least) powers.push(length);
  return powers;
}
