// SPDX-License-Identifier: MIT
// The dialog for typed or pasted documents: lengths, JSON lines or text.

import { signal } from '@preact/signals';
import { createRef } from 'preact';

import { pasteText } from '../state/loading.js';
import { problem } from '../state/store.js';

const dialog = createRef<HTMLDialogElement>();
const field = createRef<HTMLTextAreaElement>();
const refusal = signal('');

export function openPaste(): void {
  refusal.value = '';
  dialog.current?.showModal();
}

async function use(event: SubmitEvent): Promise<void> {
  const button = event.submitter as HTMLButtonElement | null;
  if (button?.value === 'cancel') return;
  event.preventDefault();
  const text = field.current?.value ?? '';
  if (await pasteText(text)) {
    dialog.current?.close();
    return;
  }
  // The dialog covers the page's own message.
  refusal.value = problem.value?.message ?? '';
  problem.value = undefined;
}

export function PasteDialog() {
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="paste-title">
      <form method="dialog" onSubmit={(event) => void use(event)}>
        <h2 id="paste-title">Your own documents</h2>
        <p id="paste-help">
          Lengths (<code>120 48 900</code>), JSON lines (<code>{'{"text": "…"}'}</code>), or text with an empty line
          between documents: there a token is a byte. Nothing leaves this computer.
        </p>
        <textarea
          ref={field}
          rows={10}
          aria-label="Documents"
          aria-describedby="paste-help"
          placeholder="120 48 900 33 1024 …"
        />
        {refusal.value && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        <p class="dialog-actions">
          <button type="submit" value="cancel" formNoValidate>
            Cancel
          </button>
          <button type="submit" class="primary" value="use">
            Pack them
          </button>
        </p>
      </form>
    </dialog>
  );
}
