// SPDX-License-Identifier: MIT
// The view of windows: rows of tiles with a minimap beside them, or the same rows as a table, and the length histogram.
import { useSignal } from '@preact/signals';

import type { Order } from '../state/model.js';
import { camera, model, update } from '../state/store.js';
import { HistogramPanel } from './histogram.js';
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
        <p class="legend">
          <span class="hatch-swatch" aria-hidden="true" /> padding
          <span class="legend-note">a row is a window, a tile a document</span>
        </p>
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
        </div>
      )}
      <HistogramPanel />
    </div>
  );
}

function reorder(order: Order): void {
  update({ order });
  const at = scene.peek();
  if (camera.peek() && at) camera.value = { ...(camera.peek() as NonNullable<typeof camera.value>), top: 0, left: 0 };
}
