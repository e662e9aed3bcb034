// SPDX-License-Identifier: MIT
// Runs every example of examples/ as its first comment says and checks what it gives. The one for ONNX is tested
// in tests/onnx.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tensor } from 'onnxruntime-web';
import { attentionMask, pack } from 'packscope';

import { packedInputs, paddedInputs } from '../../examples/transformers-js-inputs.mjs';
import { Checks } from '../../scripts/checks.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { chromiumPath, launch, serve } from '../package/browser.mjs';
import { output } from '../package/project.mjs';

const python = process.env.PACKSCOPE_PYTHON ?? '/usr/bin/python3';
const program = [
  process.env.PACKSCOPE_PROGRAM,
  ...['dev', 'release'].map((preset) => join(projectRoot, `build/${preset}/packscope`)),
].find((path) => path && existsSync(path));
const example = (name) => join(projectRoot, 'examples', name);
const folder = mkdtempSync(join(tmpdir(), 'packscope-examples-'));
const checks = new Checks();

// Documents of 1 to 40 tokens.
const documents = Array.from({ length: 700 }, (_, i) =>
  Int32Array.from({ length: 1 + ((i * i) % 40) }, (_, token) => (i * 37 + token) % 1000),
);

function writeInput() {
  const input = join(folder, 'documents.jsonl');
  writeFileSync(input, documents.map((tokens) => `${JSON.stringify({ input_ids: [...tokens] })}\n`).join(''));
  return input;
}

// A .npy file's shape and data.
function readNpy(path) {
  const file = readFileSync(path);
  const begin = 10 + file.readUInt16LE(8);
  const header = file.toString('latin1', 10, begin);
  return { description: header.trim(), aligned: begin % 64 === 0, data: file.subarray(begin) };
}

const names = ['input_ids', 'labels', 'position_ids', 'segment_ids', 'loss_mask'];
const input = writeInput();
const written = join(folder, 'written');

await checks.check('node-jsonl.mjs says what it packed', () => {
  const said = output(process.execPath, [example('node-jsonl.mjs'), input, written, '48']);
  const { fingerprint } = pack(documents, { contextLength: 48, shuffleWindows: true });
  assert.match(said, /^700 documents in \d+ windows, \d+\.\d\d% real tokens\n0 dropped, 0 tokens in no window\n/);
  assert.ok(said.endsWith(`fingerprint ${fingerprint}\n`), said);
});

await checks.check('node-jsonl.mjs says how it is called', () => {
  const { status, stderr } = spawnSync(process.execPath, [example('node-jsonl.mjs')], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /^usage: /);
});

async function compareWithProgram() {
  const native = join(folder, 'native');
  output(program, ['pack', input, '-L', '48', '--shuffle-windows', '-q', '-o', native]);
  for (const name of names) {
    const [ours, theirs] = [written, native].map((at) => readNpy(join(at, `${name}.npy`)));
    assert.ok(ours.data.equals(theirs.data), `${name} differs`);
    assert.equal(ours.description, theirs.description);
    assert.ok(ours.aligned);
  }
}

const equalFiles = 'node-jsonl.mjs writes the arrays that the program writes';
if (program) await checks.check(equalFiles, compareWithProgram);
else checks.skip(equalFiles, 'the program is not built (PACKSCOPE_PROGRAM)');

await checks.check('jax-segment-ids.py makes the mask that the package makes', () => {
  const lines = output(python, [example('jax-segment-ids.py'), written])
    .trimEnd()
    .split('\n');
  const plan = pack(documents, { contextLength: 48, shuffleWindows: true });
  const { data } = attentionMask(plan, { windows: 0, paddingQueries: 'masked' });
  const pairs = data.reduce((sum, cell) => sum + cell, 0);
  assert.equal(lines[2], `mask 1 1 48 48 pairs ${pairs}`);
  assert.equal(lines.slice(3).join(' '), Array.from(data).join(' '));
});

await checks.check('transformers-js-inputs.mjs: packed windows as tensors', () => {
  const plan = pack(documents, { contextLength: 64 });
  const inputs = packedInputs(Tensor, plan, documents, [2, 5]);
  assert.deepEqual(
    Object.entries(inputs).map(([name, { type, dims }]) => [name, type, ...dims]),
    [
      ['input_ids', 'int64', 3, 64],
      ['position_ids', 'int64', 3, 64],
      ['attention_mask', 'float32', 3, 1, 64, 64],
    ],
  );
  const first = documents[plan.segment_document[plan.window_offsets[2]]];
  assert.deepEqual(Array.from(inputs.input_ids.data.slice(0, first.length), Number), Array.from(first));
});

await checks.check('transformers-js-inputs.mjs: padded batches hold every document once', () => {
  const seen = new Map();
  for (const { order, inputs } of paddedInputs(Tensor, documents, 512)) {
    const [rows, length] = inputs.input_ids.dims;
    assert.ok(rows * length <= 512);
    order.forEach((document, row) => {
      const mask = inputs.attention_mask.data.slice(row * length, (row + 1) * length);
      const tokens = inputs.input_ids.data.slice(row * length, (row + 1) * length).filter((_, i) => mask[i] === 1n);
      seen.set(document, Array.from(tokens, Number));
    });
  }
  assert.deepEqual(
    documents.map((_, document) => seen.get(document)),
    documents.map((tokens) => Array.from(tokens)),
  );
});

async function packInBrowser() {
  const server = await serve(projectRoot, { headers: {} });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${server.url}examples/browser-worker/index.html`);
    await page.click('#start');
    await page.waitForFunction(() => document.querySelector('#report').textContent.includes('fingerprint'));
    await page.waitForSelector('#start:enabled');
    const report = await page.textContent('#report');
    assert.match(report, /^wrap: \d+ windows\nbest_fit_decreasing: \d+ windows\nfingerprint [0-9a-f]{16}$/);
    assert.ok((await page.evaluate(countColours)) > 10);
    // Stopped before the worker can answer: both clicks happen in one turn of the page.
    await page.evaluate(() => {
      for (const id of ['start', 'stop']) document.querySelector(`#${id}`).click();
    });
    await page.waitForFunction(() => document.querySelector('#report').textContent === 'stopped');
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
    server.close();
  }
}

// Runs in the page.
function countColours() {
  const canvas = document.querySelector('#picture');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}

const inBrowser = 'browser-worker packs, draws and stops';
if (existsSync(chromiumPath)) await checks.check(inBrowser, packInBrowser);
else checks.skip(inBrowser, `there is no ${chromiumPath} (PACKSCOPE_CHROMIUM)`);

rmSync(folder, { recursive: true });
checks.finish();
