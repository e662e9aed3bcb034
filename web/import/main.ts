// SPDX-License-Identifier: MIT
// packscope-import: Parquet, Arrow, JSON lines and text to a corpus in Megatron's layout, which `packscope pack` reads.
// Standard output is the result, standard error is talk; exit code 1 is bad data, 2 bad usage.
import process from 'node:process';

import { DataError } from '../read/problem.js';
import { readFile } from '../read/read-file.js';
import { helpText, type Wish, wishOf } from './arguments.js';
import { CorpusWriter } from './corpus-writer.js';
import { DiskFile } from './disk-file.js';
import { encodingFor } from './encoding.js';
import { hasTokens } from './kinds.js';
import { progressLine } from './progress.js';
import { UsageError } from './usage.js';

const version: string = PACKSCOPE_VERSION;
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** What a signal interrupts leaves nothing behind. */
function discardOnSignals(discard: () => void): void {
  for (const [name, number] of Object.entries(signals)) {
    process.once(name, () => {
      discard();
      process.stderr.write(`packscope-import: interrupted by ${name}; nothing was written\n`);
      process.exit(128 + number);
    });
  }
}

async function importFiles(wish: Wish): Promise<string> {
  const files = wish.files.map((path) => DiskFile.open(path));
  const encoding = await encodingFor(wish);
  // Before there is a file to leave behind.
  discardOnSignals(() => writer.discard());
  const writer = CorpusWriter.create(wish, encoding);
  const line = progressLine(wish.quiet);
  try {
    const watch = { tell: line.show, stopped: () => undefined };
    const how = { reading: encoding.reading, tokenizer: encoding.uncounted, into: writer, watch, check: hasTokens };
    for (const file of files) await readFile(file, how);
    line.clear();
    writer.commit();
  } catch (error) {
    line.clear();
    writer.discard();
    throw error;
  }
  if (!wish.quiet) for (const note of writer.notes) process.stderr.write(`packscope-import: note: ${note}\n`);
  return writer.report();
}

async function main(words: string[]): Promise<number> {
  try {
    const wish = wishOf(words);
    if (wish === 'help') process.stdout.write(helpText);
    else if (wish === 'version') process.stdout.write(`packscope-import ${version}\n`);
    else process.stdout.write(await importFiles(wish));
    return 0;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    process.stderr.write(`packscope-import: ${message}\n`);
    // What is neither told by us nor by the system is a fault of this program: its place helps.
    const known = error instanceof UsageError || error instanceof DataError || code !== undefined;
    if (!known) process.stderr.write(`${(error as Error).stack}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
