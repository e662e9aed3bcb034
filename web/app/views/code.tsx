// SPDX-License-Identifier: MIT
// The view of code: the same plan elsewhere, filled in with these settings and this window.
import { useSignal } from '@preact/signals';
import type { PackOptions } from 'packscope/slim';
import { packOptions } from '../state/planning.js';
import { announce, description, model, plan, windowInfo } from '../state/store.js';
import type { ChosenOptions, Snippet } from '../text/snippets.js';
import {
  commandLine,
  flashAttention,
  flexAttention,
  huggingFace,
  javaScript,
  jax,
  onnx,
  scaledDotProduct,
} from '../text/snippets.js';

export function CodeView() {
  const made = plan.value;
  const info = windowInfo.value;
  if (!made || !info) return <p class="code">Packing…</p>;
  const { contextLength, mask, slidingWindow } = model.value;
  const chosen: ChosenOptions = {
    contextLength,
    options: chosenOptions(),
    windows: made.stats.windows,
    fingerprint: made.fingerprint,
  };
  const causal = mask !== 'bidirectional';
  const attention = { contextLength, causal, slidingWindow };
  const snippets = [
    commandLine(chosen),
    javaScript(chosen),
    huggingFace(info, contextLength),
    flashAttention(info, contextLength, causal, slidingWindow),
    flexAttention(info, contextLength, causal),
    scaledDotProduct(info, attention),
    jax(info, attention),
    onnx(info, attention),
  ];
  return (
    <div class="code" tabIndex={0} role="region" aria-label="Code">
      {mask === 'prefix' && (
        <p class="dim">
          The kernels below have no prefixes: they are shown causal. In a mask_mod add the pairs inside a prefix.
        </p>
      )}
      {snippets.map((snippet) => (
        <SnippetCard key={snippet.name} snippet={snippet} />
      ))}
    </div>
  );
}

// What differs from the module's defaults; the window length and the algorithm are always said.
function chosenOptions(): Partial<PackOptions> {
  const defaults = new Map(description.value?.options.map((option) => [option.name, option.default]));
  const kept = Object.entries(packOptions(model.value)).filter(
    ([name, value]) => name === 'contextLength' || name === 'algorithm' || defaults.get(name) !== value,
  );
  return Object.fromEntries(kept) as Partial<PackOptions>;
}

function SnippetCard({ snippet: { name, about, language, code } }: { snippet: Snippet }) {
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
      <pre data-language={language}>
        <code>{code}</code>
      </pre>
    </section>
  );
}
