// SPDX-License-Identifier: MIT
// The system's Chromium on the built page, with everything that should not happen written down.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';

import { serveApp } from '../../scripts/serve-app.mjs';
import { chromiumPath, launch } from '../package/browser.mjs';

export const browserMissing = () => !existsSync(chromiumPath);

/** Starts a browser and a server; `open` gives a page that has drawn its first plan. */
export async function startBrowser(options = {}) {
  const server = await serveApp(options);
  // Nothing in the page may need WebGL.
  const browser = await launch('--disable-3d-apis');
  const open = async (
    hash = '',
    { width = 1440, height = 900, ratio = 1, dark = false, touch = false, wait = true } = {},
  ) => {
    const context = await browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: ratio,
      hasTouch: touch,
      colorScheme: dark ? 'dark' : 'light',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    const faults = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.url) && !url.startsWith('blob:') && !url.startsWith('data:'))
        faults.push(`request: ${url}`);
    });
    await page.goto(server.url + hash);
    if (wait) await firstPicture(page);
    return { page, faults, close: () => context.close() };
  };
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { url: server.url, open, close, browser };
}

/** Checks with a page of their own each, which must stay silent; where the command line has a text, those with it in their name. */
export function pageChecks(checks, open) {
  const [, , only = ''] = process.argv;
  return async (name, hash, body, view) => {
    if (!name.includes(only)) return;
    const attempt = async () => {
      const { page, faults, close } = await open(hash, view);
      try {
        await body(page);
        assert.deepEqual(faults, []);
      } finally {
        await close();
      }
    };
    // A browser on a busy machine may be late by more than any patience: a second failure is one of the page.
    await checks.check(name, async () => {
      try {
        await attempt();
      } catch (error) {
        console.log(`again ${name}: ${error.message.split('\n')[0]}`);
        await attempt();
      }
    });
  };
}

/** Repeats assertions until they hold, for what the page does in its own time; after `patienceMs` the last failure counts. */
export async function eventually(assertions, patienceMs = 20_000) {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Waits until the link in the address bar holds `text`, and gives it. */
export async function hashWith(page, text) {
  await page.waitForFunction((wanted) => location.hash.includes(wanted), text, { timeout: 20_000 });
  return page.evaluate(() => location.hash);
}

/** Waits until a plan is on show, whatever the view. */
export async function firstPicture(page) {
  await page.waitForSelector('.rows[data-window], .field, .tokens, .compare, .step, .code', { timeout: 60_000 });
  // A canvas that nothing was drawn on has the size that all begin with.
  await page.waitForFunction(() => (document.querySelector('.rows canvas')?.height ?? 0) !== 150);
}

/** Waits until every algorithm has its result and the selected window is known. */
export async function settled(page) {
  await page.waitForFunction(
    () => {
      const shares = [...document.querySelectorAll('.algorithm')];
      return (
        shares.length > 0 &&
        shares.every((button) => button.dataset.stale === 'false' && !button.textContent.includes('…'))
      );
    },
    undefined,
    { timeout: 60_000 },
  );
  await page.waitForTimeout(120);
}
