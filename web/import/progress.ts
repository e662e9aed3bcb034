// SPDX-License-Identifier: MIT
// How far reading is, in one line of the terminal that is written over; nothing where no person reads.
import process from 'node:process';

import type { Progress } from '../read/reading.js';

const apartMs = 200;
const clearLine = '\r\x1b[2K';

export function progressLine(quiet: boolean) {
  const shown = !quiet && process.stderr.isTTY === true;
  let last = 0;
  return {
    show({ phase, done, total, documents }: Progress): void {
      if (!shown || performance.now() - last < apartMs) return;
      last = performance.now();
      const share = total === 0 ? '' : ` ${((100 * done) / total).toFixed(0)}%,`;
      process.stderr.write(`${clearLine}${phase}:${share} ${documents.toLocaleString('en-US')} documents`);
    },
    clear(): void {
      if (shown && last > 0) process.stderr.write(clearLine);
    },
  };
}
