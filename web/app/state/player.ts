// SPDX-License-Identifier: MIT
// The player of Step through: where it stands, whether it runs and how fast. It holds no decisions of its own, so
// that keys can reach it before the view is loaded.
import { computed, effect, signal } from '@preact/signals';

import type { StepData } from '../engine/protocol.js';
import type { Stepping } from './stepping.js';
import { model, update } from './store.js';

export interface Traced {
  readonly data: StepData;
  readonly stepping: Stepping;
  /** Colour of each document's first tile. */
  readonly colorOf: ReadonlyMap<number, number>;
  /** Colour of each tile, by "window index". */
  readonly colorIn: ReadonlyMap<string, number>;
}

export const traced = signal<Traced>();
export const playing = signal(false);
/** Steps in a second. */
export const speed = signal(1);
/** CSS pixels of a token: queue and windows share it. */
export const stepScale = signal(0);
export const speeds: readonly number[] = [0.5, 1, 2, 4, 8];

export const lastStep = computed(() => traced.value?.stepping.steps ?? 0);

/** How many steps are done. */
export const currentStep = computed(() => {
  const { step } = model.value;
  return step < 0 ? (traced.value?.stepping.telling ?? 0) : Math.min(step, lastStep.value);
});

export function goToStep(step: number): void {
  update({ step: Math.max(0, Math.min(step, lastStep.peek())) });
}

/** A step by hand ends the playing. */
export function moveStep(by: number): void {
  playing.value = false;
  goToStep(currentStep.peek() + by);
}

export function togglePlaying(): void {
  if (!playing.peek() && currentStep.peek() >= lastStep.peek()) goToStep(0);
  playing.value = !playing.peek();
}

/** Takes steps while the player runs; returns how to stop that. */
export function runPlayer(): () => void {
  const stop = effect(() => {
    if (!playing.value) return undefined;
    const timer = setInterval(() => {
      if (currentStep.peek() >= lastStep.peek()) playing.value = false;
      else goToStep(currentStep.peek() + 1);
    }, 1000 / speed.value);
    return () => clearInterval(timer);
  });
  return () => {
    stop();
    playing.value = false;
  };
}
