// SPDX-License-Identifier: MIT
// What the algorithm looks at when it decides, in the order in which it looks: the rooms of the open windows.
import type { AlgorithmName } from 'packscope/slim';

import { count, counted } from '../format.js';
import type { Traced } from '../state/player.js';
import type { Considered, StepView } from '../state/stepping.js';
import { inLookingOrder, nearChosen } from '../state/stepping.js';

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
  const title = titles[algorithm];
  if (title === undefined || view.piece === undefined || view.considered.length === 0) return null;
  const ordered = inLookingOrder(view.considered, algorithm);
  const { before, shown, after } = nearChosen(ordered, mostListed);
  return (
    <div class="structure">
      <h3>{title}</h3>
      <p class="needs">{counted(view.piece.needed, 'position')} wanted</p>
      <ol>
        <More number={before} />
        {shown.map((considered) => (
          <Room key={considered.window} considered={considered} />
        ))}
        <More number={after} />
      </ol>
    </div>
  );
}

function More({ number }: { number: number }) {
  return number === 0 ? null : <li class="more">and {counted(number, 'more window')}</li>;
}

function Room({ considered: { window, room, fits, chosen } }: { considered: Considered }) {
  const mark = markOf(fits, chosen);
  return (
    <li class={mark.name}>
      <span class="sign" aria-hidden="true">
        {mark.sign}
      </span>
      <span>window {count(window)}</span>
      <span>{count(room)}</span>
      <span class="hidden-text">{mark.words}</span>
    </li>
  );
}

function markOf(fits: boolean, chosen: boolean) {
  if (chosen) return { name: 'chosen', sign: '✓', words: 'chosen' };
  return fits ? { name: 'room', sign: '', words: 'fits' } : { name: 'full', sign: '✕', words: 'does not fit' };
}
