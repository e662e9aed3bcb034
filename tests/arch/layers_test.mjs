// SPDX-License-Identifier: MIT
// Shows that the layering test can fail: small inputs that break one rule each, and some that break none.
import assert from 'node:assert/strict';

import { Checks } from '../../scripts/checks.mjs';
import { blankOut, violations } from './layers.mjs';

const spdx = '// SPDX-License-Identifier: MIT\n';

// path, code, and a part of the rule that it breaks ('' for none).
const cases = [
  ['cpp/src/a.cpp', '#include <vector>\n#include "packscope/plan.hpp"\n', ''],
  ['cpp/src/a.cpp', '#include <iostream>\n', 'may not include <iostream>'],
  ['cpp/src/a.cpp', '#include <thread>\n', 'may not include <thread>'],
  ['cpp/src/a.cpp', '#include <ranges>\n', 'may not include <ranges>'],
  ['cpp/src/a.cpp', '#include <unistd.h>\n', 'may not include <unistd.h>'],
  ['cpp/include/packscope/a.hpp', '#include "window_rules.hpp"\n', 'cpp/include may include from'],
  ['cpp/native/a.cpp', '#include <simdjson.h>\n#include <fstream>\n', ''],
  ['cpp/native/a.cpp', '#include "window_rules.hpp"\n', 'cpp/native may include from'],
  ['cpp/native/a.cpp', '#include "../src/window_rules.hpp"\n', 'cpp/native may include from'],
  ['cpp/native/a.cpp', '#include <CLI/CLI.hpp>\n', 'may not include <CLI/CLI.hpp>'],
  ['cpp/cli/a.cpp', '#include <CLI/CLI.hpp>\n', ''],
  ['cpp/cli/a.cpp', '#include <simdjson.h>\n', 'may not include <simdjson.h>'],
  ['web/app/a.ts', "import { pack } from 'packscope';\n", ''],
  ['web/app/a.ts', "import { pack } from '../lib/pack.js';\n", 'may import from'],
  ['web/lib/a.ts', "import { view } from '../app/view.js';\n", 'may import from'],
  ['web/lib/a.ts', "import { signal } from '@preact/signals';\n", 'may not import'],
  ['cpp/src/a.cpp', 'void f() { throw 1; }\n', 'throws and catches nothing'],
  ['cpp/src/a.cpp', '  try {\n', 'throws and catches nothing'],
  ['cpp/src/a.cpp', '// nothing to throw here\nconst char* a() { return "try"; }\n', ''],
  ['cpp/native/a.cpp', '  try {\n', ''],
  ['cpp/src/a.cpp', '  static int calls = 0;\n', 'static variables'],
  ['cpp/src/a.cpp', '  static std::vector<int> cache;\n', 'static variables'],
  ['cpp/src/a.cpp', '  static constexpr int kLimit = 3;\n', ''],
  ['cpp/src/a.cpp', '  static Plan make(const Options& options);\n', ''],
  ['cpp/src/a.cpp', '  static_assert(sizeof(int) == 4);\n', ''],
  ['cpp/src/a.cpp', 'thread_local int depth;\n', 'state outside its objects'],
  ['cpp/src/a.cpp', 'int calls = 0;\n', 'global variables'],
  ['cpp/src/a.cpp', 'std::vector<int> cache;\n', 'global variables'],
  ['cpp/src/a.cpp', 'inline constexpr int kLimit = 3;\nconst int kOther{4};\nusing Id = int;\n', ''],
  ['cpp/src/a.cpp', 'Plan pack(const Options& options) {\n  int calls = 0;\n}\n', ''],
  ['cpp/src/a.cpp', '#ifdef __linux__\n', 'conditions on the platform'],
  ['cpp/src/a.cpp', '#if defined(__AVX2__)\n', 'conditions on the platform'],
  ['cpp/src/a.cpp', '#ifndef NDEBUG\n#if defined(PACKSCOPE_SIMD)\n', ''],
  ['cpp/src/kernels/a.cpp', '#ifdef __wasm__\n', ''],
  ['cpp/src/a.cpp', 'void f(int chunk_size);\n', 'says segment'],
  ['cpp/src/a.cpp', 'class BinIndex;\n', 'says window'],
  ['cpp/native/a.cpp', 'void f(int chunk_size);\n', ''],
  ['cpp/native/a.cpp', 'int sampleCount();\n', 'says document'],
  ['cpp/cli/a.cpp', 'int packed_samples();\n', ''],
  ['cpp/src/a.cpp', '// a row of samples\nvoid combine(int narrow);\n', ''],
];

const checks = new Checks();
for (const [path, code, expected] of cases) {
  await checks.check(`${path}: ${JSON.stringify(code)}`, () => {
    const rules = violations(path, spdx + code).map(({ rule }) => rule);
    assert.equal(rules.length, expected === '' ? 0 : 1, `reported: ${rules.join('; ') || 'nothing'}`);
    assert.ok(rules.every((rule) => rule.includes(expected)), `reported: ${rules}`);
  });
}
await checks.check('a file without its licence line', () => {
  assert.equal(violations('cpp/src/a.cpp', 'int f();\n')[0].line, 1);
});
await checks.check('the line of a violation', () => {
  assert.equal(violations('cpp/src/a.cpp', `${spdx}/* two\nlines */\n#include <mutex>\n`)[0].line, 4);
});
await checks.check('text that only looks like code', () => {
  const code = 'f("a // b", \'"\', R"(throw "x")"); // catch\n1\'000;';
  assert.equal(blankOut(code).replace(/\s+/g, ' '), "f( , , ); 1'000;");
});
checks.finish();
