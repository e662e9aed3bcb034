// SPDX-License-Identifier: MIT
// The settings at the left: every option that changes the picture, with the sentence that the module has for it.
import type { AlgorithmInfo, AlgorithmName } from 'packscope/slim';
import type { ComponentChildren } from 'preact';
import { count, percent } from '../format.js';
import type { LongDocuments } from '../state/model.js';
import { longDocumentRules, longestWindow, sliderIndex, sliderLengths } from '../state/model.js';
import { description, model, outcomeOf, outcomesStale, update } from '../state/store.js';
import { MoreOptions } from './more-options.js';
import { inWords } from './option-help.js';
import { DataCard } from './reading.js';

export function Settings() {
  return (
    <aside class="settings" aria-label="Settings">
      <DataCard />
      <Group title="Window">
        <WindowLength />
        <Switch
          label="Separator token"
          help="One more token after each document."
          on={model.value.separator}
          change={(separator) => update({ separator })}
        />
      </Group>
      <Group title="Algorithm">
        <Algorithms />
      </Group>
      <LongDocumentsChoice />
      <MoreOptions />
    </aside>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="group">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function WindowLength() {
  const { contextLength } = model.value;
  const set = (value: number) => {
    if (Number.isInteger(value) && value >= 1 && value <= longestWindow) update({ contextLength: value });
  };
  return (
    <div class="option">
      <div class="option-line">
        <label for="context-length">Length</label>
        <span>
          <input
            id="context-length"
            class="number"
            type="number"
            min={1}
            max={longestWindow}
            value={contextLength}
            onChange={({ currentTarget }) => set(currentTarget.valueAsNumber)}
          />
          <span class="unit">tokens</span>
        </span>
      </div>
      <input
        type="range"
        aria-label="Window length"
        aria-valuetext={`${count(contextLength)} tokens`}
        min={0}
        max={sliderLengths.length - 1}
        step={1}
        value={sliderIndex(contextLength)}
        onInput={({ currentTarget }) => set(sliderLengths[currentTarget.valueAsNumber] ?? contextLength)}
      />
    </div>
  );
}

function Switch({
  label,
  help,
  on,
  change,
}: {
  label: string;
  help?: string;
  on: boolean;
  change: (on: boolean) => void;
}) {
  return (
    <div class="option">
      <label class="switch">
        <span>{label}</span>
        <input
          type="checkbox"
          role="switch"
          checked={on}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
      </label>
      {help && <p class="help">{help}</p>}
    </div>
  );
}

function Algorithms() {
  const all = description.value?.algorithms ?? [];
  const chosen = all.find(({ name }) => name === model.value.algorithm);
  return (
    <>
      <div class="algorithms" role="radiogroup" aria-label="Algorithm">
        {all.map((info) => (
          <AlgorithmButton key={info.name} info={info} />
        ))}
      </div>
      {chosen && <p class="help rule">{inWords(`${chosen.rule} ${chosen.guarantee}`)}</p>}
    </>
  );
}

function AlgorithmButton({ info }: { info: AlgorithmInfo }) {
  const chosen = model.value.algorithm === info.name;
  const outcome = outcomeOf.value.get(info.name);
  const share = outcome?.stats.realTokenShare;
  const move = (event: KeyboardEvent) => moveChoice(event, info.name);
  return (
    <button
      type="button"
      role="radio"
      class="algorithm"
      aria-checked={chosen}
      tabIndex={chosen ? 0 : -1}
      title={info.use}
      data-stale={outcomesStale.value}
      onClick={() => update({ algorithm: info.name })}
      onKeyDown={move}
    >
      <span class="algorithm-bar" aria-hidden="true" style={{ width: `${(share ?? 0) * 100}%` }} />
      <span>{info.title}</span>
      <span class="share">{share === undefined ? '…' : `${outcome?.estimated ? '~' : ''}${percent(share)}`}</span>
    </button>
  );
}

// Arrow keys move the choice inside a radio group.
function moveChoice(event: KeyboardEvent, from: AlgorithmName): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const all = description.value?.algorithms ?? [];
  if (step === undefined || all.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const at = (all.findIndex(({ name }) => name === from) + step + all.length) % all.length;
  update({ algorithm: (all[at] as AlgorithmInfo).name });
  const buttons = (event.currentTarget as HTMLElement).parentElement?.children;
  (buttons?.[at] as HTMLElement | undefined)?.focus();
}

const longDocumentTexts: Readonly<Record<LongDocuments, string>> = {
  default: 'As the algorithm does it',
  drop: 'Leave out, counted',
  truncate: 'Keep the start',
  truncate_left: 'Keep the end',
  split: 'Split into pieces',
};

const longDocumentHelp: Readonly<Record<LongDocuments, string>> = {
  default: 'Wrap and best-fit wrap split them; the others leave them out, counted.',
  drop: 'They stand in no window; their tokens are counted.',
  truncate: 'The first tokens fill a window; the rest stands in none, counted.',
  truncate_left: 'The last tokens fill a window; what was before them stands in none, counted.',
  split: 'Pieces that fill a window each, the rest last. Nothing is lost.',
};

function LongDocumentsChoice() {
  const { longDocuments } = model.value;
  return (
    <Group title="Documents longer than the window">
      <select
        class="wide"
        aria-label="Documents longer than the window"
        aria-describedby="long-documents-help"
        value={longDocuments}
        onChange={({ currentTarget }) => update({ longDocuments: currentTarget.value as LongDocuments })}
      >
        {longDocumentRules.map((rule) => (
          <option key={rule} value={rule}>
            {longDocumentTexts[rule]}
          </option>
        ))}
      </select>
      <p class="help" id="long-documents-help">
        {longDocumentHelp[longDocuments]}
      </p>
    </Group>
  );
}
