// SPDX-License-Identifier: MIT
// Builds the fuzz targets of tests/fuzz and runs each for a while, beginning with the inputs that earlier runs
// found interesting. An input that breaks a promise is kept in build/fuzz/found and named.
//
//   node scripts/fuzz.mjs [SECONDS [TARGET...]]     the same 3000 inputs each where no time is given
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { filesBelow } from './files.mjs';
import { projectRoot, run, stop } from './shell.mjs';

const preset = 'asan+ubsan';
const seed = '1';
const longestInputBytes = '2000';
const secondsPerInput = '20';
const fixedRuns = '3000';  // without a time: what every change must pass is the same everywhere
const memoryMegabytes = '3000';

const allTargets = filesBelow('tests/fuzz', ['.cpp']).map((path) => basename(path, '.cpp'));

function fuzz(target, seconds) {
  const folder = (name) => {
    const path = join(projectRoot, 'build/fuzz', name, target);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const words = join(projectRoot, 'tests/fuzz', `${target}.dict`);
  const options = {
    seed,
    ...(seconds === undefined ? { runs: fixedRuns } : { max_total_time: seconds }),
    max_len: longestInputBytes,
    timeout: secondsPerInput,
    rss_limit_mb: memoryMegabytes,
    artifact_prefix: `${folder('found')}/`,
    print_final_stats: '1',
    ...(existsSync(words) ? { dict: words } : {}),
  };
  const args = Object.entries(options).map(([name, value]) => `-${name}=${value}`);
  const program = join(projectRoot, 'build', preset, target);
  const { status, stderr } = spawnSync(program, [...args, folder('corpus')], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const runs = stderr?.match(/number_of_executed_units:\s*(\d+)/)?.[1];
  if (status === 0) {
    console.log(`${target}: ${runs} runs`);
    return true;
  }
  const progress = /^(#\d+\t|\tNEW_FUNC|INFO: )/;
  const told = (stderr ?? '').split('\n').filter((line) => !progress.test(line));
  console.log(`${target} failed:\n${told.join('\n')}`);
  return false;
}

function main([seconds, ...named]) {
  const unknown = named.find((target) => !allTargets.includes(target));
  if (unknown || (seconds !== undefined && !(Number(seconds) > 0))) stop(`usage: node scripts/fuzz.mjs [SECONDS [${allTargets.join('|')}]...]`);
  const targets = named.length > 0 ? named : allTargets;
  if (!run('cmake', ['--preset', preset]) || !run('cmake', ['--build', '--preset', preset, '--target', 'packscope_fuzz'])) {
    stop('Building the fuzz targets failed; the message is above.');
  }
  const passed = targets.filter((target) => fuzz(target, seconds)).length;
  console.log(`${passed} passed, ${targets.length - passed} failed`);
  if (passed < targets.length) process.exitCode = 1;
}

main(process.argv.slice(2));
