// SPDX-License-Identifier: MIT
// What axe-core finds on a page as it is now. The page's policy forbids foreign scripts in it; the browser may still run
// one.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export async function axeViolations(page) {
  await page.evaluate(source);
  const { violations } = await page.evaluate((runOnly) => axe.run(document, { runOnly }), rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
