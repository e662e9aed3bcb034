// SPDX-License-Identifier: MIT
// A small seeded generator, so that built-in examples are the same documents everywhere.

/** Whole numbers from 0 to 2^32 - 1, uniform: a Weyl sequence with a finalizer. */
export function uniform32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let x = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  };
}

/** Close to a standard normal: the sum of eight uniforms, so that no logarithm decides a length. */
export function normal(next: () => number): number {
  let sum = 0;
  for (let i = 0; i < 8; i += 1) sum += next();
  return (sum / 2 ** 32 - 4) * Math.sqrt(1.5);
}
