// SPDX-License-Identifier: MIT
// The set-up scripts' decisions: what is missing, how to become root, how the sample is cut.
import assert from 'node:assert/strict';

import { Checks } from '../../scripts/checks.mjs';
import { cppBlocks, makeSample, markdownSections } from '../../scripts/make-sample.mjs';
import { installLine, missingPackages, packageSizes, resolveList, rootPrefix } from '../../scripts/system-packages.mjs';

const checks = new Checks();

await checks.check('a list holds the packages of the list it extends', () => {
  const lists = {
    build: { purpose: 'b', packages: ['g++'] },
    test: { purpose: 't', extends: 'build', packages: ['gtest'], optional: ['formatter'] },
  };
  assert.deepEqual(resolveList('test', lists), { purpose: 't', packages: ['g++', 'gtest'], optional: ['formatter'] });
});
await checks.check('a list that does not exist is an error', () => {
  assert.throws(() => resolveList('nothing', {}), /no list "nothing"/);
});
await checks.check('a removed package is missing, and so is an unknown one', () => {
  const status = 'g++ install ok installed\ncmake deinstall ok config-files\n';
  assert.deepEqual(missingPackages(['g++', 'cmake', 'ninja-build'], status), ['cmake', 'ninja-build']);
});
await checks.check('sizes are read from the records of apt-cache', () => {
  const records = 'Package: a\nInstalled-Size: 2\nSize: 700\n\nPackage: b\nSize: 5\nInstalled-Size: 1\n\n';
  assert.deepEqual(packageSizes(records), [
    { name: 'a', downloadBytes: 700, installedBytes: 2048 },
    { name: 'b', downloadBytes: 5, installedBytes: 1024 },
  ]);
});
await checks.check('root needs no sudo, sudo never asks, and without either there is no way', () => {
  assert.deepEqual(rootPrefix(0, false), []);
  assert.deepEqual(rootPrefix(1000, true), ['sudo', '-n']);
  assert.equal(rootPrefix(1000, false), undefined);
});
await checks.check('the line to run names every package', () => {
  assert.match(installLine(['g++', 'cmake']), /^sudo apt-get update && sudo apt-get install .* g\+\+ cmake$/);
});

await checks.check('Markdown is cut at headings, not at comments in fenced code', () => {
  const text = '# One\n\ntext\n\n```\n# comment\n```\n## Empty\n## Two\nmore\n';
  assert.deepEqual(
    markdownSections(text).map(({ title }) => title),
    ['One', 'Two'],
  );
});
await checks.check('C++ is cut at declarations, each with its comment and whole body', () => {
  const text = '// License\n\n#include <a>\n\nnamespace n {\n\n// Doubles.\nint f(int x) {\n  x *= 2;\n\n  return x;\n}\n\nint g();\n\n}  // namespace n\n';
  assert.deepEqual(
    cppBlocks(text).map((block) => block.text),
    ['// Doubles.\nint f(int x) {\n  x *= 2;\n\n  return x;\n}', 'int g();'],
  );
});
await checks.check('the sample holds both sources and no empty document, and comes out the same twice', () => {
  const documents = makeSample();
  assert.ok(documents.length >= 50, `${documents.length} documents`);
  assert.deepEqual([...new Set(documents.map(({ source }) => source))], ['docs', 'code']);
  assert.ok(documents.every(({ text, title }) => text.length > 0 && title.length > 0));
  assert.deepEqual(makeSample(), documents);
});

checks.finish();
