// SPDX-License-Identifier: MIT
// Packing documents as they come: an async iterator, a TransformStream, and the session under both.
import type { LengthDocuments, TokenArray, TokenDocuments } from './documents.js';
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import { EngineHandle } from './handle.js';
import type { DocumentRecord, OneDocument, TokenRecord } from './held-documents.js';
import { HeldDocuments, oneDocument } from './held-documents.js';
import type { ArrayName, Batch, BatchFrame } from './materialize.js';
import { batchFromRaw, checkedArrays, excerptOf, materializePart, ownWindows } from './materialize.js';
import type { PackOptions, ResolvedOptions } from './options.js';
import {
  checkedFlag,
  checkedNames,
  describe,
  givenOptions,
  optionList,
  resolvedOptions,
  wrongArgument,
} from './options.js';
import type { Ledger } from './plan.js';
import { ledgerFromRaw } from './plan.js';
import type { RawOptions, RawPlanIn } from './raw.js';
import { WindowQueue } from './window-queue.js';

export interface StreamOptions extends PackOptions {
  /** Windows in each batch; the last may have fewer. Default 1. */
  windowsPerBatch?: number;
  /** Which arrays to make. Default: all that the documents can give. */
  arrays?: readonly ArrayName[];
  /** input_ids, labels, position_ids, doc_ids and segment_ids as BigInt64Array. Default false. */
  int64?: boolean;
  /** Names of all sources that documents may have; needed for `homogeneity`. Default: documents have none. */
  sources?: readonly string[];
}

/** What a stream comes to; its counts are final after the last batch. */
export interface StreamSummary {
  readonly options: ResolvedOptions;
  readonly ledger: Ledger;
  /** One for each source, in the order of the option `sources`; a single one where there are none. */
  readonly ledgerBySource: readonly Ledger[];
  readonly windows: number;
}

/** Documents of a stream: anything that can be iterated, also asynchronously. */
export type DocumentStream = Iterable<DocumentRecord> | AsyncIterable<DocumentRecord> | ReadableStream<DocumentRecord>;

/** What a stream with options `O` makes of records `R`; of a `DocumentRecord`, input_ids and labels are optional. */
export type StreamBatch<O = Record<never, never>, R extends DocumentRecord = DocumentRecord> = Batch<O, DocumentsOf<R>>;

/** The records of a DocumentStream of type `S`. */
export type RecordIn<S> =
  S extends Iterable<infer R extends DocumentRecord>
    ? R
    : S extends AsyncIterable<infer R extends DocumentRecord>
      ? R
      : S extends ReadableStream<infer R extends DocumentRecord>
        ? R
        : DocumentRecord;

type DocumentsOf<R> = R extends TokenArray | TokenRecord ? TokenDocuments : LengthDocuments;

/** Batches as they are ready. Iterate once; leaving the loop early frees everything. */
export interface PackedStream<O = Record<never, never>, R extends DocumentRecord = DocumentRecord>
  extends AsyncIterable<StreamBatch<O, R>> {
  /** Known after the last batch, undefined before. */
  readonly summary: StreamSummary | undefined;
}

/**
 * One stream being packed: documents go in, batches come out. packStream() and PackStream do this for you.
 *
 * After an error the session is spent.
 */
export interface PackSession<O = Record<never, never>, R extends DocumentRecord = DocumentRecord> extends Disposable {
  /** Takes documents in. Copies them, so that their arrays can be filled anew. */
  push(documents: readonly R[]): void;
  /** Empties all open windows. Call once, last; take() has the rest. */
  finish(): void;
  /** Batches that are ready, at most so many, all by default; none where there are none. */
  take(most?: number): StreamBatch<O, R>[];
  /** Known after finish(). */
  readonly summary: StreamSummary | undefined;
  /** Frees the stream in the engine. */
  dispose(): void;
}

export interface StreamApi {
  /**
   * Packs documents as they come, in the memory of the open windows. A streaming algorithm gives a window as soon as
   * it closes; an offline one gives all after the last document, or after every `flushEvery`.
   *
   * @param documents token arrays, lengths, or records of tokens and what belongs to them
   * @example
   * ```js
   * const stream = packStream(lines(file), { algorithm: 'best_fit', contextLength: 2048, windowsPerBatch: 8 });
   * for await (const batch of stream) train(batch.input_ids, batch.labels);
   * stream.summary?.ledger.tokensDropped; // 0
   * ```
   * @throws PackscopeError `invalid_option` for shuffles and dropDuplicates, which need every document first;
   *   `engine_restarted` where another call has ended the engine
   */
  packStream<const O extends StreamOptions = Record<never, never>, S extends DocumentStream = DocumentStream>(
    documents: S,
    options?: O,
  ): PackedStream<O, RecordIn<S>>;

  /** packStream() as a TransformStream: documents in, batches out. */
  createPackStream<const O extends StreamOptions = Record<never, never>, R extends DocumentRecord = DocumentRecord>(
    options?: O,
  ): TransformStream<R, StreamBatch<O, R>>;

  /**
   * A session to push documents into by hand. Dispose of it after use.
   *
   * @example
   * ```ts
   * const session: PackSession<{ int64: true }, number[]> = createSession({ int64: true });
   * session.push([[11, 12, 13], [21, 22]]);
   * session.finish();
   * for (const { input_ids } of session.take(8)) train(input_ids);
   * ```
   */
  createSession<const O extends StreamOptions = Record<never, never>, R extends DocumentRecord = DocumentRecord>(
    options?: O,
  ): PackSession<O, R>;
}

// Documents are handed to the engine many at a time, but no later than a window's worth of tokens.
const documentsAtOnce = 256;

export function streamApi(engine: Engine): StreamApi {
  const createSession = (options?: StreamOptions) => new EngineSession(engine, options);
  return {
    createSession: createSession as unknown as StreamApi['createSession'],
    createPackStream: (options) => new TransformStream(transformer(async () => createSession(options), options)),
    packStream: <O extends StreamOptions, S extends DocumentStream>(documents: S, options?: O) =>
      packedStream(documents, async () => createSession(options), options) as PackedStream<O, RecordIn<S>>,
  };
}

/** A session here or in a worker. */
export interface AnySession {
  push(documents: readonly DocumentRecord[]): void | Promise<void>;
  finish(): void | Promise<void>;
  take(most: number): BatchFrame[] | Promise<BatchFrame[]>;
  readonly summary: StreamSummary | undefined;
  dispose(): void;
}

const batchesAtOnce = 16;

async function* takeAll(session: AnySession): AsyncGenerator<BatchFrame> {
  for (;;) {
    const batches = await session.take(batchesAtOnce);
    if (batches.length === 0) return;
    yield* batches;
  }
}

export function packedStream(
  documents: DocumentStream,
  open: () => Promise<AnySession>,
  options?: StreamOptions,
): AsyncIterable<BatchFrame> & Pick<PackedStream, 'summary'> {
  const { contextLength = 2048 } = givenOptions(options);
  let summary: StreamSummary | undefined;
  async function* batches() {
    const session = await open();
    try {
      for await (const group of groupsOf(documents, contextLength)) {
        await session.push(group);
        yield* takeAll(session);
      }
      await session.finish();
      yield* takeAll(session);
      summary = session.summary;
    } finally {
      session.dispose();
    }
  }
  return {
    get summary() {
      return summary;
    },
    [Symbol.asyncIterator]: batches,
  };
}

async function* groupsOf(documents: DocumentStream, tokensAtOnce: number): AsyncGenerator<DocumentRecord[]> {
  let group: DocumentRecord[] = [];
  let tokens = 0;
  for await (const record of iterable(documents)) {
    group.push(record);
    tokens += tokenCount(record);
    if (group.length < documentsAtOnce && tokens < tokensAtOnce) continue;
    yield group;
    group = [];
    tokens = 0;
  }
  if (group.length > 0) yield group;
}

function tokenCount(record: DocumentRecord): number {
  if (typeof record === 'number') return record;
  if (typeof record !== 'object' || record === null) return 0;
  const length = 'tokens' in record ? record.tokens?.length : record.length;
  return typeof length === 'number' ? length : 0;
}

// Not every browser iterates a ReadableStream by itself.
function iterable(documents: DocumentStream): Iterable<DocumentRecord> | AsyncIterable<DocumentRecord> {
  if (typeof documents === 'object' && documents !== null) {
    if (Symbol.asyncIterator in documents || Symbol.iterator in documents) return documents;
    if ('getReader' in documents) return readAll(documents as ReadableStream<DocumentRecord>);
  }
  throw wrongArgument('documents', documents, 'an iterable, an async iterable or a ReadableStream');
}

async function* readAll(stream: ReadableStream<DocumentRecord>): AsyncGenerator<DocumentRecord> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

export class EngineSession implements PackSession {
  readonly #engine: Engine;
  readonly #options: RawOptions;
  readonly #resolved: ResolvedOptions;
  readonly #arrays: readonly ArrayName[] | undefined;
  readonly #int64: boolean;
  readonly #windowsPerBatch: number;
  readonly #sources: readonly string[] | undefined;
  readonly #held: HeldDocuments;
  readonly #closed = new WindowQueue();
  readonly #stream: EngineHandle;
  #documents = 0;
  #windows = 0;
  #finished = false;
  #summary: StreamSummary | undefined;

  constructor(engine: Engine, options?: StreamOptions) {
    const { windowsPerBatch = 1, arrays, int64, sources, ...packing } = givenOptions(options);
    this.#engine = engine;
    this.#options = optionList(packing);
    this.#resolved = resolvedOptions(engine, this.#options);
    this.#held = new HeldDocuments(this.#resolved.longDocuments === 'truncate_left');
    this.#arrays = arrays === undefined ? undefined : checkedNames('arrays', arrays);
    this.#int64 = checkedFlag('int64', int64);
    this.#windowsPerBatch = checkedBatchSize(windowsPerBatch);
    this.#sources = sources === undefined ? undefined : checkedNames('sources', sources);
    if (this.#resolved.dropDuplicates) {
      throw new PackscopeError(
        'invalid_option',
        'dropDuplicates needs every document first: use pack() instead of a stream',
      );
    }
    this.#stream = new EngineHandle(
      engine,
      'stream',
      (raw) => raw.openStream(this.#options, sources),
      (raw, stream) => raw.closeStream(stream),
    );
  }

  get summary(): StreamSummary | undefined {
    return this.#summary;
  }

  push(records: readonly DocumentRecord[]): void {
    if (!Array.isArray(records)) throw wrongArgument('documents', records, 'a list of documents');
    const vocabSize = this.#resolved.vocabSize ?? Number.POSITIVE_INFINITY;
    const documents = Array.from(records, (record, index) => {
      const document = oneDocument(record, this.#documents + index, vocabSize);
      this.#held.checkKind(this.#documents + index, document);
      return document;
    });
    const lengths = Uint32Array.from(documents, ({ length }) => length);
    const sources =
      this.#sources &&
      Uint32Array.from(documents, (document, index) => this.#sourceNumber(document, this.#documents + index));
    this.#stream.ask((raw, stream) => raw.pushDocuments(stream, { lengths, sources }));
    const ends = this.#stream.run((raw, stream) => raw.plannedEnds(stream, lengths));
    for (const [index, document] of documents.entries())
      this.#held.hold(this.#documents + index, document, ends[index] as number);
    this.#documents += documents.length;
    this.#closed.push(this.#stream.run((raw, stream) => raw.takeClosed(stream)));
  }

  finish(): void {
    const rest = this.#stream.run((raw, stream) => raw.finishStream(stream));
    this.#closed.push(rest);
    this.#finished = true;
    this.#summary = {
      options: this.#resolved,
      ledger: ledgerFromRaw(rest.ledger),
      ledgerBySource: rest.ledgerBySource.map(ledgerFromRaw),
      windows: this.#windows + this.#closed.size,
    };
    this.dispose();
  }

  take(most = Number.POSITIVE_INFINITY): Batch[] {
    if (!(most >= 0)) throw wrongArgument('most', most, 'a number of batches, 0 or more');
    const batches: Batch[] = [];
    while (batches.length < most) {
      const ready = this.#closed.size;
      if (ready === 0 || (ready < this.#windowsPerBatch && !this.#finished)) break;
      batches.push(this.#takeBatch(Math.min(this.#windowsPerBatch, ready)));
    }
    return batches;
  }

  dispose(): void {
    this.#stream.close();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #sourceNumber({ source }: OneDocument, document: number): number {
    const number = source === undefined ? -1 : (this.#sources as readonly string[]).indexOf(source);
    if (number >= 0) return number;
    const text = `document ${document}: source ${describe(source)} is none of the names in sources: ${(this.#sources as readonly string[]).join(', ')}`;
    throw new PackscopeError('unknown_source', text, { document });
  }

  #takeBatch(count: number): Batch {
    const windows = this.#closed.take(count);
    const part: RawPlanIn = { ...windows, options: this.#options };
    const excerpt = excerptOf(windows, this.#held, this.#resolved.bosId === null ? 0 : 1);
    const wanted = { arrays: checkedArrays(this.#arrays, this.#held.hasTokens), int64: this.#int64 };
    const batch = materializePart(this.#engine, part, excerpt, [0, count], wanted, this.#held.hasTokens);
    const firstWindow = this.#windows;
    this.#held.release(windows);
    this.#windows += count;
    return batchFromRaw(batch, ownWindows(windows), firstWindow) as unknown as Batch;
  }
}

function checkedBatchSize(windows: number): number {
  if (Number.isSafeInteger(windows) && windows >= 1) return windows;
  throw wrongArgument('windowsPerBatch', windows, 'a whole number of windows, 1 or more');
}

/** Newer than the types that TypeScript has. @internal */
type CancellableTransformer<R, B> = Transformer<R, B> & { cancel(): void };

/** What a TransformStream needs: documents in, batches out of a session that is made on first use. @internal */
export function transformer<R extends DocumentRecord, B extends BatchFrame>(
  open: () => Promise<AnySession>,
  options?: StreamOptions,
): CancellableTransformer<R, B> {
  const { contextLength = 2048 } = givenOptions(options);
  let session: AnySession | undefined;
  let group: DocumentRecord[] = [];
  let tokens = 0;
  // Disposes of the session where a step fails: a TransformStream does not tell its transformer.
  async function push(controller: TransformStreamDefaultController<B>, last: boolean): Promise<void> {
    session ??= await open();
    try {
      await session.push(group);
      if (last) await session.finish();
      group = [];
      tokens = 0;
      for await (const batch of takeAll(session)) controller.enqueue(batch as B);
    } catch (error) {
      session.dispose();
      throw error;
    }
    if (last) session.dispose();
  }
  return {
    async transform(record, controller) {
      group.push(record);
      tokens += tokenCount(record);
      if (group.length >= documentsAtOnce || tokens >= contextLength) await push(controller, false);
    },
    flush: (controller) => push(controller, true),
    cancel() {
      session?.dispose();
    },
  };
}
