// SPDX-License-Identifier: MIT
// How text becomes ids, and how ids are stored.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import type { Reading, TokenizerName } from '../read/reading.js';
import type { Tokenizer } from '../read/tokenizer.js';
import { tokenizerFor } from '../read/tokenizer.js';
import type { Dtype, Wish } from './arguments.js';
import { UsageError } from './usage.js';

export interface Encoding {
  readonly reading: Reading;
  /** What readers get: they need not count the tokens of a text that is encoded anyway. */
  readonly uncounted: Tokenizer;
  /** Undefined where no tokenizer was named. */
  readonly encode: ((text: string) => ArrayLike<number>) | undefined;
  /** For the report. */
  readonly name: string | undefined;
  readonly dtype: Dtype;
}

const shortNames: Readonly<Record<string, TokenizerName>> = {
  bytes: 'bytes',
  r50k: 'r50k_base',
  cl100k: 'cl100k_base',
  o200k: 'o200k_base',
};
/** Tokenizers of which every id has 16 bits. */
const small: ReadonlySet<TokenizerName> = new Set(['bytes', 'r50k_base']);

function tokenizerFile(path: string): File {
  try {
    return new File([readFileSync(path)], basename(path));
  } catch (error) {
    const names = Object.values(shortNames).join(', ');
    throw new UsageError(
      `--tokenizer '${path}' is none of ${names}, and no tokenizer.json that can be read: ${(error as Error).message}`,
    );
  }
}

export async function encodingFor({ tokenizer: named, columns, unit, dtype }: Wish): Promise<Encoding> {
  const known = named === undefined ? undefined : shortNames[named.replace(/_base$/, '')];
  const isFile = named !== undefined && known === undefined;
  const reading: Reading = {
    columns,
    unit,
    tokenizer: isFile ? 'file' : (known ?? 'bytes'),
    tokenizerFile: isFile ? tokenizerFile(named) : undefined,
  };
  const tokenizer = await tokenizerFor(reading);
  return {
    reading,
    uncounted: { ...tokenizer, count: () => 0 },
    encode: named === undefined ? undefined : tokenizer.ids,
    name: named === undefined ? undefined : tokenizer.name,
    dtype: dtype ?? (known !== undefined && small.has(known) ? 'uint16' : 'int32'),
  };
}
