// SPDX-License-Identifier: MIT
// What the bindings call in JavaScript: copies between typed arrays and the module's memory. Addresses are
// unsigned numbers, so that memory above 2 GiB works; views live no longer than one copy, so that growth of
// the memory detaches none.

const constructors = {
  Uint8Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  Float32Array,
  Float64Array,
} as const;

/** The typed arrays that cross the boundary. */
export type BoundaryArray =
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

/** `narrow`: 64-bit numbers as `Uint32Array`; `wide`: 32-bit ones as `BigInt64Array`. */
export type BoundaryKind = keyof typeof constructors | 'narrow' | 'wide';

export interface Boundary {
  /** A copy of every `stride`-th of the elements from `address` on, `length` of them. */
  read(kind: BoundaryKind, address: number, length: number, stride: number): BoundaryArray;
  /** Copies an array into every `stride`-th element from `address` on. */
  write(array: BoundaryArray, address: number, stride: number): void;
  /** Fills an array from `address` on. */
  fill(array: BoundaryArray | Uint8ClampedArray, address: number): void;
  /** Called where the module cannot have more memory; ends the engine. */
  outOfMemory(): never;
}

/** What outOfMemory() throws; engine.ts makes a PackscopeError of it. */
export class OutOfMemory extends Error {}

/** `memory` gives the module's memory as it is at the moment. */
export function createBoundary(memory: () => ArrayBuffer): Boundary {
  const uint32At = (address: number, length: number) => new Uint32Array(memory(), address, length);

  // Documents of the plan's segments stand at every third number, and so on.
  function readStrided(address: number, length: number, stride: number): Uint32Array {
    const out = new Uint32Array(length);
    const from = uint32At(address, length === 0 ? 0 : (length - 1) * stride + 1);
    for (let i = 0, at = 0; i < length; i += 1, at += stride) out[i] = from[at] as number;
    return out;
  }

  // The lower halves of 64-bit numbers; what counts segments and positions of one memory has no upper one.
  function readNarrow(address: number, length: number): Uint32Array {
    return readStrided(address, length, 2);
  }

  function readWide(address: number, length: number): BigInt64Array {
    const out = new BigInt64Array(length);
    const halves = new Int32Array(out.buffer);
    const from = new Int32Array(memory(), address, length);
    for (let i = 0; i < length; i += 1) {
      const value = from[i] as number;
      halves[2 * i] = value;
      halves[2 * i + 1] = value >> 31;
    }
    return out;
  }

  return {
    read(kind, address, length, stride) {
      if (kind === 'narrow') return readNarrow(address, length);
      if (kind === 'wide') return readWide(address, length);
      if (stride > 1) return readStrided(address, length, stride);
      return new constructors[kind](memory(), address, length).slice();
    },
    write(array, address, stride) {
      if (stride === 1) {
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        new Uint8Array(memory(), address, array.byteLength).set(bytes);
        return;
      }
      const to = uint32At(address, array.length === 0 ? 0 : (array.length - 1) * stride + 1);
      for (let i = 0, at = 0; i < array.length; i += 1, at += stride) to[at] = array[i] as number;
    },
    fill(array, address) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      bytes.set(new Uint8Array(memory(), address, array.byteLength));
    },
    outOfMemory() {
      throw new OutOfMemory('the memory of the engine is exhausted');
    },
  };
}
