// SPDX-License-Identifier: MIT
// Files to the documents on show: gathered one after another, or a packed folder's plan.

import type { TableChoice } from '../../read/arrow.js';
import { DataError } from '../../read/problem.js';
import { readFile } from '../../read/read-file.js';
import type { Reading, Watch } from '../../read/reading.js';
import { tokenizerFor } from '../../read/tokenizer.js';
import { Collector } from './collector.js';
import type { DataSet } from './data-set.js';
import type { WindowRange } from './folder.js';
import { isPackedFolder, readPackedFolder } from './folder.js';
import { folderOfFiles, folderOfUrl } from './ranged.js';
import { refuseTooLarge } from './reach.js';

/** Reads one file, or several one after another, their documents numbered on. */
export async function readFiles(files: readonly File[], reading: Reading, watch: Watch): Promise<DataSet> {
  if (isPackedFolder(files)) {
    const data = await readPackedFolder(folderOfFiles(files), undefined, watch);
    const chosen = files[0]?.webkitRelativePath.split('/')[0];
    return chosen ? { ...data, title: chosen } : data;
  }
  const tokenizer = await tokenizerFor(reading);
  const into = new Collector();
  const stopped = () => watch.stopped() === 'keep';
  let choice: TableChoice | undefined;
  let read = 0;
  for (const file of files) {
    const done = await readFile(file, { reading, tokenizer, into, watch, check: refuseTooLarge });
    choice = done.choice ?? choice;
    read += done.bytes;
    if (stopped()) break;
  }
  const first = (files[0] as File).name;
  const title = files.length === 1 ? first : `${first} and ${files.length - 1} more`;
  if (into.count === 0)
    throw new DataError(`${title} has no documents: it is empty. Give lengths, JSON lines or text.`);
  const chosen = choice?.choice.names;
  const made = { ...into.finish(title), chosen, columns: choice?.columns, sourceColumn: choice?.source };
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return {
    ...made,
    tokenizer: made.texts ? tokenizer : undefined,
    readShare: stopped() ? read / Math.max(size, 1) : undefined,
  };
}

/** Reads a packed folder below an address, or some windows of it. */
export function readServedFolder(url: string, windows: WindowRange | undefined, watch: Watch): Promise<DataSet> {
  return readPackedFolder(folderOfUrl(url), windows, watch);
}
