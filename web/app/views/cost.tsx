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
/** 16-bit numbers. */
const bytesPerNumber = 2;

export function CostPanel() {
  const made = plan.value;
  if (made === undefined) return null;
  const { stats, windowsApart } = made;
  const length = made.options.contextLength ?? 1;
  const { layers, keyValueHeads, headSize } = shapes[chosen.value] as ModelShape;
  const bytesPerPosition = 2 * layers * keyValueHeads * headSize * bytesPerNumber;
  const [apart, packed] = [windowsApart * length, stats.windows * length];
  return (
    <section class="cost">
      <h2>What it costs a model</h2>
      <h3>Positions computed</h3>
      <CostLine name="each document alone" value={apart} of={apart} />
      <CostLine name="packed" value={packed} of={apart} />
      <CostLine name="of them tokens" value={stats.realTokens} of={apart} />
      <h3>Attention cells</h3>
      <CostLine name="full causal windows" value={stats.causalPairs} of={stats.causalPairs} />
      <CostLine name="documents apart" value={stats.attentionPairs} of={stats.causalPairs} />
      <h3>
        <label>
          Key/value cache{' '}
          <select value={chosen.value} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
            {Object.entries(shapes).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </h3>
      <CostLine
        name="each document alone"
        value={apart * bytesPerPosition}
        of={apart * bytesPerPosition}
        write={byteSize}
      />
      <CostLine name="packed" value={packed * bytesPerPosition} of={apart * bytesPerPosition} write={byteSize} />
      <p class="dim">
        A window takes {byteSize(length * bytesPerPosition)} in 16-bit numbers, of which{' '}
        {percent(1 - stats.realTokenShare)} holds padding.
      </p>
    </section>
  );
}

interface CostLineProps {
  name: string;
  value: number;
  of: number;
  write?: (value: number) => string;
}

function CostLine({ name, value, of, write = shortCount }: CostLineProps) {
  const share = of === 0 ? 0 : value / of;
  return (
    <div class="cost-line">
      <span>{name}</span>
      <span class="cost-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(share, 1) * 100}%` }} />
      </span>
      <span class="cost-value">
        {write(value)} <span class="dim">{percent(share)}</span>
      </span>
    </div>
  );
}
