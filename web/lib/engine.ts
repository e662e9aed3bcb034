// SPDX-License-Identifier: MIT
// One WebAssembly instance at a time: made on first use, and made anew after a trap or exhausted memory. What
// lived in an instance that ended, open streams and drawings, cannot go on.
import createModule from '../../wasm-build/dist/glue.mjs';
import { createBoundary, OutOfMemory } from './boundary.js';
import { isErrorCode, PackscopeError } from './errors.js';
import { messageInCamelCase } from './names.js';
import type { Answer, RawError, RawModule, RawOptions, RawOptionTexts } from './raw.js';
import { SpareBuffers } from './spare-buffers.js';

/** Which build of the core runs. Both give the same bytes; `simd` is faster. */
export type Variant = 'simd' | 'scalar';

// (func (result v128) i32.const 0 i8x16.splat i8x16.popcnt)
const simdProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Whether this JavaScript engine runs WebAssembly with SIMD. */
export function simdSupported(): boolean {
  return WebAssembly.validate(simdProbe);
}

function instantiate(module: WebAssembly.Module, spare: () => SpareBuffers | undefined): RawModule {
  let memory: WebAssembly.Memory | undefined;
  const instance = {
    boundary: createBoundary(() => (memory as WebAssembly.Memory).buffer as ArrayBuffer, spare),
    // Of an instance that ends: its PackscopeError says so.
    printErr() {},
    // Synchronous: the exports are there when createModule() returns, before its promise resolves.
    instantiateWasm(imports: WebAssembly.Imports, receive: (made: WebAssembly.Instance) => void) {
      const made = new WebAssembly.Instance(module, imports);
      memory = Object.values(made.exports).find((value) => value instanceof WebAssembly.Memory);
      receive(made);
      return made.exports;
    },
  };
  createModule(instance);
  return instance as unknown as RawModule;
}

// What messages call by the core's names besides options.
const argumentNames = ['max_tokens', 'max_rows', 'pad_to', 'prefix_lengths', 'prompt_lengths', 'source_names'];

export class Engine {
  readonly variant: Variant;
  readonly #compile: () => WebAssembly.Module;
  #module: WebAssembly.Module | undefined;
  #raw: RawModule | undefined;
  #generation = 0;
  #spare: SpareBuffers | undefined;
  #description: ReturnType<RawModule['describe']> | undefined;
  // Of the options asked about last, which mostly are those of the next call too.
  #checked: { readonly list: RawOptions; readonly texts: RawOptionTexts } | undefined;

  /** `compile` is called once, on first use. @internal */
  constructor(variant: Variant, compile: () => WebAssembly.Module) {
    this.variant = variant;
    this.#compile = compile;
  }

  /** Grows by one whenever an instance ends. */
  get generation(): number {
    return this.#generation;
  }

  /** Runs `call` on the instance. What it throws, other than a PackscopeError, ends the instance. */
  run<T>(call: (raw: RawModule) => T): T {
    try {
      this.#module ??= this.#compile();
      this.#raw ??= instantiate(this.#module, () => this.#spare);
      return call(this.#raw);
    } catch (error) {
      if (error instanceof PackscopeError) throw error;
      this.#raw = undefined;
      this.#generation += 1;
      throw endOf(error);
    }
  }

  /** Runs `call` and takes the value out of its answer, or throws the error in it. */
  ask<T>(call: (raw: RawModule) => Answer<T>): T {
    const answer = this.run(call);
    if (answer.error !== undefined) throw this.#refusal(answer.error);
    return answer.value;
  }

  /** Runs `body`; what it reads out goes into the memory of `earlier`, a result that is no longer needed, where it fits. */
  reusing<T>(earlier: unknown, body: () => T): T {
    if (earlier === undefined) return body();
    this.#spare = new SpareBuffers(earlier);
    try {
      return body();
    } finally {
      this.#spare = undefined;
    }
  }

  /** The tables of options and algorithms, which are the same for every instance. */
  get description(): ReturnType<RawModule['describe']> {
    this.#description ??= this.run((raw) => raw.describe());
    return this.#description;
  }

  /** The text of every option, those that are not in the list too; throws what the core has against it. */
  optionTexts(list: RawOptions): RawOptionTexts {
    if (this.#checked?.list !== list) this.#checked = { list, texts: this.ask((raw) => raw.checkOptions(list)) };
    return this.#checked.texts;
  }

  #refusal({ code, message, document }: RawError): PackscopeError {
    const optionNames = new Set([...argumentNames, ...this.description.options.map((option) => option.name)]);
    const text = messageInCamelCase(message, optionNames);
    return new PackscopeError(isErrorCode(code) ? code : 'internal', text, { document });
  }
}

// The core has no exceptions: its standard library aborts where an allocation cannot be met, and JavaScript
// throws a RangeError where its own arrays cannot be.
function endOf(error: unknown): PackscopeError {
  const message = error instanceof Error ? error.message : String(error);
  const aborted = message.startsWith('Aborted(');
  if (aborted || error instanceof OutOfMemory || error instanceof RangeError) {
    const text = `the engine ran out of memory${aborted ? '' : ` (${message})`}`;
    return new PackscopeError('out_of_memory', text, { cause: error });
  }
  return new PackscopeError('internal', `the engine stopped: ${message}`, { cause: error });
}
