// SPDX-License-Identifier: MIT
// The library in a project of its own: the program of docs/cpp-api.md is built once with the project as a folder and
// once from what `cmake --install` leaves, and prints what the page shows.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Checks } from '../../scripts/checks.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { fencedBlocks } from '../docs/markdown.mjs';

const checks = new Checks();
const folder = mkdtempSync(join(tmpdir(), 'packscope-consumer-'));
const source = join(folder, 'source');
const prefix = join(folder, 'prefix');

function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

function writeProject() {
  mkdirSync(source);
  const blocks = fencedBlocks(readFileSync(join(projectRoot, 'docs/cpp-api.md'), 'utf8'));
  for (const { label, text } of blocks.filter(({ label }) => label)) writeFileSync(join(source, label), text);
}

// Builds the project with these settings and compares what it prints.
function buildAndRun(name, ...settings) {
  const build = join(folder, name);
  run('cmake', '-S', source, '-B', build, '-G', 'Ninja', ...settings);
  run('cmake', '--build', build);
  const printed = run(join(build, 'first'));
  const shown = readFileSync(join(source, 'first.txt'), 'utf8');
  if (printed.trimEnd() !== shown.trimEnd()) throw new Error(`it prints\n${printed}and the page shows\n${shown}`);
}

function installed(extension) {
  const paths = readdirSync(prefix, { recursive: true }).filter((path) => path.endsWith(extension));
  if (paths.length === 0) throw new Error(`no ${extension} is installed`);
  return paths.map((path) => join(prefix, path));
}

function install() {
  run('cmake', '--install', join(folder, 'as-folder'), '--prefix', prefix);
  const packages = installed('.cmake');
  const bound = packages.find((path) => readFileSync(path, 'utf8').includes(projectRoot));
  if (bound) throw new Error(`${bound} names the folder that it was built from`);
}

// Headers that include one another in a way that works only here would show in no other test.
function includeEachHeader() {
  for (const path of installed('.hpp')) {
    run('g++', '-std=c++20', '-fsyntax-only', '-I', join(prefix, 'include'), '-x', 'c++', path);
  }
}

try {
  writeProject();
  await checks.check('as a folder of the project', () => {
    buildAndRun('as-folder', `-DPACKSCOPE_FOLDER=${projectRoot}`, '-DPACKSCOPE_INSTALL=ON');
  });
  await checks.check('cmake --install', install);
  await checks.check('each installed header stands alone', includeEachHeader);
  await checks.check('find_package', () => buildAndRun('installed', `-DCMAKE_PREFIX_PATH=${prefix}`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
checks.finish();
