// SPDX-License-Identifier: MIT
// Builds the visualizer into build/app: a static folder that works from any path.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('../web/app'),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir: here('../build/app'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of index.html allows no inlined scripts or styles, and fonts and pictures there are none.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
