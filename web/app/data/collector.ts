// SPDX-License-Identifier: MIT
// Gathers documents as they are read, in arrays that grow: lengths always, and text, ids, sources and what is the same
// as far as there is room for them.
import type { Document, DocumentSink } from '../../read/documents.js';
import type { DataSet, Sources } from './data-set.js';

/** Letters of text that are kept; above that lengths alone go on. */
const mostLetters = 400_000_000;
const mostIds = 32_000_000;
const mostIdentities = 4_000_000;

export class Collector implements DocumentSink {
  #lengths: Uint32Array<ArrayBufferLike> = new Uint32Array(1024);
  #count = 0;
  #texts: string[] | undefined = [];
  #letters = 0;
  #ids: Uint32Array<ArrayBufferLike> | undefined = new Uint32Array(4096);
  #idCount = 0;
  readonly #sourceNumbers = new Map<string, number>();
  #sources: Uint32Array | undefined;
  #identities: Uint32Array<ArrayBufferLike> | undefined = new Uint32Array(1024);
  readonly #known = new Map<number, number>();
  readonly notes: string[] = [];

  get count(): number {
    return this.#count;
  }

  add({ length, text, ids, source }: Document): void {
    const at = this.#count;
    if (at === this.#lengths.length) this.#lengths = grown(this.#lengths, at * 2);
    this.#lengths[at] = length;
    this.#count += 1;
    this.#keepText(text);
    this.#keepIds(ids);
    if (source !== undefined) this.#keepSource(at, source);
    this.#identify(at, text ?? ids);
  }

  #keepText(text: string | undefined): void {
    this.#letters += text?.length ?? 0;
    if (text === undefined) this.#texts = undefined;
    if (this.#letters > mostLetters && this.#texts) {
      this.#texts = undefined;
      this.notes.push('Text is too much to keep: lengths alone are shown.');
    }
    this.#texts?.push(text ?? '');
  }

  #keepIds(ids: ArrayLike<number> | undefined): void {
    if (ids === undefined || this.#idCount + ids.length > mostIds) this.#ids = undefined;
    if (this.#ids === undefined || ids === undefined) return;
    const end = this.#idCount + ids.length;
    if (end > this.#ids.length) this.#ids = grown(this.#ids, Math.max(end, this.#ids.length * 2));
    this.#ids.set(ids, this.#idCount);
    this.#idCount = end;
  }

  #keepSource(at: number, name: string): void {
    let number = this.#sourceNumbers.get(name);
    if (number === undefined) {
      number = this.#sourceNumbers.size;
      this.#sourceNumbers.set(name, number);
    }
    this.#sources ??= new Uint32Array(this.#lengths.length);
    if (at >= this.#sources.length) this.#sources = grown(this.#sources, this.#lengths.length);
    this.#sources[at] = number;
  }

  #identify(at: number, content: string | ArrayLike<number> | undefined): void {
    if (content === undefined || at >= mostIdentities) this.#identities = undefined;
    if (this.#identities === undefined || content === undefined) return;
    if (at >= this.#identities.length) this.#identities = grown(this.#identities, this.#lengths.length);
    const key = hash(content);
    const known = this.#known.get(key) ?? at;
    if (known === at) this.#known.set(key, at);
    this.#identities[at] = known;
  }

  finish(title: string): DataSet {
    const count = this.#count;
    const names = [...this.#sourceNumbers.keys()];
    const sources: Sources | undefined = this.#sources && { names, indices: this.#sources.slice(0, count) };
    return {
      title,
      sources,
      lengths: this.#lengths.slice(0, count),
      texts: count === 0 ? undefined : this.#texts,
      ids: count === 0 ? undefined : this.#ids?.slice(0, this.#idCount),
      identities: count === 0 ? undefined : this.#identities?.slice(0, count),
      notes: this.notes,
    };
  }
}

function grown(array: Uint32Array, length: number): Uint32Array {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}

// 53 bits from two multiplicative hashes: among four million documents a false match has odds of one in a thousand.
function hash(content: string | ArrayLike<number>): number {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  const isText = typeof content === 'string';
  for (let i = 0; i < content.length; i += 1) {
    const unit = isText ? content.charCodeAt(i) : (content[i] as number);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit ^ (b >>> 15), 0x85ebca6b);
  }
  return ((a ^ (a >>> 13)) >>> 0) * 0x200000 + ((b ^ (b >>> 16)) >>> 11);
}
