// SPDX-License-Identifier: MIT
// Writes build/sample.jsonl, the project's own text: a document for each section of its Markdown and for
// each top-level declaration or function of its C++. Equal sources give equal bytes.
//
//   node scripts/make-sample.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { filesBelow } from './files.mjs';
import { projectRoot } from './shell.mjs';

export const samplePath = 'build/sample.jsonl';

// Sections start at a heading outside of fenced code; a heading without text below it is no document.
export function markdownSections(text) {
  const sections = [];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const heading = fenced ? null : line.match(/^#+ +(.*)/);
    if (heading || sections.length === 0) sections.push({ title: heading?.[1] ?? '', lines: [] });
    sections.at(-1).lines.push(line);
  }
  return sections
    .map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }))
    .filter((section) => section.text.includes('\n'));
}

// Our C++ is formatted, so a blank line followed by text in the first column ends a declaration.
export function cppBlocks(text) {
  return text
    .split(/\n{2,}(?=\S)/)
    .map((block) => block.trim())
    .map((block) => ({ title: firstCodeLine(block), text: block }))
    .filter((block) => block.title !== undefined);
}

// Undefined for a block of nothing but comments, preprocessor lines and the edges of namespaces.
function firstCodeLine(block) {
  return block.split('\n').find((line) => !/^\s*$|^\/\/|^#|^namespace |^template |^}/.test(line));
}

function documentsOf(path, source, split) {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  return split(text).map((part) => ({ text: part.text, source, title: `${path}: ${part.title}` }));
}

export function makeSample() {
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesBelow('docs', ['.md'])];
  const code = filesBelow('cpp', ['.hpp', '.cpp']);
  const documents = [
    ...pages.flatMap((path) => documentsOf(path, 'docs', markdownSections)),
    ...code.flatMap((path) => documentsOf(path, 'code', cppBlocks)),
  ];
  mkdirSync(join(projectRoot, 'build'), { recursive: true });
  const lines = documents.map((document) => `${JSON.stringify(document)}\n`);
  writeFileSync(join(projectRoot, samplePath), lines.join(''));
  return documents;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`${samplePath}: ${makeSample().length} documents from this project's docs and sources`);
}
