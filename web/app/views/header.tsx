// SPDX-License-Identifier: MIT
// The header: where documents come from, and what can be done with the result.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import type { ExampleName } from '../data/examples.js';
import { examples } from '../data/examples.js';
import { openFiles } from '../state/loading.js';
import { themes } from '../state/model.js';
import { announce, data, loadExample, model, own, update } from '../state/store.js';
import { openCommands, openHelp } from './actions.js';
import { openExport } from './export.js';
import { openPaste } from './paste.js';

const names = Object.keys(examples) as ExampleName[];

export function Header() {
  return (
    <header class="header">
      <h1 class="brand">
        <Logo />
        Packscope
      </h1>
      <p class="tagline">Sequence packing, made visible</p>
      <div class="header-actions">
        <ExampleMenu />
        <OpenFile />
        <button type="button" onClick={openPaste}>
          Paste…
        </button>
        <ShareButton />
        <button type="button" title="As a picture or as data (E)" onClick={openExport}>
          Export…
        </button>
        <button type="button" title="Commands (Ctrl+K)" onClick={openCommands}>
          Commands
        </button>
        <ThemeButton />
        <button type="button" class="icon" aria-label="Help and keyboard shortcuts" title="Help (?)" onClick={openHelp}>
          ?
        </button>
      </div>
    </header>
  );
}

function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 20" aria-hidden="true">
      <rect x="0" y="0" width="14" height="5" rx="1" />
      <rect x="15" y="0" width="9" height="5" rx="1" opacity="0.55" />
      <rect x="0" y="7" width="6" height="5" rx="1" opacity="0.55" />
      <rect x="7" y="7" width="17" height="5" rx="1" />
      <rect x="0" y="14" width="18" height="5" rx="1" />
      <rect x="19" y="14" width="5" height="5" rx="1" opacity="0.25" />
    </svg>
  );
}

function ExampleMenu() {
  const { example } = model.value;
  return (
    <select
      aria-label="Documents to pack"
      class="example"
      value={example}
      onChange={({ currentTarget }) => void loadExample(currentTarget.value as ExampleName)}
    >
      {example === 'own' && <option value="own">{data.value?.title ?? 'Your documents'}</option>}
      {names.map((name) => (
        <option key={name} value={name}>
          {examples[name].title}
        </option>
      ))}
    </select>
  );
}

function OpenFile() {
  const input = useRef<HTMLInputElement>(null);
  const read = (target: HTMLInputElement) => {
    void openFiles([...(target.files ?? [])]);
    target.value = '';
  };
  return (
    <>
      <button
        type="button"
        title="JSON lines, text, CSV, Arrow, Parquet, .npy, .npz (O). Files stay on this computer."
        id="open-file"
        onClick={() => input.current?.click()}
      >
        Open file…
      </button>
      <input
        ref={input}
        type="file"
        multiple
        class="hidden-input"
        aria-label="Open a file of documents"
        tabIndex={-1}
        onChange={({ currentTarget }) => read(currentTarget)}
      />
    </>
  );
}

function ShareButton() {
  const copied = useSignal(false);
  const share = async () => {
    await navigator.clipboard.writeText(location.href);
    copied.value = true;
    announce(
      own.value?.link.startsWith('&file') ? 'Link copied; its reader is asked for the same file' : 'Link copied',
    );
    setTimeout(() => {
      copied.value = false;
    }, 1600);
  };
  const carries = own.value?.link.startsWith('&file')
    ? 'Copy a link to this view. It names the file and does not carry it'
    : 'Copy a link to exactly this view';
  return (
    <button type="button" title={carries} onClick={() => void share()}>
      {copied.value ? 'Link copied' : 'Share'}
    </button>
  );
}

const themeSigns = { system: '◐', light: '☀', dark: '☾' } as const;

function ThemeButton() {
  const { theme } = model.value;
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <button
      type="button"
      class="icon"
      aria-label={`Colours: ${theme}. Change to ${next}`}
      title={`Colours: ${theme}`}
      onClick={() => update({ theme: next })}
    >
      {themeSigns[theme]}
    </button>
  );
}
