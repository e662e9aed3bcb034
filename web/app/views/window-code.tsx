// SPDX-License-Identifier: MIT
// The selected window for FlexAttention, below its mask: the shortest way from the page to a trainer.
import { model, update, windowInfo } from '../state/store.js';
import { attentionOf, flexAttention } from '../text/snippets.js';
import { SnippetCard } from './snippet-card.js';

export function WindowCode() {
  const info = windowInfo.value;
  if (info === undefined) return null;
  return (
    <section class="group window-code">
      <SnippetCard snippet={flexAttention(info, attentionOf(model.value, info))} scrolls />
      <button type="button" class="link" onClick={() => update({ tab: 'code' })}>
        The same elsewhere
      </button>
    </section>
  );
}
