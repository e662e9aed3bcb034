// SPDX-License-Identifier: MIT
// All windows in a strip, coloured by their padding; the frame is what the rows show, and moves them.
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { ask } from '../engine/client.js';
import { centredOn, rowsAcross } from '../state/camera.js';
import { camera, planVersion, theme } from '../state/store.js';
import { latest, show, useSize } from './canvas.js';
import { scene } from './rows.js';

export function Minimap() {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(box);

  useEffect(() => {
    const draw = latest(async () => {
      const { height, ratio } = size.peek();
      if (height === 0 || planVersion.peek() === 0) return;
      const picture = await ask('drawMinimap', { width: 1, height: Math.round(height * ratio) }, theme.peek());
      if (canvas.current) show(canvas.current, picture);
    });
    return effect(() => {
      void [size.value, theme.value, planVersion.value];
      draw();
    });
  }, []);

  const move = (event: PointerEvent) => {
    const [now, at] = [camera.peek(), scene.peek()];
    if (!now || !at || event.buttons !== 1) return;
    const { top, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    camera.value = centredOn(now, ((event.clientY - top) / height) * at.windows, at);
  };
  const press = (event: PointerEvent) => {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    move(event);
  };

  return (
    <div
      ref={box}
      class="minimap"
      title="All windows; the darker, the more padding"
      onPointerDown={press}
      onPointerMove={move}
    >
      <canvas ref={canvas} class="layer" aria-hidden="true" />
      <ViewFrame />
    </div>
  );
}

function ViewFrame() {
  const [now, at] = [camera.value, scene.value];
  if (!now || !at) return null;
  const windows = Math.max(at.windows, 1);
  const shown = Math.min(rowsAcross(now, at), windows) / windows;
  if (shown >= 1) return null;
  return (
    <div class="view-frame" style={{ top: `${(now.top / windows) * 100}%`, height: `max(10px, ${shown * 100}%)` }} />
  );
}
