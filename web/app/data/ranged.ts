// SPDX-License-Identifier: MIT
// Files read by ranges of bytes, from the reader's disk or from the server of `packscope view`: what is not looked at is
// not read.
import type { NpyArray } from '../../read/npy.js';
import { npyHeader, npyType, npyValues } from '../../read/npy.js';
import { DataError } from '../../read/problem.js';

/** A file of which any part can be read. */
export interface RangedFile {
  readonly name: string;
  /** The bytes [begin, end), fewer where the file ends before. */
  read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** The files of a folder by name, `shard-00000/labels.npy` for one below it; undefined where there is none. */
export type RangedFolder = (name: string) => RangedFile | undefined;

export function folderOfFiles(files: readonly File[]): RangedFolder {
  return (name) => {
    const isNamed = (file: File) => file.name === name || file.webkitRelativePath?.endsWith(`/${name}`);
    const file = files.find(isNamed);
    if (file === undefined) return undefined;
    const read = async (begin: number, end: number) => new Uint8Array(await file.slice(begin, end).arrayBuffer());
    return { name, read };
  };
}

/** The files below an address, whose server must answer requests for a range. */
export function folderOfUrl(url: string): RangedFolder {
  return (name) => ({ name, read: (begin, end) => fetchRange(new URL(name, url), name, begin, end) });
}

async function fetchRange(url: URL, name: string, begin: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  if (end <= begin) return new Uint8Array(0);
  let response: Response;
  try {
    response = await fetch(url, { headers: { Range: `bytes=${begin}-${end - 1}` } });
  } catch {
    throw new DataError(`${name} cannot be fetched: the server does not answer. Start packscope view again.`);
  }
  if (response.status === 206) return new Uint8Array(await response.arrayBuffer());
  throw new DataError(
    response.status === 200
      ? `${name} comes as a whole only. Serve the folder by packscope view, which gives parts of files.`
      : `${name} cannot be fetched: the server answers ${response.status}. Open the address that packscope view prints.`,
  );
}

const headerBytes = 1024;

/** An array as the manifest of its folder lists it. */
export interface ListedArray {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Where its values stand when they are in no .npy file of its name: from byte `offset` of this one on. */
  readonly file?: string;
  readonly offset?: number;
}

/** An array in such a file, whose values are read when they are asked for. */
export class RangedArray {
  readonly shape: readonly number[];
  readonly #file: RangedFile;
  readonly #header: ReturnType<typeof npyHeader>;

  /** That of a .npy file, whose header is read. */
  static async open(file: RangedFile): Promise<RangedArray> {
    return new RangedArray(file, npyHeader(await file.read(0, headerBytes), file.name));
  }

  /** One that is listed with its place. */
  static listed(file: RangedFile, { dtype, shape, offset = 0 }: ListedArray): RangedArray {
    const [type, bigEndian] = npyType(dtype);
    if (type === undefined) throw new DataError(`${file.name} holds ${dtype}, and ids are whole numbers.`);
    return new RangedArray(file, { shape, type, bigEndian, begin: offset });
  }

  private constructor(file: RangedFile, header: ReturnType<typeof npyHeader>) {
    this.#file = file;
    this.#header = header;
    this.shape = header.shape;
  }

  /** Values [first, last) of the array, counted through all of its dimensions. */
  async values(first: number, last: number): Promise<NpyArray> {
    const { begin, type } = this.#header;
    const size = type.BYTES_PER_ELEMENT;
    const bytes = await this.#file.read(begin + first * size, begin + last * size);
    if (bytes.length < (last - first) * size)
      throw new DataError(`${this.#file.name} ends before its value ${last}: the file is cut short. Pack it again.`);
    return npyValues(this.#header, bytes);
  }
}
