// SPDX-License-Identifier: MIT
// A view whose code is fetched when it is first shown, so that the first picture does not wait for it.
import { signal } from '@preact/signals';
import type { ComponentChild, ComponentType } from 'preact';

import { problem } from '../state/store.js';

export function lazyView(
  fetchView: () => Promise<ComponentType>,
  placeholder: ComponentChild = <p class="loading">Loading…</p>,
): ComponentType {
  const view = signal<{ readonly component: ComponentType }>();
  let asked = false;
  const fetchOnce = () => {
    if (asked) return;
    asked = true;
    fetchView().then(
      (component) => {
        view.value = { component };
      },
      () => {
        asked = false;
        problem.value = {
          message: 'This view could not be loaded.',
          remedy: 'Check the connection and open it again.',
        };
      },
    );
  };
  return function Lazy() {
    fetchOnce();
    const { component: View } = view.value ?? {};
    return View ? <View /> : placeholder;
  };
}
