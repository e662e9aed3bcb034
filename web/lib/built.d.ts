// SPDX-License-Identifier: MIT
// What wasm-build/build.mjs leaves in wasm-build/dist: the glue that Emscripten writes, and both builds of the
// core as text.
declare module '*/wasm-build/dist/glue.mjs' {
  /** Fills `module` with the exports of an instance; the promise is Emscripten's and says nothing more. */
  export default function createModule(module: object): Promise<object>;
}
declare module '*/wasm-build/dist/bytes.mjs' {
  export const simd: string;
  export const scalar: string;
}
