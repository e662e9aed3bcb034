// SPDX-License-Identifier: MIT
// Tests the reading of Markdown that tests/docs/readme.mjs rests on.
//
//   node tests/docs/markdown_test.mjs
import assert from 'node:assert/strict';

import { Checks } from '../../scripts/checks.mjs';
import { anchors, consoleCommands, fencedBlocks, links, namedPaths, npmScripts, tableRows } from './markdown.mjs';

const page = `# A page, of \`code\`

See [concepts](concepts.md#options), \`cpp/src/pack.cpp\`, \`tests/NAME.cpp|x\`; \`npm run docs\`, npm test.
\`[no](link)\`

\`\`\`json three.jsonl
{"input_ids": [1]}
\`\`\`

\`\`\`console
# [not](a-link) nor a heading
\`\`\`

| option | default |
| --- | --- |
| \`seed\` | \`0\` |

| word | default |
| --- | --- |
| plan | none |
`;

const checks = new Checks();

await checks.check('finds blocks with language, label, text and line', () => {
  assert.deepEqual(fencedBlocks(page)[0], { language: 'json', label: 'three.jsonl', line: 6, text: '{"input_ids": [1]}\n' });
  assert.equal(fencedBlocks(page).length, 2);
});

await checks.check('keeps a command of several lines and its output apart', () => {
  assert.deepEqual(consoleCommands('$ one\n> more\nout\n> is output\n$ two\n'), [
    { command: 'one\nmore', output: ['out', '> is output'] },
    { command: 'two', output: [] },
  ]);
});

await checks.check('refuses a console block that begins with output', () => {
  assert.throws(() => consoleCommands('out\n$ one\n'), /begins with output/);
});

await checks.check('finds links and headings outside of code', () => {
  assert.deepEqual(links(page), ['concepts.md#options']);
  assert.deepEqual(anchors(page), ['a-page-of-code']);
});

await checks.check('finds paths and npm scripts', () => {
  assert.deepEqual(namedPaths(page), ['cpp/src/pack.cpp']);
  assert.deepEqual(npmScripts(page), ['docs', 'test']);
});

await checks.check('reads only the tables asked for', () => {
  assert.deepEqual(tableRows(page, 'option'), [['`seed`', '`0`']]);
});

checks.finish();
