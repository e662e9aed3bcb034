// SPDX-License-Identifier: MIT
// Documents of the reader's own: files opened, dropped or pasted, read again in another way, and brought by a link.
import type { Reading } from '../../read/reading.js';
import { plainReading } from '../../read/reading.js';
import { ask } from '../engine/client.js';
import type { DataSummary } from '../engine/protocol.js';
import type { LinkedFile } from './link.js';
import { decodeLengths, encodeLengths, fileHash, fileOfLink, linkOfFile } from './link.js';
import type { Model } from './model.js';
import { noFilter, sliderLengths } from './model.js';
import type { Problem } from './store.js';
import { data, load, own, problem, wanted } from './store.js';

/** The last files that were to be opened: a refusal may offer to read them in another way. */
let asked: { readonly files: readonly File[]; readonly reading: Partial<Reading> } | undefined;

interface Given {
  readonly files: readonly File[];
  readonly reading: Reading;
}

type Settings = Parameters<typeof load>[1];

/** What is being read now. Whoever changes how before that is done means this, and not what is shown still. */
let coming: (Given & { readonly settings: Settings }) | undefined;

const latest = (): Given | undefined => coming ?? own.peek();

async function loadFiles({ files, reading }: Given, settings: Settings): Promise<boolean> {
  const given = { files, reading, settings };
  coming = given;
  const loaded = await load({ files, reading }, settings);
  if (coming === given) coming = undefined;
  if (loaded) void remember(given);
  return loaded;
}

/** Opens files; what is found out about them decides how they are read, and how long windows are. */
export async function openFiles(files: readonly File[], reading: Partial<Reading> = {}): Promise<boolean> {
  const [file] = files;
  if (file === undefined) return false;
  asked = { files, reading };
  const expected = wanted.peek();
  const same = expected !== undefined && (await isSame(file, expected));
  const how = { ...plainReading, ...keptTokenizer(), ...(same ? expected.reading : {}), ...reading };
  const length = (of: DataSummary) => (same || of.planOptions ? {} : { contextLength: fittingLength(of) });
  const settings = (of: DataSummary) => ({ example: 'own' as const, ...noFilter, ...length(of) });
  if (!(await loadFiles({ files, reading: how }, settings))) return false;
  if (expected) greet(expected, file, same);
  return true;
}

// A tokenizer once chosen is that of the next file, too.
function keptTokenizer(): Partial<Reading> {
  const { tokenizer = plainReading.tokenizer, tokenizerFile } = latest()?.reading ?? {};
  return { tokenizer, tokenizerFile };
}

/** Reads the same files in another way. */
export async function readAgain(change: Partial<Reading>): Promise<boolean> {
  const now = latest();
  if (now === undefined) return false;
  const settings = coming?.settings ?? { example: 'own' };
  return loadFiles({ files: now.files, reading: { ...now.reading, ...change } }, settings);
}

export async function openOtherwise(change: Partial<Reading>): Promise<boolean> {
  return asked === undefined ? readAgain(change) : openFiles(asked.files, { ...asked.reading, ...change });
}

export function pasteText(text: string): Promise<boolean> {
  return openFiles([new File([text], 'Pasted documents')], { unit: 'paragraph' });
}

export const stopReading = (how: 'keep' | 'cancel') => void ask('stopReading', how);

/** The first stop of the slider that takes every document, or four of the middle ones where some are very long. */
function fittingLength({ longest, median }: DataSummary): number {
  const wish = Math.max(longest <= 8192 ? longest : 0, 4 * median);
  return sliderLengths.find((length) => length >= wish) ?? (sliderLengths.at(-1) as number);
}

async function remember({ files, reading }: Given): Promise<void> {
  own.value = { files, reading, link: '' };
  const link = await linkFor(files, reading);
  if (own.peek()?.files === files) own.value = { files, reading, link };
}

async function linkFor(files: readonly File[], reading: Reading): Promise<string> {
  const file = files[0] as File;
  const summary = data.peek();
  const few = summary && summary.planOptions === undefined && (await ask('fewLengths'));
  const lengths = few && (await encodeLengths(few));
  if (summary && lengths) return `&title=${encodeURIComponent(summary.title)}&lengths=${lengths}`;
  return linkOfFile({ name: file.name, size: file.size, hash: await fileHash(file), reading });
}

const isSame = async (file: File, { size, hash }: LinkedFile) => file.size === size && (await fileHash(file)) === hash;

function greet(expected: LinkedFile, file: File, same: boolean): void {
  wanted.value = undefined;
  if (same) return;
  problem.value = {
    message: `${file.name} is another file than ${expected.name}, which the link was made with.`,
    remedy: 'Its settings are kept; figures differ.',
  };
}

/** What a link brought: its documents, or what to say beside those that stand in for them. */
export interface Linked {
  readonly loaded: boolean;
  readonly problem?: Problem | undefined;
}

const noDocuments: Problem = {
  message: 'This link was made with documents of its sender, which it does not carry.',
  remedy: 'Open the same file to see them.',
};
const damaged: Problem = {
  message: 'The lengths in this link are damaged, perhaps because the link was cut.',
  remedy: 'Ask for the link again; an example is shown instead.',
};

const elsewhere: Problem = {
  message: 'This link names a folder of another site, and this page reads none but its own.',
  remedy: 'Serve the folder by packscope view, which opens it in a page beside it.',
};

/** Loads what a link brings, or waits for the file that it names. */
export async function loadLinked(hash: string, first: Model): Promise<Linked> {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const folder = given.get('data');
  if (folder !== null) return loadServed(folder, given.get('windows'), first);
  const text = given.get('lengths');
  wanted.value = fileOfLink(hash);
  if (text === null) return wanted.peek() ? { loaded: false } : { loaded: false, problem: noDocuments };
  const lengths = await decodeLengths(text);
  if (lengths === undefined) return { loaded: false, problem: damaged };
  const files = [new File([lengths.join('\n')], given.get('title') ?? 'Lengths of a link')];
  return { loaded: await loadFiles({ files, reading: plainReading }, first) };
}

/** `A:B`: windows A to B - 1. */
function windowRange(text: string | null): readonly [number, number] | undefined {
  const [, first, last] = text?.match(/^(\d{1,12}):(\d{1,12})$/) ?? [];
  return first === undefined ? undefined : [Number(first), Number(last)];
}

/** The folder that `packscope view` serves beside the page; a link cannot bring one from elsewhere. */
function servedFolder(path: string): string | undefined {
  try {
    const url = new URL(path.endsWith('/') ? path : `${path}/`, location.href);
    return url.origin === location.origin ? url.href : undefined;
  } catch {
    return undefined;
  }
}

async function loadServed(path: string, windows: string | null, first: Model): Promise<Linked> {
  const folder = servedFolder(path);
  if (folder === undefined) return { loaded: false, problem: elsewhere };
  const range = windowRange(windows);
  if (!(await load({ folder, windows: range }, first))) return { loaded: false, problem: problem.peek() };
  const part = range ? `&windows=${range.join(':')}` : '';
  own.value = { files: [], reading: plainReading, link: `&data=${encodeURIComponent(path)}${part}` };
  reloadForOthers();
  return { loaded: true };
}

// An address that is changed by hand to other windows brings them.
function reloadForOthers(): void {
  const named = () => {
    const given = new URLSearchParams(location.hash.replace(/^#/, ''));
    return `${given.get('data')} ${given.get('windows')}`;
  };
  const here = named();
  addEventListener('hashchange', () => {
    if (named() !== here) location.reload();
  });
}
