// SPDX-License-Identifier: MIT
// Writes the parts of the docs that the program itself knows: what the registry says of algorithms, and the
// tables of docs/cli.md from the table of flags. Each part stands between two comments
// `<!-- generated: NAME -->` and `<!-- end -->`; what is around them is written by hand.
//
//   node scripts/generate-docs.mjs [--check]     --check only tells which pages are stale
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Checks } from './checks.mjs';
import { projectRoot, stop } from './shell.mjs';

const candidates = ['build/dev/packscope', 'build/release/packscope'].map((path) => join(projectRoot, path));
const program = process.env.PACKSCOPE_PROGRAM ?? candidates.find((path) => existsSync(path));

function ask(...args) {
  const child = spawnSync(program, args, { encoding: 'utf8' });
  if (child.error || child.status !== 0) stop(`${program} ${args.join(' ')} failed: ${child.error ?? child.stderr}`);
  return child.stdout;
}

// Markdown reads these as its own.
const cell = (text) => text.replace(/[\\|]/g, '\\$&').replaceAll('<', '&lt;');
const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (header, rows) => [row(header), row(header.map(() => '---')), ...rows.map(row)].join('\n');

const optionList = (names) => (names === '' ? 'none of its own' : names.split(', ').map((name) => `\`${name}\``).join(', '));

function algorithmTable(algorithms) {
  const rows = algorithms.map(({ name, kind, splits, rule }) => [
    `[\`${name}\`](#${name})`,
    kind,
    splits ? 'may be cut' : 'stay whole',
    cell(rule),
  ]);
  return table(['name', 'kind', 'documents', 'rule'], rows);
}

function algorithmLines(algorithms) {
  const rows = algorithms.map(({ name, rule, use }) => [`[\`${name}\`](docs/algorithms.md#${name})`, cell(rule), cell(use)]);
  return table(['name', 'rule', 'use'], rows);
}

function algorithmSection(algorithm) {
  const facts = [
    ['Use', algorithm.use],
    ['Guarantee', algorithm.guarantee],
    ['Complexity', algorithm.complexity],
    ['Options', `${optionList(algorithm.options)}.`],
    ['Source', algorithm.source],
  ];
  const lines = facts.map(([name, text]) => `- **${name}:** ${text}`);
  return `### ${algorithm.name}\n\n${algorithm.rule}\n\n${lines.join('\n')}`;
}

// The help of a command as [{heading, flags: [{names, help}]}].
function parseHelp(text) {
  const groups = [];
  for (const line of text.split('\n')) {
    const flag = line.match(/^ {2}(-\S, | {4})(--\S+(?: \S+)?)(?:\s{2,}(.*))?$/);
    const more = line.match(/^ {30}(\S.*)$/);
    if (/^\S+$/.test(line)) {
      groups.push({ heading: line, flags: [] });
    } else if (flag) {
      groups.at(-1).flags.push({ names: `${flag[1].trim()} ${flag[2]}`.trim(), help: flag[3] ?? '' });
    } else if (more) {
      const last = groups.at(-1).flags.at(-1);
      last.help = `${last.help} ${more[1]}`.trim();
    }
  }
  return groups.filter(({ flags }) => flags.length > 0);
}

const flagTable = (flags) => table(['flag', 'meaning'], flags.map(({ names, help }) => [`\`${names.replaceAll('|', '\\|')}\``, cell(help)]));

function flagTables(command, except = []) {
  const groups = parseHelp(ask(command, '--help')).filter(({ heading }) => !except.includes(heading));
  return groups.map(({ heading, flags }) => `#### ${heading}\n\n${flagTable(flags)}`).join('\n\n');
}

// What `command` reads otherwise than pack, or has beside it.
function flagsBesidePack(command) {
  const ofPack = parseHelp(ask('pack', '--help')).flatMap(({ flags }) => flags);
  const flags = parseHelp(ask(command, '--help')).flatMap((group) => group.flags);
  const known = ({ names, help }) => ofPack.some((flag) => flag.names === names && flag.help === help);
  return flagTable(flags.filter((flag) => !known(flag)));
}

function generators() {
  const algorithms = JSON.parse(ask('algorithms', '--json'));
  return {
    'algorithms in a line': () => algorithmLines(algorithms),
    'algorithm table': () => algorithmTable(algorithms),
    'algorithm sections': () => algorithms.map(algorithmSection).join('\n\n'),
    'flags of pack': () => flagTables('pack'),
    'flags of compare': () => flagsBesidePack('compare'),
    'flags of verify': () => flagsBesidePack('verify'),
    'flags of show': () => flagsBesidePack('show'),
    'flags of mask': () => flagsBesidePack('mask'),
    'flags of render': () => flagsBesidePack('render'),
    'flags of view': () => flagsBesidePack('view'),
    'flags of materialize': () => flagsBesidePack('materialize'),
  };
}

function fillIn(page, parts) {
  let filled = 0;
  const text = readFileSync(join(projectRoot, page), 'utf8').replace(
    /<!-- generated: (.*) -->\n[\s\S]*?<!-- end -->/g,
    (_, name) => {
      if (!parts[name]) stop(`${page}: nothing generates "${name}"`);
      filled += 1;
      return `<!-- generated: ${name} -->\n${parts[name]()}\n<!-- end -->`;
    },
  );
  if (filled === 0) stop(`${page}: has no <!-- generated: NAME --> part`);
  return text;
}

async function main(checkOnly) {
  if (!program) stop('Build the program first: cmake --preset release && cmake --build --preset release');
  const parts = generators();
  const checks = new Checks();
  for (const page of ['README.md', 'docs/algorithms.md', 'docs/cli.md']) {
    const text = fillIn(page, parts);
    if (!checkOnly) writeFileSync(join(projectRoot, page), text);
    await checks.check(page, () => {
      if (readFileSync(join(projectRoot, page), 'utf8') !== text) throw new Error('is stale; run: npm run docs');
    });
  }
  checks.finish();
}

await main(process.argv.includes('--check'));
