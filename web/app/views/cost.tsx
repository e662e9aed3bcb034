// SPDX-License-Identifier: MIT
// What the plan costs a model: positions, attention pairs and key/value cache, padded against packed.
import { signal } from '@preact/signals';

import { byteSize, percent, shortCount } from '../format.js';
import { plan } from '../state/store.js';

interface ModelShape {
  readonly title: string;
  readonly layers: number;
  readonly keyValueHeads: number;
  readonly headSize: number;
}

const shapes: Readonly<Record<string, ModelShape>> = {
  small: {
    title: 'about 1 B parameters (16 layers, 8 key/value heads of 64)',
    layers: 16,
    keyValueHeads: 8,
    headSize: 64,
  },
  medium: {
    title: 'about 8 B parameters (32 layers, 8 key/value heads of 128)',
    layers: 32,
    keyValueHeads: 8,
    headSize: 128,
  },
  large: {
    title: 'about 70 B parameters (80 layers, 8 key/value heads of 128)',
    layers: 80,
    keyValueHeads: 8,
    headSize: 128,
  },
};
const chosen = signal('medium');
const bytesPerNumber = 2;

export function CostPanel() {
  const made = plan.value;
  if (made === undefined) return null;
  const { stats, ledger } = made;
  const length = made.options.contextLength ?? 1;
  const placed = ledger.documents - ledger.emptyDocuments - ledger.droppedDocuments - ledger.duplicateDocuments;
  const shape = shapes[chosen.value] as ModelShape;
  const cache = 2 * shape.layers * shape.keyValueHeads * shape.headSize * bytesPerNumber * length;
  const padded = placed * length;
  const packed = stats.windows * length;
  return (
    <section class="cost">
      <h2>What it costs a model</h2>
      <CostLine name="Positions computed, one document a window" value={padded} of={padded} />
      <CostLine name="Positions computed, packed" value={packed} of={padded} />
      <CostLine name="Attention pairs, full causal" value={stats.causalPairs} of={stats.causalPairs} />
      <CostLine name="Attention pairs, documents apart" value={stats.attentionPairs} of={stats.causalPairs} />
      <p class="cache">
        <label>
          Key/value cache of one window, model of{' '}
          <select value={chosen.value} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
            {Object.entries(shapes).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>{' '}
        <strong>{byteSize(cache)}</strong>
        <span class="dim"> in 16-bit numbers, of which {percent(1 - stats.realTokenShare)} holds padding</span>
      </p>
    </section>
  );
}

function CostLine({ name, value, of }: { name: string; value: number; of: number }) {
  const share = of === 0 ? 0 : value / of;
  return (
    <div class="cost-line">
      <span>{name}</span>
      <span class="cost-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(share, 1) * 100}%` }} />
      </span>
      <span class="cost-value">
        {shortCount(value)} <span class="dim">{percent(share)}</span>
      </span>
    </div>
  );
}
