// SPDX-License-Identifier: MIT
// The package as users get it: packed once, installed into fresh projects, and used there by Node, TypeScript,
// bundlers and a real browser. The tools come from this checkout; nothing of the package does.
//
//   node tests/package/run.mjs [WORD...]     only the checks whose name has one of the words
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { Checks } from '../../scripts/checks.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { chromiumPath, launch, pageResult, serve } from './browser.mjs';
import { output, Workplace } from './project.mjs';

// What the native program prints in README.md for the three documents that the projects pack.
const fingerprint = 'db1753474322db37';
const tool = (name) => join(projectRoot, 'node_modules/.bin', name);
const sharedFolder = resolve(process.env.PACKSCOPE_SHARED ?? join(projectRoot, '../shared'));
const gsm8k = join(sharedFolder, 'data/gsm8k_train.jsonl');
const program = [
  process.env.PACKSCOPE_PROGRAM,
  ...['dev', 'release'].map((preset) => join(projectRoot, `build/${preset}/packscope`)),
].find((path) => path && existsSync(path));

const workplace = new Workplace();
const checks = new Checks();
const words = process.argv.slice(2);
let browser;

async function check(name, body) {
  if (words.length === 0 || words.some((word) => name.includes(word))) await checks.check(name, body);
}

async function checkInBrowser(name, body) {
  if (!existsSync(chromiumPath)) return checks.skip(name, `there is no ${chromiumPath} (PACKSCOPE_CHROMIUM)`);
  return check(name, async () => {
    browser ??= await launch();
    await body();
  });
}

async function checkWithData(check, name, body) {
  if (!existsSync(gsm8k)) return checks.skip(name, `there is no shared data at ${sharedFolder} (PACKSCOPE_SHARED)`);
  if (!program) return checks.skip(name, 'the program is not built (PACKSCOPE_PROGRAM)');
  return check(name, body);
}

const run = (folder, file, ...args) => output(process.execPath, [file, ...args], folder);
const runForJson = (folder, file) => JSON.parse(run(folder, file));

// Every entry under the strict policy, which `evaluates: false` shows to be in force.
async function checkPage(folder) {
  const server = await serve(folder);
  try {
    const result = await pageResult(browser, server.url);
    assert.deepEqual(result, { here: fingerprint, slim: fingerprint, worker: fingerprint, evaluates: false });
  } finally {
    server.close();
  }
}

// A project with a page: its own main.js, and what all pages share.
function pageProject(name, copied) {
  const folder = workplace.project(name, copied);
  for (const file of ['index.html', 'run.js']) {
    cpSync(join(projectRoot, 'tests/package/projects/page', file), join(folder, file));
  }
  return folder;
}

async function buildWithVite(folder) {
  const { build } = await import('vite');
  await build({ root: folder, configFile: false, logLevel: 'error', base: './' });
  return join(folder, 'dist');
}

async function buildWithWebpack(folder) {
  const { default: webpack } = await import('webpack');
  const compiler = webpack({
    context: folder,
    mode: 'production',
    entry: './main.js',
    output: { path: join(folder, 'dist'), filename: 'main.js' },
    performance: { hints: false },
  });
  const stats = await new Promise((done, fail) => {
    compiler.run((error, result) => compiler.close(() => (error ? fail(error) : done(result))));
  });
  if (stats.hasErrors() || stats.hasWarnings()) {
    throw new Error(stats.toString({ all: false, errors: true, warnings: true }));
  }
  cpSync(join(folder, 'index.html'), join(folder, 'dist/index.html'));
  return join(folder, 'dist');
}

function examplesIn(folder, path) {
  const text = readFileSync(join(folder, 'node_modules/packscope', path), 'utf8').replace(/^ *\* ?/gm, '');
  return [...text.matchAll(/^```[jt]s\n(.*?)^```$/gms)].map(([, code]) => code);
}

function nativeSummary() {
  const args = ['pack', gsm8k, '--text-field', 'question,answer', '--tokenizer', 'bytes', '-L', '2048', '--json'];
  const { stats, fingerprint } = JSON.parse(output(program, args));
  return { windows: stats.windows, fingerprint };
}

await check('the tarball holds the bundles, their types, licences and nothing else', () => {
  const stray = workplace.files.filter(
    (path) => !/^(dist\/.+\.(js|wasm|d\.ts)|dist\/import\/licences\.txt|package\.json|README\.md|LICENSE)$/.test(path),
  );
  assert.deepEqual(stray, []);
});

await check('Node imports it', () => {
  assert.deepEqual(runForJson(workplace.project('node'), 'main.mjs'), { here: fingerprint, slim: fingerprint });
});

await check('CommonJS imports it, and require() works or says that it is an ES module', () => {
  const { required, imported } = runForJson(workplace.project('require'), 'main.cjs');
  assert.equal(imported, fingerprint);
  if (process.features.require_module) assert.equal(required, fingerprint);
  else assert.match(required, /^ERR_(REQUIRE_ESM|PACKAGE_PATH_NOT_EXPORTED): /);
});

await check('Node threads run it', () => {
  assert.deepEqual(runForJson(workplace.project('threads'), 'main.mjs'), { own: fingerprint, given: fingerprint });
});

await check('its command imports text', () => {
  const folder = workplace.project('import');
  const said = output(
    join(folder, 'node_modules/.bin/packscope-import'),
    ['text.jsonl', '--tokenizer', 'r50k', '--out', 'corpus'],
    folder,
  );
  assert.equal(said, 'corpus.idx: 2 documents, 5 tokens, uint16, r50k_base\n');
});

// By both ways of finding modules, by the defaults, and with no more than browsers or Node have.
await check('TypeScript understands it', () => {
  const folder = workplace.project('typescript');
  const types = ['--typeRoots', join(projectRoot, 'node_modules/@types')];
  for (const config of ['bundler', 'nodenext', 'default', 'dom', 'node']) {
    output(tool('tsc'), ['-p', `tsconfig.${config}.json`, ...types], folder);
  }
});

await check('TypeScript compiles the examples of doc comments', () => {
  const folder = workplace.project('examples', 'typescript');
  const examples = workplace.files.filter((path) => path.endsWith('.d.ts')).flatMap((path) => examplesIn(folder, path));
  assert(examples.length > 10);
  const functions = [...new Set(examples)].map((code, i) => `export async function example${i}() {\n${code}}\n`);
  appendFileSync(join(folder, 'examples.ts'), functions.join('\n'));
  output(tool('tsc'), ['-p', 'tsconfig.examples.json'], folder);
});

await check('esbuild bundles it for Node', async () => {
  const { build } = await import('esbuild');
  const folder = workplace.project('esbuild');
  const common = { absWorkingDir: folder, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' };
  await build({
    ...common,
    entryPoints: { main: 'main.js', 'worker-entry': 'packscope/worker-entry.js' },
    outdir: 'out',
  });
  assert.deepEqual(runForJson(folder, 'out/main.js'), { here: fingerprint, worker: fingerprint });
});

await checkInBrowser('Chromium runs it under a strict policy', () => checkPage(workplace.project('page')));
await checkInBrowser('Vite bundles it', async () => checkPage(await buildWithVite(pageProject('vite'))));
await checkInBrowser('webpack bundles it', async () => checkPage(await buildWithWebpack(pageProject('webpack'))));

await check('publint has no remark', async () => {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const folder = join(workplace.project('publint', null), 'node_modules/packscope');
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

await check('its types are right for every way of importing', () => {
  // The worker's file and the engines are files to point at, not modules to import.
  const files = ['./worker-entry.js', './packscope.simd.wasm', './packscope.scalar.wasm'];
  const args = [workplace.tarball, '--profile', 'esm-only', '--no-color', '--exclude-entrypoints', ...files];
  output(tool('attw'), args);
});

await checkWithData(check, 'ten lines of Node pack gsm8k as the native program does', () => {
  const { windows, fingerprint } = nativeSummary();
  const said = run(workplace.project('ten-lines', 'gsm8k'), 'main.mjs', gsm8k);
  assert.equal(said, `${windows} windows, fingerprint ${fingerprint}\n`);
});

await checkWithData(checkInBrowser, 'a page packs gsm8k as the native program does', async () => {
  const server = await serve(pageProject('ten-lines-page', 'gsm8k'), { extra: { '/gsm8k_train.jsonl': gsm8k } });
  try {
    assert.deepEqual(await pageResult(browser, server.url), nativeSummary());
  } finally {
    server.close();
  }
});

await browser?.close();
workplace.remove();
checks.finish();
