// SPDX-License-Identifier: MIT
// The licence texts that go along with code of others: our own first, then that of each library bundled.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './shell.mjs';

/** Libraries that read files, in the page and in packscope-import. */
export const fileLibraries = ['fflate', 'fzstd', 'hyparquet', '@uwdata/flechette', 'gpt-tokenizer', '@huggingface/tokenizers'];

export function licenceTexts(libraries) {
  const texts = libraries.map((name) => {
    const at = join(projectRoot, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
    const file = readdirSync(at).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(at, file), 'utf8').trim() : `Published under ${license}.`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const own = readFileSync(join(projectRoot, 'LICENSE'), 'utf8').trim();
  return [`Packscope\n\n${own}\n`, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}
