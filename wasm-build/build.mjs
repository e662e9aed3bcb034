// SPDX-License-Identifier: MIT
// `npm run build`: the npm package in dist/. Both builds of the core by Emscripten, TypeScript into bundles and
// declarations, and the size budget, which fails the build.
//
//   node wasm-build/build.mjs [--scripts]     --scripts leaves the WebAssembly as it was built last
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { fileLibraries, licenceTexts } from '../scripts/licences.mjs';
import { ensureNodeModules } from '../scripts/node-modules.mjs';
import { projectRoot, requireNode, run, stop } from '../scripts/shell.mjs';
import { ensurePackages } from '../scripts/system-packages.mjs';
import { documentEntry } from './document-entry.mjs';

const variants = ['simd', 'scalar'];
const wasmFolder = join(projectRoot, 'wasm-build/dist');
const packageFolder = join(projectRoot, 'dist');
// Gzipped bytes of the default entry with all that it loads.
const budgetBytes = 120_000;

function step(command, args) {
  console.log(`$ ${command} ${args.join(' ')}`);
  if (!run(command, args)) stop(`${command} failed; its message is above.`);
}

function buildWasm() {
  for (const variant of variants) {
    step('cmake', ['--preset', `package-${variant}`, '-Wno-dev', '--log-level=WARNING']);
    step('cmake', ['--build', '--preset', `package-${variant}`]);
  }
  const built = (variant, file) => readFileSync(join(projectRoot, `build/package-${variant}/wasm-build/${file}`));
  const [simdGlue, scalarGlue] = variants.map((variant) => built(variant, 'packscope.mjs'));
  if (!simdGlue.equals(scalarGlue)) stop('The glue of the two builds differs, and the package has one for both.');
  const bytes = {
    simd: withSection(built('simd', 'packscope.wasm'), 'packscope.simd'),
    scalar: built('scalar', 'packscope.wasm'),
  };
  mkdirSync(wasmFolder, { recursive: true });
  writeFileSync(join(wasmFolder, 'glue.mjs'), simdGlue);
  for (const variant of variants) writeFileSync(join(wasmFolder, `packscope.${variant}.wasm`), bytes[variant]);
  const sizes = JSON.stringify({ simd: bytes.simd.length, scalar: bytes.scalar.length });
  const packed = lzma(Buffer.concat([bytes.simd, bytes.scalar])).toString('base64');
  writeFileSync(join(wasmFolder, 'bytes.mjs'), `export const packed = '${packed}';\nexport const sizes = ${sizes};\n`);
}

// As web/lib/lzma.ts unpacks it. One stream for both builds, which have most of their code in common.
function lzma(bytes) {
  const options = ['--format=lzma', '--lzma1=preset=9e,lc=3,lp=0,pb=0', '--stdout'];
  const { status, stdout } = spawnSync('xz', options, { input: bytes, maxBuffer: 1 << 28 });
  if (status !== 0) stop('xz failed; it is in the Debian package xz-utils.');
  return stdout;
}

// An empty custom section, by which `slim` tells one build from the other.
function withSection(wasm, name) {
  const text = Buffer.from(name);
  return Buffer.concat([wasm, Buffer.from([0, text.length + 1, text.length]), text]);
}

async function bundle() {
  const { build } = await import('esbuild');
  const common = {
    absWorkingDir: projectRoot,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    // Node shows the line that an error nobody caught came from.
    lineLimit: 500,
    outdir: 'dist',
    logLevel: 'warning',
    metafile: true,
    banner: { js: '// SPDX-License-Identifier: MIT' },
  };
  const entries = ['index', 'slim', 'worker'].map((name) => `web/lib/${name}.ts`);
  const shared = await build({ ...common, entryPoints: entries, splitting: true, chunkNames: 'shared-[hash]' });
  await build({ ...common, entryPoints: ['web/lib/worker-entry.ts'] });
  return shared.metafile;
}

// The command packscope-import, with the libraries that it reads files by; tables of tokenizers are files of their own,
// which are loaded when they are asked for.
async function bundleImport() {
  const { build } = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  await build({
    absWorkingDir: projectRoot,
    entryPoints: { 'packscope-import': 'web/import/main.ts' },
    outdir: 'dist/import',
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'], // names of CommonJS exports are not known
    minify: true,
    legalComments: 'none', // licences.txt has them
    logLevel: 'warning',
    define: { PACKSCOPE_VERSION: JSON.stringify(version) },
  });
  const entry = join(packageFolder, 'import/packscope-import.js');
  const code = readFileSync(entry, 'utf8');
  writeFileSync(entry, `#!/usr/bin/env node\n// SPDX-License-Identifier: MIT\n${code}`);
  chmodSync(entry, 0o755);
  writeFileSync(join(packageFolder, 'import/licences.txt'), licenceTexts(fileLibraries));
}

// A file of the bundle with all that it imports.
function loadedFiles(metafile, name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, external } of metafile.outputs[name].imports) if (!external) loadedFiles(metafile, path, found);
  return found;
}

function gzippedBytes(files) {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(projectRoot, file)), { level: 9 }).length, 0);
}

function checkSize(metafile) {
  const sizes = ['index', 'slim', 'worker'].map((name) => [
    name,
    gzippedBytes([...loadedFiles(metafile, `dist/${name}.js`)]),
  ]);
  const files = ['worker-entry.js', ...variants.map((variant) => `packscope.${variant}.wasm`)];
  for (const file of files) sizes.push([file, gzippedBytes([`dist/${file}`])]);
  for (const [name, bytes] of sizes)
    console.log(`  ${name.padEnd(24)}${(bytes / 1000).toFixed(1).padStart(8)} kB gzipped`);
  const [, size] = sizes[0];
  if (size > budgetBytes) stop(`The default entry has ${size} bytes gzipped, more than the budget of ${budgetBytes}.`);
}

requireNode();
ensurePackages('package');
ensureNodeModules();
if (!process.argv.includes('--scripts') || !existsSync(join(wasmFolder, 'bytes.mjs'))) buildWasm();
rmSync(packageFolder, { recursive: true, force: true });
const metafile = await bundle();
step('node', ['node_modules/typescript/bin/tsc', '-p', 'web/import']);
await bundleImport();
for (const variant of variants) {
  const file = `packscope.${variant}.wasm`;
  writeFileSync(join(packageFolder, file), readFileSync(join(wasmFolder, file)));
}
step('node', ['node_modules/typescript/bin/tsc', '-p', 'web/lib/tsconfig.build.json']);
await documentEntry(join(packageFolder, 'types/index.d.ts'));
checkSize(metafile);
