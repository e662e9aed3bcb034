// SPDX-License-Identifier: MIT
// A look into an engine from outside: its memory as it is, and a `.wasm` whose memory is exhausted soon.
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

const memorySection = 5;

/** The module with at most so many pages of 64 KiB. */
export function withMemoryLimit(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at];
    const { value: size, next } = readNumber(wasm, at + 1);
    if (id === memorySection)
      return Uint8Array.from([
        ...wasm.subarray(0, at),
        ...limitedSection(wasm, next, pages),
        ...wasm.subarray(next + size),
      ]);
    at = next + size;
  }
  throw new Error('the module has no memory of its own');
}

// One memory, with a limit, of so many pages at first.
function limitedSection(wasm: Uint8Array, at: number, pages: number): number[] {
  const { value: initial } = readNumber(wasm, at + 2);
  const body = [1, 1, ...numberBytes(initial), ...numberBytes(pages)];
  return [memorySection, ...numberBytes(body.length), ...body];
}

function readNumber(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  let next = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next] as number;
    next += 1;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value, next };
  }
}

function numberBytes(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...numberBytes(value >> 7)];
}
