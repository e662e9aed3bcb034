// SPDX-License-Identifier: MIT
// The core's bytes as part of the JavaScript, for the entries that fetch nothing.
import { scalar, simd } from '../../wasm-build/dist/bytes.mjs';
import type { Variant } from './engine.js';
import { Engine, simdSupported } from './engine.js';

export interface InlinedOptions {
  /** Default: `simd` where this JavaScript engine has it. */
  variant?: Variant;
}

export function inlinedEngine({ variant = simdSupported() ? 'simd' : 'scalar' }: InlinedOptions = {}): Engine {
  const text = variant === 'simd' ? simd : scalar;
  return new Engine(variant, () => new WebAssembly.Module(bytesOf(text)));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
