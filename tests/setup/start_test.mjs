// SPDX-License-Identifier: MIT
// `npm start` as a newcomer runs it, up to the visualizer, which step `app` looks at: it must leave the program at build/release/packscope, show a report,
// and pack the sample into arrays that the program itself can prove complete.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Checks } from '../../scripts/checks.mjs';
import { projectRoot } from '../../scripts/shell.mjs';

const inProject = (path) => join(projectRoot, path);
const program = inProject('build/release/packscope');

function outputOf(command, args) {
  const child = spawnSync(command, args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(child.status, 0, `${command} ${args.join(' ')}\n${child.stdout}\n${child.stderr}`);
  return child.stdout + child.stderr;
}

const checks = new Checks();
rmSync(program, { force: true });
rmSync(inProject('build/sample'), { recursive: true, force: true });
let report = '';

await checks.check('npm start succeeds', () => {
  report = outputOf('node', ['scripts/start.mjs', '--program']);
});
await checks.check('the release preset leaves an executable program', () => {
  assert.ok(statSync(program).mode & 0o100);
});
await checks.check('the program has the version of package.json', () => {
  const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  assert.ok(outputOf(program, ['--version']).includes(version));
});
await checks.check('the sample is packed, and its manifest counts every document', () => {
  const manifest = JSON.parse(readFileSync(inProject('build/sample/manifest.json'), 'utf8'));
  const documents = readFileSync(inProject('build/sample.jsonl'), 'utf8').trim().split('\n').length;
  assert.equal(manifest.ledger.documents, documents);
  assert.ok(report.includes(manifest.fingerprint), 'the report shows the fingerprint');
});
await checks.check('every command that npm start suggests works', () => {
  const suggested = report.split('\n').filter((line) => line.startsWith('  build/release/packscope '));
  assert.ok(suggested.length >= 2, report);
  for (const line of suggested) outputOf('bash', ['-c', line]);
});
checks.finish();
