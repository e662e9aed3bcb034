// SPDX-License-Identifier: MIT
// The documents that users hand in, in any of the shapes they have them, behind one way to ask for lengths and
// pieces of tokens. Nothing is copied until it is asked for.
import { PackscopeError } from './errors.js';
import {
  areNames,
  describe,
  isDetached,
  isName,
  isPlain,
  nameRule,
  refuseOtherNames,
  wrongArgument,
} from './options.js';
import type { FieldArray, RawCorpus, RawDocuments, RawField } from './raw.js';

/** Token ids: whole numbers from 0 to 2147483647. */
export type TokenArray = readonly number[] | Int32Array | Uint32Array | Uint16Array | Uint8Array | BigInt64Array;

/** Whole numbers, one for each document. */
export type NumberArray =
  | readonly number[]
  | Uint32Array
  | Int32Array
  | Uint16Array
  | Uint8Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** 1 = this token is a training target, 0 = it is not. Aligned with the tokens. */
export type MaskArray = readonly number[] | readonly boolean[] | Uint8Array;

/** A number for each token that travels with it, such as a reward. */
export type FieldValues<Memory extends ArrayBufferLike = ArrayBufferLike> = FieldArray<Memory>;

/** The source (data set) of each document: its name, or names and an index into them. */
export type Sources = readonly string[] | { readonly names: readonly string[]; readonly indices: NumberArray };

interface WithSources {
  /** Source of each document; sources are numbered in the order they first appear. Default: one unnamed source. */
  sources?: Sources;
}

/** Lengths alone: enough to plan. Lengths count tokens without separators. */
export type LengthDocuments = Uint32Array | readonly number[] | (WithSources & { lengths: NumberArray });

/** Documents one after another. */
export interface FlatDocuments extends WithSources {
  /** [T] the tokens of all documents. */
  tokens: TokenArray;
  /** [D + 1] where documents begin in `tokens`: from 0 to T. */
  offsets: NumberArray;
  /** [T] */
  lossMask?: MaskArray;
  /** [D] leading tokens of each document that are no targets. */
  promptLengths?: NumberArray;
  /** [T] each: further numbers for each token, packed like the tokens. */
  fields?: Readonly<Record<string, FieldValues>>;
}

/** A list of documents with what belongs to them. */
export interface ListedDocuments extends WithSources {
  documents: readonly TokenArray[];
  /** One for each document, as long as it. */
  lossMasks?: readonly MaskArray[];
  /** Leading tokens of each document that are no targets. */
  promptLengths?: NumberArray;
  /** For each name a list with an array for each document, as long as it. */
  fields?: Readonly<Record<string, readonly FieldValues[]>>;
}

/** Documents with their tokens. */
export type TokenDocuments = FlatDocuments | ListedDocuments | readonly TokenArray[];

/**
 * Documents in any of these shapes:
 *
 * - lengths: `Uint32Array`, `number[]` or `{ lengths }`
 * - a list of token arrays: `[[1, 2, 3], [4, 5]]` or `{ documents: [[1, 2, 3], [4, 5]] }`
 * - tokens one after another: `{ tokens, offsets }`
 *
 * The object forms also take `sources`; those with tokens take loss masks, prompt lengths and fields. An empty list is one
 * of lengths; `{ documents: [] }` is one of token arrays.
 */
export type Documents = LengthDocuments | TokenDocuments;

const maxTokenId = 0x7fffffff;
/** Tokens of a document at most; the core's limit leaves room for BOS and a separator in 32 bits. */
const maxLength = 0xfffffff0;

const invalid = (message: string, document?: number) => new PackscopeError('invalid_argument', message, { document });

function mismatch(name: string, size: number, expected: number, unit: string, document?: number): PackscopeError {
  const text = `${name} has ${size} entries, but there are ${expected} ${unit}: give one entry for each, or none at all`;
  return new PackscopeError('length_mismatch', text, { document });
}

type AnyArray = ArrayLike<number | bigint | boolean>;

export function isArray(value: unknown): value is AnyArray {
  if (Array.isArray(value)) return true;
  return ArrayBuffer.isView(value) && !(value instanceof DataView) && !isDetached(value);
}

/** A whole number from 0 to `limit`, or an error that says where it stands. */
export function wholeNumber(value: unknown, limit: number, place: string, document?: number): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= limit) return number;
  throw wrongArgument(place, value, `a whole number from 0 to ${limit}`, document);
}

/** Numbers that stand beside tokens: tokens themselves, masks, fields. */
interface Column<Target> {
  /** Copies entries [begin, end) of `document` to `target` from `at` on. */
  copy(document: number, begin: number, end: number, target: Target, at: number): void;
}

type CheckedCopy<Target> = (
  from: AnyArray,
  begin: number,
  end: number,
  target: Target,
  at: number,
  document: number,
) => void;

function flatColumn<Target>(
  values: AnyArray,
  begins: (document: number) => number,
  copy: CheckedCopy<Target>,
): Column<Target> {
  return {
    copy(document, begin, end, target, at) {
      const first = begins(document);
      copy(values, first + begin, first + end, target, at, document);
    },
  };
}

function listColumn<Target>(lists: readonly AnyArray[], copy: CheckedCopy<Target>): Column<Target> {
  return {
    copy(document, begin, end, target, at) {
      copy(lists[document] as AnyArray, begin, end, target, at, document);
    },
  };
}

const copyTokens: CheckedCopy<Int32Array> = (from, begin, end, target, at, document) => {
  if (from instanceof Int32Array || from instanceof Uint16Array || from instanceof Uint8Array) {
    target.set(from.subarray(begin, end), at);
    return;
  }
  for (let i = begin; i < end; i += 1) target[at + i - begin] = tokenId(from[i], document, i);
};

function tokenId(value: unknown, document: number, position: number): number {
  const id = typeof value === 'bigint' ? Number(value) : value;
  if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= maxTokenId) return id;
  const text = `document ${document}, token ${position}: id ${describe(value)} is no whole number from 0 to ${maxTokenId}`;
  throw new PackscopeError('token_out_of_range', text, { document });
}

const copyMask: CheckedCopy<Uint8Array> = (from, begin, end, target, at, document) => {
  for (let i = begin; i < end; i += 1) {
    const value = from[i];
    if (value !== 0 && value !== 1 && value !== true && value !== false) {
      throw wrongArgument(`document ${document}, token ${i}: loss mask`, value, '0 or 1', document);
    }
    target[at + i - begin] = Number(value);
  }
};

const copyField: CheckedCopy<FieldArray> = (from, begin, end, target, at) => {
  (target as Int32Array).set((from as Int32Array).subarray(begin, end), at);
};

// In the order of the core's DType.
const fieldTypes = [Uint8Array, Int32Array, BigInt64Array, Float64Array] as const;

function fieldType(values: unknown, name: string): number {
  const dtype = fieldTypes.findIndex((type) => values instanceof type);
  if (dtype >= 0) return dtype;
  throw wrongArgument(`field ${name}`, values, 'a Uint8Array, Int32Array, BigInt64Array or Float64Array');
}

/** Fields by name. */
export function fieldEntries<T>(fields: Readonly<Record<string, T>> | undefined): [name: string, values: T][] {
  if (fields === undefined || fields === null) return [];
  if (!isPlain(fields)) throw wrongArgument('fields', fields, 'an object of arrays by name');
  const entries = Object.entries(fields);
  for (const [name] of entries) {
    if (name === '__proto__' || !isName(name)) throw wrongArgument('the name of a field', name, nameRule);
  }
  return entries;
}

export interface Field {
  readonly name: string;
  readonly dtype: number;
  readonly column: Column<FieldArray>;
}

/** An array of the type that a field's numbers have. */
export function fieldArray(dtype: number, length: number): FieldArray {
  return new (fieldTypes[dtype] as (typeof fieldTypes)[number])(length);
}

/** A field as the core takes it. */
export function rawField(name: string, values: FieldArray): RawField {
  return { name, dtype: fieldType(values, name), values };
}

/** What any shape of documents comes to. */
export class DocumentSet {
  readonly count: number;
  readonly tokens: Column<Int32Array> | undefined;
  readonly lossMask: Column<Uint8Array> | undefined;
  readonly fields: readonly Field[];
  readonly #length: (document: number) => number;
  readonly #known: Uint32Array | undefined;
  readonly #sources: Sources | undefined;
  readonly #promptLengths: AnyArray | undefined;

  constructor(parts: {
    count: number;
    length: (document: number) => number;
    lengths?: Uint32Array | undefined;
    tokens?: Column<Int32Array> | undefined;
    lossMask?: Column<Uint8Array> | undefined;
    fields?: readonly Field[] | undefined;
    sources?: Sources | undefined;
    promptLengths?: AnyArray | undefined;
  }) {
    this.count = parts.count;
    this.tokens = parts.tokens;
    this.lossMask = parts.lossMask;
    this.fields = parts.fields ?? [];
    this.#length = parts.length;
    this.#known = parts.lengths;
    this.#sources = parts.sources;
    this.#promptLengths = parts.promptLengths;
  }

  /** Tokens of a document, 0 of one that is not there. */
  length(document: number): number {
    return document < this.count ? this.#length(document) : 0;
  }

  get hasPrompts(): boolean {
    return this.#promptLengths !== undefined;
  }

  /** Leading tokens that are no targets, at most all. */
  promptLength(document: number): number {
    if (this.#promptLengths === undefined || document >= this.count) return 0;
    const place = `document ${document}: prompt length`;
    const prompt = wholeNumber(this.#promptLengths[document], maxLength, place, document);
    const length = this.length(document);
    if (prompt <= length) return prompt;
    throw invalid(`${place} ${prompt} exceeds its ${length} tokens: give at most the document's length`, document);
  }

  /** [D] */
  lengths(): Uint32Array {
    if (this.#known) return this.#known;
    const lengths = new Uint32Array(this.count);
    for (let document = 0; document < this.count; document += 1) lengths[document] = this.#length(document);
    return lengths;
  }

  /** What planning needs to know, without duplicates. */
  raw(): RawDocuments {
    return { lengths: this.lengths(), ...this.sources() };
  }

  /** Sources by number, in the order they first appear. */
  sources(): { sources?: Uint32Array; sourceNames?: readonly string[] } {
    const sources = this.#sources;
    if (sources === undefined) return {};
    if (Array.isArray(sources)) return namedSources(sources, this.count);
    const { names, indices } = (sources ?? {}) as Exclude<Sources, readonly string[]>;
    if (areNames(names) && isArray(indices)) return indexedSources({ names, indices }, this.count);
    throw wrongArgument('sources', sources, 'a name for each document, or { names, indices }');
  }

  /** Looks at every token, mask entry and prompt length once. */
  check(vocabSize: number): void {
    if (this.tokens) this.#checkTokens(this.tokens, vocabSize);
    if (this.lossMask)
      this.#forEachPiece((document, length) => this.lossMask?.copy(document, 0, length, new Uint8Array(length), 0));
    for (let document = 0; this.hasPrompts && document < this.count; document += 1) this.promptLength(document);
  }

  #checkTokens(tokens: Column<Int32Array>, vocabSize: number): void {
    let ids = new Int32Array(1024);
    this.#forEachPiece((document, length) => {
      if (ids.length < length) ids = new Int32Array(2 * length);
      tokens.copy(document, 0, length, ids, 0);
      for (let i = 0; i < length; i += 1) {
        const id = ids[i] as number;
        if (id >= 0 && id < vocabSize) continue;
        const place = `document ${document}, token ${i}: id ${id}`;
        const text =
          id < 0
            ? `${place} is negative; ids are 0 or more`
            : `${place} is not below vocabSize ${vocabSize}: raise vocabSize or tokenize again`;
        throw new PackscopeError('token_out_of_range', text, { document });
      }
    });
  }

  #forEachPiece(visit: (document: number, length: number) => void): void {
    for (let document = 0; document < this.count; document += 1) visit(document, this.#length(document));
  }

  /** All of it, for the functions that need every token at once. */
  corpus(): RawCorpus {
    const offsets = new Uint32Array(this.count + 1);
    let total = 0;
    for (let document = 0; document < this.count; document += 1) {
      total += this.#length(document);
      offsets[document + 1] = total;
    }
    if (total > 0xffffffff) {
      throw new PackscopeError(
        'too_large',
        `${total} tokens do not fit the engine's memory: work on fewer documents at a time`,
      );
    }
    const whole = this.arraysFor(total);
    this.#forEachPiece((document, length) => this.copyPiece(whole, document, 0, length, offsets[document] as number));
    const promptLengths = this.hasPrompts
      ? Uint32Array.from({ length: this.count }, (_, document) => this.promptLength(document))
      : undefined;
    return { ...rawArrays(whole), offsets, promptLengths, ...this.sources() };
  }

  /** Empty arrays for `total` tokens and what belongs to them. */
  arraysFor(total: number): TokenArrays {
    return {
      tokens: this.tokens && new Int32Array(total),
      lossMask: this.lossMask && new Uint8Array(total),
      fields: this.fields.map(({ name, dtype }) => ({ name, dtype, values: fieldArray(dtype, total) })),
    };
  }

  /** Copies tokens [begin, end) of a document, and what belongs to them, to `arrays` from `at` on. */
  copyPiece(arrays: TokenArrays, document: number, begin: number, end: number, at: number): void {
    if (begin === end) return;
    if (arrays.tokens) this.tokens?.copy(document, begin, end, arrays.tokens, at);
    if (arrays.lossMask) this.lossMask?.copy(document, begin, end, arrays.lossMask, at);
    for (const [index, { values }] of arrays.fields.entries()) {
      this.fields[index]?.column.copy(document, begin, end, values, at);
    }
  }
}

/** Tokens of some documents, one after another, with what belongs to them. */
export interface TokenArrays {
  readonly tokens: Int32Array | undefined;
  readonly lossMask: Uint8Array | undefined;
  readonly fields: readonly RawField[];
}

export function rawArrays({
  tokens,
  lossMask,
  fields,
}: TokenArrays): Pick<RawCorpus, 'tokens' | 'lossMask' | 'fields'> {
  return { tokens, lossMask, fields };
}

function namedSources(names: readonly string[], count: number): { sources: Uint32Array; sourceNames: string[] } {
  if (names.length !== count) throw mismatch('sources', names.length, count, 'documents');
  const numbers = new Map<string, number>();
  const sources = Uint32Array.from(names, (name, document) => {
    if (!isName(name)) {
      const text = `document ${document}: source is ${describe(name)}; name the source of every document, ${nameRule}`;
      throw new PackscopeError('unknown_source', text, { document });
    }
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  return { sources, sourceNames: [...numbers.keys()] };
}

function indexedSources({ names, indices }: { names: readonly string[]; indices: NumberArray }, count: number) {
  if (indices.length !== count) throw mismatch('sources.indices', indices.length, count, 'documents');
  if (indices instanceof Uint32Array) return { sources: indices, sourceNames: names };
  const sources = new Uint32Array(count);
  for (let document = 0; document < count; document += 1) {
    sources[document] = wholeNumber(indices[document], 0xffffffff, `document ${document}: source`, document);
  }
  return { sources, sourceNames: names };
}

// Shapes

const shapes =
  'lengths (Uint32Array, number[] or { lengths }), a list of token arrays, { documents } or { tokens, offsets }';

/** Any shape of documents; a wrong one is refused with what it is and what it may be. */
export function documentSet(input: Documents): DocumentSet {
  if (input instanceof Uint32Array) return fromLengths(input, undefined);
  if (Array.isArray(input)) {
    if (isArray(input[0])) return fromList(input as readonly TokenArray[], {});
    if (typeof input[0] === 'object' || typeof input[0] === 'string') {
      throw wrongArgument('document 0', input[0], 'an array of token ids, or a length', 0);
    }
    return fromLengths(input as readonly number[], undefined);
  }
  if (typeof input !== 'object' || input === null || isArray(input)) {
    throw wrongArgument('documents', input, shapes);
  }
  if ('lengths' in input) {
    refuseOtherNames(input, 'documents', ['lengths', 'sources']);
    return fromLengths(input.lengths, input.sources);
  }
  if ('documents' in input) {
    refuseOtherNames(input, 'documents', ['documents', 'sources', 'lossMasks', 'promptLengths', 'fields']);
    return fromList(input.documents, input);
  }
  if ('tokens' in input) {
    refuseOtherNames(input, 'documents', ['tokens', 'offsets', 'sources', 'lossMask', 'promptLengths', 'fields']);
    return fromFlat(input);
  }
  throw invalid(`documents is ${describe(input)} with neither lengths, documents nor tokens; it must be ${shapes}`);
}

function fromLengths(lengths: NumberArray, sources: Sources | undefined): DocumentSet {
  if (!isArray(lengths)) throw wrongArgument('lengths', lengths, 'an array of whole numbers');
  if (lengths instanceof Uint32Array) {
    return new DocumentSet({
      count: lengths.length,
      length: (document) => lengths[document] as number,
      lengths,
      sources,
    });
  }
  const length = (document: number) =>
    wholeNumber(lengths[document], maxLength, `document ${document}: length`, document);
  return new DocumentSet({ count: lengths.length, length, sources });
}

function fromList(documents: readonly TokenArray[], beside: Omit<ListedDocuments, 'documents'>): DocumentSet {
  if (!Array.isArray(documents)) throw wrongArgument('documents', documents, 'a list of token arrays');
  const lists = documents as readonly AnyArray[];
  const length = (document: number) => {
    const tokens = lists[document];
    if (isArray(tokens)) return tokens.length;
    throw wrongArgument(`document ${document}`, tokens, 'an array of token ids', document);
  };
  const column = <Target>(name: string, values: readonly AnyArray[], copy: CheckedCopy<Target>) => {
    if (!Array.isArray(values)) throw wrongArgument(name, values, 'a list with an array for each document');
    if (values.length !== lists.length) throw mismatch(name, values.length, lists.length, 'documents');
    for (let document = 0; document < lists.length; document += 1) {
      const size = isArray(values[document]) ? (values[document] as AnyArray).length : 0;
      if (size !== length(document))
        throw mismatch(`document ${document}: ${name}`, size, length(document), 'tokens', document);
    }
    return listColumn(values, copy);
  };
  return new DocumentSet({
    count: lists.length,
    length,
    tokens: listColumn(lists, copyTokens),
    lossMask: beside.lossMasks !== undefined ? column('lossMasks', beside.lossMasks, copyMask) : undefined,
    fields: fieldEntries(beside.fields).map(([name, values]) => {
      const checked = column(`field ${name}`, values as readonly AnyArray[], copyField);
      const dtype = values.length === 0 ? 1 : fieldType(values[0], name);
      for (const other of values) {
        if (fieldType(other, name) !== dtype)
          throw invalid(`field ${name} has arrays of different types: give all the same`);
      }
      return { name, dtype, column: checked };
    }),
    sources: beside.sources,
    promptLengths: checkedPrompts(beside.promptLengths, lists.length),
  });
}

function fromFlat(flat: FlatDocuments): DocumentSet {
  const { tokens, offsets } = flat;
  if (!isArray(tokens)) throw wrongArgument('tokens', tokens, 'an array of token ids');
  if (!isArray(offsets))
    throw wrongArgument('offsets', offsets, 'an array with where each document begins, and the end');
  const count = Math.max(offsets.length - 1, 0);
  const begins = (document: number) => Number(offsets[document]);
  checkOffsets(offsets, tokens.length);
  const column = <Target>(name: string, values: AnyArray, copy: CheckedCopy<Target>) => {
    if (!isArray(values)) throw wrongArgument(name, values, 'an array');
    if (values.length !== tokens.length) throw mismatch(name, values.length, tokens.length, 'tokens');
    return flatColumn(values, begins, copy);
  };
  return new DocumentSet({
    count,
    length: (document) => begins(document + 1) - begins(document),
    tokens: flatColumn(tokens, begins, copyTokens),
    lossMask: flat.lossMask !== undefined ? column('lossMask', flat.lossMask, copyMask) : undefined,
    fields: fieldEntries(flat.fields).map(([name, values]) => ({
      name,
      dtype: fieldType(values, name),
      column: column(`field ${name}`, values as AnyArray, copyField),
    })),
    sources: flat.sources,
    promptLengths: checkedPrompts(flat.promptLengths, count),
  });
}

function checkOffsets(offsets: AnyArray, tokenCount: number): void {
  if (offsets.length === 0) throw invalid('offsets is empty; it must have one entry more than there are documents');
  if (offsets instanceof Uint32Array && ascends(offsets, tokenCount)) return;
  let previous = wholeNumber(offsets[0], 0, 'offsets[0]');
  for (let i = 1; i < offsets.length; i += 1) {
    const offset = wholeNumber(offsets[i], Number.MAX_SAFE_INTEGER, `offsets[${i}]`, i - 1);
    if (offset < previous) {
      throw invalid(
        `document ${i - 1} ends at token ${offset}, before it begins at ${previous}: offsets must ascend`,
        i - 1,
      );
    }
    previous = offset;
  }
  if (previous !== tokenCount) throw mismatch('tokens', tokenCount, previous, 'tokens by the offsets');
}

// Asked anew whenever some windows of many documents are wanted, so that it has to be fast.
function ascends(offsets: Uint32Array, tokenCount: number): boolean {
  if (offsets[0] !== 0 || offsets[offsets.length - 1] !== tokenCount) return false;
  for (let i = 1; i < offsets.length; i += 1) if ((offsets[i] as number) < (offsets[i - 1] as number)) return false;
  return true;
}

function checkedPrompts(prompts: NumberArray | undefined, count: number): AnyArray | undefined {
  if (prompts === undefined) return undefined;
  if (!isArray(prompts)) throw wrongArgument('promptLengths', prompts, 'an array of whole numbers');
  if (prompts.length !== count) throw mismatch('promptLengths', prompts.length, count, 'documents');
  return prompts;
}
