// SPDX-License-Identifier: MIT
// Installs the development dependencies of package.json where they are missing or not those of the lock file.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot, run, stop } from './shell.mjs';

// A copy of the lock file that the last installation was made from.
const stamp = join(projectRoot, 'node_modules/.packscope-lock.json');

export function ensureNodeModules() {
  const lock = readFileSync(join(projectRoot, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('\n$ npm ci');
  if (!run('npm', ['ci', '--no-audit', '--no-fund'])) stop('npm ci failed; its message is above.');
  writeFileSync(stamp, lock);
}
