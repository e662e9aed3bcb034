// SPDX-License-Identifier: MIT
// On a phone the rows can take the whole screen, where fingers pan and pinch; a tap opens the inspector as a sheet.
import { signal } from '@preact/signals';

export const exploring = signal(false);
export const sheetOpen = signal(false);

export function explore(): void {
  exploring.value = true;
}

export function stopExploring(): void {
  exploring.value = false;
  sheetOpen.value = false;
}
