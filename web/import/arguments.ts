// SPDX-License-Identifier: MIT
// The command line of packscope-import.
import { parseArgs } from 'node:util';

import { type TextUnit, textUnits } from '../read/reading.js';
import { UsageError } from './usage.js';

export const dtypes = ['uint16', 'int32'] as const;
export type Dtype = (typeof dtypes)[number];

/** What a person asked for. */
export interface Wish {
  readonly files: readonly string[];
  /** Of the two files, without their endings. */
  readonly out: string;
  readonly columns: readonly string[] | undefined;
  /** A name, or the path of a tokenizer.json; undefined where none was given. */
  readonly tokenizer: string | undefined;
  readonly unit: TextUnit;
  readonly dtype: Dtype | undefined;
  readonly force: boolean;
  readonly quiet: boolean;
}

export const helpText = `Usage: packscope-import FILES --out NAME [FLAGS]

Writes the documents of Parquet, Arrow, JSON lines, JSON arrays, CSV or text files to NAME.bin and NAME.idx, token
files in Megatron's layout, which packscope pack reads. JSON, CSV and text may be compressed by gzip or zstd.

      --out NAME              Where to. The index appears last: without it there is no corpus.
      --column A[,B]          The columns or fields that hold a document: one of token ids or of messages, or texts,
                              which a line feed joins. Default: found by name (input_ids, text, messages, ...).
      --tokenizer NAME|FILE   How text becomes tokens: bytes, r50k_base, cl100k_base, o200k_base (also without _base),
                              or the tokenizer.json of a model. Needed where there is text.
      --unit line|paragraph|file
                              What a document is in a plain text file. Default: line.
      --dtype uint16|int32    How ids are stored. Default: uint16 with bytes and r50k_base, else int32.
      --force                 Replace a corpus of that name.
  -q, --quiet                 No notes and no progress; errors only.
  -h, --help                  This text.
      --version               The version.

Example:
  packscope-import train-*.parquet --column text --tokenizer o200k_base --out corpus
  packscope pack corpus.idx -L 4096 -o packed
`;

const options = {
  out: { type: 'string' },
  column: { type: 'string', multiple: true },
  tokenizer: { type: 'string' },
  unit: { type: 'string' },
  dtype: { type: 'string' },
  force: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

function parsed(words: string[]) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    const [first = ''] = (error as Error).message.split('. ');
    throw new UsageError(first.replace(/\.$/, ''));
  }
}

function oneOf<T extends string>(flag: string, given: string | undefined, known: readonly T[]): T | undefined {
  const found = known.find((name) => name === given);
  if (given === undefined || found !== undefined) return found;
  throw new UsageError(`--${flag} '${given}' must be one of ${known.join(', ')}`);
}

/** What the words of a command line ask for. */
export function wishOf(words: string[]): Wish | 'help' | 'version' {
  const { values, positionals: files } = parsed(words);
  if (values.help) return 'help';
  if (values.version) return 'version';
  if (files.length === 0) throw new UsageError('No file is named: give Parquet, Arrow, JSON, CSV or text files');
  const out = values.out?.replace(/\.(bin|idx)$/, '');
  if (!out) throw new UsageError('--out is missing: name the corpus, such as --out corpus');
  const columns = values.column?.flatMap((names) => names.split(',')).filter((name) => name !== '');
  return {
    files,
    out,
    columns: columns?.length ? columns : undefined,
    tokenizer: values.tokenizer,
    unit: oneOf('unit', values.unit, textUnits) ?? 'line',
    dtype: oneOf('dtype', values.dtype, dtypes),
    force: values.force ?? false,
    quiet: values.quiet ?? false,
  };
}
