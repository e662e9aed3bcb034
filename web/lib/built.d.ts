// SPDX-License-Identifier: MIT
// What wasm-build/build.mjs leaves in wasm-build/dist: the glue that Emscripten writes, and both builds of the
// core, packed.
declare module '*/wasm-build/dist/glue.mjs' {
  /** Fills `module` with the exports of an instance; the promise is Emscripten's and says nothing more. */
  export default function createModule(module: object): Promise<object>;
}
declare module '*/wasm-build/dist/bytes.mjs' {
  /** LZMA in base64: the simd build, then the scalar one. */
  export const packed: string;
  /** Bytes of each. */
  export const sizes: { readonly simd: number; readonly scalar: number };
}
