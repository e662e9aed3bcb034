// SPDX-License-Identifier: MIT
// Runs the program on every case of cases/ and compares what it prints with what the case expects.
//   node tests/cli/run.mjs [--update] [filter]
// A case is a shell script, run in an empty folder with `packscope` on its PATH, then its expected exit
// code, standard output and standard error. --update rewrites the expectations; review the diff.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const program = resolve(process.env.PACKSCOPE_PROGRAM ?? join(root, 'build/dev/packscope'));
const shared = resolve(process.env.PACKSCOPE_SHARED ?? join(root, '../shared'));
const timeoutMs = 180_000;

const args = process.argv.slice(2);
const update = args.includes('--update');
const filter = args.find((arg) => !arg.startsWith('--')) ?? '';

function parseCase(text) {
  const [script, ...sections] = text.split(/^--- /m);
  const expected = { exit: '', stdout: '', stderr: '' };
  for (const section of sections) {
    const end = section.indexOf('\n');
    const [name, value] = section.slice(0, end).split(' ');
    expected[name] = name === 'exit' ? value : section.slice(end + 1);
  }
  return { script, expected };
}

function formatCase(script, { exit, stdout, stderr }) {
  return `${script}--- exit ${exit}\n--- stdout\n${stdout}--- stderr\n${stderr}`;
}

// Takes out what differs from run to run and machine to machine.
function steady(text, folder) {
  return text
    .replaceAll(folder, '<folder>')
    .replaceAll(shared, '<shared>')
    .replace(/ *\b\d+(\.\d+)? (ms|s|min)\b/g, ' <time>')
    .replace(/"peak_memory_bytes": ?\d+/g, '"peak_memory_bytes": <bytes>')
    .replace(/"seconds": ?(\{[^}]*\}|[\d.e+-]+)/g, '"seconds": <time>');
}

function run(script) {
  const tools = mkdtempSync(join(tmpdir(), 'packscope-tools-'));
  const folder = mkdtempSync(join(tmpdir(), 'packscope-case-'));
  try {
    symlinkSync(program, join(tools, 'packscope'));
    const env = { ...process.env, PATH: `${tools}:${process.env.PATH}`, SHARED: shared, LC_ALL: 'C' };
    const done = spawnSync('sh', ['-c', script], { cwd: folder, env, encoding: 'utf8', timeout: timeoutMs });
    const exit = done.error ? String(done.error.code) : String(done.status ?? done.signal);
    return { exit, stdout: steady(done.stdout, folder), stderr: steady(done.stderr, folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(tools, { recursive: true, force: true });
  }
}

function report(name, part, expected, actual) {
  console.log(`FAILED ${name}: ${part}`);
  console.log(`  expected: ${JSON.stringify(expected)}`);
  console.log(`  actual:   ${JSON.stringify(actual)}`);
}

if (!existsSync(program)) {
  console.error(`There is no program at ${program}; build it, or name it with PACKSCOPE_PROGRAM.`);
  process.exit(1);
}

let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of readdirSync(join(here, 'cases')).sort()) {
  const name = file.replace(/\.txt$/, '');
  if (!file.endsWith('.txt') || !name.includes(filter)) continue;
  const path = join(here, 'cases', file);
  const { script, expected } = parseCase(readFileSync(path, 'utf8'));
  if (script.includes('$SHARED') && !existsSync(shared)) {
    console.log(`skipped ${name}: there is no shared data at ${shared} (PACKSCOPE_SHARED)`);
    skipped += 1;
    continue;
  }
  const actual = run(script);
  const ended = /^\d+$/.test(actual.exit); // not killed, and not out of time
  if (update && ended) writeFileSync(path, formatCase(script, actual));
  const wrong = ['exit', 'stdout', 'stderr'].filter((part) => (!update || !ended) && expected[part] !== actual[part]);
  if (!ended && wrong.length === 0) wrong.push('exit');
  for (const part of wrong) report(name, part, expected[part], actual[part]);
  if (wrong.length > 0) failed += 1;
  else passed += 1;
}
if (passed + failed + skipped === 0) failed = 1; // a filter that matches nothing tests nothing
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);
