// SPDX-License-Identifier: MIT
// Which windows are on show: the filter of the model, told to the worker, and how many windows it leaves.
import { computed, effect, signal } from '@preact/signals';

import { ask } from '../engine/client.js';
import type { WindowFilter } from '../engine/protocol.js';
import { count, counted } from '../format.js';
import type { Filter } from './model.js';
import { noFilter } from './model.js';
import { announce, model, plan, planVersion, select, update } from './store.js';

/** Rows on show where a filter is on; undefined without one. */
export const filteredRows = signal<number | undefined>(undefined);

export const lengthsWanted = computed(() => rangeOf(model.value));

function rangeOf({ lengthFrom, lengthTo }: Filter): { least: number; most: number } | undefined {
  return lengthFrom === 0 && lengthTo === 0 ? undefined : { least: lengthFrom, most: lengthTo };
}

export const filterOf = (of: Filter): WindowFilter => ({
  lengths: rangeOf(of),
  paddingOver: of.paddingOver < 0 ? undefined : of.paddingOver,
});

const noFilterKey = JSON.stringify(filterOf(noFilter));
const filterKey = computed(() => JSON.stringify(filterOf(model.value)));

export const filterOn = computed(() => filterKey.value !== noFilterKey);

export function clearFilter(): void {
  update(noFilter);
}

/** What no window has, where the filter leaves none. */
export function nothingLeft(): string {
  const { lengthFrom, lengthTo, paddingOver } = model.value;
  const parts = [
    lengthFrom === 0 && lengthTo === 0 ? '' : `a document of ${count(lengthFrom)} to ${counted(lengthTo, 'token')}`,
    paddingOver < 0 ? '' : `more than ${paddingOver}% padding`,
  ];
  return `No window has ${parts.filter(Boolean).join(' and ')}.`;
}

let told = noFilterKey;
let wanted = 0;
let settling = false;

// A plan made while a filter is on is filtered by the worker; how much that leaves is asked here.
function tell(): void {
  const key = filterKey.value;
  if (plan.value === undefined || (key === noFilterKey && told === noFilterKey && !settling)) {
    filteredRows.value = undefined;
    return;
  }
  wanted += 1;
  if (!settling) void settle();
}

// One question at a time, and then the latest: a brush moves faster than ten million documents are filtered.
async function settle(): Promise<void> {
  settling = true;
  for (let answered = 0; answered !== wanted; ) {
    answered = wanted;
    const key = filterKey.peek();
    const rows = await ask('filter', JSON.parse(key) as WindowFilter).catch(() => undefined);
    told = key;
    if (rows === undefined || answered !== wanted) continue;
    filteredRows.value = key === noFilterKey ? undefined : rows;
    planVersion.value += 1;
    if (key !== noFilterKey) await selectShown(rows);
  }
  settling = false;
}

// The selection follows to the nearest window on show.
async function selectShown(rows: number): Promise<void> {
  if (rows === 0) return;
  const { window } = await ask('window', model.peek().window);
  if (window !== model.peek().window) select(window);
  announce(`${counted(rows, 'window')} on show`);
}

/** Returns how to stop it. */
export const followFilter = (): (() => void) => effect(tell);
