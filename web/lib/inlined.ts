// SPDX-License-Identifier: MIT
// The core's bytes as part of the JavaScript, for the entries that fetch nothing.
import { packed, sizes } from '../../wasm-build/dist/bytes.mjs';
import type { Variant } from './engine.js';
import { Engine, simdSupported } from './engine.js';
import { unpackLzma } from './lzma.js';
import { givenOptions, wrongArgument } from './options.js';

export interface InlinedOptions {
  /** Default: `simd` where this JavaScript engine has it. */
  variant?: Variant;
}

export function inlinedEngine(options?: InlinedOptions): Engine {
  const { variant = simdSupported() ? 'simd' : 'scalar' } = givenOptions(options);
  if (variant !== 'simd' && variant !== 'scalar') {
    throw wrongArgument('variant', variant, 'simd or scalar');
  }
  return new Engine(variant, () => new WebAssembly.Module(bytesOf(variant)));
}

// Both builds are packed one after the other, the one that nearly everyone needs first.
function bytesOf(variant: Variant): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(packed);
  if (variant === 'simd') return unpackLzma(bytes, sizes.simd);
  return unpackLzma(bytes, sizes.simd + sizes.scalar).subarray(sizes.simd);
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
