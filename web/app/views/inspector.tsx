// SPDX-License-Identifier: MIT
// The selected window: its attention mask, its figures, its lanes, its code and its documents.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../engine/client.js';
import type { BlockShare, WindowInfo } from '../engine/protocol.js';
import { count } from '../format.js';
import { sheetOpen } from '../state/exploring.js';
import { filteredRows } from '../state/filtering.js';
import { blockSize, maskOptions } from '../state/planning.js';
import { checkPlan, model, plan, planVersion, update, validity, windowInfo } from '../state/store.js';
import { DocumentList } from './documents.js';
import { Lanes } from './lanes.js';
import { lazyView } from './lazy.js';
import { Mask } from './mask.js';
import { Segmented } from './segmented.js';

const WindowCode = lazyView(async () => (await import('./window-code.js')).WindowCode, null);

export function Inspector() {
  const info = windowInfo.value;
  if (filteredRows.value === 0) {
    return (
      <aside class="inspector" aria-label="Selected window">
        <section class="group dim">No window is on show.</section>
      </aside>
    );
  }
  return (
    <aside class="inspector" data-sheet={sheetOpen.value} aria-label="Selected window">
      {sheetOpen.value && (
        <button type="button" class="close-sheet" onClick={() => (sheetOpen.value = false)}>
          Close
        </button>
      )}
      <section class="group">
        <h2>
          {info ? `Window ${count(info.window)}` : 'Window'} <span class="dim">attention mask</span>
        </h2>
        <Mask />
        <MaskControls />
      </section>
      {info && <Facts info={info} />}
      {info && <Lanes info={info} />}
      {info && <WindowCode />}
      {info && <DocumentList info={info} />}
    </aside>
  );
}

function MaskControls() {
  const { mask, documentMask, slidingWindow, block, contextLength, prefixPercent } = model.value;
  return (
    <div class="mask-controls">
      <Segmented
        label="Cells of the mask"
        value={block === 0 ? 'tokens' : 'blocks'}
        choices={{ tokens: 'Tokens', blocks: 'Blocks' }}
        change={(value) => update({ block: value === 'blocks' ? 128 : 0 })}
      />
      <Segmented
        label="Direction of attention"
        value={mask}
        choices={{ causal: 'Causal', bidirectional: 'Both ways', prefix: 'Prefix' }}
        change={(value) => update({ mask: value })}
      />
      {block > 0 && <BlockSize block={block} />}
      {mask === 'prefix' && <PrefixShare percent={prefixPercent} />}
      <label class="switch">
        <span>Keep documents apart</span>
        <input
          type="checkbox"
          role="switch"
          checked={documentMask}
          aria-describedby="apart-help"
          onChange={({ currentTarget }) => update({ documentMask: currentTarget.checked })}
        />
      </label>
      <p class="help" id="apart-help">
        Off shows in red what would leak.
      </p>
      <div class="option-line">
        <label for="sliding-window">Sliding window</label>
        <span class="value">{slidingWindow === 0 ? 'off' : `${count(slidingWindow)} tokens`}</span>
      </div>
      <input
        id="sliding-window"
        type="range"
        min={0}
        max={slidingSteps}
        value={slidingStep(slidingWindow, contextLength)}
        aria-valuetext={slidingWindow === 0 ? 'off' : `${slidingWindow} tokens`}
        aria-describedby="sliding-help"
        onInput={({ currentTarget }) =>
          update({ slidingWindow: slidingAt(currentTarget.valueAsNumber, contextLength) })
        }
      />
      <p class="help" id="sliding-help">
        A query sees keys less than this far away.
      </p>
    </div>
  );
}

function BlockSize({ block }: { block: number }) {
  return (
    <label class="inline wide-control">
      <span>Block, queries × keys</span>
      <select value={String(block)} onChange={({ currentTarget }) => update({ block: Number(currentTarget.value) })}>
        {[...new Set([64, 128, 256, block])].map((size) => (
          <option key={size} value={String(size)}>
            {blockText(size)}
          </option>
        ))}
      </select>
    </label>
  );
}

function blockText(block: number): string {
  const size = blockSize(block);
  return typeof size === 'number' ? `${size} × ${size}` : `${size[0]} × ${size[1]}`;
}

function PrefixShare({ percent }: { percent: number }) {
  return (
    <>
      <div class="option-line">
        <label for="prefix-share">Prefix</label>
        <span class="value">the first {percent}% of each document</span>
      </div>
      <input
        id="prefix-share"
        type="range"
        min={0}
        max={100}
        step={5}
        value={percent}
        aria-valuetext={`${percent}% of each document`}
        onInput={({ currentTarget }) => update({ prefixPercent: currentTarget.valueAsNumber })}
      />
    </>
  );
}

// The slider runs over shares of the window; its right end is "off".
const slidingSteps = 32;

function slidingAt(step: number, contextLength: number): number {
  return step >= slidingSteps ? 0 : Math.max(Math.round(((step + 1) / (slidingSteps + 1)) * contextLength), 1);
}

function slidingStep(slidingWindow: number, contextLength: number): number {
  if (slidingWindow === 0) return slidingSteps;
  return Math.min(Math.max(Math.round((slidingWindow / contextLength) * (slidingSteps + 1)) - 1, 0), slidingSteps - 1);
}

function Facts({ info }: { info: WindowInfo }) {
  const blocks = useSignal<BlockShare | undefined>(undefined);
  const { block: chosenBlock } = model.value;
  const mask = JSON.stringify(maskOptions(model.value));
  const block = chosenBlock === 0 ? 128 : chosenBlock;
  const version = planVersion.value;
  useEffect(() => {
    let wanted = true;
    void ask('windowBlocks', info.window, maskOptions(model.peek()), blockSize(block)).then(
      (counted) => {
        if (wanted) blocks.value = counted;
      },
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [info, version, mask, block]);
  const contextLength = plan.value?.options.contextLength ?? 0;
  const share = blocks.value;
  return (
    <dl class="group facts">
      <Fact name="Documents" value={count(info.segments.length)} />
      <Fact name="Tokens" value={`${count(info.used)} of ${count(contextLength)}`} />
      <Fact name="Padding" value={count(contextLength - info.used)} />
      <Fact
        name={block > 128 ? `Blocks ${blockText(block)}` : `Blocks of ${block}`}
        value={
          share ? `${count(share.full)} full, ${count(share.partial)} partial, ${count(share.skipped)} skipped` : '…'
        }
      />
      <Fact name="Fingerprint" value={plan.value?.fingerprint ?? ''} mono />
      <Validity />
    </dl>
  );
}

function Fact({ name, value, mono = false }: { name: string; value: string; mono?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={mono ? 'mono' : undefined}>{value}</dd>
    </div>
  );
}

const partText = 'only as a whole, by packscope verify';

function Validity() {
  const state = validity.value;
  if (state === 'unchecked') return <CheckPlan />;
  const text =
    state === 'checking'
      ? 'checking…'
      : state === 'kept'
        ? '✓ every token accounted for'
        : state === 'part'
          ? partText
          : state;
  return (
    <div>
      <dt>Plan checked</dt>
      <dd class={state === 'kept' ? 'good' : state === 'checking' || state === 'part' ? '' : 'bad'}>{text}</dd>
    </div>
  );
}

// Very large plans are not checked unasked.
function CheckPlan() {
  return (
    <div>
      <dt>Plan checked</dt>
      <dd>
        <button type="button" class="link" onClick={() => void checkPlan()}>
          Check every token
        </button>
      </dd>
    </div>
  );
}
