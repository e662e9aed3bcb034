// SPDX-License-Identifier: MIT
// How far reading is: phase, count and rate, a bar, and two ways out. What was on show stays usable below it.
import { byteSize, count } from '../format.js';
import { stopReading } from '../state/loading.js';
import type { Loading } from '../state/store.js';
import { loading } from '../state/store.js';

export function ReadingProgress() {
  const now = loading.value;
  if (now === undefined) return null;
  const share = now.total === 0 ? 0 : Math.min(now.done / now.total, 1);
  return (
    <div class="notice reading">
      <div class="reading-words">
        <p>
          <strong>{now.phase}</strong>
          <span class="dim">{figures(now)}</span>
        </p>
        <progress value={share} max={1} aria-label={now.phase}>
          {Math.floor(share * 100)}%
        </progress>
      </div>
      <button type="button" onClick={() => stopReading('keep')} disabled={now.documents === 0}>
        Show what is read
      </button>
      <button type="button" onClick={() => stopReading('cancel')}>
        Cancel
      </button>
    </div>
  );
}

function figures({ done, total, documents, seconds, phase }: Loading): string {
  const parts = [`${Math.floor((100 * done) / Math.max(total, 1))}%`, `${count(documents)} documents`];
  if (phase.startsWith('Reading ') && !phase.endsWith('rows')) parts.push(`${byteSize(done / seconds)} a second`);
  else parts.push(`${count(documents / seconds)} documents a second`);
  return parts.join(' · ');
}
