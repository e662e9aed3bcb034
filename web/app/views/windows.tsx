// SPDX-License-Identifier: MIT
// The view of windows: rows of tiles with a minimap beside them, or the same rows as a table, and the length histogram.

import { useEffect, useRef } from 'preact/hooks';
import { explore, exploring, stopExploring } from '../state/exploring.js';
import { clearFilter, filteredRows, nothingLeft } from '../state/filtering.js';

import type { Level, Order } from '../state/model.js';
import { camera, model, update } from '../state/store.js';
import { Field } from './field.js';
import { HistogramPanel } from './histogram.js';
import { lazyView } from './lazy.js';
import { ColorChoice } from './legend.js';
import { Minimap } from './minimap.js';
import { fitRows, Rows, scene, zoomRows } from './rows.js';
import { Segmented } from './segmented.js';
import { WindowsTable } from './windows-table.js';

const Tokens = lazyView(async () => (await import('./tokens.js')).Tokens);

const levelNames: Readonly<Record<Level, string>> = {
  field: 'Field',
  rows: 'Rows',
  tokens: 'Tokens',
  table: 'Table',
};

const orders: Readonly<Record<Order, string>> = {
  plan: 'Plan order',
  waste: 'Most padding first',
  documents: 'Most documents first',
};

export function WindowsView() {
  return (
    <div class="windows">
      <div class="toolbar">
        <Segmented
          label="How close"
          value={model.value.level}
          choices={levelNames}
          change={(level) => update({ level })}
        />
        <select
          aria-label="Sort"
          value={model.value.order}
          onChange={({ currentTarget }) => reorder(currentTarget.value as Order)}
        >
          {Object.entries(orders).map(([order, title]) => (
            <option key={order} value={order}>
              {title}
            </option>
          ))}
        </select>
        <ColorChoice />
        <PaddingFilter />
      </div>
      <Look />
      <HistogramPanel />
    </div>
  );
}

function Look() {
  const { level } = model.value;
  if (level === 'table') return <WindowsTable />;
  if (level === 'tokens') return <Tokens />;
  return (
    <div class="rows-and-map" data-exploring={exploring.value} {...(exploring.value ? asDialog : {})}>
      <Explore />
      {level === 'field' ? <Field /> : <Rows />}
      {level === 'rows' && (
        <div class="map">
          <Minimap />
          <Zoom />
        </div>
      )}
      {filteredRows.value === 0 && <NothingLeft />}
    </div>
  );
}

const asDialog = { role: 'dialog', 'aria-modal': true, 'aria-label': 'Explore windows' } as const;

// Shown on narrow screens only.
function Explore() {
  const close = useRef<HTMLButtonElement>(null);
  const on = exploring.value;
  useEffect(() => {
    document.documentElement.classList.toggle('exploring', on);
    if (on) close.current?.focus();
  }, [on]);
  useEffect(() => stopExploring, []);
  return (
    <button ref={close} type="button" class="explore" onClick={on ? stopExploring : explore}>
      {on ? 'Done' : 'Explore'}
    </button>
  );
}

function Zoom() {
  return (
    <div class="button-row">
      <button type="button" class="icon" aria-label="Zoom out" title="Zoom out (-)" onClick={() => zoomRows(1 / 1.5)}>
        −
      </button>
      <button type="button" class="icon" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoomRows(1.5)}>
        +
      </button>
      <button type="button" title="All windows (0)" onClick={fitRows}>
        Fit
      </button>
    </div>
  );
}

const paddingChoices = [-1, 0, 1, 5, 10, 20, 40, 60];

function PaddingFilter() {
  const { paddingOver } = model.value;
  const choices = [...new Set([...paddingChoices, paddingOver])].sort((a, b) => a - b);
  return (
    <select
      aria-label="Show"
      value={String(paddingOver)}
      onChange={({ currentTarget }) => update({ paddingOver: Number(currentTarget.value) })}
    >
      {choices.map((choice) => (
        <option key={choice} value={String(choice)}>
          {choice < 0 ? 'All windows' : `Over ${choice}% padding`}
        </option>
      ))}
    </select>
  );
}

function NothingLeft() {
  return (
    <div class="nothing-left">
      <p>{nothingLeft()}</p>
      <button type="button" onClick={clearFilter}>
        Clear the filter
      </button>
    </div>
  );
}

function reorder(order: Order): void {
  update({ order });
  const at = scene.peek();
  if (camera.peek() && at) camera.value = { ...(camera.peek() as NonNullable<typeof camera.value>), top: 0, left: 0 };
}
