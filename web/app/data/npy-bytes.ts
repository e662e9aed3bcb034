// SPDX-License-Identifier: MIT
// Arrays as .npy, version 1.

type Writable = Uint8Array | Int32Array | Uint32Array;

function dtypeOf(array: Writable): string {
  if (array instanceof Int32Array) return '<i4';
  return array instanceof Uint32Array ? '<u4' : '|u1';
}

export function npyBytes(array: Writable, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const header = `{'descr': '${dtypeOf(array)}', 'fortran_order': False, 'shape': (${sizes}), }`;
  // Padded so that the data begins at a multiple of 64 bytes.
  const padded = `${header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11)}\n`;
  const begin = `\x93NUMPY\x01\x00${String.fromCharCode(padded.length & 255, padded.length >> 8)}${padded}`;
  const bytes = new Uint8Array(begin.length + array.byteLength);
  for (let i = 0; i < begin.length; i += 1) bytes[i] = begin.charCodeAt(i);
  bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), begin.length);
  return bytes;
}
