// SPDX-License-Identifier: MIT
// The help dialog: what the picture means, and every key.
import { createRef } from 'preact';

const dialog = createRef<HTMLDialogElement>();

export function openHelp(): void {
  dialog.current?.showModal();
}

const keys: readonly (readonly [keys: string, action: string])[] = [
  ['↑ ↓', 'previous, next window'],
  ['← →  or  , .', 'previous, next document'],
  ['PgUp PgDn Home End', 'a page, the first, the last'],
  ['+ − 0', 'zoom in, out, fit all windows'],
  ['F', 'centre the selected window'],
  ['M', 'mask: tokens or blocks'],
  ['O', 'open a file'],
  ['E', 'export a picture or data'],
  ['C', 'colours: system, light, dark'],
  ['1 2 3', 'Windows, Compare, Code'],
  ['Ctrl + wheel', 'zoom at the pointer'],
  ['Shift + wheel', 'scroll sideways'],
  ['Esc', 'clear the document'],
];

export function HelpDialog() {
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="help-title">
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
