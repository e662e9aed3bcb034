// SPDX-License-Identifier: MIT
// What the bindings call in JavaScript: copies between typed arrays and the module's memory. Addresses are
// unsigned numbers, so that memory above 2 GiB works; views live no longer than one copy, so that growth of
// the memory detaches none.
import type { SpareBuffers } from './spare-buffers.js';

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

interface BoundaryArrayConstructor {
  new (memory: ArrayBuffer, address: number, length: number): BoundaryArray;
  new (values: BoundaryArray): BoundaryArray;
}

export interface Boundary {
  /** A copy of `length` elements from `address` on. */
  read(kind: keyof typeof constructors, address: number, length: number): BoundaryArray;
  /** `length` numbers that are 0. */
  zeros(length: number): Uint32Array;
  /** Copies an array to `address`. */
  write(array: BoundaryArray, address: number): void;
  /** Fills an array from `address` on. */
  fill(array: BoundaryArray | Uint8ClampedArray, address: number): void;
  /** Called where the module cannot have more memory; ends the engine. */
  outOfMemory(): never;
}

/** What outOfMemory() throws; engine.ts makes a PackscopeError of it. */
export class OutOfMemory extends Error {}

/** `memory` gives the module's memory as it is at the moment, `spare` what copies may go into. */
export function createBoundary(memory: () => ArrayBuffer, spare?: () => SpareBuffers | undefined): Boundary {
  const bytesOf = ({ buffer, byteOffset, byteLength }: BoundaryArray | Uint8ClampedArray) =>
    new Uint8Array(buffer, byteOffset, byteLength);
  return {
    read(kind, address, length) {
      const make = constructors[kind] as BoundaryArrayConstructor;
      const source = new make(memory(), address, length);
      const buffer = spare?.()?.take(source.byteLength);
      // Made of another array, it is not filled with zeros first, as it is by slice().
      if (buffer === undefined) return new make(source);
      new Uint8Array(buffer).set(bytesOf(source));
      return new make(buffer, 0, length);
    },
    zeros(length) {
      const buffer = spare?.()?.take(length * Uint32Array.BYTES_PER_ELEMENT);
      return buffer === undefined ? new Uint32Array(length) : new Uint32Array(buffer, 0, length).fill(0);
    },
    write(array, address) {
      new Uint8Array(memory(), address, array.byteLength).set(bytesOf(array));
    },
    fill(array, address) {
      bytesOf(array).set(new Uint8Array(memory(), address, array.byteLength));
    },
    outOfMemory() {
      throw new OutOfMemory('the memory of the engine is exhausted');
    },
  };
}
