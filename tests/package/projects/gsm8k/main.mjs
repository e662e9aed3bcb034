// SPDX-License-Identifier: MIT
// Packs a file of questions and answers, as UTF-8 bytes, into windows of 2048.
import { readFileSync } from 'node:fs';
import { pack } from 'packscope';

const lines = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n');
const records = lines.map((line) => JSON.parse(line));
const encoder = new TextEncoder();
const documents = records.map(({ question, answer }) => encoder.encode(`${question}\n${answer}`));
const plan = pack(documents, { contextLength: 2048 });
console.log(`${plan.window_offsets.length - 1} windows, fingerprint ${plan.fingerprint}`);
