// SPDX-License-Identifier: MIT
// `npm run build:app`: the visualizer as a static folder, build/app, over the package in dist/, which is built first
// where it is missing. Prints what a first visit transfers.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { fileLibraries, licenceTexts } from './licences.mjs';
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
  writeLicences();
  reportSizes();
}

function step(command, args) {
  if (!run(command, args)) stop(`${command} ${args[0]} failed; its message is above.`);
}

// Libraries whose code is in the page.
const bundled = ['preact', '@preact/signals', '@preact/signals-core', ...fileLibraries];

function writeLicences() {
  writeFileSync(join(projectRoot, folder, 'licences.txt'), licenceTexts(bundled));
}

function reportSizes() {
  const total = firstVisit().reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${folder}: ${(total / 1000).toFixed(1)} kB gzipped before the first picture`);
}

/**
 * What a visit transfers before its first picture: the page, the script that it names with all that this one imports at
 * once, the styles, the icon, the worker and the engine. Gzipped sizes.
 */
export function firstVisit() {
  const root = join(projectRoot, folder);
  const page = readFileSync(join(root, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file);
  const found = new Set(['index.html']);
  const follow = (file) => {
    if (found.has(file)) return;
    found.add(file);
    if (!file.endsWith('.js')) return;
    const code = readFileSync(join(root, file), 'utf8');
    const at = dirname(file);
    for (const [, name] of code.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/g)) follow(join(at, name));
    for (const [, name] of code.matchAll(/["'`/](worker-[\w-]+\.js|packscope\.simd-[\w-]+\.wasm)["'`]/g)) follow(join(at, name));
  };
  named.forEach(follow);
  return [...found].map((file) => ({ file, bytes: gzipSync(readFileSync(join(root, file)), { level: 9 }).length }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) buildApp();
