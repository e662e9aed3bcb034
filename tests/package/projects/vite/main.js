// SPDX-License-Identifier: MIT
// With Vite, `?url` gives the address of a file of the package.
import { pack } from 'packscope';
import wasmUrl from 'packscope/packscope.simd.wasm?url';
import { createPackscope } from 'packscope/slim';
import { createPackscopeWorker } from 'packscope/worker';
import { run } from './run.js';

run({ pack, createPackscope, createPackscopeWorker, wasmUrl });
