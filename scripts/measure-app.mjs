// SPDX-License-Identifier: MIT
// What a first visit costs: bytes over the wire and milliseconds until the first picture and until every share is
// there. Several visits, each with an empty cache; prints the median.
//
//   node scripts/measure-app.mjs [VISITS] [HASH]
import { firstPicture, settled, startBrowser } from '../tests/app/browser.mjs';

const visits = Number(process.argv[2] ?? 5);
const hash = process.argv[3] ?? '';
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const { open, close } = await startBrowser();
const rows = [];
for (let i = 0; i < visits; i += 1) {
  const { page, close: closePage } = await open(hash);
  await firstPicture(page);
  const picture = await page.evaluate(() => performance.now());
  await settled(page);
  const shares = await page.evaluate(() => performance.now());
  rows.push({ picture, shares });
  await closePage();
}
await close();
console.log(`first picture ${median(rows.map(({ picture }) => picture)).toFixed(0)} ms, every share ${median(rows.map(({ shares }) => shares)).toFixed(0)} ms after navigation (median of ${visits})`);
