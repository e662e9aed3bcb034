// SPDX-License-Identifier: MIT
// `packscope/slim`: the same interface over a `.wasm` file that the caller supplies, so that it can be streamed,
// cached and compiled once.

import type { Variant } from './engine.js';
import { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import { wrongArgument } from './options.js';
import type { Packscope } from './packscope.js';
import { packscopeOver } from './packscope.js';

export * from './types.js';

/** Where the engine comes from: one of these. `module` is a WebAssembly.Module, which Node's types do not know. */
export type WasmSource =
  | { module: object }
  | { bytes: ArrayBuffer | Uint8Array<ArrayBuffer> }
  | { response: Response | Promise<Response> }
  | { url: string | URL };

/**
 * A Packscope over one of the package's `.wasm` files, `packscope.simd.wasm` or `packscope.scalar.wasm`;
 * simdSupported() says which of them runs here.
 *
 * @example
 * ```js
 * const file = simdSupported() ? 'packscope.simd.wasm' : 'packscope.scalar.wasm';
 * const { pack } = await createPackscope({ url: `/assets/${file}` });
 * ```
 * @throws PackscopeError `io_error` where the file cannot be fetched, `invalid_data` where it is no engine
 */
export async function createPackscope(source: WasmSource): Promise<Packscope> {
  const module = await moduleOf(source);
  const engine = new Engine(variantOf(module), () => module);
  // The first call would tell as well; here it is known what was wrong.
  engine.description;
  return packscopeOver(engine);
}

async function moduleOf(source: WasmSource): Promise<WebAssembly.Module> {
  if (typeof source !== 'object' || source === null) throw wrongSource(source);
  if ('module' in source) return source.module;
  try {
    if ('bytes' in source) return await WebAssembly.compile(source.bytes);
    if ('response' in source) return await compileResponse(await source.response);
    if ('url' in source) return await compileResponse(await fetch(source.url));
  } catch (error) {
    throw loadError(error, source);
  }
  throw wrongSource(source);
}

// Streaming needs the right MIME type; bytes do not.
async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok)
    throw new PackscopeError('io_error', `${response.url} answered ${response.status} ${response.statusText}`);
  const streams = response.headers.get('content-type')?.startsWith('application/wasm') ?? false;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function loadError(error: unknown, source: WasmSource): PackscopeError {
  if (error instanceof PackscopeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const place = 'url' in source ? String(source.url) : 'the bytes given';
  if (error instanceof WebAssembly.CompileError) {
    return new PackscopeError('invalid_data', `${place} cannot be compiled: ${message}`, { cause: error });
  }
  return new PackscopeError('io_error', `${place} cannot be loaded: ${message}`, { cause: error });
}

function wrongSource(source: unknown): PackscopeError {
  return wrongArgument('source', source, '{ module }, { bytes }, { response } or { url }');
}

// Each build says which it is in a custom section.
function variantOf(module: WebAssembly.Module): Variant {
  return WebAssembly.Module.customSections(module, 'packscope.simd').length > 0 ? 'simd' : 'scalar';
}
