// SPDX-License-Identifier: MIT
// The view of windows: rows of tiles with a minimap beside them, or the same rows as a table, and the length histogram.
import { useSignal } from '@preact/signals';
import { clearFilter, filteredRows, nothingLeft } from '../state/filtering.js';
import type { Order } from '../state/model.js';
import { camera, model, update } from '../state/store.js';
import { HistogramPanel } from './histogram.js';
import { ColorChoice } from './legend.js';
import { Minimap } from './minimap.js';
import { fitRows, Rows, scene, zoomRows } from './rows.js';
import { WindowsTable } from './windows-table.js';

const orders: Readonly<Record<Order, string>> = {
  plan: 'Plan order',
  waste: 'Most padding first',
  documents: 'Most documents first',
};

export function WindowsView() {
  const table = useSignal(false);
  return (
    <div class="windows">
      <div class="toolbar">
        <label class="inline">
          <span>Sort</span>
          <select value={model.value.order} onChange={({ currentTarget }) => reorder(currentTarget.value as Order)}>
            {Object.entries(orders).map(([order, title]) => (
              <option key={order} value={order}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <ColorChoice />
        <PaddingFilter />
        <div class="button-row">
          <button type="button" aria-pressed={table.value} onClick={() => (table.value = !table.value)}>
            Table
          </button>
          <button
            type="button"
            class="icon"
            aria-label="Zoom out"
            title="Zoom out (-)"
            onClick={() => zoomRows(1 / 1.5)}
          >
            −
          </button>
          <button type="button" class="icon" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoomRows(1.5)}>
            +
          </button>
          <button type="button" title="All windows (0)" onClick={fitRows}>
            Fit
          </button>
        </div>
      </div>
      {table.value ? (
        <WindowsTable />
      ) : (
        <div class="rows-and-map">
          <Rows />
          <Minimap />
          {filteredRows.value === 0 && <NothingLeft />}
        </div>
      )}
      <HistogramPanel />
    </div>
  );
}

const paddingChoices = [-1, 0, 1, 5, 10, 20, 40, 60];

function PaddingFilter() {
  const { paddingOver } = model.value;
  const choices = [...new Set([...paddingChoices, paddingOver])].sort((a, b) => a - b);
  return (
    <label class="inline">
      <span>Show</span>
      <select
        value={String(paddingOver)}
        onChange={({ currentTarget }) => update({ paddingOver: Number(currentTarget.value) })}
      >
        {choices.map((choice) => (
          <option key={choice} value={String(choice)}>
            {choice < 0 ? 'all windows' : `over ${choice}% padding`}
          </option>
        ))}
      </select>
    </label>
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
