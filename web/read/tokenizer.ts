// SPDX-License-Identifier: MIT
// Text to tokens: bytes and words at once, the others fetched when they are asked for.
import { DataError } from './problem.js';
import type { Reading, TokenizerName } from './reading.js';

export interface Tokenizer {
  readonly name: string;
  readonly count: (text: string) => number;
  /** The text of tokens [begin, end). */
  readonly slice: (text: string, begin: number, end: number) => string;
  /** Ids, where tokens have any. */
  readonly ids?: (text: string) => ArrayLike<number>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const bytes: Tokenizer = {
  name: 'bytes',
  count: utf8Length,
  slice: (text, begin, end) => decoder.decode(encoder.encode(text).subarray(begin, end)),
  ids: (text) => encoder.encode(text),
};

// Counting is several times as fast as encoding short texts.
function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair is two of its four bytes.
    if (unit >= 0x80) length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return length;
}

const wordsOf = (text: string): string[] => text.match(/\S+\s*/g) ?? [];

export const words: Tokenizer = {
  name: 'words',
  count: (text) => text.match(/\S+/g)?.length ?? 0,
  slice: (text, begin, end) => wordsOf(text).slice(begin, end).join('').trimEnd(),
};

interface ByteSlice {
  readonly encode: (text: string) => number[];
  readonly decode: (ids: number[]) => string;
  readonly count?: (text: string) => number;
}

function fromCodec(name: string, { encode, decode, count }: ByteSlice): Tokenizer {
  return {
    name,
    ids: encode,
    count: count ?? ((text) => encode(text).length),
    slice: (text, begin, end) => decode(encode(text).slice(begin, end)),
  };
}

// What looks like a special token in a document is text.
const plain = { disallowedSpecial: new Set<string>() };

const encodings = {
  r50k_base: () => import('gpt-tokenizer/encoding/r50k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
};

async function ranked(name: keyof typeof encodings): Promise<Tokenizer> {
  const { countTokens, encode, decode } = await encodings[name]();
  return fromCodec(name, {
    decode,
    encode: (text) => encode(text, plain),
    count: (text) => countTokens(text, plain),
  });
}

/** Reads a `tokenizer.json` as Hugging Face tokenizers write it. */
async function ofFile(file: File): Promise<Tokenizer> {
  const { Tokenizer: FileTokenizer } = await import('@huggingface/tokenizers');
  const refused = (reason: string) =>
    new DataError(
      `${file.name} is no tokenizer that can be read: ${reason}. Give the tokenizer.json of a model with BPE, WordPiece or Unigram.`,
    );
  let made: InstanceType<typeof FileTokenizer>;
  try {
    const json = JSON.parse(await file.text()) as Record<string, unknown>;
    if (typeof json['model'] !== 'object' || json['model'] === null) throw new Error('it has no "model"');
    made = new FileTokenizer(json, {});
    made.encode('a', { add_special_tokens: false });
  } catch (error) {
    throw refused((error as Error).message);
  }
  return fromCodec(file.name, {
    encode: (text) => made.encode(text, { add_special_tokens: false }).ids,
    decode: (ids) => (ids.length === 0 ? '' : made.decode(ids)),
  });
}

export async function tokenizerFor({ tokenizer, tokenizerFile }: Reading): Promise<Tokenizer> {
  if (tokenizer === 'words') return words;
  if (tokenizer === 'bytes') return bytes;
  if (tokenizer !== 'file') return ranked(tokenizer);
  if (tokenizerFile) return ofFile(tokenizerFile);
  throw new DataError('The tokenizer is a file that is not here. Choose the tokenizer.json again.');
}

export const tokenizerTitles: Readonly<Record<TokenizerName, string>> = {
  bytes: 'Bytes of UTF-8',
  words: 'Words',
  r50k_base: 'r50k_base (GPT-2)',
  cl100k_base: 'cl100k_base (GPT-4)',
  o200k_base: 'o200k_base (GPT-4o)',
  file: 'tokenizer.json…',
};
