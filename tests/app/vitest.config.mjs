// SPDX-License-Identifier: MIT
// Unit tests of the visualizer's pure modules: no browser, no worker.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['tests/app/**/*.test.ts'],
    maxWorkers: 2,
    // The largest tokenizer takes seconds to load on a busy machine.
    testTimeout: 30_000,
    reporters: ['default', './tests/lib/counts.mjs'],
  },
});
