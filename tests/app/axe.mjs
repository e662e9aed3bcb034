// SPDX-License-Identifier: MIT
// What axe-core finds on a page as it is now. The page's policy forbids foreign scripts in it; the browser may still run
// one.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Whatever moves or fades has come to rest: colours between two are no colours to look at. */
const atRest = (page) =>
  page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));

export async function axeViolations(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  await atRest(page);
  const { violations } = await page.evaluate((runOnly) => axe.run(document, { runOnly }), rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** Of a page that follows the system's colours, in light and in dark. */
export async function axeViolationsInBoth(page) {
  const found = {};
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, colorScheme);
    found[colorScheme] = await axeViolations(page);
  }
  return found;
}

export const noViolations = { light: [], dark: [] };
