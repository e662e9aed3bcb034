// SPDX-License-Identifier: MIT
// The windows as a table: the same rows in the same order, for those who read or listen rather than look.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../engine/client.js';
import type { WindowRow } from '../engine/protocol.js';
import { count, percent } from '../format.js';
import { model, plan, planVersion, select } from '../state/store.js';

const pageSize = 100;

export function WindowsTable() {
  const first = useSignal(0);
  const rows = useSignal<readonly WindowRow[]>([]);
  const windows = plan.value?.stats.windows ?? 0;
  const version = planVersion.value;
  useEffect(() => {
    let wanted = true;
    void ask('windowRows', first.value, pageSize).then((read) => {
      if (wanted) rows.value = read;
    });
    return () => {
      wanted = false;
    };
  }, [first.value, version]);
  const last = Math.min(first.value + pageSize, windows);
  return (
    <div class="table-view">
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Table of windows">
        <table>
          <thead>
            <tr>
              <th scope="col">Window</th>
              <th scope="col">Documents</th>
              <th scope="col">Tokens</th>
              <th scope="col">Padding</th>
              <th scope="col">Real</th>
            </tr>
          </thead>
          <tbody>
            {rows.value.map((row) => (
              <Line key={row.window} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="pager">
        <button
          type="button"
          disabled={first.value === 0}
          onClick={() => (first.value = Math.max(first.value - pageSize, 0))}
        >
          Previous
        </button>
        <span>
          {count(first.value + 1)} to {count(last)} of {count(windows)}
        </span>
        <button type="button" disabled={last >= windows} onClick={() => (first.value += pageSize)}>
          Next
        </button>
      </p>
    </div>
  );
}

function Line({ row: { window, documents, used, padding } }: { row: WindowRow }) {
  return (
    <tr aria-selected={window === model.value.window}>
      <th scope="row">
        <button type="button" class="link" onClick={() => select(window)}>
          {count(window)}
        </button>
      </th>
      <td>{count(documents)}</td>
      <td>{count(used)}</td>
      <td>{count(padding)}</td>
      <td>{percent(used / Math.max(used + padding, 1))}</td>
    </tr>
  );
}
