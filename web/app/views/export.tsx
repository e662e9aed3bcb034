// SPDX-License-Identifier: MIT
// The export dialog: the plan on show as a picture or as data, of all windows or of some.
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { useEffect } from 'preact/hooks';

import { ask } from '../engine/client.js';
import type { ExportKind } from '../engine/protocol.js';
import { count, counted } from '../format.js';
import { positionsAcross, rowHeight, rowsAcross } from '../state/camera.js';
import type { Problem } from '../state/store.js';
import { announce, camera, model, plan, theme } from '../state/store.js';
import { scene } from './rows.js';
import { saveFile } from './save.js';

type Kind = 'png' | ExportKind;

const kinds: Readonly<Record<Kind, readonly [title: string, about: string]>> = {
  png: ['PNG picture', 'What the rows show, or a range of windows, at up to four times the size.'],
  svg: ['SVG picture', 'Tiles as shapes and text that can be selected, up to 5,000 tiles.'],
  'windows-csv': ['Windows as CSV', 'Documents, tokens and padding of every window.'],
  'documents-csv': ['Documents as CSV', 'Where every piece of every document stands, and which stand nowhere.'],
  npz: ['Arrays as NPZ', 'position_ids, doc_ids, cu_seqlens, … and input_ids where tokens are known: for numpy.load.'],
  arrow: ['Arrays as Arrow', 'The same arrays as a table, a row for each window: for datasets and pyarrow.'],
  json: ['Plan as JSON', 'Options, ledger, fingerprint and every segment.'],
};
const names = Object.keys(kinds) as Kind[];

const dialog = createRef<HTMLDialogElement>();
const kind = signal<Kind>('png');
const scale = signal(2);
/** [first, last) or what the rows show. */
const range = signal<readonly [number, number]>();
const refusal = signal<Problem>();
const working = signal(false);
/** Its form is there while it is open, and reads what is on show then. */
const opened = signal(false);

const shown = (): readonly [number, number] => {
  const [now, at] = [camera.peek(), scene.peek()];
  if (!now || !at) return [0, 0];
  return [Math.floor(now.top), Math.min(Math.ceil(now.top + rowsAcross(now, at)), at.windows)];
};

export function openExport(): void {
  refusal.value = undefined;
  range.value = undefined;
  opened.value = true;
  dialog.current?.showModal();
}

/** The event of closing comes late: the dialog may have been opened again. */
function leave(): void {
  opened.value = dialog.current?.open ?? false;
}

const takesArrays = (of: Kind) => of === 'npz' || of === 'arrow';
const takesRange = (of: Kind) => of === 'png' || of === 'svg' || takesArrays(of);

export function ExportDialog() {
  return (
    <dialog ref={dialog} class="dialog export" aria-labelledby="export-title" onClose={leave}>
      {opened.value && <ExportForm />}
    </dialog>
  );
}

function ExportForm() {
  // The form comes after the dialog has opened, which gave the focus to itself.
  useEffect(() => dialog.current?.querySelector<HTMLInputElement>('input:checked')?.focus(), []);
  return (
    <form method="dialog" onSubmit={(event) => void submit(event)}>
      <h2 id="export-title">Export</h2>
      <div class="export-kinds" role="radiogroup" aria-labelledby="export-title">
        {names.map((name) => (
          <label key={name} class="export-kind">
            <input type="radio" name="kind" checked={kind.value === name} onChange={() => (kind.value = name)} />
            <span>
              <strong>{kinds[name][0]}</strong>
              <span class="dim">{kinds[name][1]}</span>
            </span>
          </label>
        ))}
      </div>
      {takesRange(kind.value) && <RangeFields />}
      {kind.value === 'png' && <ScaleField />}
      {refusal.value && (
        <div class="refusal" role="alert">
          <p>{refusal.value.message}</p>
          {refusal.value.command && <code class="command-line">{refusal.value.command}</code>}
        </div>
      )}
      <p class="dialog-actions">
        <button type="submit" value="cancel">
          Cancel
        </button>
        <button type="submit" class="primary" value="save" disabled={working.value}>
          {working.value ? 'Making it…' : 'Save'}
        </button>
      </p>
    </form>
  );
}

function RangeFields() {
  const all = plan.value?.stats.windows ?? 0;
  const [first, last] = range.value ?? shown();
  const set = (next: readonly [number, number]) => {
    const [from, to] = next;
    if (Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= all) range.value = next;
  };
  return (
    <div class="option-line export-range">
      <label for="export-first">{takesArrays(kind.value) ? 'Windows of the plan' : 'Windows as shown'}</label>
      <span>
        <input
          id="export-first"
          class="number"
          type="number"
          min={0}
          max={all - 1}
          value={first}
          onChange={({ currentTarget }) =>
            set([currentTarget.valueAsNumber, Math.max(last, currentTarget.valueAsNumber + 1)])
          }
        />{' '}
        to{' '}
        <input
          class="number"
          type="number"
          aria-label="Last window"
          min={0}
          max={all - 1}
          value={last - 1}
          onChange={({ currentTarget }) => set([first, currentTarget.valueAsNumber + 1])}
        />
        <button type="button" onClick={() => set([0, all])}>
          All {count(all)}
        </button>
      </span>
    </div>
  );
}

function ScaleField() {
  return (
    <div class="option-line">
      <span id="export-scale">Size</span>
      <div class="segmented" role="group" aria-labelledby="export-scale">
        {[1, 2, 4].map((times) => (
          <button key={times} type="button" aria-pressed={scale.value === times} onClick={() => (scale.value = times)}>
            {times}×
          </button>
        ))}
      </div>
    </div>
  );
}

async function submit(event: SubmitEvent): Promise<void> {
  if ((event.submitter as HTMLButtonElement | null)?.value !== 'save') return;
  event.preventDefault();
  working.value = true;
  refusal.value = undefined;
  try {
    const name = kind.value === 'png' ? await savePng() : await saveData(kind.value);
    dialog.current?.close();
    announce(`${name} saved`);
  } catch (error) {
    refusal.value = error as Problem;
  } finally {
    working.value = false;
  }
}

async function saveData(of: ExportKind): Promise<string> {
  const [now, at] = [camera.peek(), scene.peek()];
  const height = now && at ? Math.max(Math.round(rowHeight(now, at)), 4) : 16;
  const { name, type, bytes } = await ask('exportFile', {
    kind: of,
    range: range.value ?? shown(),
    theme: theme.value,
    colorBy: model.peek().colorBy,
    width: Math.round(at?.width ?? 1200),
    rowHeight: height,
  });
  saveFile(name, type, new Blob([bytes]));
  return name;
}

const mostPixels = 16_384;
const fontSize = 11;

async function savePng(): Promise<string> {
  const [now, at] = [camera.peek(), scene.peek()];
  if (!now || !at) throw new Error('There are no rows on show. Open the view of windows first.');
  const rows = range.value ?? ([now.top, Math.min(now.top + rowsAcross(now, at), at.windows)] as const);
  const tall = Math.max(Math.round(rowHeight(now, at)), 1);
  const [width, height] = [Math.round(at.width * scale.value), Math.round((rows[1] - rows[0]) * tall * scale.value)];
  if (Math.max(width, height) > mostPixels)
    throw new Error(
      `${counted(Math.ceil(rows[1] - rows[0]), 'window')} make a picture of ${count(width)} × ${count(height)} pixels; browsers draw up to ${count(mostPixels)} a side. Take fewer windows, a smaller size, or zoom out first.`,
    );
  const across = range.value ? at.contextLength : positionsAcross(now, at);
  const left = range.value ? 0 : now.left;
  const picture = await ask('drawRows', {
    width,
    height,
    rows,
    positions: [left, left + across],
    theme: theme.value,
    colorBy: model.peek().colorBy,
    labelWidth: tall < 12 ? 0 : 70 * scale.value,
  });
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser gives no canvas for the picture. Take an SVG.');
  context.putImageData(new ImageData(picture.pixels, width, height), 0, 0);
  context.font = `500 ${fontSize * scale.value}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  for (const { text, row, position, room, ink } of picture.labels) {
    context.fillStyle = ink;
    const x = ((position - left) / across) * width + 6 * scale.value;
    const most = (room / across) * width - 12 * scale.value;
    const letters = Math.floor(most / (fontSize * 0.58 * scale.value));
    context.fillText(text.slice(0, Math.max(letters, 0)), x, (row - rows[0] + 0.5) * tall * scale.value);
  }
  const name = `windows${range.value ? `-${rows[0]}-${rows[1] - 1}` : ''}@${scale.value}x.png`;
  saveFile(name, 'image/png', await canvas.convertToBlob({ type: 'image/png' }));
  return name;
}
