// SPDX-License-Identifier: MIT
// The attention mask of the selected window: the core's pixels, and a crosshair that says who attends to whom and why.
import { computed, effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { ask } from '../engine/client.js';
import { count } from '../format.js';
import { blockSize, maskOptions } from '../state/planning.js';
import { hovered, model, plan, planVersion, theme, windowInfo } from '../state/store.js';
import type { Explanation } from '../text/explain.js';
import { explain, segmentAt } from '../text/explain.js';
import { tokenName } from '../text/tokens.js';
import { latest, show, useSize } from './canvas.js';

interface Crosshair {
  readonly query: number;
  readonly key: number;
  readonly explanation: Explanation;
}

/** What of the model the picture depends on. */
const looks = computed(() => JSON.stringify([maskOptions(model.value), model.value.block]));

export function Mask() {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);
  const cross = useSignal<Crosshair | undefined>(undefined);
  const contextLength = plan.value?.options.contextLength ?? 1;

  useEffect(() => {
    const draw = latest(async () => {
      const info = windowInfo.peek();
      const { width, height, ratio } = size.peek();
      if (!info || width === 0) return;
      const options = maskOptions(model.peek());
      const picture = await ask('drawMask', {
        window: info.window,
        theme: theme.peek(),
        options,
        block: blockSize(model.peek().block),
        width: Math.round(width * ratio),
        height: Math.round(height * ratio),
      });
      if (canvas.current) show(canvas.current, picture);
    });
    return effect(() => {
      void [windowInfo.value, planVersion.value, theme.value, size.value, looks.value];
      draw();
    });
  }, []);

  const point = (event: PointerEvent) => {
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const cell = (at: number, side: number) =>
      Math.min(Math.max(Math.floor((at / side) * contextLength), 0), contextLength - 1);
    void lookAt(cell(event.clientY - top, height), cell(event.clientX - left, width));
  };
  const lookAt = async (query: number, key: number) => {
    const info = windowInfo.peek();
    if (!info) return;
    const options = maskOptions(model.peek());
    const attends = await ask('attends', info.window, query, key, options);
    cross.value = { query, key, explanation: explain(info.segments, query, key, options, attends) };
    const index = segmentAt(info.segments, key);
    const segment = index === undefined ? undefined : info.segments[index];
    hovered.value = {
      window: info.window,
      row: info.row,
      position: key,
      segment: segment && { ...segment, index: index as number },
    };
  };
  const leave = () => {
    cross.value = undefined;
    hovered.value = undefined;
  };

  return (
    <>
      <div ref={box} class="mask" onPointerMove={point} onPointerDown={point} onPointerLeave={leave}>
        <canvas ref={canvas} class="layer" role="img" aria-label={maskSummary()} />
        <LitDocument contextLength={contextLength} />
        {cross.value && <Lines cross={cross.value} contextLength={contextLength} />}
      </div>
      <p class="mask-caption">
        {cross.value ? (
          <CrossText cross={cross.value} />
        ) : (
          <span class="dim">queries down, keys across; point at a cell</span>
        )}
      </p>
    </>
  );
}

function maskSummary(): string {
  const { mask, documentMask } = model.value;
  const documents = windowInfo.value?.segments.length ?? 0;
  const rule = documentMask
    ? `${documents} documents that do not see each other`
    : `${documents} documents that see each other`;
  return `Attention mask of window ${windowInfo.value?.window ?? 0}, ${mask}: ${rule}`;
}

// The document under the pointer in the rows, or the selected one, as a square on the diagonal.
function LitDocument({ contextLength }: { contextLength: number }) {
  const info = windowInfo.value;
  const place = hovered.value;
  const lit = place?.window === info?.window && place?.segment ? place.segment : info?.segments[model.value.segment];
  if (lit === undefined) return null;
  const at = (position: number) => `${(position / contextLength) * 100}%`;
  return (
    <div
      class="lit"
      style={{ left: at(lit.begin), top: at(lit.begin), width: at(lit.length), height: at(lit.length) }}
    />
  );
}

function Lines({ cross: { query, key, explanation }, contextLength }: { cross: Crosshair; contextLength: number }) {
  const at = (position: number) => `${((position + 0.5) / contextLength) * 100}%`;
  return (
    <div class={explanation.leaks ? 'cross leaks' : 'cross'}>
      <span class="across" style={{ top: at(query) }} />
      <span class="down" style={{ left: at(key) }} />
    </div>
  );
}

function CrossText({ cross: { query, key, explanation } }: { cross: Crosshair }) {
  const mood = explanation.leaks ? 'bad' : explanation.attends ? 'good' : 'dim';
  return (
    <>
      <strong class={mood}>{explanation.text}</strong>
      <TokenLine of="query" position={query} />
      <TokenLine of="key" position={key} />
    </>
  );
}

function TokenLine({ of, position }: { of: string; position: number }) {
  const info = windowInfo.value;
  if (info === undefined) return null;
  const index = segmentAt(info.segments, position);
  const name = tokenName(info, position);
  return (
    <span class="dim">
      {of} {count(position)}
      {name !== undefined && (
        <>
          {' '}
          <code>{name}</code>
        </>
      )}{' '}
      in {index === undefined ? 'padding' : `document ${count(info.segments[index]?.document ?? 0)}`}
    </span>
  );
}
