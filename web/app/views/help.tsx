// SPDX-License-Identifier: MIT
// The help dialog: what the picture means, every key, and the switch that turns single keys off.
import { useEffect, useRef } from 'preact/hooks';

import { actions, lettersAct, setLetters } from './actions.js';

const byMouse: readonly (readonly [keys: string, action: string])[] = [
  ['Ctrl + wheel', 'Zoom at the pointer'],
  ['Shift + wheel', 'Scroll sideways'],
];

const keys = [
  ...actions.map(({ name, keys: ofAction, written }) => [written ?? ofAction.join(' '), name] as const),
  ...byMouse,
].filter(([key]) => key !== '');

export function HelpDialog({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="help-title" onClose={close}>
      <form method="dialog">
        <h2 id="help-title">What you see</h2>
        <p>
          Training wants windows of one length; documents come in every length. Packing puts several documents into a
          window. Each row is a window, each tile a document, and hatching is padding: positions paid for and not used.
        </p>
        <p>
          The square at the right is the attention mask of the selected window: down the queries, across the keys.
          Documents must not see each other, so only triangles along the diagonal are coloured.
        </p>
        <h2>Keys</h2>
        <label class="switch">
          <span>Single letters, digits and signs act</span>
          <input
            type="checkbox"
            role="switch"
            checked={lettersAct.value}
            onChange={({ currentTarget }) => setLetters(currentTarget.checked)}
          />
        </label>
        <dl class="keys">
          {keys.map(([key, action]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{action}</dd>
            </div>
          ))}
        </dl>
        <p class="dim">
          <a href="./licences.txt">Licences</a> of the libraries in this page.
        </p>
        <p class="dialog-actions">
          <button type="submit" class="primary">
            Close
          </button>
        </p>
      </form>
    </dialog>
  );
}
