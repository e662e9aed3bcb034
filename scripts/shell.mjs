// SPDX-License-Identifier: MIT
// Running other programs, for the scripts beside this file: shown to the user, captured, or both.
import { spawn, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));
const oldestNode = 20;

export function requireNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= oldestNode) return;
  stop(`Node ${process.versions.node} is too old: Packscope's scripts need Node ${oldestNode} or newer.`);
}

export function stop(message) {
  console.error(message);
  process.exit(1);
}

// Standard output as text, or undefined where the program is missing or fails.
export function capture(command, args = []) {
  const child = spawnSync(command, args, {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return child.status === 0 ? child.stdout : undefined;
}

export function hasProgram(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

// Runs with the terminal's own input and output; true when it succeeded.
export function run(command, args = []) {
  const child = spawnSync(command, args, { cwd: projectRoot, env: buildEnvironment(), stdio: 'inherit' });
  if (child.error) console.error(`${command}: ${child.error.message}`);
  return child.status === 0;
}

// Shows the output as it comes and returns it with the exit status (null after a signal).
export function runAndCapture(command, args = [], extraEnvironment = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectRoot,
      env: { ...buildEnvironment(), ...extraEnvironment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (stream) => (text) => {
      output += text;
      stream.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', collect(process.stdout));
    child.stderr.setEncoding('utf8').on('data', collect(process.stderr));
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve({ status: null, output });
    });
    child.on('close', (status) => resolve({ status, output }));
  });
}

let environment;
// CMake reads the compiler launcher from the environment; ccache is used where it is, never required.
function buildEnvironment() {
  environment ??= hasProgram('ccache')
    ? { CMAKE_CXX_COMPILER_LAUNCHER: 'ccache', CCACHE_NOHASHDIR: '1', ...process.env }
    : { ...process.env };
  return environment;
}
