// SPDX-License-Identifier: MIT
// The built page in the system's Firefox, over WebDriver BiDi: first load, one file, one export. Nothing may be written
// to the console.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import puppeteer from 'puppeteer-core';

import { Checks } from '../../scripts/checks.mjs';
import { serveApp } from '../../scripts/serve-app.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { eventually } from './browser.mjs';

const firefoxPath = process.env.PACKSCOPE_FIREFOX ?? '/usr/bin/firefox-esr';
const patienceMs = 60_000;
const checks = new Checks();

async function inFirefox() {
  const folder = mkdtempSync(join(tmpdir(), 'packscope-firefox-'));
  const server = await serveApp();
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    headless: true,
    defaultViewport: { width: 1280, height: 800 },
    extraPrefsFirefox: { 'browser.download.folderList': 2, 'browser.download.dir': folder },
  });
  try {
    const { page, faults } = await openPage(browser, server.url);
    await checks.check('Firefox: the first load shows packed windows and a mask', () => showsExample(page));
    await checks.check('Firefox: a file is read', () => readsFile(page, folder));
    await checks.check('Firefox: an export is saved', () => savesExport(page, folder));
    await checks.check('Firefox: nothing is written to the console', () => assert.deepEqual(faults, []));
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

async function openPage(browser, url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  const faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  await page.goto(url);
  return { page, faults };
}

const textOf = (page, selector) => page.$eval(selector, ({ textContent }) => textContent);

const colorsOf = (page, selector) =>
  page.$eval(selector, (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });

async function showsExample(page) {
  await page.waitForSelector('.figure dd');
  await eventually(async () => {
    assert.equal(await textOf(page, '.figure dd'), '3,181');
    assert.ok((await colorsOf(page, '.rows canvas')) > 8, 'tiles in several colours');
    assert.ok((await colorsOf(page, '.mask canvas')) > 8, 'a mask in several colours');
  }, patienceMs);
}

async function readsFile(page, folder) {
  const path = join(folder, 'three.jsonl');
  writeFileSync(path, '{"text": "one document"}\n{"text": "two"}\n{"text": "three of them"}\n');
  const input = await page.$('input[type=file]');
  await input.uploadFile(path);
  await eventually(async () => assert.match(await textOf(page, '.facts-line'), /3 documents · 28 tokens/), patienceMs);
}

async function savesExport(page, folder) {
  await page.keyboard.press('e');
  await (await page.waitForSelector('::-p-text(Windows as CSV)')).click();
  await page.click('dialog.export button.primary');
  const path = join(folder, 'windows.csv');
  const expected = 'window,documents,tokens,padding\r\n0,3,28,';
  await eventually(() => assert.ok(existsSync(path) && readFileSync(path, 'utf8').startsWith(expected)), patienceMs);
}

await checks.check('the page was built', () => assert.ok(existsSync(join(projectRoot, 'build/app/index.html'))));
if (existsSync(firefoxPath)) await inFirefox();
else checks.skip('the page in Firefox', `there is no ${firefoxPath}; set PACKSCOPE_FIREFOX, or install firefox-esr`);
checks.finish();
