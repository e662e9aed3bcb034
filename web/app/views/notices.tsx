// SPDX-License-Identifier: MIT
// What the reader must not miss: tokens that were lost, what failed, what is still going on.
import { byteSize, count, counted, percent } from '../format.js';
import { openOtherwise } from '../state/loading.js';
import { busy, model, plan, problem, update, wanted } from '../state/store.js';
import { ReadingProgress } from './progress.js';

export function Notices() {
  return (
    <div class="notices">
      <Problem />
      <WantedFile />
      <ReadingProgress />
      <Loss />
      {busy.value && (
        <p class="notice busy">
          <span class="spinner" aria-hidden="true" /> {busy.value}…
        </p>
      )}
    </div>
  );
}

function Problem() {
  const { value } = problem;
  if (value === undefined) return null;
  return (
    <div class="notice error" role="alert">
      <p>
        <strong>{value.message}</strong> {value.remedy}
        {value.command && <code class="command-line">{value.command}</code>}
      </p>
      {(value.remedies ?? []).map(({ label, reading }) => (
        <button key={label} type="button" class="primary" onClick={() => void openOtherwise(reading)}>
          {label}
        </button>
      ))}
      <button
        type="button"
        onClick={() => {
          problem.value = undefined;
        }}
      >
        Dismiss
      </button>
    </div>
  );
}

// A link names its file; the reader has it or not.
function WantedFile() {
  const file = wanted.value;
  if (file === undefined) return null;
  return (
    <div class="notice busy">
      <p class="grow">
        <strong>This link was made with {file.name}</strong> ({byteSize(file.size)}), which it does not carry. Open the
        same file to see it; meanwhile an example stands here.
      </p>
      <button type="button" onClick={() => document.getElementById('open-file')?.click()}>
        Open {file.name}
      </button>
    </div>
  );
}

function Loss() {
  const ledger = plan.value?.ledger;
  if (ledger === undefined || ledger.tokensDropped === 0) return null;
  const { droppedDocuments, truncatedDocuments, tokensDropped, tokens } = ledger;
  const what =
    droppedDocuments > 0
      ? `${counted(droppedDocuments, 'document')} longer than the window ${droppedDocuments === 1 ? 'is' : 'are'} left out`
      : `${counted(truncatedDocuments, 'document')} longer than the window ${truncatedDocuments === 1 ? 'is' : 'are'} cut`;
  return (
    <div class="notice warning">
      <p>
        <strong>{what}:</strong> {count(tokensDropped)} tokens, {percent(tokensDropped / tokens)} of all, stand in no
        window.
      </p>
      {model.value.longDocuments !== 'split' && (
        <button type="button" onClick={() => update({ longDocuments: 'split' })}>
          Split them instead
        </button>
      )}
    </div>
  );
}
