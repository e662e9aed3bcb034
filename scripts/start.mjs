// SPDX-License-Identifier: MIT
// `npm start`: from a fresh checkout to a packed sample and the visualizer. Installs what building needs, builds the
// program, packs the project's own text with it and shows the program's report; then builds the page and opens it.
//
//   node scripts/start.mjs [--program]     --program ends after the program's report
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { buildApp } from './build-app.mjs';
import { makeSample, samplePath } from './make-sample.mjs';
import { serveApp } from './serve-app.mjs';
import { projectRoot, requireNode, run, stop } from './shell.mjs';
import { ensurePackages } from './system-packages.mjs';

const program = 'build/release/packscope';
const output = 'build/sample';
const input = [samplePath, '--text-field', 'text', '--source-field', 'source', '--tokenizer', 'bytes'];
const pack = ['pack', ...input, '-L', '4096', '-a', 'best_fit_decreasing', '-o', output];

function step(command, args) {
  console.log(`\n$ ${[command, ...args].join(' ')}`);
  if (!run(command, args)) stop(`${command} ${args[0]} failed; its message is above.`);
}

requireNode();
ensurePackages('build');
step('cmake', ['--preset', 'release']);
step('cmake', ['--build', '--preset', 'release']);

const documents = makeSample();
console.log(`\n${samplePath}: ${documents.length} documents, this project's own docs and sources`);
rmSync(join(projectRoot, output), { recursive: true, force: true });
step(program, pack);

console.log(`
The arrays are in ${output}. Next, prove that no token is lost, compare the algorithms, or pack your own:
  ${program} verify ${output} --against ${samplePath}
  ${program} compare ${input.join(' ')} -L 2048,4096 -a all
  ${program} pack --help`);

if (!process.argv.includes('--program')) await openVisualizer();

async function openVisualizer() {
  step('node', ['wasm-build/build.mjs']);
  buildApp();
  const { url } = await serveOnUsualPort();
  console.log(`\nThe visualizer is at ${url}  (Ctrl+C ends it)`);
  // Where there is no desktop the address has to do.
  if (process.stdout.isTTY) spawn('xdg-open', [url], { stdio: 'ignore', detached: true }).on('error', () => {}).unref();
}

// Any free port where the usual one is taken, so that a second `npm start` works too.
async function serveOnUsualPort() {
  try {
    return await serveApp({ port: 4173 });
  } catch {
    return serveApp();
  }
}
