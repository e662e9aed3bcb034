// SPDX-License-Identifier: MIT
// The layout: header, settings, figures and views, inspector; and what lies over all of them.
import { useEffect } from 'preact/hooks';
import { followFilter } from '../state/filtering.js';
import { saySelection } from '../state/saying.js';
import { announcement, model } from '../state/store.js';
import { overlay } from './actions.js';
import { DropTarget } from './drop.js';
import { ExportDialog } from './export.js';
import { Figures } from './figures.js';
import { Header } from './header.js';
import { Inspector } from './inspector.js';
import { listenToKeys } from './keys.js';
import { lazyView } from './lazy.js';
import { Notices } from './notices.js';
import { PasteDialog } from './paste.js';
import { Settings } from './settings.js';
import { Views } from './tabs.js';

// What lies over the page has no place on it while it is fetched.
const Overlays = lazyView(async () => (await import('./overlays.js')).Overlays, null);

export function App() {
  useEffect(listenToKeys, []);
  useEffect(followFilter, []);
  useEffect(saySelection, []);
  return (
    <>
      <Header />
      <div class="layout" data-tab={model.value.tab}>
        <Settings />
        <main class="middle" id="views">
          <Figures />
          <Notices />
          <Views />
        </main>
        {model.value.tab === 'windows' && <Inspector />}
      </div>
      {overlay.value && <Overlays />}
      <ExportDialog />
      <PasteDialog />
      <DropTarget />
      <p class="hidden-text" role="status" aria-live="polite">
        {announcement}
      </p>
    </>
  );
}
