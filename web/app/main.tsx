// SPDX-License-Identifier: MIT
// Puts the page together in the place of its outline, and starts it.
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { Opening } from './boot.js';
import { start, windowInfo } from './state/store.js';
import { App } from './views/app.js';
import './style/rest.css';

export function showPage(opening: Opening | undefined): void {
  const app = document.getElementById('app') as HTMLElement;
  holdFirstPicture();
  app.replaceChildren();
  void start(opening);
  render(<App />, app);
  const isGuest = window.opener !== null || window.parent !== window;
  if (isGuest) void import('./state/receiving.js').then(({ listenToPages }) => listenToPages());
}

// The first picture stays where it is until the page has drawn its own.
function holdFirstPicture(): void {
  const canvas = document.getElementById('first-picture');
  if (!canvas) return;
  const { left, top, width, height } = canvas.getBoundingClientRect();
  Object.assign(canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  canvas.classList.add('held');
  document.body.append(canvas);
  const stop = effect(() => {
    if (windowInfo.value === undefined) return;
    requestAnimationFrame(() => requestAnimationFrame(() => canvas.remove()));
    queueMicrotask(() => stop());
  });
}
