// SPDX-License-Identifier: MIT
// The documents on show: how many, and for the reader's own files which column of them is read, and how text becomes
// tokens.
import { useRef } from 'preact/hooks';
import type { TextUnit, TokenizerName } from '../../read/reading.js';
import { textUnits, tokenizerNames } from '../../read/reading.js';
import { examples } from '../data/examples.js';
import type { DataSummary } from '../engine/protocol.js';
import { count, counted, percent, shortCount } from '../format.js';
import { readAgain } from '../state/loading.js';
import type { OwnData } from '../state/store.js';
import { data, model, own } from '../state/store.js';

const tokenizerTitles: Readonly<Record<TokenizerName, string>> = {
  bytes: 'Bytes of UTF-8',
  words: 'Words',
  r50k_base: 'r50k_base, GPT-2',
  cl100k_base: 'cl100k_base, GPT-4',
  o200k_base: 'o200k_base, GPT-4o',
  file: 'Your tokenizer.json…',
};
const unitTitles: Readonly<Record<TextUnit, string>> = {
  line: 'A line',
  paragraph: 'A paragraph',
  file: 'The file',
};

export function DataCard() {
  const summary = data.value;
  const { example } = model.value;
  if (summary === undefined) return <section class="group data-card" aria-busy="true" />;
  return (
    <section class="group data-card">
      <h2>Documents</h2>
      <p class="data-title">{example === 'own' ? summary.title : examples[example].about}</p>
      <p class="facts-line">
        {counted(summary.documents, 'document')} · {shortCount(summary.tokens)}{' '}
        {summary.tokens === 1 ? 'token' : 'tokens'}
      </p>
      {summary.readShare !== undefined && (
        <p class="partial">Partial: the first {percent(summary.readShare)} of the file</p>
      )}
      {own.value && <ReadingChoices summary={summary} own={own.value} />}
      {summary.notes.map((note) => (
        <p key={note} class="help">
          {note}
        </p>
      ))}
      <p class="private">Files stay on this computer.</p>
    </section>
  );
}

function ReadingChoices({ summary, own: { reading } }: { summary: DataSummary; own: OwnData }) {
  if (summary.planOptions) return <p class="help">The plan of this folder, as it is. A changed setting packs anew.</p>;
  const plainText = summary.hasText && summary.columns.length === 0;
  return (
    <div class="reading-choices">
      {summary.columns.length > 0 && <ColumnChoice summary={summary} />}
      {plainText && (
        <Choice
          label="A document is"
          value={reading.unit}
          titles={unitTitles}
          values={textUnits}
          change={(unit) => void readAgain({ unit })}
        />
      )}
      {summary.hasText && <TokenizerChoice chosen={reading.tokenizer} />}
      {summary.columns.some(({ kind }) => kind === 'text') && <SourceChoice summary={summary} />}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  values: readonly T[];
  titles: Readonly<Record<T, string>>;
  change: (value: T) => void;
}

function Choice<T extends string>({ label, value, values, titles, change }: ChoiceProps<T>) {
  return (
    <label class="option-line">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => change(currentTarget.value as T)}>
        {values.map((name) => (
          <option key={name} value={name}>
            {titles[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

// Several texts read as one are a choice of their own.
function ColumnChoice({ summary: { columns, chosen } }: { summary: DataSummary }) {
  const usable = columns.filter(({ kind }) => kind !== 'other').map(({ name }) => name);
  const together = chosen.join(',');
  const values = chosen.length > 1 ? [together, ...usable] : usable;
  const titles = Object.fromEntries([...usable.map((name) => [name, name]), [together, chosen.join(' + ')]]);
  const change = (value: string) => void readAgain({ columns: value.split(',') });
  return <Choice label="Read" value={together} values={values} titles={titles} change={change} />;
}

function SourceChoice({ summary: { columns, chosen, sourceColumn = '' } }: { summary: DataSummary }) {
  const names = columns.filter(({ name, kind }) => kind === 'text' && !chosen.includes(name)).map(({ name }) => name);
  if (names.length === 0) return null;
  const titles = Object.fromEntries([['', 'none'], ...names.map((name) => [name, name])]);
  return (
    <Choice
      label="Source"
      value={sourceColumn}
      values={['', ...names]}
      titles={titles}
      change={(source) => void readAgain({ source })}
    />
  );
}

function TokenizerChoice({ chosen }: { chosen: TokenizerName }) {
  const input = useRef<HTMLInputElement>(null);
  const change = (tokenizer: TokenizerName) => {
    if (tokenizer === 'file') input.current?.click();
    else void readAgain({ tokenizer });
  };
  const take = (target: HTMLInputElement) => {
    const tokenizerFile = target.files?.[0];
    if (tokenizerFile) void readAgain({ tokenizer: 'file', tokenizerFile });
    target.value = '';
  };
  return (
    <>
      <Choice label="Tokens" value={chosen} values={tokenizerNames} titles={tokenizerTitles} change={change} />
      <input
        ref={input}
        type="file"
        class="hidden-input"
        accept=".json,application/json"
        aria-label="Open a tokenizer.json"
        tabIndex={-1}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      {data.value && data.value.documents > 0 && (
        <p class="help">{count(Math.round(data.value.tokens / data.value.documents))} tokens a document on average</p>
      )}
    </>
  );
}
