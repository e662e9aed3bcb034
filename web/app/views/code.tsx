// SPDX-License-Identifier: MIT
// The view of code: the same plan elsewhere, filled in with these settings and this window.
import { useSignal } from '@preact/signals';
import { packOptions } from '../state/planning.js';
import { announce, data, description, model, plan, windowInfo } from '../state/store.js';
import type { ChosenOptions, Snippet } from '../text/snippets.js';
import {
  changedOptions,
  commandLine,
  flashAttention,
  flexAttention,
  huggingFace,
  inputWords,
  javaScript,
  jax,
  onnx,
  scaledDotProduct,
  segmentPrefixes,
} from '../text/snippets.js';

const noColumns = { columns: [], chosen: [], sourceColumn: undefined };

export function CodeView() {
  const made = plan.value;
  const info = windowInfo.value;
  if (!made || !info) return <p class="code">Packing…</p>;
  const { contextLength, mask, slidingWindow, prefixPercent, bos } = model.value;
  const chosen: ChosenOptions = {
    input: inputWords(data.value ?? noColumns),
    options: changedOptions(packOptions(model.value), description.value?.options ?? []),
    windows: made.stats.windows,
    fingerprint: made.fingerprint,
  };
  const causal = mask !== 'bidirectional';
  const prefixes = mask === 'prefix' ? segmentPrefixes(info, prefixPercent, bos ? 1 : 0) : undefined;
  const attention = { contextLength, causal, slidingWindow, prefixes };
  const snippets = [
    commandLine(chosen),
    javaScript(chosen),
    huggingFace(info, contextLength),
    flashAttention(info, contextLength, causal, slidingWindow),
    flexAttention(info, attention),
    scaledDotProduct(info, attention),
    jax(info, attention),
    onnx(info, attention),
  ];
  return (
    <div class="code" tabIndex={0} role="region" aria-label="Code">
      {mask === 'prefix' && (
        <p class="dim">
          Hugging Face and FlashAttention take no prefixes and are shown causal; FlexAttention and those that take a
          mask have them.
        </p>
      )}
      {snippets.map((snippet) => (
        <SnippetCard key={snippet.name} snippet={snippet} />
      ))}
    </div>
  );
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
