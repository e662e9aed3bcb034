// SPDX-License-Identifier: MIT
// The package against the native core and against plain JavaScript: planning a million lognormal lengths in
// windows of 2048. Run after `npm run build`.
//
//   node tests/bench/wasm.mjs [--rounds N] [--chromium]
//
// A round measures native, Node and (with --chromium) Chromium one after another; ratios are taken within a round and
// the table shows their median, with the smallest and largest.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

import { projectRoot, run, stop } from '../../scripts/shell.mjs';
import { launch, pageResult, serve } from '../package/browser.mjs';

const algorithms = ['best_fit_decreasing', 'next_fit', 'wrap', 'best_fit'];
const folder = join(projectRoot, 'build/bench-wasm');
const wasm = join(projectRoot, 'dist/packscope.simd.wasm');
const nativeBench = process.env.PACKSCOPE_BENCH ?? join(projectRoot, 'build/bench/tests/bench/packscope_bench');

async function bundle() {
  await build({
    absWorkingDir: projectRoot,
    entryPoints: ['tests/bench/wasm-measure.mjs'],
    bundle: true,
    format: 'esm',
    outfile: join(folder, 'measure.mjs'),
    logLevel: 'warning',
  });
  const page = `import { measure } from './measure.mjs';
const module = await WebAssembly.compileStreaming(fetch('./packscope.wasm'));
document.querySelector('#result').textContent = JSON.stringify(measure(module));
`;
  writeFileSync(join(folder, 'main.mjs'), page);
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><script type="module" src="./main.mjs"></script><pre id="result"></pre>\n',
  );
}

// Medians of wall-clock time, as on the other side.
function measureNative() {
  const filter = `plan/lognormal_1M/(counting_sort|(${algorithms.join('|')})(/fingerprint)?)$`;
  const repeated = ['--benchmark_repetitions=15', '--benchmark_min_time=0.01', '--benchmark_report_aggregates_only'];
  const options = [...repeated, '--benchmark_format=json', `--benchmark_filter=${filter}`];
  const { status, stdout, stderr } = spawnSync(nativeBench, options, { encoding: 'utf8' });
  if (status !== 0) stop(`the native benchmarks failed:\n${stderr}`);
  const medians = JSON.parse(stdout).benchmarks.filter(({ aggregate_name }) => aggregate_name === 'median');
  return Object.fromEntries(
    medians.map(({ run_name, real_time }) => [run_name.split('/').slice(2).join('/'), real_time]),
  );
}

async function measureChromium(browser, server) {
  const patienceMs = 300_000;
  return pageResult(browser, server.url, patienceMs);
}

const sorted = (numbers) => numbers.toSorted((a, b) => a - b);
const median = (numbers) => sorted(numbers)[numbers.length >> 1];

// `value` and `yardstick` take a round; the cell is "1.23 (1.10 to 1.50)".
function ratio(rounds, value, yardstick) {
  const ratios = sorted(rounds.map((round) => value(round) / yardstick(round)));
  return `${median(ratios).toFixed(2)} (${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)})`;
}

function printTable(place, rounds) {
  const ms = (value) => `${median(rounds.map(value)).toPrecision(3)} ms`;
  const titles = ['native', 'planning', 'planning / native', 'native with fingerprint', 'inside', 'inside / that'];
  titles.push('inside / counting sort', 'end to end', 'end to end / that', 'reusing', 'reusing / that');
  titles.push('copies', '(that + copies) / that', 'plain JavaScript', 'plain / end to end');
  console.log(
    `\n${place}, ${rounds.length} rounds; counting sort in JavaScript ${ms((r) => r[place].counting_sort.plain)}, native ${ms((r) => r.native.counting_sort)}\n`,
  );
  console.log(`| algorithm | ${titles.join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(titles.length)}`);
  for (const algorithm of algorithms) {
    const native = (round) => round.native[algorithm];
    const whole = (round) => round.native[`${algorithm}/fingerprint`];
    const here = (way) => (round) => round[place][algorithm][way];
    const cells = [
      ms(native),
      ms(here('planning')),
      ratio(rounds, here('planning'), native),
      ms(whole),
      ms(here('inside')),
      ratio(rounds, here('inside'), whole),
      ratio(rounds, here('inside'), (round) => round[place].counting_sort.plain),
      ms(here('endToEnd')),
      ratio(rounds, here('endToEnd'), whole),
      ms(here('reusing')),
      ratio(rounds, here('reusing'), whole),
      ms(here('copies')),
      ratio(rounds, (round) => whole(round) + here('copies')(round), whole),
      ms(here('plain')),
      ratio(rounds, here('plain'), here('endToEnd')),
    ];
    console.log(`| \`${algorithm}\` | ${cells.join(' | ')} |`);
  }
}

async function main() {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '5' }, chromium: { type: 'boolean' } },
  });
  if (!(Number(values.rounds) >= 1)) stop('usage: node tests/bench/wasm.mjs [--rounds N] [--chromium]');
  if (!existsSync(wasm)) stop('There is no dist/: run npm run build first.');
  if (
    !existsSync(nativeBench) &&
    !(run('cmake', ['--preset', 'bench']) && run('cmake', ['--build', '--preset', 'bench']))
  ) {
    stop('Building the native benchmarks failed; the message is above.');
  }
  mkdirSync(folder, { recursive: true });
  await bundle();
  const { measure } = await import(pathToFileURL(join(folder, 'measure.mjs')).href);
  const module = new WebAssembly.Module(readFileSync(wasm));
  const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
  const server = values.chromium && (await serve(folder, { extra: { '/packscope.wasm': wasm }, headers: isolated }));
  const browser = values.chromium && (await launch());
  const rounds = [];
  for (let i = 0; i < Number(values.rounds); i += 1) {
    const round = { native: measureNative(), Node: measure(module) };
    if (browser) round.Chromium = await measureChromium(browser, server);
    rounds.push(round);
  }
  await browser?.close?.();
  server?.close?.();
  for (const place of values.chromium ? ['Node', 'Chromium'] : ['Node']) printTable(place, rounds);
}

await main();
