// SPDX-License-Identifier: MIT
// Unit tests of the visualizer's pure modules: no browser, no worker.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/app/**/*.test.ts'],
    maxWorkers: 2,
    reporters: ['default', './tests/lib/counts.mjs'],
  },
});
