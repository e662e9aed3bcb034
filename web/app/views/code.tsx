// SPDX-License-Identifier: MIT
// The view of code: the same plan elsewhere, filled in with these settings and this window.
import { packOptions } from '../state/planning.js';
import { data, description, model, plan, windowInfo } from '../state/store.js';
import type { ChosenOptions } from '../text/snippets.js';
import {
  attentionOf,
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
} from '../text/snippets.js';
import { SnippetCard } from './snippet-card.js';

const noColumns = { columns: [], chosen: [], sourceColumn: undefined };

export function CodeView() {
  const made = plan.value;
  const info = windowInfo.value;
  if (!made || !info) return <p class="code">Packing…</p>;
  const { contextLength, mask, slidingWindow } = model.value;
  const chosen: ChosenOptions = {
    input: inputWords(data.value ?? noColumns),
    options: changedOptions(packOptions(model.value), description.value?.options ?? []),
    windows: made.stats.windows,
    fingerprint: made.fingerprint,
  };
  const attention = attentionOf(model.value, info);
  const snippets = [
    commandLine(chosen),
    javaScript(chosen),
    huggingFace(info, contextLength),
    flashAttention(info, contextLength, attention.causal, slidingWindow),
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
