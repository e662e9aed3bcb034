// SPDX-License-Identifier: MIT
// Formats every C++ file in place, or with --check only tells which are not formatted.
//
//   node scripts/format.mjs [--check]
import { spawnSync } from 'node:child_process';

import { cppFiles } from './files.mjs';
import { capture, projectRoot, stop } from './shell.mjs';

// Versions differ in details, so that one of them decides.
const version = '14';
const formatter = [`clang-format-${version}`, 'clang-format'].find((name) =>
  capture(name, ['--version'])?.includes(`version ${version}.`),
);
const checkOnly = process.argv.includes('--check');
const files = cppFiles();

if (!formatter && !checkOnly) stop(`clang-format ${version} is not installed: sudo apt-get install clang-format-${version}`);
if (!formatter) {
  console.log(`clang-format ${version} is not installed; formatting is not checked.`);
  console.log('0 passed, 0 failed, 1 skipped');
} else if (checkOnly) {
  check();
} else if (spawnSync(formatter, ['-i', ...files], { cwd: projectRoot, stdio: 'inherit' }).status !== 0) {
  process.exit(1);
}

function check() {
  const unformatted = files.filter(
    (path) => spawnSync(formatter, ['--dry-run', '-Werror', path], { cwd: projectRoot, stdio: 'ignore' }).status !== 0,
  );
  for (const path of unformatted) console.log(`${path}: not formatted; run: npm run format`);
  console.log(`${files.length - unformatted.length} passed, ${unformatted.length} failed`);
  process.exit(unformatted.length === 0 ? 0 : 1);
}
