// SPDX-License-Identifier: MIT
// Keys: what the table of actions has for them, anywhere but in a field, unless a control uses them itself.
import { model } from '../state/store.js';
import type { Action } from './actions.js';
import { actions, lettersAct, openCommands } from './actions.js';

const usesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio], [type=range]), select, textarea, [contenteditable]');
const usesMovement = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('[role=radio], [role=tab], [role=region], [type=range], dialog *');
const usesSpace = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('button, summary, input');

const movement = /^(Arrow|Page|Home|End)/;

function actionFor(event: KeyboardEvent): Action | undefined {
  const { key, target } = event;
  if (movement.test(key) && usesMovement(target)) return undefined;
  if (key === ' ' && usesSpace(target)) return undefined;
  if (key.length === 1 && key !== ' ' && !lettersAct.peek()) return undefined;
  const { tab } = model.peek();
  const fitting = actions.filter((action) => action.keys.includes(key) && (action.tab ?? tab) === tab);
  return fitting.find((action) => action.tab !== undefined) ?? fitting[0];
}

export function listenToKeys(): () => void {
  const act = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openCommands();
      return;
    }
    if (event.ctrlKey || event.metaKey || usesText(event.target)) return;
    const action = actionFor(event);
    if (action === undefined || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    action.run();
  };
  addEventListener('keydown', act);
  return () => removeEventListener('keydown', act);
}
