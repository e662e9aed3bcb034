// SPDX-License-Identifier: MIT
// The tab bar and the view below it. One more view is one more entry of the table.
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

import type { Tab } from '../state/model.js';
import { tabs } from '../state/model.js';
import { model, update } from '../state/store.js';
import { lazyView } from './lazy.js';
import { Legend } from './legend.js';
import { WindowsView } from './windows.js';

const views: Readonly<Record<Tab, { title: string; view: ComponentType }>> = {
  windows: { title: 'Windows', view: WindowsView },
  compare: { title: 'Compare', view: lazyView(async () => (await import('./compare.js')).CompareView) },
  step: { title: 'Step through', view: lazyView(async () => (await import('./step.js')).StepThroughView) },
  code: { title: 'Code', view: lazyView(async () => (await import('./code.js')).CodeView) },
};

export function Views() {
  const { tab } = model.value;
  const { view: View } = views[tab];
  return (
    <>
      <div class="tab-line">
        <TabList tab={tab} />
        {tab === 'windows' && <Legend />}
      </div>
      <div class="view" id="view" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <View />
      </div>
    </>
  );
}

function TabList({ tab }: { tab: Tab }) {
  useEffect(() => {
    document.getElementById(`tab-${tab}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  return (
    <div class="tabs" role="tablist" aria-label="Views" onKeyDown={moveTab}>
      {tabs.map((name, index) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === tab}
          aria-controls="view"
          tabIndex={name === tab ? 0 : -1}
          title={`Key ${index + 1}`}
          onClick={() => update({ tab: name })}
        >
          {views[name].title}
        </button>
      ))}
    </div>
  );
}

function moveTab(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const next = tabs[(tabs.indexOf(model.value.tab) + step + tabs.length) % tabs.length] as Tab;
  update({ tab: next });
  document.getElementById(`tab-${next}`)?.focus();
}
