// SPDX-License-Identifier: MIT
// The built page in the system's Chromium over `packscope view`: a folder of packed questions opens, its windows are
// drawn, and of its tokens those of the selected window are read, and no others.
//
//   node tests/view/page_test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Checks } from '../../scripts/checks.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { browserMissing, eventually, firstPicture } from '../app/browser.mjs';
import { launch } from '../package/browser.mjs';
import { program, startViewer } from './viewer.mjs';

const checks = new Checks();
if (browserMissing()) {
  checks.skip('the page', 'there is no /usr/bin/chromium; set PACKSCOPE_CHROMIUM, or install the package chromium');
  checks.finish();
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'packscope-view-page-'));
const out = join(folder, 'out');
const contextLength = 2048;

// The questions of the shared data, or else as many made up.
function inputFile() {
  const shared = join(process.env.PACKSCOPE_SHARED ?? join(projectRoot, '../shared'), 'data/gsm8k_train.jsonl');
  if (existsSync(shared)) return shared;
  const made = join(folder, 'made.jsonl');
  const line = (_, i) =>
    JSON.stringify({ question: `What is ${i} and ${i}?`, answer: `It is ${2 * i}. `.repeat(i % 90) });
  writeFileSync(made, `${Array.from({ length: 3000 }, line).join('\n')}\n`);
  return made;
}

const packing = ['--text-field', 'question,answer', '-L', String(contextLength), '--shuffle-windows', '-q', '-o', out];
const packed = spawnSync(program, ['pack', inputFile(), ...packing], { encoding: 'utf8' });
assert.equal(packed.status, 0, packed.stderr);
const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
const tokens = readFileSync(join(out, 'input_ids.npy'));
const viewer = await startViewer(out, ['--page', join(projectRoot, 'build/app')]);
const browser = await launch();

const textAt = (window, length) => {
  const begin = 128 + window * contextLength * 4;
  return Buffer.from(Array.from({ length }, (_, i) => tokens.readInt32LE(begin + 4 * i))).toString('utf8');
};
const figure = (page) => page.locator('.figure dd').first().textContent();
const count = (value) => value.toLocaleString('en-US');

async function onPage(name, hash, body) {
  await checks.check(name, async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const faults = [];
    const transfers = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(viewer.base) && !request.url().startsWith('blob:')) faults.push(request.url());
      if (request.url().includes('/data/')) transfers.push({ url: request.url(), range: request.headers()['range'] });
    });
    try {
      await page.goto(viewer.url + hash);
      await firstPicture(page);
      await body(page, transfers);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  });
}

await onPage('a packed folder opens, as the program made it', '', async (page) => {
  await page.getByText('The plan of this folder, as it is').waitFor();
  await eventually(async () => {
    assert.equal(await figure(page), count(manifest.stats.windows));
    assert.equal(await page.locator('.facts dd.mono').textContent(), manifest.fingerprint);
    assert.equal(await page.getByText('✓ every token accounted for').count(), 1);
  });
  assert.equal(await page.locator('.notice.error').count(), 0);
});

await onPage('the text of a window is read when it is selected, and no other', '&window=7', async (page, transfers) => {
  const text = page.locator('.document-text').first();
  await eventually(async () => assert.ok((await text.textContent()).startsWith(textAt(7, 20))));
  await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.ok((await text.textContent()).startsWith(textAt(8, 20))));
  const ranges = transfers.filter(({ url }) => url.endsWith('/input_ids.npy')).map(({ range }) => range);
  const rowOf = (window) => 128 + window * contextLength * 4;
  assert.deepEqual(ranges, ['bytes=0-1023', ...[7, 8].map((at) => `bytes=${rowOf(at)}-${rowOf(at + 1) - 1}`)]);
  assert.ok(
    transfers.every(({ range }) => range !== undefined),
    'nothing is read as a whole',
  );
});

await onPage(
  'some windows of the folder are shown where the address says so',
  '&windows=100:160&window=0',
  async (page) => {
    await page.getByText(`Windows 100 to 159 of ${manifest.stats.windows} are on show`).waitFor();
    await eventually(async () => assert.equal(await figure(page), '60'));
    await page.getByText('only as a whole, by packscope verify').waitFor();
    const text = page.locator('.document-text').first();
    await eventually(async () => assert.ok((await text.textContent()).startsWith(textAt(100, 20))));
  },
);

await checks.check('a folder of another site is refused', async () => {
  const page = await browser.newPage();
  const outside = [];
  page.on('request', (request) => request.url().startsWith(viewer.base) || outside.push(request.url()));
  await page.goto(`${viewer.base}#data=${encodeURIComponent('https://packscope.example/data/')}`);
  await page.getByText('This link names a folder of another site').waitFor();
  assert.deepEqual(
    outside.filter((url) => url.startsWith('http')),
    [],
  );
  await page.close();
});

await checks.check('where the server has ended the page says so', async () => {
  const page = await browser.newPage();
  await page.goto(`${viewer.url}&window=3`);
  await page.locator('.document-text').first().waitFor();
  await viewer.stop();
  await page.keyboard.press('ArrowDown');
  await page.getByText('Start packscope view again').first().waitFor();
  await page.close();
});

await browser.close();
await viewer.stop();
rmSync(folder, { recursive: true });
checks.finish();
