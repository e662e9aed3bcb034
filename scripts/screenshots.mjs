// SPDX-License-Identifier: MIT
// Pictures of the visualizer in every view and theme, for people to look at, into build/screenshots.
//
//   node scripts/screenshots.mjs [NAME...]
import { mkdirSync } from 'node:fs';
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
  medium: { width: 1100, height: 800 },
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
