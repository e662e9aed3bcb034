// SPDX-License-Identifier: MIT
// What a picture of ten million documents costs the worker of the page: the field, and rows of several heights in several
// colours, 1280 x 800 pixels, by the page's own service in Node. After `npm run build`.
//
//   node tests/bench/pictures.mjs [WASM]     another build of the engine, to compare with
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

import { projectRoot } from '../../scripts/shell.mjs';

const [, , wasm = join(projectRoot, 'dist/packscope.simd.wasm')] = process.argv;
const pictures = 60;
const size = { width: 1280, height: 800 };

// The service is TypeScript of the page.
async function pageService() {
  const outfile = join(projectRoot, 'build/pictures-bench.mjs');
  const contents = `export { createPackscope } from 'packscope/slim';
    export { examples } from './web/app/data/examples.js';
    export { PackingService } from './web/app/engine/service.js';`;
  await build({
    stdin: { contents, resolveDir: projectRoot },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { createPackscope, PackingService } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return new PackingService(await createPackscope({ bytes: new Uint8Array(readFileSync(wasm)) }));
}

async function measure(name, draw) {
  const times = [];
  for (let picture = 0; picture < pictures; picture += 1) {
    const begin = performance.now();
    await draw(picture);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const [least, middle] = [times[0], times[pictures >> 1]].map((time) => time.toFixed(1));
  console.log(`${name.padEnd(36)} ${least} ms at best, ${middle} ms in the middle`);
}

const service = await pageService();
await service.load({ example: 'stress' });
const { stats } = service.plan({ contextLength: 4096, algorithm: 'best_fit_decreasing' }, 'plan');
console.log(`${stats.windows} windows`);
await measure('field', () => service.drawField(size, 'light'));
for (const rowHeight of [24, 5, 1, 0.5, 0.25])
  for (const colorBy of ['document', 'length', 'split'])
    await measure(`rows of ${rowHeight} px, by ${colorBy}`, (picture) => {
      const top = 100_000 + picture * 37.3;
      const rows = [top, top + size.height / rowHeight];
      const labelWidth = rowHeight < 12 ? 0 : 70;
      return service.drawRows({ ...size, rows, positions: [0, 4096], theme: 'light', colorBy, labelWidth });
    });
