// SPDX-License-Identifier: MIT
// clang-tidy with the rules of .clang-tidy over the compile commands of the dev preset, each file by itself.
//
//   node scripts/lint.mjs [PATH...]     all of cpp/ where no path is given
import { availableParallelism } from 'node:os';

import { filesBelow } from './files.mjs';
import { hasProgram, run, stop } from './shell.mjs';

const linter = ['clang-tidy-14', 'clang-tidy'].find(hasProgram);
if (!linter) stop('clang-tidy is not installed. Run this, then try again:\n  node scripts/system-packages.mjs lint');
const folder = 'build/lint';
if (!run('cmake', ['--preset', 'dev', '-B', folder, '-DCMAKE_UNITY_BUILD=OFF'])) stop('Configuring failed; its message is above.');

const paths = process.argv.slice(2);
const files = paths.length > 0 ? paths : filesBelow('cpp', ['.cpp']);
// xargs shares the files out over the processors.
const lintAll = `printf '%s\\0' "$@" | xargs -0 -n 1 -P ${availableParallelism()} ${linter} --quiet -p ${folder}`;
if (!run('bash', ['-c', lintAll, 'lint', ...files])) stop('clang-tidy has remarks; they are above.');
console.log(`clang-tidy: no remarks in ${files.length} files`);
