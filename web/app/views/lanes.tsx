// SPDX-License-Identifier: MIT
// Lanes of the selected window, one above the other: the documents, position_ids that begin again at each, the documents
// that labels come from, and where the loss counts.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../engine/client.js';
import type { Lanes as LaneArrays, WindowInfo } from '../engine/protocol.js';
import { palette, plan, planVersion, theme } from '../state/store.js';
import { css, overlay, useSize } from './canvas.js';

const lanes = ['doc_ids', 'position_ids', 'labels', 'loss_mask'] as const;
const laneHeight = 22;

export function Lanes({ info }: { info: WindowInfo }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const arrays = useSignal<LaneArrays | undefined>(undefined);
  const version = planVersion.value;
  useEffect(() => {
    let wanted = true;
    void ask('lanes', info.window).then(
      (read) => {
        if (wanted) arrays.value = read;
      },
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [info, version]);
  const { width, height, ratio } = size.value;
  useEffect(() => {
    if (canvas.current && arrays.value && width > 0)
      drawLanes(canvas.current, { width, height, ratio }, info, arrays.value);
  }, [arrays.value, width, height, ratio, theme.value, palette.value]);
  return (
    <section class="group">
      <h2>Arrays</h2>
      <div class="lanes">
        <ul class="lane-names">
          {lanes.map((lane) => (
            <li key={lane}>
              <code>{lane}</code>
            </li>
          ))}
        </ul>
        <div ref={box} class="lane-box">
          <canvas
            ref={canvas}
            class="layer"
            role="img"
            aria-label="position_ids begin again at each document; labels are the next token of the same document, so the last of each and padding have none, and loss_mask is 0 there"
          />
        </div>
      </div>
    </section>
  );
}

function drawLanes(
  canvas: HTMLCanvasElement,
  size: { width: number; height: number; ratio: number },
  info: WindowInfo,
  arrays: LaneArrays,
): void {
  const context = overlay(canvas, size);
  const colors = palette.peek();
  if (!context || !colors) return;
  const length = plan.peek()?.options.contextLength ?? 1;
  const scale = size.width / length;
  for (const { begin, length: tokens, color } of info.segments) {
    context.fillStyle = css(colors.documents[color]);
    context.fillRect(begin * scale, 2, Math.max(tokens * scale - 0.5, 0.5), laneHeight - 6);
  }
  const style = getComputedStyle(canvas);
  drawPositions(context, arrays.position_ids, scale, style.getPropertyValue('--accent'));
  for (const { begin, length: tokens, color } of info.segments) {
    context.fillStyle = css(colors.documents[color]);
    fillTargets(context, arrays.loss_mask, begin, begin + tokens, scale);
  }
  drawLoss(context, arrays.loss_mask, scale, style);
}

function drawPositions(context: CanvasRenderingContext2D, positions: Int32Array, scale: number, color: string): void {
  const most = positions.reduce((a, b) => Math.max(a, b), 1);
  const bottom = 2 * laneHeight - 4;
  context.beginPath();
  positions.forEach((position, index) => {
    // Where a run begins again the line falls straight down.
    if (position === 0 && index > 0) context.lineTo(index * scale, bottom);
    context.lineTo(index * scale, bottom - (position / most) * (laneHeight - 6));
  });
  context.strokeStyle = color;
  context.lineWidth = 1.25;
  context.stroke();
}

// Where a position has a label; one without stays empty, at least a pixel wide.
function fillTargets(
  context: CanvasRenderingContext2D,
  mask: Uint8Array,
  from: number,
  to: number,
  scale: number,
): void {
  const top = 2 * laneHeight + 2;
  context.fillRect(from * scale, top, (to - from) * scale, laneHeight - 6);
  for (let at = from; at < to; at += 1)
    if (mask[at] === 0) context.clearRect(at * scale - 0.5, top, Math.max(scale, 1.5), laneHeight - 6);
}

function drawLoss(
  context: CanvasRenderingContext2D,
  mask: Uint8Array,
  scale: number,
  style: CSSStyleDeclaration,
): void {
  const top = 3 * laneHeight + 2;
  context.fillStyle = style.getPropertyValue('--counted');
  context.fillRect(0, top, mask.length * scale, laneHeight - 6);
  // Zeros stay at least a pixel wide: one lost target in thousands is what one looks for.
  context.fillStyle = style.getPropertyValue('--panel');
  for (let begin = mask.indexOf(0); begin >= 0; begin = mask.indexOf(0, begin)) {
    const end = mask.indexOf(1, begin);
    const run = (end < 0 ? mask.length : end) - begin;
    context.fillRect(begin * scale, top, Math.max(run * scale, 1), laneHeight - 6);
    begin += run;
  }
}
