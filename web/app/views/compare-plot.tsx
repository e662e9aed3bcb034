// SPDX-License-Identifier: MIT
// Waste against time: each algorithm a dot, both axes logarithmic; down and to the left is better.
import type { Outcome } from '../engine/protocol.js';
import { milliseconds, percent } from '../format.js';
import { description, model, outcomeOf, outcomesStale, update } from '../state/store.js';
import type { PlotDot } from '../text/plot.js';
import { plotDots, ticksBetween } from '../text/plot.js';

const size = { width: 720, height: 250, left: 64, right: 170, top: 14, bottom: 40 };

export function ComparePlot() {
  const outcomes = [...outcomeOf.value.values()];
  if (outcomes.length < 2) return null;
  const { dots, x, y } = plotDots(
    outcomes.map((outcome) => ({ outcome, waste: 1 - outcome.stats.realTokenShare, time: outcome.milliseconds })),
    size,
  );
  return (
    <section class="plot" data-stale={outcomesStale.value}>
      <h2>
        Waste against time <span class="dim">share of padding, time to plan; down and left is better</span>
      </h2>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="group"
        aria-label="Waste against time, a dot for each algorithm"
      >
        {ticksBetween(y.least, y.most).map((share) => (
          <g key={share} class="grid">
            <line x1={size.left} x2={size.width - size.right} y1={y.at(share)} y2={y.at(share)} />
            <text x={size.left - 8} y={y.at(share) + 4} text-anchor="end">
              {percent(share)}
            </text>
          </g>
        ))}
        {ticksBetween(x.least, x.most).map((time) => (
          <text key={time} class="tick" x={x.at(time)} y={size.height - 18} text-anchor="middle">
            {milliseconds(time)}
          </text>
        ))}
        {dots.map((dot) => (
          <Dot key={dot.item.outcome.algorithm} dot={dot} outcome={dot.item.outcome} />
        ))}
      </svg>
    </section>
  );
}

function Dot({ dot: { x, y, labelY }, outcome }: { dot: PlotDot<unknown>; outcome: Outcome }) {
  const { algorithm, stats } = outcome;
  const title = description.value?.algorithms.find(({ name }) => name === algorithm)?.title ?? algorithm;
  const chosen = model.value.algorithm === algorithm;
  const choose = () => update({ algorithm });
  const labelX = size.width - size.right + 18;
  return (
    <g
      class={chosen ? 'dot chosen' : 'dot'}
      role="button"
      tabindex={0}
      aria-pressed={chosen}
      aria-label={`${title}: ${percent(1 - stats.realTokenShare)} padding, ${milliseconds(outcome.milliseconds)}`}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose();
      }}
    >
      <polyline points={`${x},${y} ${labelX - 12},${labelY} ${labelX - 4},${labelY}`} />
      <circle cx={x} cy={y} r={chosen ? 7 : 5} />
      <rect x={labelX - 4} y={labelY - 9} width={size.right - 18} height={18} fill="transparent" />
      <text x={labelX} y={labelY + 4}>
        {title}
      </text>
    </g>
  );
}
