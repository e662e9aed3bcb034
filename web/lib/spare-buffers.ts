// SPDX-License-Identifier: MIT
// The memory of a result that is no longer needed, for the one that comes next. Arrays that JavaScript makes lie in
// pages never touched before, and touching those costs more than the copy into them.
import { wrongArgument } from './options.js';

// Buffers that a result has to itself though it may not fill them.
const owned = new WeakSet<object>();

/** Whether nothing else lies in the memory of an array, as far as can be known. */
export function isAlone({ buffer, byteLength }: ArrayBufferView): boolean {
  return buffer instanceof ArrayBuffer && (byteLength === buffer.byteLength || owned.has(buffer));
}

/** Called with a result that has come from a worker: nobody else here has its memory. */
export function own(result: object): void {
  for (const { buffer } of arraysOf(result)) owned.add(buffer);
}

/** The buffers of a plan or a batch, each once; none where one of them may hold the data of others too. */
export function buffersOf(result: unknown): ArrayBuffer[] {
  if (typeof result !== 'object' || result === null || !('window_offsets' in result)) {
    throw wrongArgument('reuse', result, 'a plan or a batch that is no longer needed');
  }
  const arrays = arraysOf(result);
  if (!arrays.every(isAlone)) return [];
  const buffers = new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer));
  return [...buffers].filter(({ byteLength }) => byteLength > 0);
}

/** A result of nothing but memory, which is all that a worker needs to know of one that is reused. */
export function resultOf(buffers: readonly ArrayBuffer[]): object {
  return { window_offsets: new Uint32Array(), ...buffers.map((buffer) => new Uint8Array(buffer)) };
}

function arraysOf(result: object): ArrayBufferView[] {
  const { fields } = result as { fields?: object | null };
  const values = [...Object.values(result), ...Object.values(fields ?? {})];
  return values.filter((value) => ArrayBuffer.isView(value) && !(value instanceof DataView));
}

export class SpareBuffers {
  #spare: readonly ArrayBuffer[];
  #emptied = false;

  constructor(result: unknown) {
    this.#spare = buffersOf(result);
  }

  /** The smallest that holds so many bytes without half of it left over. The first call empties the arrays of the result. */
  take(bytes: number): ArrayBuffer | undefined {
    if (!this.#emptied) this.#spare = moved(this.#spare).sort((a, b) => a.byteLength - b.byteLength);
    this.#emptied = true;
    const found = this.#spare.find(({ byteLength }) => bytes <= byteLength && byteLength <= 2 * bytes);
    if (found === undefined) return undefined;
    this.#spare = this.#spare.filter((buffer) => buffer !== found);
    owned.add(found);
    return found;
  }
}

// The same memory in buffers of their own: whoever still looks at the old ones finds them empty instead of changed.
function moved(buffers: readonly ArrayBuffer[]): ArrayBuffer[] {
  try {
    return structuredClone([...buffers], { transfer: [...buffers] });
  } catch {
    return []; // Memory that cannot be moved, such as that of a WebAssembly module, stays what it is.
  }
}
