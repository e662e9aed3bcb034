// SPDX-License-Identifier: MIT
// The pool of best-fit wrap, longest first, to the scale of the windows: who fits the room that is left, who is chosen.
import { count, counted } from '../format.js';
import type { Traced } from '../state/player.js';
import { stepScale } from '../state/player.js';
import type { Candidate, StepView } from '../state/stepping.js';
import { nearChosen, poolOrder } from '../state/stepping.js';
import { Tile } from './step-tiles.js';

const mostShown = 40;

export function StepPool({ now, view }: { now: Traced; view: StepView }) {
  if (view.pool.length === 0) return null;
  const judged = view.done?.kind === 'place';
  const { before, shown, after } = nearChosen(poolOrder(view.pool), mostShown);
  return (
    <div class="pool">
      <h2>
        {counted(view.pool.length, 'candidate')} in the pool <span class="dim">longest first</span>
      </h2>
      <ol>
        {before > 0 && <li class="dim">{counted(before, 'longer one')}</li>}
        {shown.map((candidate) => (
          <Waiting key={candidate.document} now={now} candidate={candidate} judged={judged} />
        ))}
        {after > 0 && <li class="dim">{counted(after, 'shorter one')}</li>}
      </ol>
    </div>
  );
}

type Mark = 'chosen' | 'room' | 'full' | 'none';

const signs: Readonly<Record<Mark, string>> = { chosen: '✓', room: '', full: '✕', none: '' };
const words: Readonly<Record<Mark, string>> = { chosen: 'chosen', room: 'fits', full: 'does not fit', none: '' };

function markOf({ fits, chosen }: Candidate, judged: boolean): Mark {
  if (!judged) return 'none';
  if (chosen) return 'chosen';
  return fits ? 'room' : 'full';
}

function Waiting({ now, candidate, judged }: { now: Traced; candidate: Candidate; judged: boolean }) {
  const { document, offset, length } = candidate;
  const mark = markOf(candidate, judged);
  return (
    <li class={`window-line candidate ${mark}`}>
      <span class="window-name">{count(document)}</span>
      <span class="candidate-bar">
        <Tile
          document={document}
          length={length}
          color={now.colorOf.get(document)}
          scale={stepScale.value}
          continues={offset > 0}
          lit={mark === 'chosen'}
        />
      </span>
      <span class="window-room">
        <span class="sign" aria-hidden="true">
          {signs[mark]}
        </span>
        {count(length)}
        <span class="hidden-text">{words[mark]}</span>
      </span>
    </li>
  );
}
