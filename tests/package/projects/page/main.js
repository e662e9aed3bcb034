// SPDX-License-Identifier: MIT
// Without a bundler, modules go by their path.
import { pack } from './node_modules/packscope/dist/index.js';
import { createPackscope } from './node_modules/packscope/dist/slim.js';
import { createPackscopeWorker } from './node_modules/packscope/dist/worker.js';
import { run } from './run.js';

const wasmUrl = new URL('./node_modules/packscope/dist/packscope.simd.wasm', import.meta.url);
await run({ pack, createPackscope, createPackscopeWorker, wasmUrl });
