// SPDX-License-Identifier: MIT
// A file as a stream of bytes, a piece at a time, decompressed where its first bytes say so: gzip of any number of
// members, zstd of any number of frames.
import type { DataFile } from './documents.js';
import { DataError } from './problem.js';
import type { Watch } from './reading.js';
import { Cancelled } from './reading.js';

const pieceBytes = 1 << 20;

/** Bytes as they come, and how far in the file as it lies on the disk. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly read: number;
}

/** Reads a file from its beginning; ends early where the watcher keeps what there is. */
export async function* piecesOf(file: DataFile, watch: Watch): AsyncGenerator<Piece> {
  for (let at = 0; at < file.size; at += pieceBytes) {
    const stopped = watch.stopped();
    if (stopped === 'cancel') throw new Cancelled('Reading was cancelled.');
    if (stopped === 'keep') return;
    const end = Math.min(at + pieceBytes, file.size);
    yield { bytes: new Uint8Array(await file.slice(at, end).arrayBuffer()), read: end };
  }
}

export type Compression = 'gzip' | 'zstd' | 'none';

const magics: readonly (readonly [begin: readonly number[], name: string])[] = [
  [[0x1f, 0x8b], 'gzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'xz'],
  [[0x42, 0x5a, 0x68], 'bzip2'],
  [[0x37, 0x7a, 0xbc, 0xaf], '7z'],
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
];

/** How a file is compressed, by its first bytes; a form that cannot be read is refused with what to do instead. */
export async function compressionOf(file: DataFile): Promise<Compression> {
  const begin = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  const name = magics.find(([magic]) => magic.every((byte, index) => begin[index] === byte))?.[1] ?? 'none';
  if (name === 'gzip' || name === 'zstd' || name === 'none') return name;
  if (name === 'UTF-16')
    throw new DataError(`${file.name} is UTF-16. Convert it: iconv -f UTF-16 -t UTF-8 "${file.name}" > utf8.jsonl`);
  const tool = { xz: 'xz -d', bzip2: 'bzip2 -d', '7z': '7z e' }[name] ?? name;
  throw new DataError(
    `${file.name} is compressed by ${name}, which is not read. Unpack it first: ${tool} "${file.name}"`,
  );
}

interface Unpacker {
  push(bytes: Uint8Array, final: boolean): void;
}

/** A gzip member that has ended: where in the file, and what came out of it. */
interface Member {
  readonly end: number;
  readonly crc: number;
  readonly size: number;
}

/** CRC-32 and size of what comes out of each gzip member, which fflate leaves unchecked. */
class MemberCheck {
  #crc = 0xffffffff;
  #size = 0;
  #ended: Member[] = [];

  add(bytes: Uint8Array): void {
    let crc = this.#crc;
    for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
    this.#crc = crc;
    this.#size = (this.#size + bytes.length) >>> 0;
  }

  end(at: number): void {
    this.#ended.push({ end: at, crc: ~this.#crc >>> 0, size: this.#size });
    this.#crc = 0xffffffff;
    this.#size = 0;
  }

  /** The members that have ended since the last call. */
  ended(): Member[] {
    return this.#ended.splice(0);
  }
}

/** Whether the last eight bytes of a member say the same. `piece` mostly holds them. */
async function holds({ end, crc, size }: Member, file: DataFile, { bytes, read }: Piece): Promise<boolean> {
  const at = end - 8 - (read - bytes.length);
  const tail = at >= 0 ? bytes.slice(at, at + 8) : new Uint8Array(await file.slice(end - 8, end).arrayBuffer());
  const view = new DataView(tail.buffer);
  return tail.length === 8 && view.getUint32(0, true) === crc && view.getUint32(4, true) === size;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

async function unpackerFor(
  form: 'gzip' | 'zstd',
  check: MemberCheck,
  take: (bytes: Uint8Array) => void,
): Promise<Unpacker> {
  if (form === 'zstd') {
    const { Decompress } = await import('fzstd');
    return new Decompress(take);
  }
  const { Gunzip } = await import('fflate');
  const gunzip = new Gunzip((bytes) => {
    check.add(bytes);
    take(bytes);
  });
  gunzip.onmember = (offset) => check.end(offset);
  return gunzip;
}

/** The decompressed bytes of a file. */
export async function* unpacked(file: DataFile, form: Compression, watch: Watch): AsyncGenerator<Piece> {
  if (form === 'none') {
    yield* piecesOf(file, watch);
    return;
  }
  let made: Uint8Array[] = [];
  let read = 0;
  const check = new MemberCheck();
  const unpacker = await unpackerFor(form, check, (bytes) => made.push(bytes));
  const push = (bytes: Uint8Array, final: boolean) => {
    try {
      unpacker.push(bytes, final);
    } catch (error) {
      throw damaged(file, form, read, (error as Error).message);
    }
  };
  const compare = async (piece: Piece) => {
    for (const member of check.ended())
      if (!(await holds(member, file, piece))) throw damaged(file, form, member.end, 'its checksum is another');
  };
  for await (const piece of piecesOf(file, watch)) {
    push(piece.bytes, false);
    read = piece.read;
    await compare(piece);
    for (const bytes of made) yield { bytes, read };
    made = [];
  }
  if (watch.stopped() === 'keep') return;
  push(new Uint8Array(0), true);
  for (const bytes of made) yield { bytes, read };
  if (form === 'gzip') check.end(file.size);
  await compare({ bytes: new Uint8Array(0), read });
}

function damaged(file: DataFile, form: string, read: number, message: string): DataError {
  const early = /unexpected EOF|unexpected end/i.test(message);
  const what = early ? 'ends inside its compressed data' : `is damaged (${message})`;
  return new DataError(
    `${file.name} ${what}, after ${read} of ${file.size} bytes of ${form}. The file is ${early ? 'cut short' : 'not whole'}: fetch it again.`,
  );
}

/** All bytes at once, for the forms that are read from their ends. */
export async function wholeOf(file: DataFile, watch: Watch): Promise<Uint8Array<ArrayBuffer>> {
  const form = await compressionOf(file);
  if (form === 'none') return new Uint8Array(await file.arrayBuffer());
  const parts: Uint8Array[] = [];
  for await (const { bytes } of unpacked(file, form, watch)) parts.push(bytes);
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Tells how far it is and lets other calls in; true where reading ends here. */
export async function paused(
  { tell, stopped }: Watch,
  phase: string,
  done: number,
  total: number,
  documents: number,
): Promise<boolean> {
  tell({ phase, done, total, documents });
  await new Promise<void>((resolve) => setTimeout(resolve));
  if (stopped() === 'cancel') throw new Cancelled('Reading was cancelled.');
  return stopped() === 'keep';
}

/** Longer than this without a pause, and the page's pictures wait. */
const longestStretchMs = 40;

/** Pauses of a loop over very many documents: when one is due, and whether reading ends at it. */
export function restsOf(watch: Watch, phase: string) {
  let rested = performance.now();
  return {
    isDue: () => performance.now() - rested >= longestStretchMs,
    async ends(done: number, total: number, documents: number): Promise<boolean> {
      const here = await paused(watch, phase, done, total, documents);
      rested = performance.now();
      return here;
    },
  };
}
