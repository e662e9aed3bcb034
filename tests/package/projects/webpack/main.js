// SPDX-License-Identifier: MIT
// With webpack, `new URL` gives the address of a file of the package.
import { pack } from 'packscope';
import { createPackscope } from 'packscope/slim';
import { createPackscopeWorker } from 'packscope/worker';
import { run } from './run.js';

const wasmUrl = new URL('packscope/packscope.simd.wasm', import.meta.url);
run({ pack, createPackscope, createPackscopeWorker, wasmUrl });
