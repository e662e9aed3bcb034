// SPDX-License-Identifier: MIT
// The layering test: which folder may include or import what, and what the core must not contain. The rules
// are the tables at the top; every violation is printed as file:line with its rule.
//
//   node tests/arch/layers.mjs
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';

import { filesBelow } from '../../scripts/files.mjs';
import { projectRoot } from '../../scripts/shell.mjs';

const words = (text) => text.trim().split(/\s+/);

// What the core may use of the standard library: no I/O, threads, clock or random numbers, and nothing that
// the older libc++ of the WebAssembly build lacks.
const coreHeaders = words(`
  algorithm array bit bitset cassert charconv climits cmath compare concepts cstddef cstdint cstring deque
  functional initializer_list iterator limits list map memory new numeric optional queue set span string
  string_view tuple type_traits unordered_map unordered_set utility variant vector`);
const nativeHeaders = words(`
  atomic cctype cerrno chrono condition_variable csignal cstdio cstdlib ctime exception filesystem fstream
  future iomanip ios iostream istream mutex ostream sstream stdexcept streambuf system_error thread`);
const posixHeaders = words(`
  dirent.h fcntl.h glob.h poll.h signal.h sys/mman.h sys/resource.h sys/stat.h sys/types.h sys/ioctl.h sys/random.h sys/socket.h unistd.h`);

// `reach`: the include folders whose headers a layer may name in quotes. `system`: its <headers>.
const cppLayers = [
  { folder: 'cpp/include', reach: ['cpp/include'], system: coreHeaders },
  {
    folder: 'cpp/src/kernels',
    reach: ['cpp/include', 'cpp/src'],
    system: [...coreHeaders, 'hwy/foreach_target.h', 'hwy/highway.h', 'hwy/targets.h'],
  },
  { folder: 'cpp/src', reach: ['cpp/include', 'cpp/src'], system: coreHeaders },
  {
    folder: 'cpp/native',
    reach: ['cpp/include', 'cpp/native'],
    // hwy: text is scanned here, not in the core.
    system: [
      'hwy/cache_control.h', 'hwy/foreach_target.h', 'hwy/highway.h',
      ...coreHeaders, ...nativeHeaders, ...posixHeaders,
      'mpi.h', 'oneapi/tbb/global_control.h', 'oneapi/tbb/info.h', 'oneapi/tbb/parallel_for.h', 'oneapi/tbb/parallel_pipeline.h', 'oneapi/tbb/task_arena.h', 'simdjson.h', 'zlib.h', 'zstd.h', 'zstd_errors.h', 'sentencepiece_processor.h', 'png.h', 'httplib.h',
    ],
  },
  {
    folder: 'cpp/cli',
    reach: ['cpp/include', 'cpp/native', 'cpp/cli'],
    // unistd.h: isatty, whether a person reads.
    system: [...coreHeaders, ...nativeHeaders, 'unistd.h', 'CLI/CLI.hpp'],
  },
  {
    folder: 'wasm-build',
    reach: ['cpp/include', 'wasm-build'],
    // cstdlib: abort, which is what exhausted memory comes to.
    system: [...coreHeaders, 'cstdlib', 'emscripten/bind.h', 'emscripten/val.h'],
  },
];

const fileLibraries = '@uwdata/flechette hyparquet fzstd fflate @huggingface/tokenizers gpt-tokenizer';

// `reach`: the folders a layer may import from; `packages`: what it may import by name. The application
// knows the package by its public name only.
const scriptLayers = [
  { folder: 'web/lib', reach: ['web/lib', 'wasm-build/dist'], packages: [] },
  { folder: 'web/read', reach: ['web/read'], packages: words(fileLibraries) },
  { folder: 'web/import', reach: ['web/import', 'web/read'], packages: words('node:fs node:path node:process node:util') },
  { folder: 'web/app', reach: ['web/app', 'web/read'], packages: words('packscope preact @preact/signals fflate @uwdata/flechette') },
];

// Patterns that must not stand in code (comments and strings are blanked out before).
const codeRules = [
  { folders: ['cpp/include', 'cpp/src'], pattern: /\b(?:throw|try|catch)\b/, rule: 'the core throws and catches nothing: return a Result' },
  { folders: ['cpp/include', 'cpp/src'], pattern: /\b(?:dynamic_cast|typeid)\b/, rule: 'the core uses no run-time type information' },
  { folders: ['cpp/include', 'cpp/src'], pattern: /\bthread_local\b/, rule: 'the core has no state outside its objects' },
  {
    folders: ['cpp/include', 'cpp/src'],
    pattern: /\bstatic\s+(?!.*\bconst(?:expr|init)?\b)[^();]*[=;{]/,
    rule: 'the core has no static variables that can change: pass the state in',
  },
  {
    folders: ['cpp/include', 'cpp/src'],
    pattern: /^(?!.*\b(?:const|constexpr)\b)(?!(?:using|namespace|struct|class|enum|union|template|friend|extern|return|typedef|static|thread_local)\b)(?:inline\s+)?[A-Za-z_][\w:<>, ]*[\s&*]\w+\s*(?:=[^=]|;|\{.*\};)/,
    rule: 'the core has no global variables that can change: pass the state in',
  },
  {
    folders: ['cpp/include', 'cpp/src', 'cpp/cli'],
    except: ['cpp/src/kernels/'],
    pattern: /^\s*#\s*(?:if|ifdef|ifndef|elif)\b(?!\s+!?(?:defined\()?(?:NDEBUG|PACKSCOPE_\w+)\)?\s*$)/,
    rule: 'conditions on the platform belong in cpp/src/kernels and cpp/native',
  },
];

// Words with a better one in this project, looked for in every part of an identifier. Files are read in
// chunks, so that the core alone may not say it; and arrays, masks and tables do have rows.
const replacedWords = [
  { words: ['bin', 'bins'], better: 'window', folder: 'cpp' },
  { words: ['sample', 'samples'], better: 'document', folder: 'cpp' },
  { words: ['chunk', 'chunks'], better: 'segment', folder: 'cpp/include' },
  { words: ['chunk', 'chunks'], better: 'segment', folder: 'cpp/src' },
];
const allowedIdentifiers = new Map([['packed_samples', 'the key that users of pack_sequences know']]);

// Comments and the inside of strings become blanks, so that offsets and lines stay what they were.
export function blankOut(code) {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"([^(\s]*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'/g;
  return code.replace(token, (match) => match.replace(/[^\n]/g, ' '));
}

const within = (path, folder) => path.startsWith(`${folder}/`);

function checkFirstLine(path, text) {
  const firstLines = text.split('\n', 2).join('\n');
  if (/^(#![^\n]*\n)?(\/\/|#) SPDX-License-Identifier: MIT(\n|$)/.test(firstLines)) return [];
  return [{ line: 1, rule: 'a file begins with its line "SPDX-License-Identifier: MIT"' }];
}

function includeProblem(layer, bracket, name) {
  if (bracket === '<') return layer.system.includes(name) ? '' : `${layer.folder} may not include <${name}>`;
  const found = layer.reach.some((folder) => existsSync(posix.join(projectRoot, folder, name)));
  if (found && !name.includes('..')) return '';
  return `${layer.folder} may include from ${layer.reach.join(', ')} only, and "${name}" is not there`;
}

function checkIncludes(path, text) {
  const layer = cppLayers.find(({ folder }) => within(path, folder));
  if (!layer) return [];
  return text.split('\n').flatMap((content, index) => {
    const [, bracket, name] = content.match(/^\s*#\s*include\s*([<"])([^>"]+)/) ?? [];
    const rule = name && includeProblem(layer, bracket, name);
    return rule ? [{ line: index + 1, rule }] : [];
  });
}

function importProblem(layer, path, name) {
  if (!name.startsWith('.')) {
    const known = layer.packages.some((item) => name === item || name.startsWith(`${item}/`));
    return known ? '' : `${layer.folder} may not import "${name}"`;
  }
  const target = posix.join(posix.dirname(path), name);
  if (layer.reach.some((folder) => within(target, folder))) return '';
  return `${layer.folder} may import from ${layer.reach.join(', ')} only, not "${name}"`;
}

function checkImports(path, text) {
  const layer = scriptLayers.find(({ folder }) => within(path, folder));
  if (!layer) return [];
  return text.split('\n').flatMap((content, index) => {
    const [, name] = content.match(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/) ?? [];
    const rule = name && importProblem(layer, path, name);
    return rule ? [{ line: index + 1, rule }] : [];
  });
}

function checkCode(path, lines) {
  const rules = codeRules.filter(
    ({ folders, except = [] }) =>
      folders.some((folder) => within(path, folder)) && !except.some((prefix) => path.startsWith(prefix)),
  );
  return lines.flatMap((content, index) =>
    rules.filter(({ pattern }) => pattern.test(content)).map(({ rule }) => ({ line: index + 1, rule })),
  );
}

function wordProblem(rules, identifier) {
  if (allowedIdentifiers.has(identifier)) return '';
  const parts = identifier.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase().split('_');
  const broken = rules.find(({ words }) => words.some((word) => parts.includes(word)));
  return broken ? `"${identifier}": for a ${broken.words[0]} this project says ${broken.better}` : '';
}

function checkWords(path, lines) {
  const rules = replacedWords.filter(({ folder }) => within(path, folder));
  return lines.flatMap((content, index) => {
    const identifiers = /^\s*#\s*include/.test(content) ? [] : (content.match(/\b[A-Za-z_]\w*/g) ?? []);
    const problems = [...new Set(identifiers)].map((identifier) => wordProblem(rules, identifier));
    return problems.filter(Boolean).map((rule) => ({ line: index + 1, rule }));
  });
}

// Every violation in one file: [{line, rule}].
export function violations(path, text) {
  const isCpp = /\.[ch]pp$/.test(path);
  const lines = isCpp ? blankOut(text).split('\n') : [];
  return [
    ...checkFirstLine(path, text),
    ...(isCpp ? checkIncludes(path, text) : checkImports(path, text)),
    ...checkCode(path, lines),
    ...checkWords(path, lines),
  ];
}

function sourceFiles() {
  const extensions = ['.hpp', '.cpp', '.mjs', '.js', '.ts', '.tsx', '.py', '.sh', 'CMakeLists.txt', '.cmake'];
  return ['cpp', 'cmake', 'scripts', 'tests', 'wasm-build', 'web'].flatMap((folder) => filesBelow(folder, extensions));
}

function main() {
  const files = sourceFiles();
  let failed = 0;
  for (const path of files) {
    const found = violations(path, readFileSync(posix.join(projectRoot, path), 'utf8'));
    for (const { line, rule } of found) console.log(`${path}:${line}: ${rule}`);
    if (found.length > 0) failed += 1;
  }
  console.log(`${files.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && files.length > 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
