// SPDX-License-Identifier: MIT
// Types of memory-limit.mjs, which tests of the page use without TypeScript.
export function withMemoryLimit(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer>;
