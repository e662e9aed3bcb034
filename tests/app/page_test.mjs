// SPDX-License-Identifier: MIT
// The built page in the system's Chromium: first load, every view, settings, selection, links, keys, files, phones,
// and axe-core in light and dark. Nothing may be written to the console or asked of another host.
//
//   node tests/app/page_test.mjs [TEXT]     only the checks whose name has TEXT in it
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Checks } from '../../scripts/checks.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { axeViolations, axeViolationsInBoth, noViolations } from './axe.mjs';
import { browserMissing, eventually, hashWith, pageChecks, settled, startBrowser } from './browser.mjs';
import { misfits } from './fits.mjs';

const shared = process.env.PACKSCOPE_SHARED ?? join(projectRoot, '../shared');
const checks = new Checks();

if (browserMissing()) {
  checks.skip('the page', 'there is no /usr/bin/chromium; set PACKSCOPE_CHROMIUM, or install the package chromium');
  await checks.check('the page was built', () => assert.ok(existsSync(join(projectRoot, 'build/app/index.html'))));
  checks.finish();
  process.exit();
}

// Below a path of its own, as on a web host that has other pages too.
const { open, close, url } = await startBrowser({ path: '/some/where/' });

const onPage = pageChecks(checks, open);

const figures = (page) => page.locator('.figure dd').allTextContents();
const share = (page, title) =>
  page
    .locator('.algorithm', { has: page.getByText(title, { exact: true }) })
    .locator('.share')
    .textContent();
const colorsOf = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate((canvas) => {
      // Read from a copy: the browser warns of canvases that are read again and again.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      const colors = new Set();
      for (let i = 0; i < data.length; i += 4) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      return colors.size;
    });

await onPage('the first load shows packed windows, a mask, a histogram and every share', '', async (page) => {
  await settled(page);
  assert.deepEqual((await figures(page)).slice(0, 2), ['3,181', '99.97%']);
  assert.ok((await colorsOf(page, '.rows canvas')) > 8, 'tiles in several colours');
  assert.ok((await colorsOf(page, '.mask canvas')) > 8, 'a mask in several colours');
  assert.ok((await page.locator('.histogram .bar').count()) > 20);
  assert.equal(await page.locator('.algorithm').count(), 10);
  assert.equal(await share(page, 'One per window'), '15.9%');
  const shares = await page.locator('.algorithm .share').allTextContents();
  assert.ok(!shares.includes('100%'), 'no share is rounded up');
  const label = await page.locator('#rows').getAttribute('aria-label');
  assert.match(label, /^3,181 windows as rows of documents\. Window 416 is selected: 14 documents, 4,096 tokens\./);
  const code = await page.locator('.window-code pre').textContent();
  assert.match(
    code,
    /^import torch\n[\s\S]*cu_seqlens = torch\.tensor\(\[ {2}# window 416\n[\s\S]*\nassert int\(allowed\.sum/,
  );
  const webGl = () => ['webgl2', 'webgl'].map((kind) => document.createElement('canvas').getContext(kind));
  assert.deepEqual(await page.evaluate(webGl), [null, null], 'all of this without WebGL');
});

for (const ratio of [1.5, 3]) {
  await onPage(
    `pictures have the resolution of a screen of ${ratio} pixels a pixel`,
    '',
    async (page) => {
      for (const selector of ['.rows canvas', '.mask canvas', '.lane-box canvas'])
        await eventually(async () => {
          const sizes = ({ width, clientWidth }) => [width, clientWidth];
          const [width, clientWidth] = await page.locator(selector).first().evaluate(sizes);
          assert.equal(width, Math.round(clientWidth * ratio), selector);
        });
    },
    { ratio },
  );
}

// SIMD is probed with this function.
await onPage('without SIMD the other build makes the same plan', '', async (page) => {
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await page.reload();
  await settled(page);
  const fetched = () => performance.getEntriesByType('resource').map(({ name }) => name.match(/scalar|simd/)?.[0]);
  assert.deepEqual((await page.evaluate(fetched)).filter(Boolean), ['scalar']);
  assert.equal(await page.locator('.facts dd.mono').textContent(), '13775b4705e37529');
});

await onPage('another algorithm packs anew and goes into the link', '', async (page) => {
  await page.getByRole('radio', { name: /^Next-fit/ }).click();
  await settled(page);
  assert.equal((await figures(page))[0], '3,757');
  assert.match(await hashWith(page, 'next_fit'), /algorithm=next_fit/);
});

await onPage('the slider of the window length packs live; shares look stale until they are those', '', async (page) => {
  await settled(page);
  await page.evaluate(() => {
    window.looks = new Set();
    const look = ({ target }) => window.looks.add(`${target.dataset.stale} ${getComputedStyle(target).fontStyle}`);
    const watched = { attributes: true, attributeFilter: ['data-stale'], subtree: true };
    new MutationObserver((changes) => changes.forEach(look)).observe(document.querySelector('.algorithms'), watched);
  });
  await page.getByRole('slider', { name: 'Window length' }).press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.figure dd').textContent !== '3,181');
  assert.match(await hashWith(page, 'context_length=3072'), /context_length=3072/);
  await eventually(async () =>
    assert.match(await page.locator('.notice.warning').textContent(), /documents longer than the window are left out/),
  );
  await settled(page);
  assert.deepEqual(await page.evaluate(() => [...window.looks].sort()), ['false normal', 'true italic']);
});

await onPage(
  'splitting long documents is one click from the notice that names them',
  '#context_length=2048',
  async (page) => {
    await page.getByRole('button', { name: 'Split them instead' }).click();
    await page.locator('.notice.warning').waitFor({ state: 'detached' });
    assert.match(await hashWith(page, 'split'), /long_documents=split/);
  },
);

await onPage(
  'a link restores the whole view',
  '#v=1&example=code&context_length=8192&algorithm=first_fit&window=20&segment=0&order=waste&document_mask=false&block=128&theme=dark',
  async (page) => {
    await page.locator('.inspector h2', { hasText: 'Window 20' }).waitFor();
    await eventually(async () => {
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
      assert.equal(await page.getByRole('radio', { name: /^First-fit \d/ }).getAttribute('aria-checked'), 'true');
      assert.equal(await page.locator('.document').first().getAttribute('aria-pressed'), 'true');
      assert.equal(await page.getByLabel('Sort').inputValue(), 'waste');
    });
    const before = await page.evaluate(() => location.hash);
    await page.reload();
    await settled(page);
    await eventually(async () => assert.equal(await page.evaluate(() => location.hash), before));
  },
);

await onPage('pointing at a tile names its document; a click selects it and its mask lights up', '', async (page) => {
  const rows = await page.locator('.rows').boundingBox();
  await page.mouse.move(rows.x + 60, rows.y + 200);
  await page.locator('.hover-card').waitFor();
  const [, document] = (await page.locator('.hover-card strong').textContent()).match(/^Document ([\d,]+)$/);
  await page.mouse.click(rows.x + 60, rows.y + 200);
  const chosen = page.locator('.document[aria-pressed=true] .document-name');
  await chosen.waitFor();
  assert.equal((await chosen.textContent()).trim(), document);
  await eventually(async () => assert.equal(await page.locator('.lit').count(), 1));
});

await onPage('the crosshair says who attends, who does not, and why', '#window=416', async (page) => {
  const mask = await page.locator('.mask').boundingBox();
  const says = async (key, query, words) => {
    await page.mouse.move(mask.x + mask.width * key, mask.y + mask.height * query);
    await eventually(async () => assert.equal(await page.locator('.mask-caption strong').textContent(), words));
  };
  await says(0.015, 0.02, 'attends');
  await says(0.02, 0.9, 'blocked: different documents');
  await page.getByLabel('Keep documents apart').uncheck();
  await says(0.02, 0.9, 'attends, and should not: different documents');
  await says(0.9, 0.02, 'blocked: the key comes later');
  assert.match(await page.locator('.mask-caption').textContent(), /query 81 in document \d.*key 3,686 in document \d/);
  await page.getByRole('radio', { name: /^Next-fit/ }).click();
  await page.locator('.facts', { hasText: 'Padding360' }).waitFor();
  await says(0.98, 0.98, 'padding sees itself only');
  await page.locator('summary', { hasText: 'Arrays and padding' }).click();
  await page.getByLabel('Padding sees').selectOption('masked');
  await says(0.98, 0.98, 'blocked: padding');
  assert.match(await hashWith(page, 'padding_queries'), /padding_queries=masked/);
});

await onPage('the wheel scrolls, and with Ctrl zooms at the pointer', '', async (page) => {
  const rows = await page.locator('.rows').boundingBox();
  const frame = () => page.locator('.view-frame').evaluate(({ style }) => [parseFloat(style.top), style.height]);
  const [top, height] = await frame();
  await page.mouse.move(rows.x + 100, rows.y + 100);
  await page.mouse.wheel(0, 800);
  await eventually(async () => assert.ok((await frame())[0] > top));
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 600);
  await page.keyboard.up('Control');
  await eventually(async () => assert.notEqual((await frame())[1], height));
  await page.mouse.dblclick(rows.x + 100, rows.y + 100);
  await page.locator('.view-frame').waitFor({ state: 'detached' });
  await page.keyboard.press('f');
  await page.locator('.view-frame').waitFor();
  const map = await page.locator('.minimap').boundingBox();
  await page.mouse.click(map.x + 10, map.y + map.height * 0.9);
  await eventually(async () => assert.ok((await frame())[0] > 80, 'a click on the strip goes there'));
  await page.mouse.move(map.x + 10, map.y + map.height * 0.9);
  await page.mouse.down();
  await page.mouse.move(map.x + 10, map.y + map.height * 0.3);
  await page.mouse.up();
  await eventually(async () => assert.ok((await frame())[0] < 40, 'and its frame can be drawn'));
});

await onPage('the keyboard alone moves, zooms, switches and asks for help', '', async (page) => {
  let choosers = 0;
  page.on('filechooser', () => {
    choosers += 1;
  });
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('.inspector h2').textContent.startsWith('Window 417'));
  await page.keyboard.press('ArrowRight');
  assert.match(await hashWith(page, 'segment=0'), /window=417&segment=0/);
  await page.waitForFunction(() =>
    /Window 417, document 1 of \d+.* positions 0 to/.test(document.querySelector('[role=status]').textContent),
  );
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('.inspector h2').textContent.startsWith('Window 3,180'));
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.inspector h2').textContent.startsWith('Window 0'));
  const selected = (words) =>
    page.waitForFunction(
      (start) => document.querySelector('.inspector h2').textContent.startsWith(start),
      `Window ${words}`,
    );
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => Number(/\d+/.exec(document.querySelector('.inspector h2').textContent)[0]) > 9);
  await page.keyboard.press('PageUp');
  await selected('0');
  await page.keyboard.press('.');
  await hashWith(page, 'segment=0');
  await page.keyboard.press('.');
  await hashWith(page, 'segment=1');
  await page.keyboard.press(',');
  await hashWith(page, 'segment=0');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !location.hash.includes('segment='));
  const heightOfFrame = async () =>
    Number.parseFloat((await page.locator('.view-frame').getAttribute('style')).match(/max\(10px, ([\d.e-]+)%/)[1]);
  const whole = () => page.locator('.view-frame').waitFor({ state: 'detached' });
  const before = await heightOfFrame();
  await page.keyboard.press('-');
  await eventually(async () => assert.ok((await heightOfFrame()) > before, 'farther'));
  await page.keyboard.press('+');
  await eventually(async () => assert.ok(Math.abs((await heightOfFrame()) - before) < 0.01, 'and nearer'));
  await page.keyboard.press('0');
  await whole();
  await page.keyboard.press('f');
  await page.locator('.view-frame').waitFor();
  await page.keyboard.press('f');
  await whole();
  await page.keyboard.press('o');
  await eventually(async () => assert.equal(choosers, 1));
  await page.keyboard.press('e');
  await page.locator('dialog.export[open] input:checked:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await page.keyboard.press('m');
  assert.match(await hashWith(page, 'block='), /block=128/);
  await page.keyboard.press('2');
  await page.locator('.compare').waitFor();
  await page.keyboard.press('3');
  await page.locator('.step').waitFor();
  await page.keyboard.press('4');
  await page.locator('.snippet').first().waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
});

await onPage('letters act wherever none are typed', '', async (page) => {
  const slider = page.getByRole('slider', { name: 'Window length' });
  await slider.press('m');
  await hashWith(page, 'block=128');
  await slider.press('ArrowLeft');
  assert.doesNotMatch(await hashWith(page, 'context_length=3072'), /segment=/, "arrows are the slider's own");
  await page.keyboard.press('e');
  await page.locator('dialog.export[open] input:checked:focus').waitFor();
  // The browser may give a key to what had the focus in a dialog that is closed already.
  await page.evaluate(() => {
    const { activeElement } = document;
    document.querySelector('dialog[open]').close();
    activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true }));
  });
  await page.waitForFunction(() => !location.hash.includes('block='));
  await page.locator('#context-length').press('m');
  assert.doesNotMatch(await page.evaluate(() => location.hash), /block=/);
});

await onPage('Tab reaches the rows, and focus can be seen', '', async (page) => {
  await page.locator('#rows').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await eventually(async () => {
    const outline = await page.locator('#rows').evaluate((rows) => getComputedStyle(rows).outlineStyle);
    assert.equal(outline, 'solid');
  });
});

await onPage('the table has the same windows in the same order', '#order=waste&algorithm=next_fit', async (page) => {
  await page.getByRole('button', { name: 'Table' }).click();
  await page.locator('.table-view tbody tr').first().waitFor();
  const padding = await page.locator('.table-view tbody tr td:nth-child(4)').allTextContents();
  const numbers = padding.map((text) => Number(text.replaceAll(',', '')));
  assert.equal(numbers.length, 100);
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => b - a),
  );
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('101 to 200 of 3,757').waitFor();
});

await onPage('Compare says the difference in words and fills both tables', '#tab=compare', async (page) => {
  assert.equal(
    await page.locator('.lead').textContent(),
    'Best-fit decreasing saves 576 windows (15.3%) over next-fit.',
  );
  await page.waitForFunction(() => !document.querySelector('.compare').textContent.includes('…'), undefined, {
    timeout: 30_000,
  });
  await eventually(async () => assert.equal(await page.locator('.heat tbody td').count(), 50));
  const table = page.getByRole('region', { name: 'Algorithms compared' });
  const cells = table.locator('tr[aria-selected=true] td').filter({ hasText: /^[\d.]+%(?: [\d.]+×)?$/ });
  // Real tokens, attention, blocks skipped, and balance with the busiest window.
  await eventually(async () => assert.equal(await cells.count(), 4));
  const costs = () => page.locator('.cost-line').allTextContents();
  const expected = ['each document alone81.9M 100%', 'packed13.0M 15.9%', 'of them tokens13.0M 15.9%'];
  assert.deepEqual((await costs()).slice(0, 3), expected);
  assert.deepEqual((await costs()).slice(5), ['each document alone9.8 TiB 100%', 'packed1.6 TiB 15.9%']);
  await page.getByLabel('Key/value cache').selectOption('small');
  assert.deepEqual((await costs()).slice(5), ['each document alone2.4 TiB 100%', 'packed398 GiB 15.9%']);
  await page.locator('.cost', { hasText: 'A window takes 128 MiB in 16-bit numbers, of which 0.02%' }).waitFor();
  await page.getByRole('button', { name: 'Wrap', exact: true }).click();
  await settled(page);
  await page.locator('.sentences', { hasText: 'Wrap splits 3,177 documents' }).waitFor();
});

await onPage('Compare shows plans side by side; a document lights up in each', '#tab=compare', async (page) => {
  await page.locator('.lead').waitFor();
  const panel = page.locator('.compare-panel');
  await eventually(async () => assert.equal(await panel.count(), 3));
  const { x, y } = await panel.first().boundingBox();
  await page.mouse.move(x + 40, y + 30);
  await page.locator('.compare-found strong').waitFor();
  const found = /^Document [\d,]+ Best-fit decreasing: window 2 · Next-fit: window [\d,]+ · Wrap: window/;
  await eventually(async () => assert.match(await page.locator('.compare-found').textContent(), found));
  await page.getByRole('button', { name: 'Compare one more' }).click();
  await page.locator('.compare-panel').nth(3).waitFor();
  assert.match(await hashWith(page, 'compared='), /compared=next_fit%2Cwrap%2Cpad/);
  const dot = page.locator('.dot', { has: page.getByText('Wrap', { exact: true }) });
  await dot.press('Enter');
  assert.match(await hashWith(page, 'algorithm=wrap'), /algorithm=wrap/);
});

const saysStep = (page, words) =>
  eventually(async () => assert.match(await page.locator('.step-sentence').textContent(), words));

await onPage(
  'Step through says each decision, by keys and by buttons',
  '#tab=step&algorithm=best_fit',
  async (page) => {
    await page.locator('.step-sentence').waitFor();
    await saysStep(page, /^\d+ tokens\. Window \d has [\d,]+ left, the tightest of \d that fit\./);
    await eventually(async () => {
      assert.equal(await page.locator('.window-line.chosen').count(), 1);
      assert.ok((await page.locator('.window-line.full').count()) > 0, 'some have no room');
      assert.ok((await page.locator('.ghost').count()) > 0, 'some have');
    });
    await page.keyboard.press('Home');
    assert.match(await hashWith(page, 'step=0'), /step=0/);
    await saysStep(page, /^40 documents of [\d,]+ tokens wait\. A document goes to/);
    await eventually(async () => assert.equal(await page.locator('.waiting').count(), 40));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await saysStep(page, /begin window 0/);
    await page.keyboard.press('ArrowLeft');
    await saysStep(page, /^No window is open: window 0 opens/);
    await page.keyboard.press('End');
    await saysStep(page, /^No documents are left/);
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'First step' }).click();
    await page.getByLabel('Speed').selectOption('8');
    await page.locator('.step-sentence').click();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => Number(document.querySelector('.player input').value) >= 3);
    await page.keyboard.press('Space');
    await page.locator('.play', { hasText: 'Play' }).waitFor();
  },
);

await onPage('who wants less motion sees steps jump', '#tab=step&algorithm=best_fit&step=0', async (page) => {
  await page.locator('.step-sentence').waitFor();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => {
    window.moved = 0;
    for (const kind of ['animationstart', 'transitionrun']) addEventListener(kind, () => (window.moved += 1), true);
  });
  const step = async (number) => {
    await page.keyboard.press('ArrowRight');
    await page.locator('.step-number', { hasText: `Step ${number} of` }).waitFor();
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
  };
  for (const number of [1, 2, 3, 4]) await step(number);
  assert.equal(await page.evaluate(() => window.moved), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  for (const number of [5, 6, 7, 8]) await step(number);
  await eventually(async () => assert.ok((await page.evaluate(() => window.moved)) > 0, 'others see them move'));
});

await onPage(
  'the step is in the link, and the queue says its order',
  '#tab=step&step=12&step_documents=20',
  async (page) => {
    await page.locator('.step-number', { hasText: 'Step 12 of' }).waitFor();
    await page.locator('.step-queue h2', { hasText: 'sorted longest first' }).waitFor();
    await page.getByRole('radio', { name: /^Best-fit wrap/ }).click();
    await page.waitForFunction(() => /the pool/.test(document.querySelector('.step-sentence').textContent));
  },
);

await onPage('a brush over the lengths filters the windows, by mouse and by keys', '', async (page) => {
  const bars = await page.locator('.bars').boundingBox();
  await page.mouse.move(bars.x + bars.width * 0.75, bars.y + 40);
  await page.mouse.down();
  await page.mouse.move(bars.x + bars.width * 0.85, bars.y + 40);
  await page.mouse.up();
  await page.locator('.filter-note', { hasText: /windows? with a document of [\d,]+ to [\d,]+ tokens/ }).waitFor();
  assert.match(await hashWith(page, 'length_to'), /length_from=\d+&length_to=\d+/);
  await page.locator('.filter-note').getByRole('button', { name: 'Clear the filter' }).click();
  await page.getByRole('slider', { name: 'Filter: shortest document' }).press('End');
  await page.waitForFunction(() => /with a document of 4,096/.test(document.querySelector('.filter-note').textContent));
  // A document as long as the window stands alone.
  await page.waitForFunction(() => document.querySelectorAll('.inspector .document').length === 1);
});

await onPage('a filter that leaves nothing says so and can be cleared', '', async (page) => {
  await page.getByLabel('Show', { exact: true }).selectOption('40');
  await page.getByText('No window has more than 40% padding.').waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await page.locator('.nothing-left').waitFor({ state: 'detached' });
  await page.locator('.inspector h2', { hasText: 'Window 416' }).waitFor();
});

await onPage('tiles are coloured by document, length or what was cut', '#algorithm=wrap', async (page) => {
  await settled(page);
  const before = await colorsOf(page, '.rows canvas');
  await page.keyboard.press('c');
  assert.match(await hashWith(page, 'color_by=length'), /color_by=length/);
  await page.locator('.legend .color-scale').waitFor();
  await page.keyboard.press('c');
  await page.getByText('a piece').waitFor();
  await eventually(async () => assert.ok((await colorsOf(page, '.rows canvas')) < before));
});

await onPage('/ finds documents, windows and lengths, forwards and back', '', async (page) => {
  const selected = (text) =>
    page.waitForFunction((start) => document.querySelector('.inspector h2').textContent.startsWith(start), text);
  await page.keyboard.press('/');
  const field = page.getByRole('textbox', { name: 'Find' });
  await field.fill('window 412');
  await field.press('Enter');
  await selected('Window 412');
  await field.fill('len>4000');
  await field.press('Enter');
  const first = await hashWith(page, 'segment=');
  await field.press('Enter');
  await page.waitForFunction((hash) => location.hash !== hash, first);
  await field.press('Shift+Enter');
  await page.waitForFunction((hash) => location.hash === hash, first);
  await field.fill('doc 4325');
  await field.press('Enter');
  await page.waitForFunction(() => /number 4,325/.test(document.querySelector('[role=status]').textContent));
  await field.fill('doc 999999');
  await field.press('Enter');
  await page.getByText('Document 999,999 stands in no window on show.').first().waitFor();
  await field.press('Escape');
  await page.locator('.find').waitFor({ state: 'detached' });
});

await onPage('every command is in the palette, and single keys can be switched off', '', async (page) => {
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Command' });
  await input.waitFor();
  // Names at the left, keys at the right.
  const ends = await page.locator('.commands [role=option]').evaluateAll((lines) =>
    lines.map((line) => {
      const [name, keys] = [...line.children].map((part) => part.getBoundingClientRect());
      return [name.left, keys?.right].map((at) => at && Math.round(at));
    }),
  );
  assert.equal(new Set(ends.map(([left]) => left)).size, 1);
  assert.equal(new Set(ends.map(([, right]) => right).filter(Boolean)).size, 1);
  await input.fill('step thr');
  await input.press('Enter');
  await page.locator('.step').waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('?');
  await page.getByRole('switch', { name: /Single letters/ }).uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('.inspector h2')?.textContent.startsWith('Window 417'));
  await page.reload();
  await settled(page);
  await page.keyboard.press('2');
  await page.waitForTimeout(100);
  assert.equal(await page.locator('.compare').count(), 0);
});

await onPage('field and tokens show the same windows from farther and nearer', '#example=readable', async (page) => {
  await page.getByRole('button', { name: 'Field', exact: true }).click();
  const field = await page.locator('.field').boundingBox();
  await page.mouse.move(field.x + 60, field.y + 20);
  await page.locator('.field .hover-card').waitFor();
  await page.mouse.click(field.x + 60, field.y + 20);
  await page.waitForFunction(() => document.querySelector('.inspector h2').textContent.startsWith('Window 1'));
  await page.getByRole('group', { name: 'How close' }).getByRole('button', { name: 'Tokens' }).click();
  await page.locator('.token').first().waitFor();
  await eventually(async () => {
    assert.equal(await page.locator('.token').count(), 256);
    assert.equal(await page.locator('.token.starts').count(), await page.locator('.document').count());
  });
  const cells = await page.locator('.token').evaluateAll((tokens) =>
    tokens.map((token) => {
      const { left, top } = token.getBoundingClientRect();
      const under = getComputedStyle(token).backgroundImage;
      return { left, top, line: under.includes('gradient') && !under.includes('repeating') };
    }),
  );
  const columns = cells.filter(({ top }) => top === cells[0].top).length;
  assert.equal(new Set(cells.map(({ left }) => left)).size, columns, 'in columns');
  assert.equal(cells.filter(({ line }) => line).length, await page.locator('.token.target').count());
  assert.match(await hashWith(page, 'level=tokens'), /level=tokens/);
});

await onPage(
  'a prefix sees both ways, and blocks can be 256 by 128',
  '#mask=prefix&prefix_percent=50',
  async (page) => {
    const mask = await page.locator('.mask').boundingBox();
    await page.mouse.move(mask.x + mask.width * 0.03, mask.y + mask.height * 0.005);
    await page.waitForFunction(() => document.querySelector('.mask-caption strong')?.textContent === 'attends');
    await page.getByRole('group', { name: 'Cells of the mask' }).getByRole('button', { name: 'Blocks' }).click();
    await page.getByLabel('Block, queries × keys').selectOption('256');
    assert.match(await hashWith(page, 'block=256'), /block=256/);
    await page.getByText('Blocks 256 × 128').waitFor();
  },
);

await onPage('in forced colors a switch shows its state', '', async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const look = async (name) => {
    const [thumb, track] = await page
      .getByRole('switch', { name })
      .evaluate((input) => ['::after', '::before'].map((part) => getComputedStyle(input, part).backgroundColor));
    assert.notEqual(thumb, track);
    return track;
  };
  await eventually(async () => assert.notEqual(await look('Keep documents apart'), await look(/^Separator token/)));
});

await onPage(
  'Code is filled in, ends with an assertion, and can be copied',
  '#tab=code&algorithm=wrap',
  async (page) => {
    await eventually(async () => assert.equal(await page.locator('.snippet').count(), 8));
    const names = await page.locator('.snippet h2').allTextContents();
    for (const name of names) {
      await page.getByRole('button', { name: `Copy ${name}` }).click();
      await page.locator('[role=status]', { hasText: `${name} copied` }).waitFor({ state: 'attached' });
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(copied.trim().split('\n').at(-1), /^(assert|console\.assert|grep)\b/, name);
      assert.doesNotMatch(copied, /\[object|undefined/, name);
      if (name === 'Command line') assert.match(copied, /--context-length 4096 \\\n {2}--algorithm wrap/);
    }
  },
);

// The largest is in large_test.mjs.
await onPage('each example can be chosen', '', async (page) => {
  for (const [example, documents, windows] of [
    ['readable', '12 documents', '4'],
    ['web', '200,000 documents', '48,271'],
    ['embedding', '50,000 documents', '7,715'],
    ['code', '8,000 documents', '1,827'],
    ['chat', '20,000 documents', '3,181'],
  ]) {
    await page.getByLabel('Documents to pack').selectOption(example);
    await page.locator('.facts-line', { hasText: documents }).waitFor({ timeout: 30_000 });
    await settled(page);
    assert.equal((await figures(page))[0], windows);
    assert.match(await hashWith(page, `example=${example}`), /context_length=/);
  }
});

await onPage(
  'pasted lengths are packed; a wrong one is refused with its place, and what was there stays',
  '',
  async (page) => {
    const paste = async (text) => {
      await page.getByRole('textbox', { name: 'Documents', exact: true }).fill(text);
      await page.getByRole('button', { name: 'Pack them' }).click();
    };
    await page.getByRole('button', { name: 'Paste…' }).click();
    await paste('10\n-5');
    await page.locator('.refusal').waitFor();
    await page.locator('.refusal', { hasText: 'line 2: length -5 is no whole number' }).waitFor();
    assert.equal((await figures(page))[0], '3,181');
    await paste('4000 96 2048 2048');
    await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
    // Four times the middle length is where the slider stops.
    assert.match(await hashWith(page, 'lengths='), /context_length=8192/);
    assert.equal((await figures(page))[0], '1');
  },
);

const gsm8k = join(shared, 'data/gsm8k_train.jsonl');
if (existsSync(gsm8k)) {
  await onPage('a dropped file of 7,473 documents shows them with their text', '', async (page) => {
    await page.evaluate(
      (text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'gsm8k_train.jsonl'));
        for (const type of ['dragover', 'drop'])
          dispatchEvent(new DragEvent(type, { dataTransfer: transfer, cancelable: true }));
      },
      readFileSync(gsm8k, 'utf8'),
    );
    await page.getByText('7,473 documents').first().waitFor({ timeout: 30_000 });
    await page.locator('.document-text').first().waitFor();
    assert.match(await hashWith(page, 'example=own'), /example=own/);
  });
} else {
  checks.skip('a dropped file', `there is no ${gsm8k}; set PACKSCOPE_SHARED`);
}
// Phones, tablets, and a window beside another.
await onPage('every view fits its screen, from 320 pixels on', '#context_length=2048', async (page) => {
  await settled(page);
  const fits = async (what) => {
    for (const width of [320, 360, 400, 800, 960, 1100, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(async () => assert.deepEqual(await misfits(page), [], `${what} at ${width}`));
    }
  };
  await fits('Windows');
  await page.getByLabel('Colour', { exact: true }).selectOption('length');
  await fits('a legend of lengths');
  await page.getByRole('button', { name: 'Field', exact: true }).click();
  await page.locator('.field').waitFor();
  await fits('the field');
  await page.getByRole('button', { name: 'Table' }).click();
  await page.locator('.table-view tbody tr').first().waitFor();
  await fits('the table');
  for (const [tab, shown] of [
    ['Compare', '.compare-panel canvas'],
    ['Step through', '.step-sentence'],
    ['Code', '.snippet'],
  ]) {
    await page.getByRole('tab', { name: tab }).click();
    await page.locator(shown).first().waitFor();
    await fits(tab);
  }
});

await onPage(
  'on a phone Explore takes the screen: fingers pan and pinch, a tap opens the sheet',
  '',
  async (page) => {
    await page.getByRole('button', { name: 'Explore' }).click();
    const rows = await page.locator('.rows').boundingBox();
    assert.ok(rows.height > 700);
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const frame = () => page.locator('.view-frame').evaluate(({ style }) => [parseFloat(style.top), style.height]);
    const [top, height] = await frame();
    await touch('touchStart', [150, 500]);
    for (const y of [460, 400, 300]) await touch('touchMove', [150, y]);
    await touch('touchEnd');
    await eventually(async () => assert.ok((await frame())[0] > top, 'a finger pans'));
    await touch('touchStart', [150, 400], [150, 440]);
    for (const spread of [60, 120]) await touch('touchMove', [150, 400 - spread], [150, 440 + spread]);
    await touch('touchEnd');
    await eventually(async () => assert.notEqual((await frame())[1], height, 'two fingers zoom'));
    await page.touchscreen.tap(120, 300);
    await page.locator('.inspector[data-sheet=true]').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Explore' }).waitFor();
  },
  { width: 390, height: 844, touch: true },
);

for (const [name, hash, act, shown = 'main', view = {}] of [
  ['Windows', ''],
  ['the table', '', (page) => page.getByRole('button', { name: 'Table' }).click(), '.table-view tbody tr'],
  ['a loss', '#context_length=1024'],
  ['the help', '', (page) => page.keyboard.press('?'), 'dialog[open]'],
  ['pasting', '', (page) => page.getByRole('button', { name: 'Paste…' }).click(), 'dialog[open]'],
  ['Compare', '#tab=compare'],
  ['Code', '#tab=code'],
  ['Step through', '#tab=step', undefined, '.step-sentence'],
  ['the pool', '#tab=step&algorithm=best_fit_wrap&candidate_pool=8&step=40', undefined, '.pool'],
  ['commands', '', (page) => page.keyboard.press('Control+k'), '[role=combobox]'],
  ['finding', '', (page) => page.keyboard.press('/'), '.find'],
  ['the field', '#level=field&color_by=length'],
  ['tokens', '#example=readable&level=tokens', undefined, '.token'],
  ['an empty filter', '#padding_over=60', undefined, '.nothing-left'],
  ['a filter', '#length_from=1000&length_to=2000&color_by=split'],
  ['a phone', '', undefined, 'main', { width: 390, height: 844 }],
]) {
  await onPage(
    `axe-core finds nothing in ${name}, light or dark`,
    hash,
    async (page) => {
      await act?.(page);
      await page.locator(shown).first().waitFor();
      assert.deepEqual(await axeViolationsInBoth(page), noViolations);
    },
    view,
  );
}

await checks.check(`the page asks for nothing outside ${new URL(url).pathname}`, async () => {
  const policy = readFileSync(join(projectRoot, 'build/app/index.html'), 'utf8');
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /https?:/);
});

await close();
checks.finish();
