// SPDX-License-Identifier: MIT
// Puts the page together and starts it.
import { render } from 'preact';

import { App } from './views/app.js';
import { start } from './state/store.js';

render(<App />, document.getElementById('app') as HTMLElement);
void start();
