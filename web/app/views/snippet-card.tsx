// SPDX-License-Identifier: MIT
// A snippet of code with its name and a button that copies it.
import { useSignal } from '@preact/signals';

import { announce } from '../state/store.js';
import type { Snippet } from '../text/snippets.js';

interface SnippetProps {
  snippet: Snippet;
  /** Where lines are too long for the place they stand in. */
  scrolls?: boolean;
}

export function SnippetCard({ snippet: { name, about, language, code }, scrolls = false }: SnippetProps) {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    copied.value = true;
    announce(`${name} copied`);
    setTimeout(() => {
      copied.value = false;
    }, 1600);
  };
  return (
    <section class="snippet">
      <header>
        <h2>{name}</h2>
        <p class="dim">{about}</p>
        <button type="button" aria-label={`Copy ${name}`} onClick={() => void copy()}>
          {copied.value ? 'Copied' : 'Copy'}
        </button>
      </header>
      <pre data-language={language} {...(scrolls ? { tabIndex: 0, role: 'region', 'aria-label': name } : {})}>
        <code>{code}</code>
      </pre>
    </section>
  );
}
