// SPDX-License-Identifier: MIT
// Builds the benchmarks (preset bench), runs them and prints ratios: each time divided by that of the yardstick
// of the same data in the same round. A round is one process, so that what else the machine does meets both; the
// table shows the median of the rounds, with the smallest and largest.
//
//   node tests/bench/run.mjs [--rounds N] [FILTER]     FILTER: a regular expression of benchmark names
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { projectRoot, run, stop } from '../../scripts/shell.mjs';

const yardsticks = ['counting_sort', 'memcpy', 'scalar'];
const program = join(projectRoot, 'build/bench/tests/bench/packscope_bench');

function measure(filter) {
  const options = ['--benchmark_min_time=0.1', '--benchmark_format=json', `--benchmark_filter=${filter}`];
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) stop(`the benchmarks failed:\n${stderr}`);
  const measured = JSON.parse(stdout).benchmarks.filter(({ error_occurred }) => !error_occurred);
  return new Map(measured.map(({ name, cpu_time, real_time, time_unit, items_per_second }) => [
    name,
    { time: name.endsWith('/real_time') ? real_time : cpu_time, unit: time_unit, perSecond: items_per_second },
  ]));
}

// "plan/squad/best_fit/16": the yardstick is a name beside the part after the data.
function yardstickOf(name, round) {
  const prefix = name.split('/').slice(0, 2).join('/');
  return yardsticks.map((yardstick) => round.get(`${prefix}/${yardstick}`)).find((found) => found);
}

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];
const million = 1e6;

function row(name, rounds) {
  const measured = rounds.map((round) => round.get(name)).filter((found) => found);
  const ratios = rounds.flatMap((round) => {
    const yardstick = yardstickOf(name, round);
    return yardstick && round.has(name) ? [round.get(name).time / yardstick.time] : [];
  });
  const rate = measured[0].perSecond ? (median(measured.map(({ perSecond }) => perSecond)) / million).toFixed(1) : '';
  const spread = ratios.length > 0 ? `${sorted(ratios)[0].toFixed(2)} to ${sorted(ratios).at(-1).toFixed(2)}` : '';
  const ratio = ratios.length > 0 ? median(ratios).toFixed(2) : '';
  return [name, `${median(measured.map(({ time }) => time)).toPrecision(3)} ${measured[0].unit}`, rate, ratio, spread];
}

function main(args) {
  const rounds = args[0] === '--rounds' ? Number(args.splice(0, 2)[1]) : 5;
  if (!(rounds >= 1) || args.length > 1) stop('usage: node tests/bench/run.mjs [--rounds N] [FILTER]');
  if (!run('cmake', ['--preset', 'bench']) || !run('cmake', ['--build', '--preset', 'bench'])) {
    stop('Building the benchmarks failed; the message is above.');
  }
  const all = Array.from({ length: rounds }, () => measure(args[0] ?? '.'));
  const names = [...all[0].keys()];
  console.log('| benchmark | time | million a second | ratio | spread |\n| --- | --- | --- | --- | --- |');
  for (const name of names) console.log(`| ${row(name, all).join(' | ')} |`);
}

main(process.argv.slice(2));
