// SPDX-License-Identifier: MIT
// Keys: letters and digits act anywhere but in a field; arrows move the selection unless a control uses them.

import { ask } from '../engine/client.js';
import { count, counted } from '../format.js';
import { tabs, themes } from '../state/model.js';
import { announce, model, plan, select, update, windowInfo } from '../state/store.js';
import { openExport } from './export.js';
import { openHelp } from './help.js';
import { centreRow, fitRows, showRow, visibleRows, zoomRows } from './rows.js';

async function toRow(row: number): Promise<void> {
  const windows = plan.peek()?.stats.windows ?? 0;
  if (windows === 0) return;
  const target = Math.max(0, Math.min(row, windows - 1));
  select(await ask('windowAt', target));
  showRow(target);
  await say();
}

function toSegment(step: number): void {
  const info = windowInfo.peek();
  if (info === undefined) return;
  const last = info.segments.length - 1;
  const next = Math.max(0, Math.min(model.peek().segment + step, last));
  select(info.window, next);
  void say();
}

// Says what is selected now, read anew: the page may not have it yet.
async function say(): Promise<void> {
  const { window, segment } = model.peek();
  const info = await ask('window', window);
  const chosen = info.segments[segment];
  const place = `Window ${count(info.window)}, ${counted(info.segments.length, 'document')}`;
  if (chosen === undefined) announce(`${place}, ${count(info.used)} tokens`);
  else
    announce(
      `${place}: document ${count(chosen.document)}, ${counted(chosen.length, 'token')}, positions ${count(chosen.begin)} to ${count(chosen.begin + chosen.length - 1)}`,
    );
}

const row = () => windowInfo.peek()?.row ?? 0;

function nextTheme(): void {
  const { theme } = model.peek();
  update({ theme: themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system' });
}

const anywhere: Readonly<Record<string, () => void>> = {
  '?': openHelp,
  '+': () => zoomRows(1.5),
  '=': () => zoomRows(1.5),
  '-': () => zoomRows(1 / 1.5),
  '0': fitRows,
  f: () => centreRow(row()),
  e: openExport,
  o: () => document.getElementById('open-file')?.click(),
  m: () => update({ block: model.peek().block === 0 ? 128 : 0 }),
  c: nextTheme,
  '.': () => toSegment(1),
  ',': () => toSegment(-1),
  Escape: () => select(model.peek().window),
  ...Object.fromEntries(tabs.map((tab, index) => [String(index + 1), () => update({ tab })])),
};

const movement: Readonly<Record<string, () => void>> = {
  ArrowDown: () => void toRow(row() + 1),
  ArrowUp: () => void toRow(row() - 1),
  ArrowRight: () => toSegment(1),
  ArrowLeft: () => toSegment(-1),
  PageDown: () => void toRow(row() + visibleRows()),
  PageUp: () => void toRow(row() - visibleRows()),
  Home: () => void toRow(0),
  End: () => void toRow((plan.peek()?.stats.windows ?? 1) - 1),
};

const usesText = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]');
const usesArrows = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('[role=radio], [role=tab], [role=region], dialog *');

export function listenToKeys(): () => void {
  const act = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || usesText(event.target)) return;
    const action = anywhere[event.key] ?? (usesArrows(event.target) ? undefined : movement[event.key]);
    if (action === undefined || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    action();
  };
  addEventListener('keydown', act);
  return () => removeEventListener('keydown', act);
}
