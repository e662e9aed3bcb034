// SPDX-License-Identifier: MIT
// Which files the scripts and checks look at, always in the same order.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './shell.mjs';

const skippedFolders = new Set(['build', 'dist', 'node_modules', '__pycache__']);

// Paths relative to the project's root, with forward slashes, sorted by their characters' codes.
export function filesBelow(folder, extensions) {
  if (!existsSync(join(projectRoot, folder))) return [];
  return walk(folder)
    .filter((path) => extensions.some((extension) => path.endsWith(extension)))
    .sort((a, b) => (a < b ? -1 : 1));
}

function walk(folder) {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : walk(path);
    return entry.isFile() ? [path] : [];
  });
}

export function cppFiles() {
  return ['cpp', 'tests', 'wasm-build'].flatMap((folder) => filesBelow(folder, ['.hpp', '.cpp']));
}
