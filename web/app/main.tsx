// SPDX-License-Identifier: MIT
// Puts the page together and starts it.
import { render } from 'preact';
import { start } from './state/store.js';
import { App } from './views/app.js';

// The worker fetches and packs while the page is put together.
void start();
render(<App />, document.getElementById('app') as HTMLElement);
