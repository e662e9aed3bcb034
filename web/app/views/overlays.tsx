// SPDX-License-Identifier: MIT
// What lies over the page on demand: the find bar, the command palette and help. Fetched when first wanted.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { ask } from '../engine/client.js';
import { count } from '../format.js';
import { announce, model, select } from '../state/store.js';
import type { Wanted } from '../text/find.js';
import { wanted } from '../text/find.js';
import type { Action } from './actions.js';
import { actions, overlay } from './actions.js';
import { HelpDialog } from './help.js';
import { showRow } from './rows.js';

export function Overlays() {
  const open = overlay.value;
  if (open === 'find') return <FindBar />;
  if (open === 'commands') return <CommandPalette />;
  return open === 'help' ? <HelpDialog close={close} /> : null;
}

const close = () => {
  overlay.value = undefined;
};

// What was typed last, to go on from.
let lastTyped = '';

function FindBar() {
  const input = useRef<HTMLInputElement>(null);
  const message = useSignal('');
  useEffect(() => {
    const before = document.activeElement;
    input.current?.focus();
    input.current?.select();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const find = async (backwards: boolean) => {
    lastTyped = input.current?.value ?? '';
    message.value = await goTo(lastTyped, backwards);
    if (message.value) announce(message.value);
  };
  return (
    <search class="find">
      <label>
        <span>Find</span>
        <input
          ref={input}
          type="text"
          placeholder="doc 4325, window 412, len>2000"
          defaultValue={lastTyped}
          aria-describedby="find-message"
          onKeyDown={(event) => {
            if (event.key === 'Escape') close();
            else if (event.key === 'Enter') void find(event.shiftKey);
            else return;
            event.preventDefault();
          }}
        />
      </label>
      <button
        type="button"
        class="icon"
        aria-label="Previous"
        title="Previous (Shift+Enter)"
        onClick={() => void find(true)}
      >
        ↑
      </button>
      <button type="button" class="icon" aria-label="Next" title="Next (Enter)" onClick={() => void find(false)}>
        ↓
      </button>
      <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick={close}>
        ✕
      </button>
      <p id="find-message">{message}</p>
    </search>
  );
}

/** Selects the next place; returns what to say where there is none. */
async function goTo(typed: string, backwards: boolean): Promise<string> {
  const what = wanted(typed);
  if (what === undefined) return 'Write doc 4325, window 412 or len>2000.';
  const { window, segment } = model.peek();
  const place = await ask('find', what, { window, segment }, backwards);
  if (place === undefined) return nothing(what);
  select(place.window, place.segment?.index ?? -1);
  showRow(place.row);
  return '';
}

function nothing(what: Wanted): string {
  if (what.kind === 'document') return `Document ${count(what.document)} stands in no window on show.`;
  if (what.kind === 'window') return `There is no window ${count(what.window)} on show.`;
  return 'No document of that length stands in a window on show.';
}

function CommandPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal('');
  const at = useSignal(0);
  useEffect(() => dialog.current?.showModal(), []);
  const found = matching(typed.value);
  const run = (action: Action | undefined) => {
    if (action === undefined) return;
    close();
    action.run();
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(found[at.value]);
    else if (step !== undefined) at.value = (at.value + step + found.length) % Math.max(found.length, 1);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="dialog commands" aria-label="Commands" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls="command-list"
        aria-activedescendant={found.length > 0 ? `command-${at.value}` : undefined}
        placeholder="Type a command"
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={move}
      />
      <div id="command-list" role="listbox" aria-label="Commands">
        {found.map((action, index) => (
          <Command key={action.name} action={action} index={index} active={index === at.value} run={run} />
        ))}
      </div>
      {found.length === 0 && <p class="none">No command has these words.</p>}
    </dialog>
  );
}

function matching(typed: string): readonly Action[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const { tab } = model.value;
  return actions.filter(
    (action) =>
      (action.tab ?? tab) === tab &&
      action.name !== 'All commands' &&
      words.every((word) => action.name.toLowerCase().includes(word)),
  );
}

interface CommandProps {
  action: Action;
  index: number;
  active: boolean;
  run: (action: Action) => void;
}

function Command({ action, index, active, run }: CommandProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) line.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const keys = action.written ?? action.keys.join(' ');
  return (
    // The input has the focus and its arrows move here.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      ref={line}
      id={`command-${index}`}
      role="option"
      aria-selected={active}
      class="command"
      onClick={() => run(action)}
    >
      <span>{action.name}</span>
      {keys && <kbd>{keys}</kbd>}
    </div>
  );
}
