// SPDX-License-Identifier: MIT
// The view that compares: every algorithm on the same documents, the difference in words, and several window lengths.

import { useSignal } from '@preact/signals';
import type { AlgorithmName } from 'packscope/slim';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../engine/client.js';
import type { AttentionCost, Outcome, PlanLook } from '../engine/protocol.js';
import { count, milliseconds, percent, times } from '../format.js';
import { maskOptions, packOptions } from '../state/planning.js';
import {
  comparedLengths,
  description,
  model,
  outcomeOf,
  outcomes,
  outcomesStale,
  planVersion,
  theme,
  update,
} from '../state/store.js';
import { difference, distance, price, titles } from '../text/sentences.js';
import { show } from './canvas.js';
import { ComparePlot } from './compare-plot.js';
import { CompareRows } from './compare-rows.js';
import { CostPanel } from './cost.js';

export function CompareView() {
  return (
    <div class="compare">
      <Sentences />
      <CompareRows />
      <OutcomeTable />
      <ComparePlot />
      <LengthTable />
      <CostPanel />
    </div>
  );
}

const titleOf = () => titles(description.value?.algorithms ?? []);

/** What most people pack with today: the rival that the sentence names. */
const rivals: readonly AlgorithmName[] = ['next_fit', 'first_fit'];

function Sentences() {
  const chosen = outcomeOf.value.get(model.value.algorithm);
  const rival = rivals.filter((name) => name !== model.value.algorithm).map((name) => outcomeOf.value.get(name))[0];
  if (!chosen || !rival) return <p class="sentences">Comparing…</p>;
  const title = titleOf();
  return (
    <div class="sentences">
      <p class="lead">{difference(chosen, rival, title)}</p>
      <p>
        {distance(chosen, title)} {price(chosen, title)}
      </p>
    </div>
  );
}

function OutcomeTable() {
  const infos = description.value?.algorithms ?? [];
  const best = Math.min(...[...outcomeOf.value.values()].map(({ stats }) => stats.windows));
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Algorithms compared">
      <table data-stale={outcomesStale.value}>
        <caption>Every algorithm, windows of {count(model.value.contextLength)} tokens</caption>
        <thead>
          <tr>
            <th scope="col">Algorithm</th>
            <th scope="col" class="strip-head">
              A look
            </th>
            <th scope="col">Windows</th>
            <th scope="col">Real tokens</th>
            <th scope="col">Above bound</th>
            <th scope="col">Split</th>
            <th scope="col">Left out</th>
            <th scope="col">Documents a window</th>
            <th scope="col">Attention</th>
            <th scope="col">Blocks skipped</th>
            <th scope="col">Balance</th>
            <th scope="col">Planned in</th>
            <th scope="col">Streams</th>
          </tr>
        </thead>
        <tbody>
          {infos.map(({ name, title, kind }) => (
            <OutcomeRow
              key={name}
              name={name}
              title={title}
              streaming={kind === 'streaming'}
              outcome={outcomeOf.value.get(name)}
              best={best}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  name: AlgorithmName;
  title: string;
  streaming: boolean;
  outcome: Outcome | undefined;
  best: number;
}

function OutcomeRow({ name, title, streaming, outcome, best }: RowProps) {
  const chosen = model.value.algorithm === name;
  const look = useLook(name);
  return (
    <tr aria-selected={chosen}>
      <th scope="row">
        <button type="button" class="link" aria-pressed={chosen} onClick={() => update({ algorithm: name })}>
          {title}
        </button>
      </th>
      <td class="strip-cell">
        <Strip look={look} />
      </td>
      {outcome ? <OutcomeCells outcome={outcome} best={best} /> : <td colSpan={7}>…</td>}
      <AttentionCells cost={look?.attention} />
      <td>{outcome ? milliseconds(outcome.milliseconds) : '…'}</td>
      <td>{streaming ? 'yes' : 'no'}</td>
    </tr>
  );
}

function OutcomeCells({ outcome: { stats, ledger, estimated }, best }: { outcome: Outcome; best: number }) {
  const mark = estimated ? '~' : '';
  const { p50, p95 } = stats.documentsPerWindow;
  return (
    <>
      <td class={stats.windows === best ? 'best' : undefined}>{mark + count(stats.windows)}</td>
      <td>
        <span class="cell-bar" aria-hidden="true">
          <span style={{ width: `${stats.realTokenShare * 100}%` }} />
        </span>
        {mark + percent(stats.realTokenShare)}
      </td>
      <td>{count(stats.gap)}</td>
      <td>{count(ledger.splitDocuments)}</td>
      <td>{count(ledger.droppedDocuments)}</td>
      <td title="median, and what 95% of windows have at most">
        {count(p50)} / {count(p95)}
      </td>
      <td title="pairs that the document mask leaves, of the full causal mask">
        {percent(stats.attentionPairs / Math.max(stats.causalPairs, 1))}
      </td>
    </>
  );
}

function AttentionCells({ cost }: { cost: AttentionCost | undefined }) {
  if (cost === undefined) return <td colSpan={2}>…</td>;
  const { skippedShare, busiest, balance, estimated } = cost;
  const mark = estimated ? '~' : '';
  return (
    <>
      <td title="128 × 128 blocks of the mask that a kernel need not compute">{mark + percent(skippedShare)}</td>
      <td title="8 ranks that take windows in turn: the share of attention time in which none waits for the busiest; and the busiest window, over a window on average">
        {mark + percent(balance)} <span class="dim">{times(busiest)}</span>
      </td>
    </>
  );
}

const stripRows = 5;
const stripSize = { width: 132, height: 30 };

// Of the plan that an algorithm makes, for as long as plan and mask are those on show.
function useLook(algorithm: AlgorithmName): PlanLook | undefined {
  const look = useSignal<PlanLook | undefined>(undefined);
  const version = planVersion.value;
  const mask = JSON.stringify(maskOptions(model.value));
  useEffect(() => {
    let wanted = true;
    const ratio = Math.min(devicePixelRatio, 3);
    const size = { width: Math.round(stripSize.width * ratio), height: Math.round(stripSize.height * ratio) };
    const now = model.peek();
    void ask('planLook', { ...packOptions(now), algorithm }, maskOptions(now), stripRows, size, theme.value).then(
      (made) => {
        if (wanted) look.value = made;
      },
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [version, theme.value, algorithm, mask]);
  return look.value;
}

// A few windows from the middle of each plan.
function Strip({ look }: { look: PlanLook | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current && look) show(canvas.current, look);
  }, [look]);
  return <canvas ref={canvas} class="strip" aria-hidden="true" width={stripSize.width} height={stripSize.height} />;
}

function LengthTable() {
  const lengths = comparedLengths(model.value.contextLength);
  const infos = description.value?.algorithms ?? [];
  const found = new Map(outcomes.value.map((outcome) => [`${outcome.algorithm} ${outcome.contextLength}`, outcome]));
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Window lengths compared">
      <table class="heat">
        <caption>Share of real tokens at other window lengths</caption>
        <thead>
          <tr>
            <th scope="col">Algorithm</th>
            {lengths.map((length) => (
              <th key={length} scope="col" aria-selected={length === model.value.contextLength}>
                <button type="button" class="link" onClick={() => update({ contextLength: length })}>
                  {count(length)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {infos.map(({ name, title }) => (
            <tr key={name} aria-selected={name === model.value.algorithm}>
              <th scope="row">{title}</th>
              {lengths.map((length) => (
                <HeatCell key={length} outcome={found.get(`${name} ${length}`)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HeatCell({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return <td>…</td>;
  const { stats, ledger } = outcome;
  const lost = ledger.tokensDropped / Math.max(ledger.tokens, 1);
  return (
    <td>
      {percent(stats.realTokenShare)}
      {lost > 0 && <span class="lost"> {percent(lost)} lost</span>}
    </td>
  );
}
