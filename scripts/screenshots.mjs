// SPDX-License-Identifier: MIT
// Pictures of the visualizer in every view and theme, for people to look at, into build/screenshots.
//
//   node scripts/screenshots.mjs [NAME...]
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { settled, startBrowser } from '../tests/app/browser.mjs';
import { projectRoot } from './shell.mjs';

const folder = join(projectRoot, 'build/screenshots');

const hover = async (page) => {
  await page.mouse.move(640, 300);
  await page.waitForTimeout(150);
};
const crosshair = async (page) => {
  const box = await page.locator('.mask').boundingBox();
  await page.mouse.move(box.x + box.width * 0.35, box.y + box.height * 0.6);
  await page.waitForTimeout(150);
};
const table = (page) => page.getByRole('button', { name: 'Table' }).click();
const help = (page) => page.keyboard.press('?');
const find = async (page) => {
  await page.keyboard.press('/');
  await page.locator('.find input').fill('len>4000');
  await page.locator('.find input').press('Enter');
};
const tapWhileExploring = async (page) => {
  await page.getByRole('button', { name: 'Explore' }).click();
  await page.touchscreen.tap(120, 200);
  await page.locator('.inspector[data-sheet=true]').waitFor();
};
const give = (content, name) => async (page) => {
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  await page.waitForTimeout(900);
};
const exportDialog = (page) => page.keyboard.press('e');
const options = async (page) => {
  await page.getByRole('spinbutton', { name: 'Length' }).scrollIntoViewIfNeeded();
  await page.locator('summary', { hasText: 'More of packing' }).click();
  await page.locator('.settings').evaluate((settings) => settings.scrollTo(0, settings.scrollHeight));
};
const letters = Array.from({ length: 400 }, (_, index) => `{"body": "${'word '.repeat(1 + ((index * 37) % 90))}", "id": ${index}}\n`).join('');
const texts = letters.replaceAll('"body"', '"text"').replaceAll(/"id": (\d*)(\d)\b/g, '"source": "set $2"');
const inspectorEnd = (page) =>
  page.locator('.inspector').evaluate((inspector) => inspector.scrollTo(0, 560));
const costs = (page) => page.locator('.cost').scrollIntoViewIfNeeded();
// Tokens of the largest vocabulary take long enough to be seen.
const readSlowly = async (page) => {
  await give(texts, 'conversations.jsonl')(page);
  await page.locator('.reading-choices label', { hasText: 'Tokens' }).locator('select').selectOption('o200k_base');
  await page.locator('.facts-line', { hasText: '400 documents' }).waitFor();
  const words = Array.from({ length: 300 }, (_, index) => `w${(index * 7919) % 1000}x`).join(' ');
  const lines = Array.from({ length: 28_000 }, (_, index) => `{"text": "${index} ${words} ${index}"}\n`).join('');
  await give(lines, 'pages.jsonl')(page);
  await page.locator('.notice.reading').waitFor();
};
const giveLarge = async (page) => {
  const path = join(tmpdir(), 'packscope-large.npy');
  writeFileSync(path, '\x93NUMPY');
  truncateSync(path, 3 * 2 ** 30);
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.locator('.notice.error').waitFor();
  rmSync(path);
};
const crash = async (page) => {
  await page.workers()[0].evaluate(() => void setTimeout(() => JSON.parse('nothing catches this')));
  await page.locator('.notice.error').waitFor();
};
const drag = (page) =>
  page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'train.jsonl'));
    dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, cancelable: true }));
  });
const refusedPaste = async (page) => {
  await paste(page);
  await page.getByRole('textbox', { name: 'Documents', exact: true }).fill('10\n-5');
  await page.getByRole('button', { name: 'Pack them' }).click();
  await page.locator('.refusal').waitFor();
};
const paste = (page) => page.getByRole('button', { name: 'Paste…' }).click();

const pictures = {
  light: { act: hover },
  dark: { dark: true, act: hover },
  'light-2x': { ratio: 2 },
  crosshair: { act: crosshair },
  leak: { hash: '#document_mask=false', act: crosshair },
  blocks: { hash: '#block=128&sliding_window=1024' },
  waste: { hash: '#algorithm=next_fit&order=waste' },
  table: { act: table },
  compare: { hash: '#tab=compare', slow: true },
  'compare-tall': { hash: '#tab=compare', slow: true, height: 1900 },
  'compare-dark': { hash: '#tab=compare', dark: true, slow: true },
  step: { hash: '#tab=step&algorithm=best_fit', ready: '.window-bar' },
  'step-dark': { hash: '#tab=step&algorithm=best_fit_wrap&candidate_pool=12&step=46', dark: true, ready: '.window-bar' },
  'step-many': { hash: '#tab=step&context_length=2048&step_documents=120', ready: '.window-bar' },
  code: { hash: '#tab=code' },
  lengths: { hash: '#color_by=length&length_from=1000&length_to=2000' },
  split: { hash: '#algorithm=best_fit_wrap&color_by=split', dark: true },
  'nothing-left': { hash: '#padding_over=40' },
  field: { hash: '#algorithm=next_fit&level=field' },
  tokens: { hash: '#example=readable&level=tokens&window=1&segment=1', ready: '.token' },
  prefix: { hash: '#mask=prefix&block=256&prefix_percent=40', act: crosshair },
  find: { act: find },
  commands: { act: (page) => page.keyboard.press('Control+k'), dark: true },
  readable: { hash: '#example=readable&window=1&segment=1' },
  code_files: { hash: '#example=code' },
  web: { hash: '#example=web', dark: true },
  embedding: { hash: '#example=embedding' },
  help: { act: help },
  paste: { act: paste, dark: true },
  export: { act: exportDialog },
  'export-dark': { act: exportDialog, dark: true },
  options: { act: options },
  file: { act: give(texts, 'conversations.jsonl') },
  'file-dark': { act: give(texts, 'conversations.jsonl'), dark: true },
  'no-column': { act: give(letters, 'train.jsonl') },
  'no-column-dark': { act: give(letters, 'train.jsonl'), dark: true },
  'wanted-file': { hash: '#example=own&file=train.jsonl&size=4166206&hash=0123456789abcd' },
  'phone-file': { act: give(texts, 'conversations.jsonl'), width: 390, height: 844, ratio: 2, full: true },
  inspector: { act: inspectorEnd },
  'inspector-dark': { act: inspectorEnd, dark: true },
  cost: { hash: '#tab=compare&example=code&algorithm=wrap', slow: true, act: costs },
  reading: { act: readSlowly },
  'too-large': { act: giveLarge, dark: true },
  crash: { act: crash },
  drop: { act: drag },
  'paste-refused': { act: refusedPaste },
  medium: { width: 1100, height: 800 },
  'phone-small': { width: 320, height: 700, ratio: 2, hash: '#color_by=length&context_length=1024', full: true },
  'phone-error': { width: 360, height: 740, ratio: 2, act: give(letters, 'train.jsonl') },
  phone: { width: 390, height: 844, ratio: 2, full: true },
  'phone-dark': { width: 390, height: 844, ratio: 2, full: true, dark: true },
  'phone-step': { width: 390, height: 844, ratio: 2, full: true, hash: '#tab=step&algorithm=first_fit', ready: '.window-bar' },
  'phone-explore': { width: 390, height: 844, ratio: 2, touch: true, act: tapWhileExploring },
  'phone-compare': { width: 390, height: 844, ratio: 2, full: true, hash: '#tab=compare' },
};

const wanted = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { open, close } = await startBrowser();
for (const [name, { hash = '', act, ready, slow, full = false, ...view }] of Object.entries(pictures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { page, faults, close: closePage } = await open(hash, view);
  await settled(page);
  if (ready) await page.locator(ready).first().waitFor();
  await act?.(page);
  if (slow) await page.waitForFunction(() => !document.querySelector('.compare')?.textContent.includes('…'), undefined, { timeout: 30_000 }).catch(() => {});
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: full });
  console.log(`${name}.png${faults.length > 0 ? `  ${faults.join('; ')}` : ''}`);
  await closePage();
}
await close();
