// SPDX-License-Identifier: MIT
// What the algorithm looks at when it decides, in the order in which it looks: the rooms of the open windows, or the
// pool of candidates.
import type { AlgorithmName } from 'packscope/slim';
import type { ComponentChildren } from 'preact';

import { count, counted } from '../format.js';
import type { Traced } from '../state/player.js';
import type { Candidate, Considered, StepView } from '../state/stepping.js';
import { inLookingOrder, nearChosen, poolOrder } from '../state/stepping.js';

const titles: Partial<Record<AlgorithmName, string>> = {
  next_fit: 'The open window',
  first_fit: 'Rooms, in the order of opening',
  best_fit: 'Rooms, the tightest first',
  worst_fit: 'Rooms, the roomiest first',
  first_fit_decreasing: 'Rooms, in the order of opening',
  best_fit_decreasing: 'Rooms, the tightest first',
  first_fit_shuffle: 'Rooms, in the order of opening',
};

const mostListed = 14;

export function StepStructure({ now, view }: { now: Traced; view: StepView }) {
  const algorithm = now.data.options.algorithm ?? 'best_fit';
  if (algorithm === 'best_fit_wrap') return <Pool pool={view.pool} judged={view.done?.kind === 'place'} />;
  const title = titles[algorithm];
  if (title === undefined || view.piece === undefined || view.considered.length === 0) return null;
  const ordered = inLookingOrder(view.considered, algorithm);
  const { before, shown, after } = nearChosen(ordered, mostListed);
  return (
    <div class="structure">
      <h3>{title}</h3>
      <p class="needs">{counted(view.piece.needed, 'position')} wanted</p>
      <ol>
        <More number={before} what="window" />
        {shown.map((considered) => (
          <Room key={considered.window} considered={considered} />
        ))}
        <More number={after} what="window" />
      </ol>
    </div>
  );
}

function More({ number, what }: { number: number; what: string }) {
  return number === 0 ? null : <li class="more">and {counted(number, `more ${what}`)}</li>;
}

function Room({ considered: { window, room, fits, chosen } }: { considered: Considered }) {
  return (
    <Entry fits={fits} chosen={chosen}>
      <span>window {count(window)}</span>
      <span>{count(room)}</span>
    </Entry>
  );
}

function Pool({ pool, judged }: { pool: readonly Candidate[]; judged: boolean }) {
  if (pool.length === 0) return null;
  const { before, shown, after } = nearChosen(poolOrder(pool), mostListed);
  return (
    <div class="structure">
      <h3>The pool, longest first</h3>
      <p class="needs">{counted(pool.length, 'candidate')}</p>
      <ol>
        <More number={before} what="candidate" />
        {shown.map((candidate) => (
          <Entry key={candidate.document} fits={candidate.fits} chosen={candidate.chosen} judged={judged}>
            <span>
              document {count(candidate.document)}
              {candidate.offset > 0 && <span class="dim"> from {count(candidate.offset)}</span>}
            </span>
            <span>{count(candidate.length)}</span>
          </Entry>
        ))}
        <More number={after} what="candidate" />
      </ol>
    </div>
  );
}

const plain = { name: 'room', sign: '', words: '' };

function markOf(fits: boolean, chosen: boolean) {
  if (chosen) return { name: 'chosen', sign: '✓', words: 'chosen' };
  return fits ? { name: 'room', sign: '', words: 'fits' } : { name: 'full', sign: '✕', words: 'does not fit' };
}

interface EntryProps {
  fits: boolean;
  chosen: boolean;
  judged?: boolean;
  children: ComponentChildren;
}

function Entry({ fits, chosen, judged = true, children }: EntryProps) {
  const mark = judged ? markOf(fits, chosen) : plain;
  return (
    <li class={mark.name}>
      <span class="sign" aria-hidden="true">
        {mark.sign}
      </span>
      {children}
      <span class="hidden-text">{mark.words}</span>
    </li>
  );
}
