// SPDX-License-Identifier: MIT
// The memory of a result that is no longer needed, for the one that comes next. Arrays that JavaScript makes lie in
// pages never touched before, and touching those costs more than the copy into them.
import { PackscopeError } from './errors.js';
import { describe } from './options.js';

/** The buffers of a plan or a batch, each once. */
export function buffersOf(result: unknown): ArrayBuffer[] {
  if (result === undefined) return [];
  if (typeof result !== 'object' || result === null) {
    throw new PackscopeError(
      'invalid_argument',
      `reuse is ${describe(result)}; pass a plan or a batch that is no longer needed`,
    );
  }
  const { fields = {} } = result as { fields?: object };
  const found = new Set<ArrayBuffer>();
  for (const value of [...Object.values(result), ...Object.values(fields)]) {
    if (!ArrayBuffer.isView(value) || !(value.buffer instanceof ArrayBuffer)) continue;
    if (value.buffer.byteLength > 0) found.add(value.buffer);
  }
  return [...found];
}

const taken = new WeakSet<object>();

/** Whether a result has this buffer from an earlier one, to itself though it may not fill it. */
export function isReused(buffer: object): boolean {
  return taken.has(buffer);
}

export class SpareBuffers {
  #spare: readonly ArrayBuffer[];
  #emptied = false;

  constructor(result: unknown) {
    this.#spare = buffersOf(result);
  }

  /** The smallest that holds so many bytes without half of it left over. The first call empties the arrays of the result. */
  take(bytes: number): ArrayBuffer | undefined {
    if (!this.#emptied) this.#spare = this.#spare.flatMap(moved).sort((a, b) => a.byteLength - b.byteLength);
    this.#emptied = true;
    const found = this.#spare.find(({ byteLength }) => bytes <= byteLength && byteLength <= 2 * bytes);
    if (found === undefined) return undefined;
    this.#spare = this.#spare.filter((buffer) => buffer !== found);
    taken.add(found);
    return found;
  }
}

// The same memory in a buffer of its own: whoever still looks at the old one finds it empty instead of changed.
function moved(buffer: ArrayBuffer): ArrayBuffer[] {
  try {
    return [structuredClone(buffer, { transfer: [buffer] })];
  } catch {
    return []; // Memory that cannot be moved, such as that of a WebAssembly module, stays what it is.
  }
}
