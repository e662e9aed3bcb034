// SPDX-License-Identifier: MIT
// Documents from another page, which opened this one or shows it in a frame. Of whatever origin it is: its documents stay
// here, and it hears how many there are, or why they were refused.
import { effect } from '@preact/signals';

import { postedBy } from '../data/posted.js';
import { openFiles } from './loading.js';
import { data, plan, problem } from './store.js';

type Answer = 'pong' | { readonly documents: number } | { readonly error: string };

/** Before a first plan is on show, what is opened could be overtaken by it. */
const ready = new Promise<void>((resolve) => {
  effect(() => {
    if (plan.value !== undefined) resolve();
  });
});

async function answerTo(message: unknown): Promise<Answer | undefined> {
  const posted = postedBy(message);
  if (posted === undefined) return undefined;
  await ready;
  if (posted.kind === 'ping') return 'pong';
  if (posted.kind === 'file' && (await openFiles([posted.file]))) return { documents: data.peek()?.documents ?? 0 };
  if (posted.kind === 'refused') problem.value = { message: `What another page posted is refused. ${posted.message}` };
  return { error: problem.peek()?.message ?? 'Reading was cancelled.' };
}

async function receive({ source, origin, data: message }: MessageEvent): Promise<void> {
  if (source === null || (source !== window.opener && source !== window.parent) || source === window) return;
  const packscope = await answerTo(message);
  // Pages from a file have the origin "null", which cannot be named as a target.
  if (packscope) (source as Window).postMessage({ packscope }, origin === 'null' ? '*' : origin);
}

export function listenToPages(): void {
  addEventListener('message', (event) => void receive(event));
}
