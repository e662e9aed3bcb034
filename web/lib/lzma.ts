// SPDX-License-Identifier: MIT
// Unpacks LZMA, in which both builds of the core share what they have in common: inlined bytes must be small and
// there at once, and browsers unpack nothing synchronously. Made for lc=3, lp=0, pb=0, as wasm-build/build.mjs packs.

const literalContextBits = 3;
const literalCoders = 0x300 << literalContextBits;
const shortestMatch = 2;
const halfProbability = 1024;
const headerBytes = 13;

const newProbabilities = (count: number) => new Uint16Array(count).fill(halfProbability);

/** Reads bits, each with the probability that its context has learnt. */
class RangeDecoder {
  readonly #bytes: Uint8Array;
  #next: number;
  #range = 0xffffffff;
  #code = 0;

  // The first byte of the stream is always 0.
  constructor(bytes: Uint8Array, begin: number) {
    this.#bytes = bytes;
    this.#next = begin + 1;
    for (let i = 0; i < 4; i += 1) this.#code = ((this.#code << 8) | this.#byte()) >>> 0;
  }

  #byte(): number {
    const byte = this.#bytes[this.#next] as number;
    this.#next += 1;
    return byte;
  }

  #normalize(): void {
    if (this.#range >= 0x1000000) return;
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | this.#byte()) >>> 0;
  }

  bit(probabilities: Uint16Array, context: number): number {
    const probability = probabilities[context] as number;
    const bound = (this.#range >>> 11) * probability;
    const isZero = this.#code < bound;
    if (isZero) {
      this.#range = bound;
      probabilities[context] = probability + ((2048 - probability) >> 5);
    } else {
      this.#range -= bound;
      this.#code -= bound;
      probabilities[context] = probability - (probability >> 5);
    }
    this.#normalize();
    return isZero ? 0 : 1;
  }

  /** A number of so many bits, the highest first; each bit's context is the bits before it. */
  tree(probabilities: Uint16Array, bits: number, base = 0): number {
    let value = 1;
    for (let i = 0; i < bits; i += 1) value = (value << 1) | this.bit(probabilities, base + value);
    return value - (1 << bits);
  }

  /** The same, the lowest bit first. */
  reverseTree(probabilities: Uint16Array, bits: number, base = 0): number {
    let context = 1;
    let value = 0;
    for (let i = 0; i < bits; i += 1) {
      const bit = this.bit(probabilities, base + context);
      context = (context << 1) | bit;
      value |= bit << i;
    }
    return value;
  }

  /** Bits that are 0 as often as 1. */
  direct(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i += 1) {
      this.#range >>>= 1;
      const isOne = this.#code >= this.#range;
      if (isOne) this.#code -= this.#range;
      value = (value << 1) | (isOne ? 1 : 0);
      this.#normalize();
    }
    return value;
  }
}

class LengthCoder {
  readonly #choices = newProbabilities(2);
  readonly #short = newProbabilities(8);
  readonly #medium = newProbabilities(8);
  readonly #long = newProbabilities(256);

  decode(decoder: RangeDecoder): number {
    if (decoder.bit(this.#choices, 0) === 0) return decoder.tree(this.#short, 3);
    if (decoder.bit(this.#choices, 1) === 0) return 8 + decoder.tree(this.#medium, 3);
    return 16 + decoder.tree(this.#long, 8);
  }
}

class DistanceCoder {
  readonly #slots = newProbabilities(4 * 64);
  readonly #middles = newProbabilities(128);
  readonly #low = newProbabilities(16);

  decode(decoder: RangeDecoder, length: number): number {
    const slot = decoder.tree(this.#slots, 6, Math.min(length, 3) * 64);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    if (slot < 14) return base + decoder.reverseTree(this.#middles, bits, base - slot);
    return base + (decoder.direct(bits - 4) << 4) + decoder.reverseTree(this.#low, 4);
  }
}

/** The first `size` bytes of what is packed. */
export function unpackLzma(packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  const decoder = new RangeDecoder(packed, headerBytes);
  const literals = newProbabilities(literalCoders);
  const isMatch = newProbabilities(12);
  const isRepeat = newProbabilities(12);
  const isOlder = newProbabilities(12);
  const isLonger = newProbabilities(12);
  const isThird = newProbabilities(12);
  const isFourth = newProbabilities(12);
  const matchLengths = new LengthCoder();
  const repeatLengths = new LengthCoder();
  const distances = new DistanceCoder();
  // The last four distances, and what the last steps were.
  let recent: [number, number, number, number] = [0, 0, 0, 0];
  let state = 0;
  let at = 0;

  function readLiteral(): void {
    const base = 0x300 * ((at === 0 ? 0 : (out[at - 1] as number)) >> (8 - literalContextBits));
    let symbol = 1;
    // After a match, the byte at the same distance says most about this one, up to the first bit that differs.
    let expected = state < 7 ? 0 : (out[at - recent[0] - 1] as number);
    let follows = state >= 7;
    while (symbol < 0x100) {
      const expectedBit = (expected >> 7) & 1;
      expected <<= 1;
      const bit = decoder.bit(literals, base + (follows ? (1 + expectedBit) << 8 : 0) + symbol);
      follows &&= bit === expectedBit;
      symbol = (symbol << 1) | bit;
    }
    out[at] = symbol;
    at += 1;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }

  function copy(length: number): void {
    const end = Math.min(at + length, size);
    for (; at < end; at += 1) out[at] = out[at - recent[0] - 1] as number;
  }

  function readMatch(): void {
    const length = matchLengths.decode(decoder);
    recent = [distances.decode(decoder, length), recent[0], recent[1], recent[2]];
    state = state < 7 ? 7 : 10;
    copy(length + shortestMatch);
  }

  function readRepeat(): void {
    if (decoder.bit(isOlder, state) === 0) {
      if (decoder.bit(isLonger, state) === 0) {
        state = state < 7 ? 9 : 11;
        copy(1);
        return;
      }
    } else {
      recent = moveToFront();
    }
    const length = repeatLengths.decode(decoder) + shortestMatch;
    state = state < 7 ? 8 : 11;
    copy(length);
  }

  function moveToFront(): typeof recent {
    const [first, second, third, fourth] = recent;
    if (decoder.bit(isThird, state) === 0) return [second, first, third, fourth];
    if (decoder.bit(isFourth, state) === 0) return [third, first, second, fourth];
    return [fourth, first, second, third];
  }

  while (at < size) {
    if (decoder.bit(isMatch, state) === 0) readLiteral();
    else if (decoder.bit(isRepeat, state) === 0) readMatch();
    else readRepeat();
  }
  return out;
}
