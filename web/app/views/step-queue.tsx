// SPDX-License-Identifier: MIT
// The documents that are still to come, in the order in which packing looks at them; the one in hand is lit.
import { count, counted } from '../format.js';
import type { Traced } from '../state/player.js';
import { stepScale } from '../state/player.js';
import type { StepView } from '../state/stepping.js';
import { queueOrder } from '../text/steps.js';
import { Tile } from './step-tiles.js';

export function StepQueue({ now, view }: { now: Traced; view: StepView }) {
  const { arrivals } = now.stepping;
  const inHand = view.document;
  const toCome = arrivals.slice(view.arrived).filter((document) => document !== inHand);
  const order = queueOrder(now.data.options);
  return (
    <section class="step-queue" aria-label="Documents to come">
      <h2>
        {counted(toCome.length, 'document')} to come {order && <span class="dim">{order}</span>}
      </h2>
      <ol tabIndex={0} aria-label="Queue">
        {inHand !== undefined && <Waiting now={now} document={inHand} lit />}
        {toCome.map((document) => (
          <Waiting key={document} now={now} document={document} lit={false} />
        ))}
      </ol>
    </section>
  );
}

function Waiting({ now, document, lit }: { now: Traced; document: number; lit: boolean }) {
  const length = now.data.lengths[document] as number;
  return (
    <li class={lit ? 'waiting in-hand' : 'waiting'} aria-current={lit ? 'step' : undefined}>
      <span class="waiting-name">{count(document)}</span>
      <span class="waiting-bar">
        <Tile document={document} length={length} color={now.colorOf.get(document)} scale={stepScale.value} />
      </span>
      <span class="waiting-length">{count(length)}</span>
    </li>
  );
}
