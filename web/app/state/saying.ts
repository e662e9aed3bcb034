// SPDX-License-Identifier: MIT
// Says what is selected, however that came about, once the selection rests.
import { effect } from '@preact/signals';

import { selectionSentence } from '../text/selection.js';
import { announce, model, windowInfo } from './store.js';

const restMs = 150;

/** Returns how to stop it. */
export function saySelection(): () => void {
  let said: string | undefined;
  return effect(() => {
    const info = windowInfo.value;
    const { window, segment } = model.value;
    // The page may not have the window yet.
    if (info?.window !== window) return undefined;
    const key = `${window} ${segment}`;
    // What the page opens with is no news.
    said ??= key;
    if (key === said) return undefined;
    const timer = setTimeout(() => {
      said = key;
      announce(selectionSentence(info, segment));
    }, restMs);
    return () => clearTimeout(timer);
  });
}
