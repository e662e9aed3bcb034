// SPDX-License-Identifier: MIT
// Fingers on a canvas: one pans, two pinch, and one that does not move taps.

export interface Touches {
  /** The middle of the fingers moved by so many pixels, and their distance by a factor. */
  readonly move: (across: number, down: number, factor: number, x: number, y: number) => void;
  readonly tap: (x: number, y: number) => void;
  /** Fingers scroll the page where this is false. */
  readonly active: () => boolean;
}

interface Finger {
  readonly x: number;
  readonly y: number;
}

const still = 8;

/** Middle and spread of the fingers. */
function gauge(fingers: readonly Finger[]): { x: number; y: number; spread: number } {
  const x = fingers.reduce((sum, finger) => sum + finger.x, 0) / fingers.length;
  const y = fingers.reduce((sum, finger) => sum + finger.y, 0) / fingers.length;
  const [first] = fingers as [Finger];
  return { x, y, spread: Math.hypot(first.x - x, first.y - y) };
}

export function listenToTouches(box: HTMLElement, { move, tap, active }: Touches, until: AbortSignal): void {
  const fingers = new Map<number, Finger>();
  let travelled = 0;
  const place = (event: PointerEvent): Finger => {
    const { left, top } = box.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const on = (
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    act: (event: PointerEvent) => void,
  ) =>
    box.addEventListener(
      type,
      (event) => {
        if (event.pointerType !== 'mouse' && active()) act(event);
      },
      { signal: until },
    );
  on('pointerdown', (event) => {
    if (fingers.size === 0) travelled = 0;
    else travelled = Number.POSITIVE_INFINITY;
    fingers.set(event.pointerId, place(event));
  });
  on('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = gauge([...fingers.values()]);
    fingers.set(event.pointerId, place(event));
    const after = gauge([...fingers.values()]);
    travelled += Math.hypot(after.x - before.x, after.y - before.y);
    if (travelled < still) return;
    const factor = fingers.size > 1 && before.spread > 0 ? after.spread / before.spread : 1;
    move(after.x - before.x, after.y - before.y, factor, after.x, after.y);
  });
  on('pointerup', (event) => {
    const finger = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    if (finger && travelled < still) tap(finger.x, finger.y);
  });
  on('pointercancel', (event) => fingers.delete(event.pointerId));
}
