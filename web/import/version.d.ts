// SPDX-License-Identifier: MIT
// What the build puts in: see wasm-build/build.mjs.
declare const PACKSCOPE_VERSION: string;
