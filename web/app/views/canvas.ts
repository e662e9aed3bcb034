// SPDX-License-Identifier: MIT
// Canvases that follow their size in device pixels, and pictures of the worker put on them.

import type { Signal } from '@preact/signals';
import { effect, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { Frame } from '../engine/protocol.js';

/** Size in CSS pixels, and how many device pixels each of them has. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
}

const mostRatio = 3;

/** That of the screen: it changes where the page is zoomed, or its window moves to another screen. */
const screenRatio = signal(1);

function followScreen(): void {
  screenRatio.value = Math.min(devicePixelRatio, mostRatio);
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', followScreen, { once: true });
}

followScreen();

/** The size of an element as it changes; zero until it is known. */
export function useSize(element: RefObject<HTMLElement | null>): Signal<CanvasSize> {
  const size = useRef(signal<CanvasSize>({ width: 0, height: 0, ratio: 1 })).current;
  useEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = measured;
      const ratio = screenRatio.value;
      const old = size.peek();
      if (old.width !== width || old.height !== height || old.ratio !== ratio) size.value = { width, height, ratio };
    };
    const stop = effect(measure);
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => {
      stop();
      observer.disconnect();
    };
  }, []);
  return size;
}

/** Shows a picture at its own resolution, whatever the canvas held before. */
export function show(canvas: HTMLCanvasElement, { width, height, pixels }: Frame): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.getContext('2d', { desynchronized: true })?.putImageData(new ImageData(pixels, width, height), 0, 0);
}

/**
 * Runs `draw` at once, and once more after it has ended if it was asked for meanwhile: pictures never queue up, and
 * the last one wanted is drawn.
 */
export function latest(draw: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  return function request() {
    again = true;
    if (running) return;
    running = true;
    void (async () => {
      while (again) {
        again = false;
        // A picture that cannot be drawn stays away; the next change tries once more.
        await draw().catch(() => undefined);
      }
      running = false;
    })();
  };
}

/** A canvas context scaled so that one unit is one CSS pixel, cleared. */
export function overlay(
  canvas: HTMLCanvasElement,
  { width, height, ratio }: CanvasSize,
): CanvasRenderingContext2D | undefined {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  const context = canvas.getContext('2d') ?? undefined;
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

export function css(color: Uint8Array | undefined): string {
  const [red = 0, green = 0, blue = 0] = color ?? [];
  return `rgb(${red} ${green} ${blue})`;
}
