// SPDX-License-Identifier: MIT
// `npm test`: installs what tests need, builds, runs every step and ends with `N passed, N failed`.
//
//   node scripts/test.mjs             the steps that every change must pass
//   node scripts/test.mjs STEP...     only these
//   node scripts/test.mjs --list      the steps and what each of them does
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow } from './files.mjs';
import { ensureNodeModules } from './node-modules.mjs';
import { projectRoot, requireNode, runAndCapture } from './shell.mjs';
import { ensurePackages } from './system-packages.mjs';

const python = process.env.PACKSCOPE_PYTHON ?? '/usr/bin/python3';

// A command is [program, ...arguments]. It fails its step by its exit status, by the failures it counts in
// its last line `N passed, N failed[, N skipped]`, or where a count is expected and none is printed.
const build = (preset) => [
  { command: ['cmake', '--preset', preset] },
  { command: ['cmake', '--build', '--preset', preset] },
];
const script = (...command) => [{ command, count: countLine }];
// A GoogleTest program as one process: ctest starts one for each test, which takes longer than the tests.
const googleTest = (preset, program, ...start) => {
  const report = `build/test-reports/${preset}-${program}.xml`;
  const path = join('build', preset, 'tests', program);
  const options = ['--gtest_brief=1', `--gtest_output=xml:${join(projectRoot, report)}`];
  return [{ command: [...start, path, ...options], count: () => countReport(report), report }];
};
const cppTests = (preset) => [...build(preset), ...googleTest(preset, 'packscope_tests'), ...googleTest(preset, 'packscope_native_tests')];

const steps = [
  { name: 'format', about: 'C++ is formatted', commands: () => script('node', 'scripts/format.mjs', '--check') },
  { name: 'layers', about: 'who may include what', commands: () => script('node', 'tests/arch/layers.mjs') },
  { name: 'layers-test', about: 'the layering test itself', commands: () => script('node', 'tests/arch/layers_test.mjs') },
  { name: 'setup', about: 'the set-up scripts', commands: () => script('node', 'tests/setup/setup_test.mjs') },
  { name: 'cpp', about: 'C++ tests with assertions', commands: () => cppTests('dev') },
  { name: 'cli', about: 'the program against expected output', commands: () => [...build('dev'), ...script('node', 'tests/cli/run.mjs'), ...script('node', 'tests/view/server_test.mjs')] },
  { name: 'consumer', about: 'the library in a project of its own', commands: () => script('node', 'tests/consumer/run.mjs') },
  { name: 'numpy', about: 'arrays read and checked by NumPy', commands: () => [...build('dev'), ...numpyTests()] },
  { name: 'docs', about: 'the docs say what the program does', commands: () => [...build('dev'), ...docsTests()] },
  { name: 'web', about: 'TypeScript is formatted, without remarks, and its types are right', commands: () => webChecks() },
  { name: 'lib', about: 'the npm package: vectors, the program, every entry, packscope-import', commands: () => [...build('dev'), ...libTests()] },
  { name: 'package', about: 'the tarball in fresh projects, bundlers and Chromium', commands: () => [...build('dev'), ...packageTests()] },
  { name: 'examples', about: 'every example, and onnxruntime-web on packed windows', commands: () => [...build('dev'), ...exampleTests()] },
  { name: 'app', about: 'the visualizer: its modules, and the page in Chromium and Firefox', commands: () => [...build('dev'), ...appTests(), ...pageTests()] },
  { name: 'start', about: '`npm start` leaves a program that works', commands: () => script('node', 'tests/setup/start_test.mjs') },
  {
    name: 'asan+ubsan',
    about: 'C++ tests under the address and undefined-behaviour sanitizers',
    commands: () => cppTests('asan+ubsan'),
  },
  {
    name: 'tsan',
    about: 'the core used by several threads, under the thread sanitizer',
    commands: () => [...build('tsan'), ...googleTest('tsan', 'packscope_thread_tests')],
  },
  { name: 'wasm', about: 'C++ tests in WebAssembly under Node', commands: () => [...build('wasm'), ...googleTest('wasm', 'packscope_tests.js', 'node')] },
  { name: 'fuzz', about: 'each fuzz target on the same inputs every time', commands: () => script('node', 'scripts/fuzz.mjs') },
];

// Not run by `npm test`: every build compares the kernels with their scalar twins already.
const extraSteps = [
  { name: 'scalar', about: 'C++ tests without SIMD', commands: () => cppTests('scalar') },
];

function numpyTests() {
  const files = filesBelow('tests/numpy', ['.py']).filter((path) => path.includes('/test_'));
  if (files.length === 0) throw new Error('tests/numpy holds no test_*.py');
  return files.flatMap((path) => script(python, path));
}

// Biome and tsc count nothing: each that ends well is one check passed.
const asOne = (...command) => [{ command, count: () => ({ passed: 1, failed: 0, skipped: 0 }) }];
const bin = (name) => join('node_modules/.bin', name);

function webChecks() {
  ensureNodeModules();
  return [...asOne(bin('biome'), 'ci', '--colors=off'), ...asOne(bin('tsc'), '-p', '.')];
}

function buildPackage() {
  ensureNodeModules();
  return [{ command: ['npm', 'run', 'build', '--silent'] }];
}

function libTests() {
  return [
    ...buildPackage(),
    ...asOne(bin('tsc'), '-p', 'tests/lib'),
    ...asOne(bin('tsc'), '-p', 'tests/import'),
    ...script(bin('vitest'), 'run', '--no-color'),
  ];
}

function packageTests() {
  return [...buildPackage(), ...script('node', 'tests/package/run.mjs')];
}

function exampleTests() {
  return [
    ...buildPackage(),
    ...script('node', 'tests/examples/run.mjs'),
    ...script('node', 'tests/onnx/run.mjs'),
  ];
}

function appTests() {
  return [
    ...buildPackage(),
    { command: ['npm', 'run', 'build:app', '--silent'] },
    ...asOne(bin('tsc'), '-p', 'tests/app'),
    ...script(bin('vitest'), 'run', '--no-color', '--config', 'tests/app/vitest.config.mjs'),
  ];
}

function pageTests() {
  const tests = [...['page', 'data', 'large', 'firefox'].map((name) => `tests/app/${name}_test.mjs`), 'tests/view/page_test.mjs'];
  return tests.flatMap((path) => script('node', path));
}

function docsTests() {
  return [
    ...buildPackage(),
    ...script('node', 'scripts/generate-docs.mjs', '--check'),
    ...script('node', 'scripts/draw-pictures.mjs', '--check'),
    ...script('node', 'tests/docs/markdown_test.mjs'),
    ...script('node', 'tests/docs/readme.mjs'),
  ];
}

// The last line of counts in a script's output, or undefined.
function countLine(output) {
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/gm)];
  if (lines.length === 0) return undefined;
  const [passed, failed, skipped] = lines.at(-1).slice(1).map((count) => Number(count ?? 0));
  return { passed, failed, skipped };
}

// What a GoogleTest program did, from its report.
function countReport(path) {
  if (!existsSync(join(projectRoot, path))) return undefined;
  const total = readFileSync(join(projectRoot, path), 'utf8').match(/<testsuites?\b[^>]*>/)?.[0] ?? '';
  const attribute = (name) => Number(total.match(new RegExp(`\\b${name}="(\\d+)"`))?.[1] ?? 0);
  const failed = attribute('failures') + attribute('errors');
  const skipped = attribute('skipped') + attribute('disabled');
  const passed = attribute('tests') - failed - skipped;
  return passed + failed + skipped > 0 ? { passed, failed, skipped } : undefined;
}

// What builds and counts nothing. Each step names all that it needs, so that it runs alone; the first one builds it.
const built = new Set();

async function runCommand({ command, count, report }) {
  const line = command.join(' ');
  console.log(`$ ${line}`);
  if (built.has(line)) {
    console.log('Built in this run already.');
    return { passed: 0, failed: 0, skipped: 0, failures: [] };
  }
  if (report) rmSync(join(projectRoot, report), { force: true });
  const { status, output } = await runAndCapture(command[0], command.slice(1), { PACKSCOPE_PYTHON: python });
  const result = (count ? count(output) : { passed: 0, failed: 0, skipped: 0 }) ?? noCounts(command);
  if (status !== 0 && result.failed === 0) result.failed = 1;
  if (status === 0 && !count) built.add(line);
  return { ...result, failures: result.failed > 0 ? [`$ ${line}\n${saidOfFailures(output)}`] : [] };
}

// What `Checks` says of each failure; the end of the output where nothing in it has that form.
function saidOfFailures(output) {
  const failures = output.match(/^FAILED .*(\n {2}.*)*/gm) ?? output.trimEnd().split('\n').slice(-60);
  return failures.join('\n');
}

function noCounts(command) {
  console.log(`${command.join(' ')} printed no counts`);
  return { passed: 0, failed: 1, skipped: 0 };
}

// Stops at the first command that fails; a step in which nothing ran has failed.
async function runStep(step) {
  console.log(`\n== ${step.name}: ${step.about}`);
  const start = Date.now();
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for (const command of step.commands()) {
    const result = await runCommand(command);
    for (const key of Object.keys(total)) total[key] += result[key];
    failures.push(...result.failures);
    if (result.failed > 0) break;
  }
  if (total.passed + total.failed + total.skipped === 0) {
    console.log('No test ran.');
    total.failed = 1;
  }
  return { name: step.name, seconds: (Date.now() - start) / 1000, ...total, failures };
}

async function runStepSafely(step) {
  try {
    return await runStep(step);
  } catch (error) {
    return { name: step.name, seconds: 0, passed: 0, failed: 1, skipped: 0, failures: [error.message] };
  }
}

function printSummary(results) {
  for (const { name, failures } of results) {
    for (const failure of failures) console.log(`\n== ${name} failed\n${failure}`);
  }
  console.log(`\n${'step'.padEnd(14)}${'seconds'.padStart(9)}${'passed'.padStart(9)}${'failed'.padStart(9)}${'skipped'.padStart(9)}`);
  for (const { name, seconds, passed, failed, skipped } of results) {
    const numbers = [seconds.toFixed(1), passed, failed, skipped].map((value) => String(value).padStart(9));
    console.log(name.padEnd(14) + numbers.join(''));
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return sum('failed') === 0;
}

function chosenSteps(names) {
  const all = [...steps, ...extraSteps];
  const unknown = names.find((name) => !all.some((step) => step.name === name));
  if (unknown) {
    console.error(`no step "${unknown}"; there are ${all.map((step) => step.name).join(', ')}`);
    process.exit(2);
  }
  return names.length === 0 ? steps : names.map((name) => all.find((step) => step.name === name));
}

async function main(names) {
  requireNode();
  const chosen = chosenSteps(names);
  ensurePackages('test');
  mkdirSync(join(projectRoot, 'build/test-reports'), { recursive: true });
  const results = [];
  for (const step of chosen) results.push(await runStepSafely(step));
  process.exitCode = printSummary(results) ? 0 : 1;
}

if (process.argv.includes('--list')) {
  for (const { name, about } of [...steps, ...extraSteps]) console.log(`${name.padEnd(14)}${about}`);
  console.log(`\nOnly on request: ${extraSteps.map((step) => step.name).join(', ')}`);
} else {
  await main(process.argv.slice(2));
}
