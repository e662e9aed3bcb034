// SPDX-License-Identifier: MIT
// Data in and out of the built page in the system's Chromium: what a first visit transfers, files of every kind, bad
// files, progress and ways out, tokenizers, packed folders, links, and every export opened again.
//
//   node tests/app/data_test.mjs [TEXT]     only the checks whose name has TEXT in it
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { tableFromArrays, tableFromIPC, tableToIPC } from '@uwdata/flechette';
import { transformSync } from 'esbuild';

import { createPackscope } from '../../dist/slim.js';
import { firstVisit } from '../../scripts/build-app.mjs';
import { Checks } from '../../scripts/checks.mjs';
import { projectRoot } from '../../scripts/shell.mjs';
import { withMemoryLimit } from '../lib/memory-limit.mjs';
import { axeViolationsInBoth, noViolations } from './axe.mjs';
import { browserMissing, eventually, hashWith, pageChecks, settled, startBrowser } from './browser.mjs';

/** All that is transferred before the first picture, gzipped. */
const mostFirstBytes = 150_000;

const shared = process.env.PACKSCOPE_SHARED ?? join(projectRoot, '../shared');
const python = process.env.PACKSCOPE_PYTHON ?? '/usr/bin/python3';
const checks = new Checks();

await checks.check(`the build has at most ${mostFirstBytes} bytes before the first picture`, () => {
  const files = firstVisit();
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(files.length >= 5, 'page, script, style, worker, engine');
  assert.ok(total <= mostFirstBytes, `${total}: ${files.map(({ file, bytes }) => `${file} ${bytes}`).join(', ')}`);
});

if (browserMissing()) {
  checks.skip('the page', 'there is no /usr/bin/chromium; set PACKSCOPE_CHROMIUM, or install the package chromium');
  checks.finish();
  process.exit();
}

// The writer of small Parquet files that the tests of modules use is TypeScript.
const writer = transformSync(readFileSync(new URL('parquet-file.ts', import.meta.url), 'utf8'), { loader: 'ts' }).code;
const { parquetFile } = await import(`data:text/javascript,${encodeURIComponent(writer)}`);

const folder = mkdtempSync(join(tmpdir(), 'packscope-data-'));
const { open, close } = await startBrowser();

const onPage = pageChecks(checks, open);

function fileOf(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const give = (page, ...paths) => page.locator('input[type=file]').first().setInputFiles(paths);
const shows = (page, text) => page.locator('.facts-line', { hasText: text }).waitFor({ timeout: 30_000 });
const choose = (page, label, value) =>
  page.locator('.reading-choices label', { hasText: label }).locator('select').selectOption(value);
const error = (page) => page.locator('.notice.error').textContent();

await onPage('a first visit transfers no more than that before its picture', '', async (page) => {
  const { picture, bytes } = await page.evaluate(() => {
    const [mark] = performance.getEntriesByName('first-picture');
    const before = performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd <= mark.startTime);
    const [visit] = performance.getEntriesByType('navigation');
    return {
      picture: mark.startTime,
      bytes: visit.encodedBodySize + before.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  });
  console.log(`first picture ${picture.toFixed(0)} ms after navigation, ${bytes} bytes before it`);
  assert.ok(bytes > 100_000, 'the engine is part of it');
  // The test server compresses a little less than a build's last step would.
  assert.ok(bytes <= mostFirstBytes * 1.01, String(bytes));
});

const records = '{"text": "one document"}\n{"text": "two"}\n{"text": "three of them"}\n';
const row = { text: ['one document', 'two', 'three of them'] };
const arrow = (format) => tableToIPC(tableFromArrays(row), { format });
// `printf '{"text": "ab"}\n' | zstd`
const zstdFrame = Buffer.from('KLUv/QRYeQAAeyJ0ZXh0IjogImFiIn0K7YQUiQ==', 'base64');
const kinds = [
  ['plain.jsonl', records],
  ['packed.jsonl.gz', Buffer.concat([gzipSync(records.slice(0, 30)), gzipSync(records.slice(30))])],
  ['array.json', `[${records.trim().replaceAll('\n', ',')}]`],
  ['lines.txt', 'one\ntwo\nthree'],
  ['lengths.csv', 'id,length\n1,12\n2,3\n3,13\n'],
  ['few.hist.tsv', '12\t2\n3\t1\n'],
  ['frames.jsonl.zst', Buffer.concat([zstdFrame, zstdFrame, zstdFrame])],
  ['stream.arrow', arrow('stream')],
  ['file.arrow', arrow('file')],
  ['rows.parquet', parquetFile(row)],
];
await onPage('a file of each kind shows its three documents', '', async (page) => {
  for (const [name, content] of kinds) {
    await give(page, fileOf(name, content));
    await page.locator('.data-title', { hasText: name }).waitFor();
    await shows(page, '3 documents');
    assert.equal(await page.locator('.notice.error').count(), 0);
  }
});

if (spawnSync(python, ['-c', 'import numpy']).status === 0) {
  await onPage('what NumPy saves is read', '', async (page) => {
    const code = `import numpy as np; a = np.array([12, 3, 700], dtype=">u2"); np.save("${folder}/a.npy", a); np.savez_compressed("${folder}/a.npz", lengths=a.astype("i8"), other=np.ones(2))`;
    assert.equal(spawnSync(python, ['-c', code]).status, 0);
    for (const name of ['a.npy', 'a.npz']) {
      await give(page, join(folder, name));
      await page.locator('.data-title', { hasText: name }).waitFor();
      await shows(page, '3 documents · 715 tokens');
    }
  });
} else checks.skip('NumPy files', `${python} has no numpy`);

// A token for each letter, and one for two of them.
const letters = Object.fromEntries([...'helo wrd'].map((letter, index) => [letter, index]));
const tokenizer = {
  version: '1.0',
  model: { type: 'BPE', vocab: { ...letters, ll: 8 }, merges: ['l l'] },
  ...{ pre_tokenizer: null, decoder: null, normalizer: null, post_processor: null, added_tokens: [] },
};
await onPage('the column, the tokenizer and what a document is can be chosen', '', async (page) => {
  await give(page, fileOf('two.jsonl', '{"text": "hello world", "title": "ab", "source": "x"}\n'));
  await shows(page, '1 document · 11 tokens');
  for (const tokenizer of ['r50k_base', 'cl100k_base']) {
    await choose(page, 'Tokens', tokenizer);
    await shows(page, '1 document · 2 tokens');
    await choose(page, 'Tokens', 'bytes');
    await shows(page, '1 document · 11 tokens');
  }
  const mine = fileOf('tokenizer.json', JSON.stringify(tokenizer));
  await page.locator('input[aria-label="Open a tokenizer.json"]').setInputFiles(mine);
  await shows(page, '1 document · 10 tokens');
  await choose(page, 'Tokens', 'words');
  await choose(page, 'Read', 'title');
  await shows(page, '1 document · 1 token');
  await give(page, fileOf('prose.txt', 'a b\nc\n\nd\n'));
  await shows(page, '4 documents');
  await choose(page, 'A document is', 'paragraph');
  await shows(page, '2 documents');
});

await onPage('what is chosen while a file is being read is meant for that file', '', async (page) => {
  await give(page, fileOf('first.jsonl', '{"text": "hello world", "title": "a"}\n'));
  await shows(page, '1 document · 11 tokens');
  await give(page, fileOf('next.jsonl', `{"text": "hello world", "title": "${'a '.repeat(50)}"}\n`.repeat(100_000)));
  await choose(page, 'Tokens', 'words');
  await choose(page, 'Read', 'title');
  await shows(page, '100,000 documents · 5.0M tokens');
  await hashWith(page, 'context_length=256');
});

await onPage('a file without a known column offers those it has', '', async (page) => {
  await give(page, fileOf('train.jsonl', '{"id": 7, "body": "abcd"}\n{"id": 8, "body": "ef"}\n'));
  assert.match(await error(page), /No length or token column in train\.jsonl\. Columns found: id, body/);
  await page.getByRole('button', { name: 'Count tokens in body' }).click();
  await shows(page, '2 documents · 6 tokens');
  assert.equal(await page.locator('.notice.error').count(), 0);
});

const badKinds = [
  ['cut.jsonl.gz', gzipSync(records).subarray(0, 40), /cut\.jsonl\.gz (ends inside its compressed data|is damaged)/],
  ['nan.jsonl', '{"text": "a"}\n{"text": NaN}\n', /nan\.jsonl, line 2, byte \d+: NaN is no JSON/],
  ['null.jsonl', '{"input_ids": [1]}\n{"input_ids": null}\n', /line 2: input_ids is null where a list/],
  ['float.npy', 'no array', /float\.npy is no \.npy file/],
  ['broken.parquet', 'PAR1 and no more', /broken\.parquet is no whole Parquet file/],
  ['empty.jsonl', '', /empty\.jsonl is empty/],
  ['keys.jsonl', '{"id": 1}\n', /No length or token column in keys\.jsonl\. Columns found: id/],
  ['broken.jsonl', '{"text": "a"}\n{"text": \n', /broken\.jsonl, line 2, byte \d+: no JSON/],
  ['twice.jsonl', '{"text": "a", "text": "b"}\n', /twice\.jsonl, line 1: the key "text" stands twice/],
  ['large.jsonl', '{"input_ids": [2147483648]}\n', /large\.jsonl, line 1: input_ids holds 2147483648 at index 0/],
  ['utf16.jsonl', Buffer.from([0xff, 0xfe, 0x7b, 0]), /UTF-16.*iconv/],
  ['cut.jsonl.zst', zstdFrame.subarray(0, 20), /cut\.jsonl\.zst (ends inside|is damaged)/],
  ['broken.arrow', 'ARROW1 and no more', /broken\.arrow is no whole Arrow file/],
  ['broken.npz', 'PK and no more', /broken\.npz/],
];
await onPage('a bad file of each kind is refused, and what was there stays', '', async (page) => {
  const before = await page.locator('.facts-line').textContent();
  for (const [name, content, message] of badKinds) {
    await give(page, fileOf(name, content));
    await page.locator('.notice.error', { hasText: name }).waitFor();
    assert.match(await error(page), message);
    assert.equal(await page.locator('.facts-line').textContent(), before);
  }
});

await onPage('what is too large is told before it is tried, with the command', '', async (page) => {
  const path = fileOf('huge.npy', '\x93NUMPY');
  truncateSync(path, 3 * 2 ** 30);
  await give(page, path);
  assert.match(await error(page), /huge\.npy has 3\.0 GiB, about 6\.0 GiB of memory here/);
  assert.equal(
    await page.locator('.notice.error .command-line').textContent(),
    'packscope compare huge.npy --input npy --context-length 4096',
  );
});

// The tokenizer chosen for one file goes on to the next. Gives the progress as it is first told; the file takes some
// seconds on fast machines, and is just below what can be handed to a page.
async function readSlowly(page) {
  await give(page, fileOf('quick.jsonl', '{"text": "hello world"}\n'));
  await shows(page, '1 document · 11 tokens');
  await choose(page, 'Tokens', 'o200k_base');
  await shows(page, '1 document · 2 tokens');
  const words = Array.from({ length: 300 }, (_, index) => `w${(index * 7919) % 1000}x`).join(' ');
  const line = (index) => JSON.stringify({ text: `${index} ${words} ${index}` });
  await give(page, fileOf('slow.jsonl', Array.from({ length: 28_000 }, (_, index) => `${line(index)}\n`).join('')));
  return page.locator('.notice.reading').textContent({ timeout: 60_000 });
}
const facts = async (page) => (await page.locator('.facts-line').textContent()).trim();

await onPage('a long read tells how far it is, and can be cancelled', '', async (page) => {
  const told = await readSlowly(page);
  const before = await facts(page);
  assert.match(told, /\d+% · [\d,]+ documents · .* a second/);
  assert.equal(await facts(page), before);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.notice.reading').waitFor({ state: 'detached' });
  assert.equal(await facts(page), before);
});

await onPage('a long read can be shown as far as it is, and says so', '', async (page) => {
  await readSlowly(page);
  await page.getByRole('button', { name: 'Show what is read' }).click();
  await page.locator('.partial').waitFor();
  await page.locator('.partial', { hasText: /Partial: the first [\d.]+% of the file/ }).waitFor();
});

await onPage('few lengths travel in the link, and settings with them', '', async (page) => {
  await page.getByRole('button', { name: 'Paste…' }).click();
  await page.getByRole('textbox', { name: 'Documents', exact: true }).fill('4000 96 2048 2048');
  await page.getByRole('button', { name: 'Pack them' }).click();
  await shows(page, '4 documents · 8,192 tokens');
  await hashWith(page, 'lengths=');
  await page.reload();
  await settled(page);
  await shows(page, '4 documents · 8,192 tokens');
  await page.evaluate(() => {
    location.hash = location.hash.replace(/lengths=..../, 'lengths=AAAA');
    location.reload();
  });
  await eventually(async () => assert.match(await error(page), /The lengths in this link are damaged/));
});

await onPage('a folder dropped on the page gives its files and those below it', '', async (page) => {
  const dropped = join(folder, 'dropped');
  mkdirSync(join(dropped, 'below'), { recursive: true });
  writeFileSync(join(dropped, 'a.jsonl'), '{"text": "ab"}\n');
  writeFileSync(join(dropped, 'b.jsonl'), '{"text": "c"}\n{"text": "def"}\n');
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [dropped], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data });
  await shows(page, '3 documents · 6 tokens');
  await page.locator('.drop-target').waitFor({ state: 'detached' });
});

// The engine gets 32 MiB: enough for the example, not for two million documents.
await onPage('what exhausts the memory is told, and what was there goes on', '', async (page) => {
  const body = Buffer.from(withMemoryLimit(readFileSync(join(projectRoot, 'dist/packscope.simd.wasm')), 512));
  await page.route('**/*.wasm', (route) => route.fulfill({ body, contentType: 'application/wasm' }));
  await page.reload();
  await settled(page);
  const shown = () => page.locator('.facts-line, .figure dd, .data-title').allTextContents();
  await eventually(async () => assert.doesNotMatch((await shown()).join(), /–/));
  const before = await shown();
  const hash = await page.evaluate(() => location.hash);
  await give(page, fileOf('many.hist.tsv', '200\t2000000\n'));
  await page.locator('.notice.error', { hasText: 'ran out of memory' }).waitFor({ timeout: 30_000 });
  assert.match(await error(page), /^many\.hist\.tsv cannot be packed here: .*Work on fewer documents.* still on show/);
  assert.deepEqual(await shown(), before);
  assert.equal(await page.evaluate(() => location.hash), hash);
  // Documents and plan still belong together: another algorithm packs the old ones.
  await page.getByRole('radio', { name: /^Next-fit/ }).click();
  await settled(page);
  assert.equal(await page.locator('.figure dd').first().textContent(), '3,757');
  await page.getByLabel('Documents to pack').selectOption('embedding');
  await shows(page, '50,000 documents');
  await settled(page);
  assert.equal(await page.locator('.notice.error').count(), 0);
});

// Another origin: a page of 127.0.0.1 opens one of localhost.
await onPage('another page can open this one and post documents to it', '', async (page) => {
  const address = page.url().split('#')[0].replace('127.0.0.1', 'localhost');
  const opened = page.context().waitForEvent('page');
  await page.evaluate((url) => {
    window.guest = window.open(url);
    window.answers = [];
    addEventListener('message', ({ data, source }) => {
      if (source === window.guest && data.packscope) window.answers.push(data.packscope);
    });
    window.asking = setInterval(() => window.guest.postMessage({ packscope: 'ping' }, url), 100);
  }, address);
  const guest = await opened;
  await page.waitForFunction(() => window.answers.includes('pong'), undefined, { timeout: 60_000 });
  const answerTo = (message) =>
    page.evaluate(async (posted) => {
      clearInterval(window.asking);
      window.answers = [];
      window.guest.postMessage({ packscope: posted }, '*');
      while (!window.answers.some((answer) => answer !== 'pong')) await new Promise((go) => setTimeout(go, 20));
      return window.answers.find((answer) => answer !== 'pong');
    }, message);
  assert.deepEqual(await answerTo({ lengths: [4000, 96, 2048, 2048], title: 'Mine' }), { documents: 4 });
  await shows(guest, '4 documents · 8,192 tokens');
  await guest.locator('.data-title', { hasText: 'Mine' }).waitFor();
  const { error: refusal } = await answerTo({ lengths: [4000, -5] });
  assert.match(refusal, /lengths\[1\] is -5; a length is a whole number/);
  assert.ok((await error(guest)).includes(refusal));
  // Neither opener nor frame: passed over, and the next message finds the page as it was.
  await guest.evaluate(() => postMessage({ packscope: { lengths: [7] } }, '*'));
  assert.match((await answerTo({ lengths: 'none' })).error, /lengths is string none/);
  await shows(guest, '4 documents · 8,192 tokens');
});

await onPage('a link to a file names it, and the same file brings the view back', '', async (page) => {
  const lines = Array.from({ length: 3000 }, (_, index) => `{"text": "${'x'.repeat(index % 90)}", "note": "y"}\n`);
  const path = fileOf('mine.jsonl', lines.join(''));
  await give(page, path);
  await shows(page, '3,000 documents');
  await choose(page, 'Read', 'note');
  await shows(page, '3,000 documents · 3,000 tokens');
  await page.getByRole('radio', { name: /^Wrap/ }).click();
  await hashWith(page, 'columns=note');
  await hashWith(page, 'algorithm=wrap');
  await page.reload();
  await settled(page);
  await page.locator('.notices', { hasText: 'This link was made with mine.jsonl' }).waitFor();
  await give(page, path);
  await shows(page, '3,000 documents · 3,000 tokens');
  await page.getByRole('radio', { name: /^Wrap/, checked: true }).waitFor();
  await page.waitForFunction(() => document.querySelector('.notices .notice') === null);
});

await onPage('the rarer options pack anew, and the link keeps them', '', async (page) => {
  const windows = () => page.locator('.figure dd').first().textContent();
  await page.locator('summary', { hasText: 'More of packing' }).click();
  await page.getByRole('spinbutton', { name: 'Most documents' }).fill('2');
  await page.getByRole('spinbutton', { name: 'Most documents' }).press('Enter');
  await page.waitForFunction(() => document.querySelector('.figure dd').textContent !== '3,181');
  await hashWith(page, 'max_documents_per_window=2');
  await settled(page);
  const limited = await windows();
  assert.ok(Number(limited.replace(',', '')) >= 10_000, limited);
  await page.reload();
  await settled(page);
  assert.equal(await windows(), limited);
  await page.locator('.fold summary', { hasText: '1 changed' }).waitFor();
});

// Of design: every option of packing and of masks but those that no picture shows.
const shownNowhere = ['padTokenId', 'cuSeqlensWidth', 'vocabSize'];
const controls = {
  ...{ contextLength: 'Length', algorithm: 'Algorithm', longDocuments: 'Documents longer than the window' },
  ...{ openWindows: 'Open windows', candidatePool: 'Candidate pool', evict: 'Closes first', minRoom: 'Least room' },
  ...{ seed: 'Seed', tail: 'Last window', documentMultiple: 'Document multiple', windowMultiple: 'Window multiple' },
  ...{ maxDocumentsPerWindow: 'Most documents', shuffleDocuments: 'Shuffle documents' },
  ...{ shuffleWindows: 'Shuffle windows', homogeneity: 'A window holds', groups: 'Groups', flushEvery: 'Flush every' },
  ...{ dropDuplicates: 'Drop duplicates', extraToken: 'Extra token', bosId: 'BOS token' },
  ...{ separatorId: 'Separator token', separator: 'Separators only between', separatorLoss: 'Separators are targets' },
  ...{ positionIds: 'position_ids', paddingPositionIds: 'in padding', cuSeqlens: 'cu_seqlens', labels: 'labels' },
  ...{ crossBoundaryLabels: 'Labels across documents', mask: 'Direction of attention' },
  ...{ documentMask: 'Keep documents apart', slidingWindow: 'Sliding window', paddingQueries: 'Padding sees' },
};
await onPage('every option that changes the picture is there, with its sentence', '', async (page) => {
  const bytes = readFileSync(join(projectRoot, 'dist/packscope.simd.wasm'));
  const { options } = await createPackscope({ bytes });
  const all = options().map(({ name }) => name);
  assert.deepEqual([...Object.keys(controls), ...shownNowhere].sort(), all.sort());
  await give(page, fileOf('all.jsonl', '{"text": "a", "source": "x"}\n{"text": "b", "source": "y"}\n'));
  await shows(page, '2 documents');
  await page.getByRole('switch', { name: /^Separator token/ }).check();
  for (const title of ['More of packing', 'Sources', 'Arrays and padding'])
    await page.locator('summary', { hasText: title }).click();
  await page.getByRole('switch', { name: 'BOS token' }).check();
  await page.getByLabel('A window holds').selectOption('group');
  const found = {};
  for (const algorithm of ['First-fit', 'Best-fit wrap', 'Wrap']) {
    await page.getByRole('radio', { name: new RegExp(`^${algorithm} *[~\\d…]`) }).click();
    Object.assign(found, await page.evaluate(namedControls));
  }
  for (const title of Object.values(controls)) {
    assert.ok(title in found, `no control is named ${title}`);
    const plain = ['Length', 'Direction of attention'].includes(title);
    assert.ok(plain || /(\S+ ){2,}\S+/.test(found[title]), `${title}: '${found[title]}' is no sentence`);
  }
});

// The name of each control of the settings and the inspector, and the sentence below it.
function namedControls() {
  const controls = document.querySelectorAll('.settings, .inspector');
  const all = [...controls].flatMap((part) => [
    ...part.querySelectorAll('input, select, [role=group], [role=radiogroup]'),
  ]);
  const words = (element) => element?.textContent.trim() ?? '';
  return Object.fromEntries(
    all.map((control) => {
      const switchName = control.closest('label.switch')?.querySelector('span');
      const label = words(switchName ?? control.labels?.[0]);
      const help = document.getElementById(control.getAttribute('aria-describedby') ?? '');
      const near = control.closest('.option, .group')?.querySelector('.help');
      return [label || control.getAttribute('aria-label'), words(help ?? near)];
    }),
  );
}

await onPage('documents from several sources can be kept apart, and duplicates dropped', '', async (page) => {
  const lines = ['x', 'y', 'x', 'y'].map((source) => `{"text": "same", "source": "${source}"}\n`);
  await give(page, fileOf('sources.jsonl', lines.join('')));
  await shows(page, '4 documents');
  await page.getByLabel('Colour', { exact: true }).selectOption('source');
  await page.locator('.source-names', { hasText: /^\s*x\s*y\s*$/ }).waitFor();
  await hashWith(page, 'color_by=source');
  await page.locator('summary', { hasText: 'Sources' }).click();
  await page.getByLabel('A window holds').selectOption('full');
  await page.waitForFunction(() => document.querySelector('.figure dd').textContent === '2');
  await page.locator('summary', { hasText: 'More of packing' }).click();
  await page.getByRole('switch', { name: 'Drop duplicates' }).check();
  await page.waitForFunction(() => document.querySelector('.figure dd').textContent === '1');
});

async function save(page, kind, set = async () => {}) {
  await page.keyboard.press('e');
  const dialog = page.locator('dialog.export');
  await dialog.locator('.export-kind', { hasText: kind }).click();
  await set(dialog);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save' }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  await dialog.waitFor({ state: 'hidden' });
  return path;
}

const range = (first, last) => async (dialog) => {
  await dialog.getByRole('spinbutton', { name: /^Windows/ }).fill(String(first));
  await dialog.getByRole('spinbutton', { name: /^Windows/ }).press('Tab');
  await dialog.getByLabel('Last window').fill(String(last));
  await dialog.getByLabel('Last window').press('Tab');
};

await onPage('a PNG has the size asked for, and the pixels of the rows', '', async (page) => {
  await page.waitForFunction(() => document.querySelector('.rows canvas').height > 300);
  const shown = await page
    .locator('.rows canvas')
    .first()
    .evaluate(({ width, height }) => [width, height]);
  const path = await save(page, 'PNG picture', (dialog) => dialog.getByRole('button', { name: '1×' }).click());
  const png = readFileSync(path);
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], shown);
  const same = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const read = (source) => {
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(source, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [a, b] = [read(image), read(document.querySelector('.rows canvas'))];
    let equal = 0;
    for (let i = 0; i < a.length; i += 4)
      if (a[i] === b[i] && a[i + 1] === b[i + 1] && a[i + 2] === b[i + 2]) equal += 1;
    return equal / (a.length / 4);
  }, png.toString('base64'));
  // Labels are written into the file; on the page they lie on a canvas of their own.
  assert.ok(same > 0.8 && same < 1, String(same));
  const large = readFileSync(
    await save(page, 'PNG picture', (dialog) => dialog.getByRole('button', { name: '4×' }).click()),
  );
  assert.equal(large.readUInt32BE(16), shown[0] * 4);
  const ten = await save(page, 'PNG picture', range(100, 109));
  assert.match(ten, /windows-100-109@4x\.png$/);
  assert.equal(readFileSync(ten).readUInt32BE(16), shown[0] * 4);
});

await onPage(
  'an SVG parses, with a tile for each segment and text to select',
  '#example=readable&window=0',
  async (page) => {
    const svg = readFileSync(await save(page, 'SVG picture', range(0, 2)), 'utf8');
    const found = await page.evaluate((text) => {
      const document = new DOMParser().parseFromString(text, 'image/svg+xml');
      return {
        faults: document.querySelectorAll('parsererror').length,
        tiles: document.querySelectorAll('rect > title').length,
        words: [...document.querySelectorAll('text')].map(({ textContent }) => textContent).join(' '),
      };
    }, svg);
    assert.equal(found.faults, 0);
    assert.ok(found.tiles >= 3);
    assert.match(found.words, /A window holds a fixed/);
  },
);

await onPage('a picture of too many tiles is refused with what to do', '', async (page) => {
  await page.keyboard.press('e');
  const dialog = page.locator('dialog.export');
  await dialog.locator('.export-kind', { hasText: 'SVG picture' }).click();
  await dialog.getByRole('button', { name: /^All/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  assert.match(await dialog.locator('.refusal').textContent(), /tiles; an SVG holds up to 5,000.*Take fewer windows/);
});

if (spawnSync(python, ['-c', 'import numpy']).status === 0) {
  await onPage('CSV, NPZ, Arrow and JSON say the same to NumPy', '#example=readable&window=0', async (page) => {
    const windows = await save(page, 'Windows as CSV');
    const documents = await save(page, 'Documents as CSV');
    const plan = await save(page, 'Plan as JSON');
    const npz = await save(page, 'Arrays as NPZ', range(0, 3));
    const arrow = tableFromIPC(readFileSync(await save(page, 'Arrays as Arrow', range(0, 3))));
    assert.equal(arrow.numRows, 4);
    const numbers = join(folder, 'arrow.json');
    writeFileSync(numbers, JSON.stringify([...arrow.getChild('input_ids')].map((row) => [...row])));
    const code = `
import json, sys
import numpy as np
windows = np.genfromtxt(sys.argv[1], delimiter=",", names=True, dtype=int)
documents = np.genfromtxt(sys.argv[2], delimiter=",", names=True, dtype=int)
plan, arrays = json.load(open(sys.argv[3])), np.load(sys.argv[4])
L = plan["options"]["contextLength"]
assert arrays["input_ids"].tolist() == json.load(open(sys.argv[5]))
assert arrays["input_ids"].shape == arrays["doc_ids"].shape == (4, L)
assert ((arrays["doc_ids"] >= 0).sum(axis=1) == windows["tokens"]).all()
assert (windows["tokens"] + windows["padding"] == L).all()
assert sorted(documents["document"]) == list(range(12))
assert documents["length"].sum() == windows["tokens"].sum() == plan["ledger"]["tokens"]
assert plan["segment_document"] == documents["document"].tolist() == arrays["segment_document"].tolist()
first = documents[0]
row = arrays["input_ids"][first["window"]]
text = bytes(row[first["position"]:first["position"] + first["length"]].tolist()).decode()
print(text)
`;
    const { status, stdout, stderr } = spawnSync(python, ['-c', code, windows, documents, plan, npz, numbers], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.ok(readFileSync(join(projectRoot, 'web/app/data/readable.ts'), 'utf8').includes(stdout.trim().slice(0, 20)));
  });

  await onPage('a folder that holds a plan is shown as it is, until a setting changes', '', async (page) => {
    await give(page, ...packedFolder());
    await page.getByText('The plan of this folder, as it is').waitFor();
    await eventually(async () => {
      assert.equal(await page.locator('.figure dd').first().textContent(), '2');
      assert.equal(await page.locator('.facts dd.mono').textContent(), 'db1753474322db37');
    });
    await page.getByRole('radio', { name: /^Best-fit decreasing/, checked: true }).waitFor();
    await page.getByRole('radio', { name: /^One per window/ }).click();
    await page.waitForFunction(() => document.querySelector('.figure dd').textContent === '3');
  });
} else checks.skip('exports in NumPy', `${python} has no numpy`);

// The folder of the worked example in docs/formats.md, its plan alone.
function packedFolder() {
  const arrays = {
    segment_document: ['uint32', [0, 2, 1]],
    segment_offset: ['uint32', [0, 0, 0]],
    segment_length: ['uint32', [5, 3, 2]],
    window_offsets: ['uint64', [0, 2, 3]],
  };
  const code = Object.entries(arrays).map(
    ([name, [dtype, values]]) =>
      `np.save("${folder}/${name}.npy", np.array(${JSON.stringify(values)}, dtype="${dtype}"))`,
  );
  assert.equal(spawnSync(python, ['-c', `import numpy as np\n${code.join('\n')}`]).status, 0);
  const counts = { documents: 3, tokens: 10, empty_documents: 0, dropped_documents: 0, truncated_documents: 0 };
  const ledger = {
    ...counts,
    split_documents: 0,
    duplicate_documents: 0,
    tokens_dropped: 0,
    separators_added: 0,
    filler_windows: 0,
  };
  const options = {
    ...{ context_length: 8, algorithm: 'best_fit_decreasing', open_windows: 64, candidate_pool: 1024, evict: 'oldest' },
    ...{ min_room: 1, seed: 0, long_documents: 'default', tail: 'pad', document_multiple: 1, window_multiple: 1 },
    ...{ max_documents_per_window: 'unlimited', shuffle_documents: false, shuffle_windows: false, homogeneity: 'none' },
    ...{ groups: '', flush_every: null, drop_duplicates: false, extra_token: false, bos_id: null, separator_id: null },
    ...{ separator: 'after', pad_token_id: 0, separator_loss: false, position_ids: 'restart' },
    ...{ padding_position_ids: 'count', cu_seqlens: 'window', cu_seqlens_width: null, labels: 'shifted' },
    ...{ cross_boundary_labels: false, vocab_size: null },
  };
  const manifest = {
    format: 'packscope',
    format_version: 1,
    fingerprint: 'db1753474322db37',
    options,
    ledger,
    ledger_by_source: {},
  };
  const paths = Object.keys(arrays).map((name) => join(folder, `${name}.npy`));
  return [fileOf('manifest.json', JSON.stringify(manifest)), ...paths];
}

const gsm8k = join(shared, 'data/gsm8k_train.jsonl');
if (existsSync(gsm8k)) {
  await onPage('7,473 questions and answers are packed as the program packs them', '', async (page) => {
    await give(page, gsm8k);
    await shows(page, '7,473 documents');
    await page.getByRole('switch', { name: 'Shuffle windows' }).uncheck();
    await page.locator('.facts dd.mono', { hasText: '2c729fd1af523f17' }).waitFor({ timeout: 20_000 });
  });
} else checks.skip('a real file', `there is no ${gsm8k}; set PACKSCOPE_SHARED`);

await onPage('a worker that ends is started again with the documents and settings it had', '', async (page) => {
  await give(page, fileOf('kept.jsonl', records));
  await shows(page, '3 documents');
  await page.workers()[0].evaluate(() => void setTimeout(() => JSON.parse('nothing catches this')));
  await page.locator('.notice.error', { hasText: 'It was started again' }).waitFor({ timeout: 20_000 });
  await shows(page, '3 documents');
});

const sources = '{"text": "a", "source": "x"}\n{"text": "b", "source": "y"}\n';
await onPage(
  "axe-core finds nothing in options, a file's choices, a refusal and the export, light or dark",
  '',
  async (page) => {
    await give(page, fileOf('axe.jsonl', sources));
    await shows(page, '2 documents');
    await page.getByLabel('Colour', { exact: true }).selectOption('source');
    for (const title of ['More of packing', 'Sources', 'Arrays'])
      await page.locator('summary', { hasText: title }).click();
    await page.getByLabel('A window holds').selectOption('group');
    await give(page, fileOf('axe.csv', 'id,body\nx,y\n'));
    await page.getByRole('button', { name: 'Count tokens in body' }).waitFor();
    assert.deepEqual(await axeViolationsInBoth(page), noViolations);
    await page.keyboard.press('e');
    await page.locator('dialog.export .export-kind').first().waitFor();
    assert.deepEqual(await axeViolationsInBoth(page), noViolations);
  },
);

rmSync(folder, { recursive: true });
await close();
checks.finish();
