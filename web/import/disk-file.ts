// SPDX-License-Identifier: MIT
// A file of the disk as readers take it: its bytes are read when they are asked for.
import { fstatSync, openSync, read } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';

import type { DataFile } from '../read/documents.js';
import { DataError } from '../read/problem.js';

const readAt = promisify(read);

export class DiskFile implements DataFile {
  readonly name: string;
  readonly size: number;
  readonly #descriptor: number;

  /** Opens it, so that it stays readable to the end. */
  static open(path: string): DiskFile {
    const descriptor = openSync(path, 'r');
    const { size, isFile } = withKind(descriptor);
    if (isFile) return new DiskFile(path, descriptor, size);
    throw new DataError(`${path} is no regular file, and tables are read out of order. Save it as a file.`);
  }

  private constructor(path: string, descriptor: number, size: number) {
    this.name = basename(path);
    this.size = size;
    this.#descriptor = descriptor;
  }

  slice(begin = 0, end = this.size): { arrayBuffer(): Promise<ArrayBuffer> } {
    const at = (offset: number) => Math.min(Math.max(offset < 0 ? this.size + offset : offset, 0), this.size);
    return { arrayBuffer: () => this.#bytes(at(begin), at(end)) };
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes(0, this.size);
  }

  async #bytes(begin: number, end: number): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(end - begin, 0));
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await readAt(this.#descriptor, bytes, done, bytes.length - done, begin + done);
      if (bytesRead === 0) throw new DataError(`${this.name} became shorter while it was read. Import it again.`);
      done += bytesRead;
    }
    return bytes.buffer;
  }
}

function withKind(descriptor: number): { size: number; isFile: boolean } {
  const stats = fstatSync(descriptor);
  return { size: stats.size, isFile: stats.isFile() };
}
