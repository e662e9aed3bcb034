// SPDX-License-Identifier: MIT
// The built page in the system's Chromium: first load, every view, settings, selection, links, keys, files, phones,
// and axe-core in light and dark. Nothing may be written to the console or asked of another host.
//
//   node tests/app/page_test.mjs [TEXT]     only the checks whose name has TEXT in it
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Checks } from '../../scripts/checks.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { browserMissing, settled, startBrowser } from './browser.mjs';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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

/** A check with a page of its own, which must stay silent. */
async function onPage(name, hash, body, view) {
  if (!name.includes(process.argv[2] ?? '')) return;
  await checks.check(name, async () => {
    const { page, faults, close: closePage } = await open(hash, view);
    try {
      await body(page);
      assert.deepEqual(faults, []);
    } finally {
      await closePage();
    }
  });
}

const figures = (page) => page.locator('.figure dd').allTextContents();
const hashOf = async (page, wanted) => {
  await page.waitForFunction((text) => location.hash.includes(text), wanted, { timeout: 5000 });
  return page.evaluate(() => location.hash);
};
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
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
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
});

await onPage(
  'pictures have the resolution of the screen',
  '',
  async (page) => {
    const { width, clientWidth } = await page
      .locator('.rows canvas')
      .first()
      .evaluate(({ width, clientWidth }) => ({ width, clientWidth }));
    assert.equal(width, Math.round(clientWidth * 2));
  },
  { ratio: 2 },
);

await onPage('another algorithm packs anew and goes into the link', '', async (page) => {
  await page.getByRole('radio', { name: /^Next-fit/ }).click();
  await settled(page);
  assert.equal((await figures(page))[0], '3,757');
  assert.match(await hashOf(page, 'next_fit'), /algorithm=next_fit/);
});

await onPage('the slider of the window length packs live', '', async (page) => {
  await page.getByRole('slider', { name: 'Window length' }).press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.figure dd').textContent !== '3,181');
  assert.match(await hashOf(page, 'context_length=3072'), /context_length=3072/);
  assert.match(await page.locator('.notice.warning').textContent(), /documents longer than the window are left out/);
});

await onPage(
  'splitting long documents is one click from the notice that names them',
  '#context_length=2048',
  async (page) => {
    await page.getByRole('button', { name: 'Split them instead' }).click();
    await page.locator('.notice.warning').waitFor({ state: 'detached' });
    assert.match(await hashOf(page, 'split'), /long_documents=split/);
  },
);

await onPage(
  'a link restores the whole view',
  '#v=1&example=code&context_length=8192&algorithm=first_fit&window=20&segment=0&order=waste&document_mask=false&block=128&theme=dark',
  async (page) => {
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    assert.match(await page.locator('.inspector h2').first().textContent(), /Window 20/);
    assert.equal(await page.getByRole('radio', { name: /^First-fit \d/ }).getAttribute('aria-checked'), 'true');
    assert.equal(await page.locator('.document').first().getAttribute('aria-pressed'), 'true');
    assert.equal(await page.getByLabel('Sort').inputValue(), 'waste');
    const before = await page.evaluate(() => location.hash);
    await page.reload();
    await settled(page);
    assert.equal(await page.evaluate(() => location.hash), before);
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
  assert.equal(await page.locator('.lit').count(), 1);
});

await onPage('the crosshair says who attends, who does not, and why', '#window=416', async (page) => {
  const mask = await page.locator('.mask').boundingBox();
  const at = async (key, query) => {
    await page.mouse.move(mask.x + mask.width * key, mask.y + mask.height * query);
    await page.waitForTimeout(120);
    return page.locator('.mask-caption strong').textContent();
  };
  assert.equal(await at(0.015, 0.02), 'attends');
  assert.equal(await at(0.02, 0.9), 'blocked: different documents');
  await page.getByLabel('Keep documents apart').uncheck();
  assert.equal(await at(0.02, 0.9), 'attends, and should not: different documents');
  assert.equal(await at(0.9, 0.02), 'blocked: the key comes later');
});

await onPage('the wheel scrolls, and with Ctrl zooms at the pointer', '', async (page) => {
  const rows = await page.locator('.rows').boundingBox();
  const frame = () => page.locator('.view-frame').evaluate(({ style }) => [parseFloat(style.top), style.height]);
  const [top, height] = await frame();
  await page.mouse.move(rows.x + 100, rows.y + 100);
  await page.mouse.wheel(0, 800);
  await page.waitForTimeout(100);
  assert.ok((await frame())[0] > top);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 600);
  await page.keyboard.up('Control');
  await page.waitForTimeout(100);
  assert.notEqual((await frame())[1], height);
});

await onPage('the keyboard alone moves, zooms, switches and asks for help', '', async (page) => {
  const selected = () => page.locator('.inspector h2').first().textContent();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('.inspector h2').textContent.startsWith('Window 417'));
  await page.keyboard.press('ArrowRight');
  assert.match(await hashOf(page, 'segment=0'), /window=417&segment=0/);
  await page.waitForFunction(() =>
    /Window 417.*document .* positions 0 to/.test(document.querySelector('[role=status]').textContent),
  );
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('.inspector h2').textContent.startsWith('Window 3,180'));
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.inspector h2').textContent.startsWith('Window 0'));
  assert.match(await selected(), /Window 0/);
  await page.keyboard.press('m');
  assert.match(await hashOf(page, 'block='), /block=128/);
  await page.keyboard.press('2');
  await page.locator('.compare').waitFor();
  await page.keyboard.press('3');
  await page.locator('.snippet').first().waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog[open]').count(), 0);
});

await onPage('Tab reaches the rows, and focus can be seen', '', async (page) => {
  await page.locator('#rows').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  const outline = await page.locator('#rows').evaluate((rows) => getComputedStyle(rows).outlineStyle);
  assert.equal(outline, 'solid');
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
  assert.equal(await page.locator('.heat tbody td').count(), 50);
  await page.getByRole('button', { name: 'Wrap', exact: true }).click();
  await settled(page);
  assert.match(await page.locator('.sentences').textContent(), /Wrap splits 3,177 documents/);
});

await onPage('Code is filled in and can be copied', '#tab=code&algorithm=wrap', async (page) => {
  await page.getByRole('button', { name: 'Copy Command line' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /--context-length 4096 \\\n {2}--algorithm wrap/);
  assert.equal(await page.locator('.snippet').count(), 8);
});

for (const [example, windows] of [
  ['readable', '4'],
  ['web', /^\d{2,3},\d{3}$/],
  ['embedding', /^\d,\d{3}$/],
  ['code', /^\d,\d{3}$/],
]) {
  await onPage(`the example ${example} can be chosen`, '', async (page) => {
    await page.getByLabel('Documents to pack').selectOption(example);
    await page.waitForFunction(() => document.querySelector('.figure dd').textContent !== '3,181', undefined, {
      timeout: 30_000,
    });
    await settled(page);
    assert.match((await figures(page))[0], new RegExp(windows));
    assert.match(await hashOf(page, `example=${example}`), /context_length=/);
  });
}

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
    assert.match(await page.locator('.refusal').textContent(), /line 2: length -5 is no whole number/);
    assert.equal((await figures(page))[0], '3,181');
    await paste('4000 96 2048 2048');
    await page.waitForFunction(() => document.querySelector('.figure dd').textContent === '2');
    await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  },
);

const folder = mkdtempSync(join(tmpdir(), 'packscope-app-'));
const bad = [
  ['empty.jsonl', '', /empty\.jsonl is empty/],
  ['keys.jsonl', '{"id": 1}\n', /No length or token column in keys\.jsonl\. Columns found: id/],
  ['broken.jsonl', '{"text": "a"}\n{"text": \n', /broken\.jsonl, line 2, byte \d+: no JSON/],
];
for (const [name, content, message] of bad) {
  await onPage(`the file ${name} is refused with a message`, '', async (page) => {
    writeFileSync(join(folder, name), content);
    await page.locator('input[type=file]').setInputFiles(join(folder, name));
    await page.locator('.notice.error').waitFor();
    assert.match(await page.locator('.notice.error').textContent(), message);
    assert.equal((await figures(page))[0], '3,181');
  });
}

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
    assert.match(await hashOf(page, 'example=own'), /example=own/);
  });
} else {
  checks.skip('a dropped file', `there is no ${gsm8k}; set PACKSCOPE_SHARED`);
}
rmSync(folder, { recursive: true });

await onPage(
  'a phone shows everything in one column and nothing wider than the screen',
  '',
  async (page) => {
    const { width, screen } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      screen: innerWidth,
    }));
    assert.equal(width, screen);
    assert.ok(await page.locator('.settings').isVisible());
  },
  { width: 390, height: 844, ratio: 3 },
);

async function violations(page) {
  await page.evaluate(axeSource);
  const { violations: found } = await page.evaluate(() =>
    axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

// The page's policy forbids foreign scripts in the page; the browser may still run one.
for (const dark of [false, true]) {
  for (const [name, hash, act] of [
    ['Windows', ''],
    ['the table', '', (page) => page.getByRole('button', { name: 'Table' }).click()],
    ['a loss', '#context_length=1024'],
    ['the help', '', (page) => page.keyboard.press('?')],
    ['pasting', '', (page) => page.getByRole('button', { name: 'Paste…' }).click()],
    ['Compare', '#tab=compare'],
    ['Code', '#tab=code'],
    ['a phone', '', undefined, { width: 390, height: 844 }],
  ].map(([name, hash, act, view]) => [name, hash, [act, view]])) {
    const [action, view] = act;
    await onPage(
      `axe-core finds nothing in ${name}, ${dark ? 'dark' : 'light'}`,
      hash,
      async (page) => {
        await action?.(page);
        await page.waitForTimeout(200);
        assert.deepEqual(await violations(page), []);
      },
      { ...view, dark },
    );
  }
}

await checks.check(`the page asks for nothing outside ${new URL(url).pathname}`, async () => {
  const policy = readFileSync(join(projectRoot, 'build/app/index.html'), 'utf8');
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /https?:/);
});

await close();
checks.finish();
