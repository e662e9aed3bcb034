// SPDX-License-Identifier: MIT
// Everything that a key or the command palette can do: one table, from which keys, palette and help are made.
import { signal } from '@preact/signals';

import { ask } from '../engine/client.js';
import { exploring, stopExploring } from '../state/exploring.js';
import { clearFilter } from '../state/filtering.js';
import type { Tab } from '../state/model.js';
import { levels, tabs, themes } from '../state/model.js';
import { lastStep, moveStep, togglePlaying } from '../state/player.js';
import { colorChoices, model, plan, select, update, windowInfo } from '../state/store.js';
import { openExport } from './export.js';
import { centreRow, fitRows, scene, showRow, visibleRows, zoomRows } from './rows.js';

export interface Action {
  readonly name: string;
  /** As KeyboardEvent.key has them; letters act alone, and can be switched off. */
  readonly keys: readonly string[];
  /** How help writes them; default: the keys. */
  readonly written?: string;
  /** The only view it acts in. */
  readonly tab?: Tab;
  readonly run: () => void;
}

export type Overlay = 'find' | 'commands' | 'help';

/** What lies over the page; its code is fetched when it is first wanted. */
export const overlay = signal<Overlay | undefined>(undefined);

export const openFind = () => {
  update({ tab: 'windows' });
  overlay.value = 'find';
};
export const openHelp = () => {
  overlay.value = 'help';
};
export const openCommands = () => {
  overlay.value = 'commands';
};

const lettersKey = 'packscope-letters';

/** Whether keys without Ctrl act; a reader who dictates may not want that. */
export const lettersAct = signal(readLetters());

function readLetters(): boolean {
  try {
    return localStorage.getItem(lettersKey) !== 'off';
  } catch {
    return true;
  }
}

export function setLetters(on: boolean): void {
  lettersAct.value = on;
  try {
    localStorage.setItem(lettersKey, on ? 'on' : 'off');
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

async function toRow(row: number): Promise<void> {
  const rows = scene.peek()?.windows ?? 0;
  if (rows === 0) return;
  const target = Math.max(0, Math.min(row, rows - 1));
  select(await ask('windowAt', target));
  showRow(target);
}

function toSegment(step: number): void {
  const info = windowInfo.peek();
  if (info === undefined) return;
  const last = info.segments.length - 1;
  const next = Math.max(0, Math.min(model.peek().segment + step, last));
  select(info.window, next);
}

const row = () => windowInfo.peek()?.row ?? 0;

function next<T>(choices: readonly T[], now: T): T {
  return choices[(choices.indexOf(now) + 1) % choices.length] as T;
}

const tabNames: Readonly<Record<Tab, string>> = {
  windows: 'Windows',
  compare: 'Compare',
  step: 'Step through',
  code: 'Code',
};

export const actions: readonly Action[] = [
  { name: 'Find a document, window or length', keys: ['/'], run: openFind },
  { name: 'All commands', keys: [], written: 'Ctrl K', run: openCommands },
  ...tabs.map((tab, index) => ({
    name: `View: ${tabNames[tab]}`,
    keys: [String(index + 1)],
    run: () => update({ tab }),
  })),
  { name: 'Play or pause', keys: [' '], written: 'Space', tab: 'step', run: togglePlaying },
  { name: 'Step back', keys: ['ArrowLeft'], written: '←', tab: 'step', run: () => moveStep(-1) },
  { name: 'Step forward', keys: ['ArrowRight'], written: '→', tab: 'step', run: () => moveStep(1) },
  { name: 'First step', keys: ['Home'], tab: 'step', run: () => moveStep(-lastStep.peek()) },
  { name: 'Last step', keys: ['End'], tab: 'step', run: () => moveStep(lastStep.peek()) },
  { name: 'Previous window', keys: ['ArrowUp'], written: '↑', run: () => void toRow(row() - 1) },
  { name: 'Next window', keys: ['ArrowDown'], written: '↓', run: () => void toRow(row() + 1) },
  { name: 'Previous document', keys: ['ArrowLeft', ','], written: '←  ,', run: () => toSegment(-1) },
  { name: 'Next document', keys: ['ArrowRight', '.'], written: '→  .', run: () => toSegment(1) },
  { name: 'A page up', keys: ['PageUp'], written: 'PgUp', run: () => void toRow(row() - visibleRows()) },
  { name: 'A page down', keys: ['PageDown'], written: 'PgDn', run: () => void toRow(row() + visibleRows()) },
  { name: 'First window', keys: ['Home'], run: () => void toRow(0) },
  { name: 'Last window', keys: ['End'], run: () => void toRow((scene.peek()?.windows ?? 1) - 1) },
  { name: 'Zoom in', keys: ['+', '='], written: '+', run: () => zoomRows(1.5) },
  { name: 'Zoom out', keys: ['-'], written: '−', run: () => zoomRows(1 / 1.5) },
  { name: 'Fit all windows', keys: ['0'], run: fitRows },
  { name: 'Centre the selected window; again to fit', keys: ['f'], written: 'F', run: centreOrFit },
  ...levels.map((level) => ({ name: `Windows as ${level}`, keys: [], run: () => update({ tab: 'windows', level }) })),
  {
    name: 'Mask: tokens or blocks',
    keys: ['m'],
    written: 'M',
    run: () => update({ block: model.peek().block === 0 ? 128 : 0 }),
  },
  {
    name: 'Colour by document, length, split or source',
    keys: ['c'],
    written: 'C',
    run: () => update({ colorBy: next(colorChoices.peek(), model.peek().colorBy) }),
  },
  { name: 'Clear the filter', keys: [], run: clearFilter },
  { name: 'Open a file', keys: ['o'], written: 'O', run: () => document.getElementById('open-file')?.click() },
  { name: 'Export a picture or data', keys: ['e'], written: 'E', run: openExport },
  { name: 'Light, dark or as the system', keys: [], run: () => update({ theme: next(themes, model.peek().theme) }) },
  { name: 'Help', keys: ['?'], run: openHelp },
  { name: 'Clear the document', keys: ['Escape'], written: 'Esc', run: clear },
];

function clear(): void {
  if (exploring.peek()) stopExploring();
  else select(model.peek().window);
}

let centred = -1;

function centreOrFit(): void {
  const at = row();
  if (plan.peek() === undefined) return;
  if (centred === at) fitRows();
  else centreRow(at);
  centred = centred === at ? -1 : at;
}
