// SPDX-License-Identifier: MIT
// Tests of the npm package, on the bundles in dist/ as users get them.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/lib/**/*.test.ts', 'tests/import/**/*.test.ts'],
    testTimeout: 120_000,
    // Two processors: a worker for each test file would only make them wait for each other.
    maxWorkers: 2,
    reporters: ['default', './tests/lib/counts.mjs'],
  },
});
