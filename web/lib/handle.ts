// SPDX-License-Identifier: MIT
// Something that lives in the engine between calls: opened once, closed once, and gone when the engine ends.
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import type { Answer, Handle, RawModule } from './raw.js';

export class EngineHandle {
  readonly #engine: Engine;
  readonly #generation: number;
  readonly #what: string;
  readonly #close: (raw: RawModule, handle: Handle) => void;
  #handle: Handle | undefined;

  /** `what` names it in messages: a stream, a drawing. */
  constructor(
    engine: Engine,
    what: string,
    open: (raw: RawModule) => Answer<Handle>,
    close: (raw: RawModule, handle: Handle) => void,
  ) {
    this.#engine = engine;
    this.#what = what;
    this.#close = close;
    this.#handle = engine.ask(open);
    this.#generation = engine.generation;
  }

  run<T>(call: (raw: RawModule, handle: Handle) => T): T {
    const handle = this.#open();
    return this.#engine.run((raw) => call(raw, handle));
  }

  ask<T>(call: (raw: RawModule, handle: Handle) => Answer<T>): T {
    const handle = this.#open();
    return this.#engine.ask((raw) => call(raw, handle));
  }

  close(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle !== undefined && this.#engine.generation === this.#generation)
      this.#engine.run((raw) => this.#close(raw, handle));
  }

  #open(): Handle {
    if (this.#engine.generation !== this.#generation) {
      throw new PackscopeError('engine_restarted', `the engine that held this ${this.#what} has ended`);
    }
    if (this.#handle !== undefined) return this.#handle;
    throw new PackscopeError('invalid_argument', `this ${this.#what} is finished or disposed of; open another`);
  }
}
