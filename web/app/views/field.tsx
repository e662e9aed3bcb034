// SPDX-License-Identifier: MIT
// The field: a cell for each window, the darker the more padding; where a cell stands for several, its worst shows.
import { effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { ask } from '../engine/client.js';
import type { WindowRow } from '../engine/protocol.js';
import { count, counted, percent } from '../format.js';
import { announce, model, plan, planVersion, select, theme, update, windowInfo } from '../state/store.js';
import { latest, overlay, show, useSize } from './canvas.js';

interface Pointed {
  readonly x: number;
  readonly y: number;
  readonly row: WindowRow;
}

export function Field() {
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);
  const pointed = useSignal<Pointed | undefined>(undefined);
  const pixels = () => {
    const { width, height, ratio } = size.peek();
    return { width: Math.round(width * ratio), height: Math.round(height * ratio), ratio };
  };

  useEffect(() => {
    const draw = latest(async () => {
      const { width, height, ratio } = pixels();
      if (width === 0 || planVersion.peek() === 0) return;
      const made = await ask('drawField', { width, height }, theme.peek());
      if (picture.current) show(picture.current, made);
      const row = windowInfo.peek()?.row ?? 0;
      const cell = await ask('fieldCell', { width, height }, row);
      const context = marks.current && overlay(marks.current, size.peek());
      if (!context || cell === undefined) return;
      context.strokeStyle = theme.peek() === 'dark' ? '#ffffff' : '#0b1220';
      context.lineWidth = 2;
      const side = cell.side / ratio;
      context.strokeRect(cell.x / ratio - 1, cell.y / ratio - 1, side + 1, side + 1);
    });
    return effect(() => {
      void [size.value, theme.value, planVersion.value, windowInfo.value];
      draw();
    });
  }, []);

  const at = useRef<{ x: number; y: number } | undefined>(undefined);
  const look = useRef(
    latest(async () => {
      const point = at.current;
      const { width, height, ratio } = pixels();
      const row = point && (await ask('fieldAt', { width, height }, point.x * ratio, point.y * ratio));
      pointed.value = row && point && at.current ? { ...point, row } : undefined;
    }),
  ).current;
  const move = (event: PointerEvent) => {
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    at.current = { x: event.clientX - left, y: event.clientY - top };
    look();
  };
  const leave = () => {
    at.current = undefined;
    pointed.value = undefined;
  };
  const choose = async (event: MouseEvent) => {
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const { width, height, ratio } = pixels();
    const row = await ask('fieldAt', { width, height }, (event.clientX - left) * ratio, (event.clientY - top) * ratio);
    if (row) select(row.window);
    if (row) announce(`Window ${count(row.window)}, ${words(row)}`);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the canvas in it is what the keyboard meets
    // biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys move the selection
    <div
      ref={box}
      class="rows field"
      data-window={windowInfo.value?.window}
      onPointerMove={move}
      onPointerLeave={leave}
      onClick={(event) => void choose(event)}
      onDblClick={() => update({ level: 'rows' })}
    >
      <canvas ref={picture} class="layer" aria-hidden="true" />
      <canvas
        ref={marks}
        class="layer marks"
        tabIndex={0}
        role="img"
        aria-label={`A cell for each of ${counted(plan.value?.stats.windows ?? 0, 'window')}, the darker the more padding. Window ${count(model.value.window)} is selected. Arrow keys move.`}
      />
      {pointed.value && <Card {...pointed.value} width={size.value.width} />}
    </div>
  );
}

const words = ({ documents, used, padding }: WindowRow) =>
  `${counted(documents, 'document')}, ${count(padding)} of padding (${percent(padding / Math.max(used + padding, 1))})`;

const cardWidth = 250;

function Card({ x, y, row, width }: Pointed & { width: number }) {
  return (
    <div
      class="hover-card"
      style={{ left: `${Math.min(x + 14, Math.max(width - cardWidth, 0))}px`, top: `${y + 18}px` }}
      aria-hidden="true"
    >
      <strong>Window {count(row.window)}</strong>
      <span>{words(row)}</span>
    </div>
  );
}
