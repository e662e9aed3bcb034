// SPDX-License-Identifier: MIT
// The same in a page.
import { pack } from './node_modules/packscope/dist/index.js';

const text = await (await fetch('./gsm8k_train.jsonl')).text();
const records = text
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const encoder = new TextEncoder();
const documents = records.map(({ question, answer }) => encoder.encode(`${question}\n${answer}`));
const plan = pack(documents, { contextLength: 2048 });
const result = { windows: plan.window_offsets.length - 1, fingerprint: plan.fingerprint };
document.querySelector('#result').textContent = JSON.stringify(result);
