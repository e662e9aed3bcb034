// SPDX-License-Identifier: MIT
// NumPy's own files: .npy of versions 1 to 3 with any integer type, and .npz, which is a zip of them.
import { DataError } from './problem.js';

export type NpyArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

export interface Npy {
  readonly shape: readonly number[];
  readonly values: NpyArray;
}

const types = {
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
  i8: BigInt64Array,
  u8: BigUint64Array,
};

const isNpy = (bytes: Uint8Array) => bytes[0] === 0x93 && String.fromCharCode(...bytes.subarray(1, 6)) === 'NUMPY';

type NpyType = (typeof types)[keyof typeof types];

/** What an .npy file says of itself. */
export interface NpyHeader {
  readonly shape: readonly number[];
  readonly type: NpyType;
  readonly bigEndian: boolean;
  /** Where its values begin. */
  readonly begin: number;
}

/** The header at the beginning of an .npy file, of which that is enough. */
export function npyHeader(bytes: Uint8Array, name: string): NpyHeader {
  if (!isNpy(bytes))
    throw new DataError(`${name} is no .npy file: it does not begin with \\x93NUMPY. Save it by numpy.save.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes[6] as number;
  if (version < 1 || version > 3)
    throw new DataError(`${name} has .npy version ${version}; versions 1 to 3 are read. Save it again by numpy.save.`);
  const prefix = version === 1 ? 10 : 12;
  const headerBytes = bytes.length < prefix ? 0 : version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const begin = prefix + headerBytes;
  if (headerBytes === 0 || begin > bytes.length) throw short(name, begin, bytes.length);
  const header = new TextDecoder().decode(bytes.subarray(prefix, begin));
  const descr = header.match(/'descr':\s*'([^']*)'/)?.[1] ?? 'a record';
  const shape = (header.match(/'shape':\s*\(([^)]*)\)/)?.[1] ?? '')
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number);
  const [type, bigEndian] = npyType(descr);
  if (type === undefined)
    throw new DataError(
      `${name} holds ${descr}; lengths are whole numbers. Convert it: numpy.save("${name}", array.astype("uint32")).`,
    );
  if (/'fortran_order':\s*True/.test(header) && shape.length > 1)
    throw new DataError(`${name} is in Fortran order. Save it in C order: numpy.ascontiguousarray(array).`);
  return { shape, type, bigEndian, begin };
}

/** The array type of a dtype, undefined where it is none of whole numbers, and whether bytes stand in the other order. */
export function npyType(descr: string): [type: NpyType | undefined, bigEndian: boolean] {
  const [, order, code] = descr.match(/^([<>|=]?)([iu][1248])$/) ?? [];
  return [types[code as keyof typeof types], order === '>'];
}

/** Values from their bytes, which are taken over. */
export function npyValues({ type, bigEndian }: NpyHeader, raw: Uint8Array<ArrayBuffer>): NpyArray {
  if (bigEndian) swap(raw, type.BYTES_PER_ELEMENT);
  return new type(raw.buffer);
}

export function readNpy(bytes: Uint8Array, name: string): Npy {
  const header = npyHeader(bytes, name);
  const { shape, type, begin } = header;
  const count = shape.reduce((product, size) => product * size, 1);
  const end = begin + count * type.BYTES_PER_ELEMENT;
  if (end > bytes.length) throw short(name, end, bytes.length);
  return { shape, values: npyValues(header, bytes.slice(begin, end)) };
}

const short = (name: string, wanted: number, found: number) =>
  new DataError(`${name} ends after ${found} of ${wanted} bytes: the file is cut short. Fetch it again.`);

function swap(bytes: Uint8Array, width: number): void {
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
}

/** The arrays of an .npz by name, those that are no whole numbers left out. */
export async function readNpz(bytes: Uint8Array, name: string): Promise<Map<string, Npy>> {
  const { unzipSync } = await import('fflate');
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, { filter: (file) => file.name.endsWith('.npy') });
  } catch (error) {
    throw new DataError(`${name} is no whole .npz: ${(error as Error).message}. Save it again by numpy.savez.`);
  }
  const arrays = new Map<string, Npy>();
  for (const [file, content] of Object.entries(files)) {
    if (!/'descr':\s*'[<>|=]?[iu][1248]'/.test(new TextDecoder('latin1').decode(content.subarray(0, 256)))) continue;
    arrays.set(file.replace(/\.npy$/, ''), readNpy(content, `${name}, ${file}`));
  }
  return arrays;
}
