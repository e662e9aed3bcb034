// SPDX-License-Identifier: MIT
// Holds README.md and docs/*.md to what they say. On each page, in a temporary folder of its own:
//   - a block whose opening line names a file (```json three.jsonl) writes that file;
//   - a block whose opening line names a path of the project (```cpp cpp/...) must stand in that file;
//   - a ```console block is run, command by command, and must print what it shows and exit with 0; in it
//     `packscope` is the program, and JavaScript imports the package as it is built in dist/.
// Two rules of comparison: a time (`1.23 ms`) is equal to any other, with the blanks before it; a line `...`
// stands for one or more lines. Commands on the shared data are skipped where it is missing.
// Beyond that every link, path and npm script that a page names must exist, and docs/concepts.md must list
// every option with its default.
//
//   node tests/docs/readme.mjs [PAGE...]
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { Checks } from '../../scripts/checks.mjs';
import { filesBelow } from '../../scripts/files.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { anchors, consoleCommands, fencedBlocks, links, namedPaths, npmScripts, tableRows } from './markdown.mjs';

const program = resolve(process.env.PACKSCOPE_PROGRAM ?? join(projectRoot, 'build/dev/packscope'));
const python = process.env.PACKSCOPE_PYTHON ?? '/usr/bin/python3';
const sharedData = resolve(process.env.PACKSCOPE_SHARED ?? join(projectRoot, '../shared'), 'data');
const dataFiles = ['gsm8k_train.jsonl', 'names.txt', 'squad_384.hist.tsv', 'wikipedia_512.hist.tsv'];
const timeoutMs = 120_000;

const scripts = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).scripts;
const checks = new Checks();

async function inTemporaryFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'packscope-docs-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Where the shell finds `packscope` and `python3`.
function installTools(folder) {
  symlinkSync(program, join(folder, 'packscope'));
  writeFileSync(join(folder, 'python3'), `#!/bin/sh\nexec '${python}' "$@"\n`);
  chmodSync(join(folder, 'python3'), 0o755);
}

function runCommand(command, folder, tools) {
  const env = { ...process.env, PATH: `${tools}:${process.env.PATH}`, LC_ALL: 'C' };
  // One stream for both outputs, as on a terminal.
  const script = `exec 2>&1\n${command}\n`;
  const done = spawnSync('sh', ['-c', script], { cwd: folder, env, encoding: 'utf8', timeout: timeoutMs });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`exit ${done.status ?? done.signal}\n${done.stdout}`);
  return done.stdout;
}

const steadyLines = (text) =>
  text
    .replace(/ +$|(?<=\S) +(?=time$)/gm, '')
    .replace(/ *\b\d+(\.\d+)? (ms|s|min)\b/g, ' TIME')
    .replace(/"seconds": ?(\{[^}]*\}|[\d.e+-]+)/g, '"seconds": TIME')
    .split('\n');

function matches(expected, actual) {
  if (expected.length === 0) return actual.length === 0;
  if (expected[0] !== '...') return expected[0] === actual[0] && matches(expected.slice(1), actual.slice(1));
  return actual.some((_, index) => matches(expected.slice(1), actual.slice(index + 1)));
}

function compareOutput(shown, printed) {
  const expected = steadyLines(shown);
  const actual = steadyLines(printed.replace(/\n$/, ''));
  if (!matches(expected, actual)) throw new Error(`the page shows\n${shown}\nbut it prints\n${printed}`);
}

const missingData = (text) => dataFiles.find((name) => text.includes(name) && !existsSync(join(sharedData, name)));

async function runConsole(place, text, folder, tools) {
  const missing = missingData(text);
  if (missing) return checks.skip(place, `there is no ${missing} in ${sharedData} (PACKSCOPE_SHARED)`);
  for (const { command, output } of consoleCommands(text)) {
    await checks.check(`${place}: ${command}`, () => compareOutput(output.join('\n'), runCommand(command, folder, tools)));
  }
}

function checkQuotation(path, text) {
  const source = readFileSync(join(projectRoot, path), 'utf8');
  if (!source.includes(text)) throw new Error(`${path} does not contain\n${text}`);
}

async function runPage(page, markdown, folder, tools) {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(projectRoot, join(folder, 'node_modules/packscope'));
  for (const name of dataFiles) {
    if (existsSync(join(sharedData, name))) symlinkSync(join(sharedData, name), join(folder, name));
  }
  for (const { language, label, text, line } of fencedBlocks(markdown)) {
    const place = `${page}:${line}`;
    if (label.includes('/')) await checks.check(`${place} quotes ${label}`, () => checkQuotation(label, text));
    else if (label) writeFileSync(join(folder, label), text);
    else if (language === 'console') await runConsole(place, text, folder, tools);
  }
}

function checkLink(page, link) {
  if (/^[a-z]+:/.test(link)) return;
  const [path, anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(projectRoot, target))) throw new Error(`${link}: there is no ${target}`);
  if (anchor && !anchors(readFileSync(join(projectRoot, target), 'utf8')).includes(anchor)) {
    throw new Error(`${link}: ${target} has no heading #${anchor}`);
  }
}

async function checkNames(page, markdown) {
  for (const link of links(markdown)) await checks.check(`${page} links`, () => checkLink(page, link));
  await checks.check(`${page} names paths and npm scripts that exist`, () => {
    const paths = namedPaths(markdown).filter((path) => !existsSync(join(projectRoot, path)));
    const unknown = npmScripts(markdown).filter((name) => !scripts[name]);
    const missing = [...paths, ...unknown.map((name) => `npm run ${name}`)];
    if (missing.length > 0) throw new Error(`there is no ${missing.join(', no ')}`);
  });
}

const optionText = (value) => (value === null ? 'none' : String(value));

// The options as the program has them against the tables of docs/concepts.md.
function checkOptions(folder, tools) {
  writeFileSync(join(folder, 'one.jsonl'), '{"input_ids": [1]}\n');
  const { options } = JSON.parse(runCommand('packscope pack one.jsonl --json --quiet', folder, tools));
  const page = readFileSync(join(projectRoot, 'docs/concepts.md'), 'utf8');
  const told = new Map(tableRows(page, 'option').map(([name, value]) => [name, value]));
  const wanted = Object.entries(options).map(([name, value]) => [`\`${name}\``, `\`${optionText(value)}\``]);
  const wrong = wanted.filter(([name, value]) => told.get(name) !== value && !(value === '``' && told.has(name)));
  const unknown = [...told.keys()].filter((name) => !wanted.some(([known]) => known === name));
  if (wrong.length > 0) throw new Error(`no row with this default: ${wrong.map((row) => row.join(' ')).join(', ')}`);
  if (unknown.length > 0) throw new Error(`no option is called ${unknown.join(', ')}`);
}

async function checkPage(page, tools) {
  const markdown = readFileSync(join(projectRoot, page), 'utf8');
  await inTemporaryFolder((folder) => runPage(page, markdown, folder, tools));
  await checkNames(page, markdown);
}

async function main(names) {
  if (!existsSync(program)) throw new Error(`There is no program at ${program}; build it, or name it with PACKSCOPE_PROGRAM.`);
  const pages = names.length > 0 ? names : ['README.md', ...filesBelow('docs', ['.md'])];
  await inTemporaryFolder(async (tools) => {
    installTools(tools);
    for (const page of pages) await checkPage(page, tools);
    await checks.check('docs/concepts.md lists every option', () =>
      inTemporaryFolder((folder) => checkOptions(folder, tools)),
    );
  });
  checks.finish();
}

await main(process.argv.slice(2));
