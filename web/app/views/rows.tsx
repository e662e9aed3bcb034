// SPDX-License-Identifier: MIT
// Rows of tiles: the core's pixels below, outlines and numbers above, and the pointer that scrolls, zooms and selects.
import { computed, effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../engine/client.js';
import type { Frame, RowsFrame } from '../engine/protocol.js';
import { count, counted } from '../format.js';
import type { Camera, Scene } from '../state/camera.js';
import {
  centredOn,
  clamped,
  comfortable,
  fitted,
  placeUnder,
  positionsAcross,
  rowHeight,
  rowsAcross,
  scrolled,
  showingRow,
  zoomedAt,
} from '../state/camera.js';
import { exploring, sheetOpen } from '../state/exploring.js';
import { filteredRows } from '../state/filtering.js';
import { camera, hovered, model, plan, planVersion, select, theme, windowInfo } from '../state/store.js';
import { wrapped } from '../text/wrap.js';
import type { CanvasSize } from './canvas.js';
import { latest, overlay, show, useSize } from './canvas.js';
import { HoverCard } from './hover-card.js';
import { listenToTouches } from './touch.js';

const size = signal<CanvasSize>({ width: 0, height: 0, ratio: 1 });

/** What the camera looks at; undefined before the first plan. */
export const scene = computed<Scene | undefined>(() => {
  const made = plan.value;
  const { width, height } = size.value;
  if (made === undefined || width === 0 || height === 0) return undefined;
  return {
    windows: filteredRows.value ?? made.stats.windows,
    contextLength: made.options.contextLength ?? 1,
    width,
    height,
  };
});

const changeCamera = (change: (camera: Camera, scene: Scene) => Camera) => {
  const at = scene.peek();
  const now = camera.peek();
  if (at && now) camera.value = change(now, at);
};

export const scrollRows = (rows: number, positions = 0) =>
  changeCamera((now, at) => scrolled(now, rows, positions, at));
export const zoomRows = (factor: number) =>
  changeCamera((now, at) => zoomedAt(now, factor, at.width / 2, at.height / 2, at));
export const fitRows = () => changeCamera((_, at) => fitted(at));
export const showRow = (row: number) => changeCamera((now, at) => showingRow(now, row, at));
/** From afar it comes nearer, too: where all rows are on show none can be moved to the middle. */
export const centreRow = (row: number) =>
  changeCamera((now, at) => centredOn(rowsAcross(now, at) < at.windows ? now : comfortable(at), row, at));
export const visibleRows = () => {
  const [now, at] = [camera.peek(), scene.peek()];
  return now && at ? Math.max(Math.floor(rowsAcross(now, at)) - 1, 1) : 10;
};

/** The picture on screen, with the camera it was made for: labels belong to that one. */
const frame = signal<{ readonly frame: Frame; readonly camera: Camera; readonly scene: Scene }>();

const coloring = computed(() => model.value.colorBy);

const labelWidth = 70;
const leastLabelledRow = 12;

function frameFor(now: Camera, at: Scene, ratio: number): RowsFrame {
  const across = positionsAcross(now, at);
  return {
    width: Math.max(Math.round(at.width * ratio), 1),
    height: Math.max(Math.round(at.height * ratio), 1),
    rows: [now.top, now.top + rowsAcross(now, at)],
    positions: [now.left, now.left + across],
    theme: theme.value,
    colorBy: model.peek().colorBy,
    labelWidth: rowHeight(now, at) < leastLabelledRow ? 0 : labelWidth * ratio,
  };
}

export function Rows() {
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const measured = useSize(box);

  useEffect(
    () =>
      effect(() => {
        size.value = measured.value;
      }),
    [],
  );
  useEffect(() => effect(settleCamera), []);
  useEffect(() => {
    const draw = latest(async () => {
      const [now, at] = [camera.peek(), scene.peek()];
      if (!now || !at || !picture.current) return;
      const made = await ask('drawRows', frameFor(now, at, size.peek().ratio));
      if (picture.current) show(picture.current, made);
      frame.value = { frame: made, camera: now, scene: at };
    });
    return effect(() => {
      void [camera.value, scene.value, theme.value, planVersion.value, size.value, coloring.value];
      draw();
    });
  }, []);
  useEffect(
    () =>
      effect(() => {
        if (marks.current) drawMarks(marks.current);
      }),
    [],
  );
  useEffect(() => (box.current ? listenToPointer(box.current) : undefined), []);

  return (
    <div ref={box} class="rows" data-window={windowInfo.value?.window}>
      <canvas ref={picture} class="layer" aria-hidden="true" />
      <canvas ref={marks} class="layer marks" id="rows" tabIndex={0} role="img" aria-label={summary()} />
      <HoverCard />
    </div>
  );
}

function summary(): string {
  const info = windowInfo.value;
  if (info === undefined) return 'Windows';
  return `${counted(plan.value?.stats.windows ?? 0, 'window')} as rows of documents. Window ${count(info.window)} is selected: ${counted(info.segments.length, 'document')}, ${count(info.used)} tokens. Arrow keys move.`;
}

// A new plan keeps the place; a first one opens at the selected window.
function settleCamera(): void {
  const at = scene.value;
  if (at === undefined) return;
  const now = camera.peek();
  if (now) camera.value = clamped(now, at);
  else camera.value = centredOn(comfortable(at), model.peek().window, at);
}

function drawMarks(canvas: HTMLCanvasElement): void {
  const context = overlay(canvas, size.value);
  const shown = frame.value;
  if (!context || !shown) return;
  const { camera: now, scene: at } = shown;
  const height = rowHeight(now, at);
  const scale = at.width / positionsAcross(now, at);
  const x = (position: number) => (position - now.left) * scale;
  const y = (row: number) => (row - now.top) * height;

  context.font = '500 11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  for (const { text, row, position, room, ink: inkOfTile } of shown.frame.labels) {
    context.fillStyle = inkOfTile;
    writeInside(context, text, { x: x(position) + 6, y: y(row), width: room * scale - 12, height });
  }
  const ink = theme.value === 'dark' ? '#ffffff' : '#0b1220';
  outlineSelection(context, x, y, height, at, ink);
  outlineHovered(context, x, y, height, ink);
}

const lineHeight = 15;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

// Text in the middle of its tile, in as many lines as fit; what is too long ends with an ellipsis.
function writeInside(context: CanvasRenderingContext2D, text: string, { x, y, width, height }: Box): void {
  const most = Math.max(Math.floor((height - 6) / lineHeight), 1);
  const lines = wrapped(text, most, (line) => context.measureText(line).width <= width);
  const top = y + (height - 1 - (lines.length - 1) * lineHeight) / 2;
  lines.forEach((line, index) => {
    context.fillText(line, x, top + index * lineHeight);
  });
}

type Along = (value: number) => number;

function outlineSelection(
  context: CanvasRenderingContext2D,
  x: Along,
  y: Along,
  height: number,
  at: Scene,
  ink: string,
): void {
  const info = windowInfo.value;
  if (info === undefined || info.segments.length === 0) return;
  context.strokeStyle = ink;
  context.lineWidth = 2;
  context.strokeRect(1, y(info.row) - 0.5, at.width - 2, Math.max(height, 2) + 1);
  const segment = info.segments[model.value.segment];
  if (segment === undefined || height < 5) return;
  context.lineWidth = 3;
  context.strokeRect(
    x(segment.begin) + 1,
    y(info.row) + 1,
    x(segment.begin + segment.length) - x(segment.begin) - 3,
    height - 2,
  );
}

function outlineHovered(context: CanvasRenderingContext2D, x: Along, y: Along, height: number, ink: string): void {
  const place = hovered.value;
  if (place?.segment === undefined || height < 4) return;
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  const { begin, length } = place.segment;
  context.strokeRect(x(begin), y(place.row), x(begin + length) - x(begin) - 1, height - 1);
}

/** Where the pointer is, in CSS pixels from the corner of the rows; undefined outside. */
export const pointer = signal<{ readonly x: number; readonly y: number }>();

function listenToPointer(box: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal: until } = stop;
  const point = (event: MouseEvent) => {
    const { left, top } = box.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const find = latest(async () => {
    const at = pointer.peek();
    const place = at && (await placeAt(at.x, at.y));
    hovered.value = pointer.peek() ? place : undefined;
  });
  let drag: { x: number; y: number; moved: boolean } | undefined;

  listenToTouches(
    box,
    {
      active: () => exploring.peek(),
      move: pinched,
      tap: (x, y) => void selectAt({ x, y }).then(() => (sheetOpen.value = true)),
    },
    until,
  );
  box.addEventListener('wheel', (event) => wheel(event, point(event)), { passive: false, signal: until });
  box.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button === 0 && !byFinger(event)) drag = { x: event.clientX, y: event.clientY, moved: false };
    },
    { signal: until },
  );
  box.addEventListener(
    'pointermove',
    (event) => {
      if (drag && event.pointerType === 'mouse' && event.buttons === 1) drag = dragged(drag, event, box);
      if (byFinger(event)) return;
      pointer.value = drag?.moved ? undefined : point(event);
      find();
    },
    { signal: until },
  );
  box.addEventListener(
    'pointerup',
    (event) => {
      if (byFinger(event)) return;
      const moved = drag?.moved ?? true;
      drag = undefined;
      if (!moved) void selectAt(point(event));
    },
    { signal: until },
  );
  box.addEventListener(
    'pointerleave',
    () => {
      pointer.value = undefined;
      hovered.value = undefined;
      drag = undefined;
    },
    { signal: until },
  );
  box.addEventListener('dblclick', fitRows, { signal: until });
  return () => stop.abort();
}

// Fingers have their own gestures while exploring.
const byFinger = (event: PointerEvent) => event.pointerType !== 'mouse' && exploring.peek();

function pinched(across: number, down: number, factor: number, x: number, y: number): void {
  const [now, at] = [camera.peek(), scene.peek()];
  if (!now || !at) return;
  const moved = scrolled(now, -down / rowHeight(now, at), (-across / at.width) * positionsAcross(now, at), at);
  camera.value = factor === 1 ? moved : zoomedAt(moved, factor, x, y, at);
}

const dragThreshold = 4;

function dragged(drag: { x: number; y: number; moved: boolean }, event: PointerEvent, box: HTMLElement) {
  const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moved && Math.hypot(across, down) < dragThreshold) return drag;
  box.setPointerCapture(event.pointerId);
  const [now, at] = [camera.peek(), scene.peek()];
  if (now && at) scrollRows(-down / rowHeight(now, at), (-across / at.width) * positionsAcross(now, at));
  return { x: event.clientX, y: event.clientY, moved: true };
}

function wheel(event: WheelEvent, { x, y }: { x: number; y: number }): void {
  event.preventDefault();
  const [now, at] = [camera.peek(), scene.peek()];
  if (!now || !at) return;
  const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
  if (event.ctrlKey || event.metaKey) {
    camera.value = zoomedAt(now, Math.exp(-event.deltaY * pixels * 0.002), x, y, at);
    return;
  }
  const [across, down] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
  scrollRows((down * pixels) / rowHeight(now, at), ((across * pixels) / at.width) * positionsAcross(now, at));
}

async function placeAt(x: number, y: number) {
  const [now, at] = [camera.peek(), scene.peek()];
  if (!now || !at) return undefined;
  const { row, position } = placeUnder(now, x, y, at);
  if (row >= at.windows) return undefined;
  return ask('placeAt', Math.floor(row), Math.floor(position));
}

async function selectAt({ x, y }: { x: number; y: number }): Promise<void> {
  const place = await placeAt(x, y);
  if (place) select(place.window, place.segment?.index ?? -1);
}
