// SPDX-License-Identifier: MIT
// The messages of an Arrow file or stream, read a record batch at a time, so that a file larger than memory can be read.
// Of a message its kind and the length of what follows it are all that is looked at here.
import type { DataFile } from './documents.js';
import { DataError } from './problem.js';

/** One record batch as a stream of its own. */
export interface ArrowBatch {
  /** The schema, the dictionaries so far, and the batch. */
  readonly messages: readonly Uint8Array[];
  /** Where it ends in the file. */
  readonly end: number;
}

const fileMagic = 'ARROW1';
const recordBatch = 3;
/** Before each message, except in very old files. */
const continuation = 0xffffffff;
const prefixBytes = 8;

interface Extent {
  readonly begin: number;
  readonly end: number;
}

const viewOf = async (file: DataFile, begin: number, end: number) =>
  new DataView(await file.slice(begin, end).arrayBuffer());

const cutShort = (name: string, at: number) =>
  new DataError(`${name} is no whole Arrow file: it ends inside the message at byte ${at}. Fetch or write it again.`);

/** Where the messages lie: in a file they stand between its magic and its footer. */
async function messagesExtent(file: DataFile): Promise<Extent> {
  const begin = new TextDecoder().decode(await file.slice(0, fileMagic.length).arrayBuffer());
  if (begin !== fileMagic) return { begin: 0, end: file.size };
  const tail = await viewOf(file, -10, file.size);
  const isWhole = tail.byteLength === 10 && new TextDecoder().decode(new Uint8Array(tail.buffer, 4)) === fileMagic;
  const footer = isWhole ? tail.getInt32(0, true) : -1;
  const end = file.size - 10 - footer;
  if (footer >= 0 && end >= prefixBytes) return { begin: prefixBytes, end };
  throw new DataError(`${file.name} is no whole Arrow file: it has no footer. Fetch or write it again.`);
}

interface MessageHead {
  readonly kind: number;
  readonly metadataEnd: number;
  readonly bodyBytes: number;
}

// A flatbuffer: the root's place, from there back to a table of the places of its fields; kind is field 1, the length of
// the body field 3. A field that is left out has its default, 0.
function headOf(metadata: DataView): { kind: number; bodyBytes: number } {
  const root = metadata.getUint32(0, true);
  const table = root - metadata.getInt32(root, true);
  const size = metadata.getUint16(table, true);
  const placeOf = (field: number) => {
    const slot = 4 + 2 * field;
    return slot + 2 <= size ? metadata.getUint16(table + slot, true) : 0;
  };
  const [kindAt, bodyAt] = [placeOf(1), placeOf(3)];
  return {
    kind: kindAt === 0 ? 0 : metadata.getUint8(root + kindAt),
    bodyBytes: bodyAt === 0 ? 0 : Number(metadata.getBigInt64(root + bodyAt, true)),
  };
}

/** The head of the message at `at`; undefined at the end. */
async function messageAt(file: DataFile, at: number, end: number): Promise<MessageHead | undefined> {
  if (at + 4 > end) return undefined;
  const prefix = await viewOf(file, at, Math.min(at + prefixBytes, end));
  const isNew = prefix.getUint32(0, true) === continuation;
  if (isNew && prefix.byteLength < prefixBytes) return undefined;
  const size = prefix.getInt32(isNew ? 4 : 0, true);
  if (size === 0) return undefined;
  const metadataBegin = at + (isNew ? prefixBytes : 4);
  const metadataEnd = metadataBegin + size;
  if (size < 0 || metadataEnd > end) throw cutShort(file.name, at);
  const metadata = await viewOf(file, metadataBegin, metadataEnd);
  try {
    return { ...headOf(metadata), metadataEnd };
  } catch {
    throw new DataError(`${file.name} is no whole Arrow file: byte ${at} begins no message. Fetch or write it again.`);
  }
}

/** Every record batch; one without rows where there is none, which still tells the columns. */
export async function* batchesOf(file: DataFile): AsyncGenerator<ArrowBatch> {
  const { begin, end } = await messagesExtent(file);
  const before: Uint8Array[] = [];
  let batches = 0;
  let at = begin;
  for (let head = await messageAt(file, at, end); head; head = await messageAt(file, at, end)) {
    const messageEnd = head.metadataEnd + head.bodyBytes;
    if (head.bodyBytes < 0 || messageEnd > end) throw cutShort(file.name, at);
    const message = new Uint8Array(await file.slice(at, messageEnd).arrayBuffer());
    at = messageEnd;
    if (head.kind !== recordBatch) {
      before.push(message);
      continue;
    }
    batches += 1;
    yield { messages: [...before, message], end: at };
  }
  if (batches === 0) yield { messages: before, end: at };
}
