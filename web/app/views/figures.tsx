// SPDX-License-Identifier: MIT
// The four figures above the views: what packing achieved, in numbers that a reader can repeat.
import { count, percent, times } from '../format.js';
import { data, model, plan, skippedShare } from '../state/store.js';

export function Figures() {
  const made = plan.value;
  const documents = data.value?.documents ?? 0;
  if (made === undefined)
    return (
      <dl class="figures" aria-busy="true">
        {[0, 1, 2, 3].map((index) => (
          <Figure key={index} value="–" text="" />
        ))}
      </dl>
    );
  const { stats, windowsApart } = made;
  return (
    <dl class="figures">
      <Figure value={count(stats.windows)} text={`windows, from ${count(documents)} documents`} />
      <Figure
        value={percent(stats.realTokenShare, 2)}
        text={`of positions hold a token; ${count(stats.paddingTokens)} are padding`}
        bar={stats.realTokenShare}
      />
      <Figure
        value={times(stats.windows === 0 ? 0 : windowsApart / stats.windows)}
        text="fewer windows than with each document alone"
      />
      <Figure
        value={skippedShare.value === undefined ? '–' : percent(skippedShare.value)}
        text={`of 128 × 128 attention blocks are skipped, ${model.value.mask}`}
        bar={skippedShare.value}
      />
    </dl>
  );
}

function Figure({ value, text, bar }: { value: string; text: string; bar?: number | undefined }) {
  return (
    <div class="figure">
      <dt>{text}</dt>
      <dd>{value}</dd>
      {bar !== undefined && (
        <span class="figure-bar" aria-hidden="true">
          <span style={{ width: `${bar * 100}%` }} />
        </span>
      )}
    </div>
  );
}
