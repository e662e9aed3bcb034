// SPDX-License-Identifier: MIT
// A look into an engine from outside: its bytes, and its memory as it is.
import { readFileSync } from 'node:fs';

export const wasmBytes = (variant: 'simd' | 'scalar') =>
  readFileSync(new URL(`../../dist/packscope.${variant}.wasm`, import.meta.url));

/** Runs `start`, which makes an instance, and returns the memory of that instance. */
export function memoryOf(start: () => void): WebAssembly.Memory {
  const Instance = WebAssembly.Instance;
  let memory: WebAssembly.Memory | undefined;
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      memory = Object.values(this.exports).find((value) => value instanceof WebAssembly.Memory);
    }
  };
  try {
    start();
  } finally {
    WebAssembly.Instance = Instance;
  }
  if (memory === undefined) throw new Error('no instance was made');
  return memory;
}
