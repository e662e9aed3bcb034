// SPDX-License-Identifier: MIT
// The arrays of some windows as an .npz: an .npy each, zipped.
import { zipSync } from 'fflate';

import { npyBytes } from '../data/npy-bytes.js';
import { positionArrays } from './array-names.js';

/** Arrays with an entry for each position get the shape [windows, contextLength]. */
export function npzBytes(batch: object, contextLength: number): Uint8Array<ArrayBuffer> {
  const files: Record<string, Uint8Array> = {};
  for (const [name, value] of Object.entries(batch) as [string, unknown][]) {
    if (!(value instanceof Int32Array || value instanceof Uint32Array || value instanceof Uint8Array)) continue;
    const shape = positionArrays.has(name) ? [value.length / contextLength, contextLength] : [value.length];
    files[`${name}.npy`] = npyBytes(value, shape);
  }
  return zipSync(files, { level: 6 }) as Uint8Array<ArrayBuffer>;
}
