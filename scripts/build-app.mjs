// SPDX-License-Identifier: MIT
// `npm run build:app`: the visualizer as a static folder, build/app, over the package in dist/, which is built first
// where it is missing. Prints what a first visit transfers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { ensureNodeModules } from './node-modules.mjs';
import { projectRoot, requireNode, run, stop } from './shell.mjs';

const folder = 'build/app';

export function buildApp() {
  requireNode();
  ensureNodeModules();
  if (!existsSync(join(projectRoot, 'dist/slim.js'))) step('node', ['wasm-build/build.mjs']);
  const bin = (name) => join(projectRoot, 'node_modules/.bin', name);
  step(bin('tsc'), ['-p', 'web/app']);
  step(bin('vite'), ['build', '--config', 'scripts/app.vite.mjs', '--logLevel', 'warn']);
  reportSizes();
}

function step(command, args) {
  if (!run(command, args)) stop(`${command} ${args[0]} failed; its message is above.`);
}

// Views that are fetched when they are shown, and the build without SIMD, are not part of a first visit.
const firstVisit = (name) => !/^(code|compare|overlays|step|tokens)-|scalar/.test(name);

function reportSizes() {
  const assets = join(projectRoot, folder, 'assets');
  const files = [join(projectRoot, folder, 'index.html'), ...readdirSync(assets).filter(firstVisit).map((name) => join(assets, name))];
  const sizes = files.map((file) => gzipSync(readFileSync(file), { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${folder}: ${(total / 1000).toFixed(1)} kB gzipped before the first picture`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) buildApp();
