// SPDX-License-Identifier: MIT
// Writes documents to a corpus in Megatron's layout: NAME.bin holds the ids, NAME.idx where each document lies. Both are
// made under other names and moved into place when they are whole, the index last: without it there is no corpus. Of the
// documents that are written, their lengths stay in memory, 4 bytes each.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';

import type { Document, DocumentSink } from '../read/documents.js';
import { DataError } from '../read/problem.js';
import type { Wish } from './arguments.js';
import type { Encoding } from './encoding.js';
import { UsageError } from './usage.js';

/** Code of a dtype in the index, its array, and its largest id. */
const forms = {
  uint16: { code: 8, array: Uint16Array, largest: 0xffff },
  int32: { code: 4, array: Int32Array, largest: 0x7fffffff },
} as const;

const bufferedIds = 1 << 20;
const valuesAtOnce = 1 << 16;
const headerBytes = 34;

type Target = Pick<Wish, 'out' | 'force'>;
type Form = Pick<Encoding, 'encode' | 'name' | 'dtype'>;

export class CorpusWriter implements DocumentSink {
  readonly notes: string[] = [];
  readonly #target: Target;
  readonly #form: Form;
  readonly #pending: { readonly bin: string; readonly idx: string };
  readonly #bin: number;
  readonly #buffer: Uint16Array | Int32Array;
  #buffered = 0;
  #tokens = 0;
  #lengths = new Uint32Array(1024);
  #count = 0;
  #open = true;

  /** Refuses to replace a corpus that was not asked to be replaced, before the work. */
  static create(target: Target, form: Form): CorpusWriter {
    const there = ['.bin', '.idx'].map((ending) => target.out + ending).find((path) => existsSync(path));
    if (there && !target.force) throw new UsageError(`${there} exists: name another --out, or replace it by --force`);
    return new CorpusWriter(target, form);
  }

  private constructor(target: Target, form: Form) {
    this.#target = target;
    this.#form = form;
    const stem = join(dirname(target.out), `.${basename(target.out)}.packscope-import-${process.pid}`);
    this.#pending = { bin: `${stem}.bin`, idx: `${stem}.idx` };
    this.#bin = openSync(this.#pending.bin, 'wx');
    this.#buffer = new forms[form.dtype].array(bufferedIds);
  }

  get count(): number {
    return this.#count;
  }

  add(document: Document): void {
    const ids = this.#idsOf(document);
    const { largest } = forms[this.#form.dtype];
    for (let i = 0; i < ids.length; i += 1) {
      const id = ids[i] as number;
      if (id > largest)
        throw new DataError(
          `Document ${this.#count} holds ${id} at index ${i}, and ${this.#form.dtype} holds ids up to ${largest}. Give --dtype int32.`,
        );
      if (this.#buffered === bufferedIds) this.#flush();
      this.#buffer[this.#buffered] = id;
      this.#buffered += 1;
    }
    this.#keepLength(ids.length);
  }

  #idsOf({ ids, text }: Document): ArrayLike<number> {
    if (ids !== undefined) return ids;
    if (text === undefined)
      throw new DataError(
        `Document ${this.#count} is known by its length alone. Name a column of text or token ids by --column.`,
      );
    if (this.#form.encode) return this.#form.encode(text);
    throw new UsageError(
      'There is text, and nothing says how it becomes tokens: give --tokenizer bytes, r50k_base, cl100k_base, o200k_base or a tokenizer.json',
    );
  }

  #keepLength(length: number): void {
    if (this.#count === this.#lengths.length) {
      const larger = new Uint32Array(this.#count * 2);
      larger.set(this.#lengths);
      this.#lengths = larger;
    }
    this.#lengths[this.#count] = length;
    this.#count += 1;
    this.#tokens += length;
  }

  #flush(): void {
    writeWhole(this.#bin, this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  /** Makes the corpus appear under its name. */
  commit(): void {
    const { bin, idx } = this.#pending;
    this.#flush();
    fsyncSync(this.#bin);
    closeSync(this.#bin);
    this.#open = false;
    writeIndex(idx, forms[this.#form.dtype], this.#lengths.subarray(0, this.#count));
    // An old index must not stand beside the new tokens, not for a moment.
    rmSync(`${this.#target.out}.idx`, { force: true });
    renameSync(bin, `${this.#target.out}.bin`);
    renameSync(idx, `${this.#target.out}.idx`);
    syncFolder(dirname(this.#target.out));
  }

  /** Leaves nothing behind. */
  discard(): void {
    if (this.#open) closeSync(this.#bin);
    this.#open = false;
    for (const path of Object.values(this.#pending)) rmSync(path, { force: true });
  }

  report(): string {
    const count = (value: number, noun: string) => `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`;
    const { name, dtype } = this.#form;
    const by = name === undefined ? '' : `, ${name}`;
    return `${this.#target.out}.idx: ${count(this.#count, 'document')}, ${count(this.#tokens, 'token')}, ${dtype}${by}\n`;
  }
}

function writeWhole(descriptor: number, values: ArrayBufferView): void {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Each document is one sequence, and they lie one after another. */
function writeIndex(path: string, { code, array }: (typeof forms)[keyof typeof forms], lengths: Uint32Array): void {
  const file = openSync(path, 'wx');
  const header = new DataView(new ArrayBuffer(headerBytes));
  [...'MMIDIDX\0\0'].forEach((letter, i) => {
    header.setUint8(i, letter.charCodeAt(0));
  });
  header.setBigUint64(9, 1n, true);
  header.setUint8(17, code);
  header.setBigUint64(18, BigInt(lengths.length), true);
  header.setBigUint64(26, BigInt(lengths.length + 1), true);
  writeWhole(file, header);
  writeWhole(file, lengths);
  let pointer = 0;
  writeBigints(file, lengths.length, (document) => {
    const here = pointer;
    pointer += (lengths[document] as number) * array.BYTES_PER_ELEMENT;
    return here;
  });
  writeBigints(file, lengths.length + 1, (document) => document);
  fsyncSync(file);
  closeSync(file);
}

/** Values from 0 on, a piece at a time. */
function writeBigints(file: number, count: number, valueAt: (index: number) => number): void {
  for (let first = 0; first < count; first += valuesAtOnce) {
    const length = Math.min(valuesAtOnce, count - first);
    writeWhole(
      file,
      BigInt64Array.from({ length }, (_, i) => BigInt(valueAt(first + i))),
    );
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
