// SPDX-License-Identifier: MIT
// `packscope/worker`: the same interface with its work done in a Web Worker or in one of Node's worker threads.
// Methods return promises; nothing else differs.

import type { Documents } from './documents.js';
import { PackscopeError } from './errors.js';
import type { LengthGroups } from './group-by-length.js';
import type { DocumentRecord } from './held-documents.js';
import type { DenseMask, DenseMaskOptions, FormatIn } from './masks.js';
import type { Batch, MaterializeOptions } from './materialize.js';
import type { FlatWindows, PackSequencesOptions, TrainingOptions } from './operators.js';
import { packSequencesBy } from './operators.js';
import { givenOptions, wrongArgument } from './options.js';
import type { OutputArray, OutputOptions, OwnArray } from './outputs.js';
import type { Packscope } from './packscope.js';
import type { AnyPlan } from './plan.js';
import type { Drawing } from './render.js';
import { buffersOf, own, resultOf } from './spare-buffers.js';
import type {
  AnySession,
  DocumentStream,
  PackedStream,
  PackSession,
  RecordIn,
  StreamBatch,
  StreamOptions,
} from './stream.js';
import { packedStream, transformer } from './stream.js';
import type { FromWorker, Method, ToWorker } from './worker-protocol.js';

export * from './types.js';

/** The methods of `T`, returning promises. */
export type Remote<T> = {
  [K in keyof T & string as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] extends (
    ...args: infer A
  ) => infer R
    ? (...args: A) => Promise<R>
    : never;
};

/** What goes with the calls made through a handle. */
export interface CallOptions {
  /**
   * Rejects calls with the signal's reason, and stops those that have steps. It also ends the streams, sessions and
   * drawings opened through the handle: the next step rejects with the reason, and the worker frees them.
   */
  signal?: AbortSignal;
  /**
   * Called by calls that have steps, such as compare(): at most ten times in any second, over all calls it is given
   * to. A call that has reported anything reports its end, `done === total`, before its promise resolves; one too
   * short for that limit may report nothing. What it throws rejects the call.
   */
  onProgress?: ((done: number, total: number) => void) | undefined;
  /**
   * Buffers of the arguments to move to the worker instead of copying them; they are empty here afterwards. A signal
   * that is aborted before the call leaves them here; one aborted later does not bring them back. Streams and sessions
   * copy what they are given.
   */
  transfer?: readonly ArrayBuffer[];
}

/** A stream packed in the worker, as PackSession. */
export type WorkerSession<O = Record<never, never>, R extends DocumentRecord = DocumentRecord> = Remote<
  Omit<PackSession<O, R>, 'dispose'>
> &
  Disposable & { readonly summary: PackSession['summary']; dispose(): void };

/** A plan drawn in the worker, as Drawing. A `target` is not drawn over; the picture returned is a new one. */
export type WorkerDrawing = Remote<Omit<Drawing, 'dispose'>> & Disposable & { dispose(): void };

// Methods that keep their own type: those with type parameters, or with what cannot be sent.
type OwnMethods =
  | 'materialize'
  | 'attentionMask'
  | 'toTraining'
  | 'packSequences'
  | 'restore'
  | 'unpack'
  | 'packStream'
  | 'createPackStream'
  | 'createSession'
  | 'createDrawing';

/** Packscope in a worker. */
export interface WorkerPackscope
  extends Remote<Omit<Packscope, OwnMethods>>,
    Pick<Packscope, 'packStream' | 'createPackStream'>,
    Disposable {
  materialize<const O extends MaterializeOptions = Record<never, never>, const D extends Documents = Documents>(
    plan: AnyPlan,
    documents: D,
    options?: O,
  ): Promise<Batch<O, D>>;
  attentionMask<const O extends DenseMaskOptions = Record<never, never>>(
    plan: AnyPlan,
    options?: O,
  ): Promise<DenseMask<FormatIn<O>>>;
  toTraining<const O extends TrainingOptions = Record<never, never>>(
    flat: FlatWindows<ArrayBufferLike>,
    options?: O,
  ): Promise<Batch<O>>;
  packSequences<T>(
    records: readonly T[],
    length: (record: T) => number,
    options?: PackSequencesOptions<T>,
  ): Promise<T[][]>;
  restore<T>(groups: LengthGroups<ArrayBufferLike>, results: ArrayLike<T>): Promise<(T | undefined)[]>;
  unpack<T extends OutputArray>(plan: AnyPlan, values: T, options?: OutputOptions): Promise<Map<number, OwnArray<T>>>;
  createSession<const O extends StreamOptions = Record<never, never>, R extends DocumentRecord = DocumentRecord>(
    options?: O,
  ): Promise<WorkerSession<O, R>>;
  createDrawing(plan: AnyPlan): Promise<WorkerDrawing>;

  /**
   * The same worker, with a signal, progress or transfers for the calls made through what is returned, and a signal
   * for what they open.
   *
   * @example
   * ```js
   * const rows = await packscope.with({ signal: AbortSignal.timeout(5000) }).compare(lengths);
   * ```
   */
  with(options: CallOptions): WorkerPackscope;

  /** Ends the worker. Calls that wait are rejected, what is open ends; a later call starts another worker. */
  dispose(): void;
}

/** A worker of the browser, or one of Node's. */
export type AnyWorker = WebWorker | NodeWorker;

// As much of a browser's Worker as is used, for projects without the types of browsers.
interface WebWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener<E>(type: string, listener: (event: E) => void): void;
  terminate(): void;
}

interface NodeWorker {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  terminate(): unknown;
  ref(): void;
  unref(): void;
}

export interface WorkerOptions {
  /**
   * Makes the worker, where a bundler or a policy wants that done in a way of its own: a module worker that runs
   * `packscope/worker-entry.js`. Called again after a crash.
   */
  createWorker?: () => AnyWorker;
}

/**
 * Packscope in a worker. The worker starts with the first call, and anew after a crash.
 *
 * @example
 * ```js
 * const packscope = createPackscopeWorker();
 * const plan = await packscope.pack(lengths, { contextLength: 2048 });
 * packscope.dispose();
 * ```
 */
export function createPackscopeWorker(options?: WorkerOptions): WorkerPackscope {
  const { createWorker = defaultWorker } = givenOptions(options);
  if (typeof createWorker !== 'function') {
    throw wrongArgument('createWorker', createWorker, 'a function that returns a worker');
  }
  return remotePackscope(new Connection(createWorker), {});
}

interface NodeThreads {
  Worker: new (url: URL) => NodeWorker;
}
interface NodeProcess {
  getBuiltinModule?(name: 'node:worker_threads'): NodeThreads;
}

function defaultWorker(): AnyWorker {
  if (typeof Worker === 'function')
    return new Worker(new URL('./worker-entry.js', import.meta.url), { type: 'module' });
  const threads = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:worker_threads');
  if (threads) return new threads.Worker(new URL('./worker-entry.js', import.meta.url));
  throw new PackscopeError(
    'invalid_argument',
    'there are no workers here: pass createWorker, or use the functions of packscope itself',
  );
}

const forgetNothing = (): void => undefined;
const abortListeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` once the signal is aborted; what is returned ends that. Node warns of many listeners: one serves all. */
function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return forgetNothing;
  if (signal.aborted) {
    listener();
    return forgetNothing;
  }
  const listeners = abortListeners.get(signal) ?? new Set();
  if (listeners.size === 0) {
    abortListeners.set(signal, listeners);
    signal.addEventListener('abort', callListeners, { once: true });
  }
  listeners.add(listener);
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) signal.removeEventListener('abort', callListeners);
  };
}

function callListeners(this: AbortSignal): void {
  for (const listener of abortListeners.get(this) ?? []) listener();
  abortListeners.delete(this);
}

function checkSignal(signal: unknown): void {
  if (signal === undefined || typeof (signal as AbortSignal | null)?.addEventListener === 'function') return;
  throw wrongArgument('signal', signal, 'an AbortSignal');
}

const loadRemedy =
  'Check that the URL of the worker leads to packscope/worker-entry.js, served as JavaScript, that the bundler copies ' +
  "that file, and that worker-src of the page's Content-Security-Policy allows it; pass createWorker to make the worker " +
  'from a URL of your own.';

// An event of a browser may come without a message.
function because(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' && message !== '' ? `: ${message}` : '';
}

/** The user's set-up, unlike a worker that ends after it has run. */
function unloadable(cause: unknown): PackscopeError {
  const message = `the script of the worker cannot be loaded${because(cause)}`;
  return new PackscopeError('io_error', message, { cause, remedy: loadRemedy });
}

function crashed(cause: unknown, loaded: boolean): PackscopeError {
  const outOfMemory = (cause as { code?: string } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!loaded && !outOfMemory) return unloadable(cause);
  const code = outOfMemory ? 'out_of_memory' : 'internal';
  return new PackscopeError(code, `the worker has ended${because(cause)}`, { cause });
}

// The end of a call may follow another report at once, and every report puts off the next: in any second there are
// at most 2 + 1000 / 112, which is ten.
const millisecondsBetweenReports = 112;

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: CallOptions['onProgress'];
  /** Whether onProgress has been called, and so is owed the end. */
  reported: boolean;
  /** Stops listening to the call's signal. */
  readonly forget: () => void;
}

/** One worker at a time, and the calls that wait for it. */
class Connection {
  readonly #create: () => AnyWorker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #nextReport = new WeakMap<object, number>();
  #worker: AnyWorker | undefined;
  #loaded = false;
  #lastId = 0;
  #generation = 0;

  constructor(create: () => AnyWorker) {
    this.#create = create;
  }

  /** Grows by one whenever a worker ends. */
  get generation(): number {
    return this.#generation;
  }

  call<R>(target: number, method: string, args: readonly unknown[], options: CallOptions): Promise<R> {
    const { signal, onProgress, transfer = [] } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise<R>((resolve, reject) => {
      if (onProgress !== undefined && typeof onProgress !== 'function')
        throw wrongArgument('onProgress', onProgress, 'a function');
      checkSignal(signal);
      const worker = this.#started();
      this.#lastId += 1;
      const id = this.#lastId;
      const forget = onAbort(signal, () => this.#stop(id, signal?.reason));
      this.#waiting.set(id, { resolve, reject, onProgress, reported: false, forget });
      if ('ref' in worker) worker.ref();
      try {
        this.#post({ call: { id, target, method, args } }, transfer);
      } catch (error) {
        this.#settle(id)?.reject(
          new PackscopeError(
            'invalid_argument',
            `an argument of ${method}() cannot be sent to a worker: ${String(error)}`,
            { cause: error },
          ),
        );
      }
    });
  }

  /** Frees what a call opened. */
  close(target: number): void {
    this.call(target, 'dispose', [], {}).catch(() => undefined);
  }

  async open(method: string, args: readonly unknown[], options: CallOptions): Promise<Place> {
    const { generation } = this;
    const target = await this.call<number>(0, method, args, options);
    return { connection: this, generation, target, signal: options.signal };
  }

  end(reason: PackscopeError): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#generation += 1;
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(reason);
    worker?.terminate();
  }

  #started(): AnyWorker {
    if (this.#worker) return this.#worker;
    const worker = this.#made();
    if (typeof worker?.postMessage !== 'function')
      throw wrongArgument('what createWorker() returned', worker, 'a worker');
    const crash = (error: unknown) => {
      if (this.#worker === worker) this.end(crashed(error, this.#loaded));
    };
    const receive = (message: FromWorker) => {
      if (this.#worker === worker) this.#receive(message);
    };
    if ('on' in worker) {
      worker.on('message', (message) => receive(message as FromWorker));
      worker.on('error', crash);
      worker.on('exit', (code) => crash(new Error(`exit code ${code}`)));
    } else {
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => receive(data));
      worker.addEventListener('error', crash);
      worker.addEventListener('messageerror', crash);
    }
    this.#worker = worker;
    this.#loaded = false;
    return worker;
  }

  #made(): AnyWorker {
    try {
      return this.#create();
    } catch (error) {
      throw error instanceof PackscopeError ? error : unloadable(error);
    }
  }

  #post(message: ToWorker, transfer: readonly ArrayBuffer[]): void {
    this.#worker?.postMessage(message, [...transfer]);
  }

  #stop(id: number, reason: unknown): void {
    this.#post({ abort: id }, []);
    this.#settle(id)?.reject(reason);
  }

  #receive(message: FromWorker): void {
    this.#loaded = true;
    if ('loaded' in message) return;
    if ('progress' in message) {
      this.#report(message.id, ...message.progress);
      return;
    }
    const waiting = this.#settle(message.id);
    if ('error' in message)
      waiting?.reject(new PackscopeError(message.error.code, message.error.message, message.error));
    else waiting?.resolve(('opened' in message ? message.opened : message.value) as never);
    // Opened as its call was aborted: nobody else will close it.
    if ('opened' in message && waiting === undefined) this.close(message.opened);
  }

  #report(id: number, done: number, total: number): void {
    const waiting = this.#waiting.get(id);
    if (!waiting?.onProgress) return;
    const now = performance.now();
    const next = this.#nextReport.get(waiting.onProgress) ?? now;
    if (now < next && !(waiting.reported && done === total)) return;
    this.#nextReport.set(waiting.onProgress, Math.max(now, next) + millisecondsBetweenReports);
    waiting.reported = true;
    try {
      waiting.onProgress(done, total);
    } catch (error) {
      this.#stop(id, error);
    }
  }

  // A thread of Node keeps its process alive only while it has something to do.
  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    waiting?.forget();
    this.#waiting.delete(id);
    if (this.#waiting.size === 0 && this.#worker && 'unref' in this.#worker) this.#worker.unref();
    return waiting;
  }
}

function checkedTransfer(options: CallOptions): CallOptions {
  const { transfer = [] } = givenOptions(options);
  if (Array.isArray(transfer)) return options;
  throw wrongArgument('transfer', transfer, 'an array of buffers');
}

function settledUnlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(forget);
  });
}

// Also while it waits for documents, and while it gives batches that are here already.
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  checkSignal(signal);
  signal.throwIfAborted();
  const iterator = items[Symbol.asyncIterator]();
  const step = () => settledUnlessAborted(iterator.next(), signal);
  try {
    for (let next = await step(); !next.done; next = await step()) {
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    const closed = Promise.resolve(iterator.return?.());
    // The documents it waits for may never come.
    if (signal.aborted) closed.catch(() => undefined);
    else await closed;
  }
}

// One more stream behind it, to let go also what it has given and nobody has read.
function endedBy<I, O>(signal: AbortSignal, stream: TransformStream<I, O>): TransformStream<I, O> {
  let forget = forgetNothing;
  const { readable, writable } = new TransformStream<O, O>({
    start(controller) {
      forget = onAbort(signal, () => controller.error(signal.reason));
    },
  });
  const done = () => forget();
  stream.readable.pipeTo(writable).then(done, done);
  return { readable, writable: stream.writable };
}

function remotePackscope(connection: Connection, callOptions: CallOptions): WorkerPackscope {
  const ask =
    (method: Method<Packscope>) =>
    async (...args: unknown[]) =>
      connection.call<never>(0, method, args, callOptions);
  // Memory to reuse goes to the worker and comes back with the answer.
  const askReusing = async (method: Method<Packscope>, args: unknown[], options?: { reuse?: unknown }) => {
    if (options?.reuse === undefined) return ask(method)(...args, options);
    const buffers = buffersOf(options.reuse);
    const transfer = [...new Set([...(callOptions.transfer ?? []), ...buffers])];
    const withMemory = [...args, { ...options, reuse: resultOf(buffers) }];
    const result = await connection.call<never>(0, method, withMemory, { ...callOptions, transfer });
    own(result);
    return result;
  };
  const pack: WorkerPackscope['pack'] = (documents, options) => askReusing('pack', [documents], options);
  const { signal } = callOptions;
  const createSession = async (options?: StreamOptions): Promise<WorkerSession> =>
    new RemoteSession(await connection.open('createSession', [options], { ...callOptions, transfer: [] }));
  const dispose = () => connection.end(new PackscopeError('engine_restarted', 'the worker was disposed of'));
  return {
    pack,
    stats: ask('stats'),
    validate: ask('validate'),
    documentFates: ask('documentFates'),
    fingerprint: ask('fingerprint'),
    resolveOptions: ask('resolveOptions'),
    materialize: (plan, documents, options) => askReusing('materialize', [plan, documents], options),
    attends: ask('attends'),
    keyIntervals: ask('keyIntervals'),
    attentionMask: ask('attentionMask'),
    blockMask: ask('blockMask'),
    countBlocks: ask('countBlocks'),
    cuSeqlens: ask('cuSeqlens'),
    buildIntraDocumentMask: ask('buildIntraDocumentMask'),
    packFlat: ask('packFlat'),
    toTraining: ask('toTraining'),
    packExamples: ask('packExamples'),
    // Records stay here: only their lengths are sent.
    packSequences: (records, length, options = {}) => packSequencesBy(pack, records, length, options),
    groupByLength: ask('groupByLength'),
    restore: ask('restore'),
    unpack: ask('unpack'),
    segmentMeanPool: ask('segmentMeanPool'),
    compare: async (documents, given) => {
      const { onProgress = callOptions.onProgress, ...options } = givenOptions(given);
      return connection.call(0, 'compare', [documents, options], { ...callOptions, onProgress });
    },
    trace: ask('trace'),
    render: ask('render'),
    palette: ask('palette'),
    documentColor: ask('documentColor'),
    algorithms: ask('algorithms'),
    options: ask('options'),
    variant: ask('variant'),
    createSession: createSession as unknown as WorkerPackscope['createSession'],
    createPackStream: <O extends StreamOptions, R extends DocumentRecord>(options?: O) => {
      checkSignal(signal);
      const steps = transformer<R, StreamBatch<O, R>>(() => createSession(options), options);
      const stream = new TransformStream<R, StreamBatch<O, R>>(steps);
      return signal === undefined ? stream : endedBy(signal, stream);
    },
    packStream: <O extends StreamOptions, S extends DocumentStream>(documents: S, options?: O) => {
      const stream = packedStream(documents, () => createSession(options), options) as PackedStream<O, RecordIn<S>>;
      if (signal === undefined) return stream;
      return {
        get summary() {
          return stream.summary;
        },
        [Symbol.asyncIterator]: () => untilAborted(stream, signal),
      };
    },
    createDrawing: async (plan) => new RemoteDrawing(await connection.open('createDrawing', [plan], callOptions)),
    with: (options) => remotePackscope(connection, { ...callOptions, ...checkedTransfer(options) }),
    dispose,
    [Symbol.dispose]: dispose,
  };
}

/** Where something is open: the worker it is open in, and its number there. */
interface Place {
  readonly connection: Connection;
  readonly generation: number;
  readonly target: number;
  readonly signal: AbortSignal | undefined;
}

/** What a call opened in the worker, until it is disposed of or its signal aborted. */
class Opened {
  readonly #place: Place;
  readonly #forget: () => void;

  constructor(place: Place) {
    this.#place = place;
    this.#forget = onAbort(place.signal, () => this.#close());
  }

  protected async ask<R>(method: string, ...args: unknown[]): Promise<R> {
    const { connection, target, signal } = this.#place;
    signal?.throwIfAborted();
    if (this.#gone) {
      this.#forget();
      throw new PackscopeError('engine_restarted', 'the worker that held this has ended');
    }
    return connection.call<R>(target, method, args, signal === undefined ? {} : { signal });
  }

  dispose(): void {
    this.#forget();
    this.#close();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  get #gone(): boolean {
    return this.#place.connection.generation !== this.#place.generation;
  }

  #close(): void {
    if (!this.#gone) this.#place.connection.close(this.#place.target);
  }
}

class RemoteSession extends Opened implements AnySession {
  #summary: PackSession['summary'];

  get summary(): PackSession['summary'] {
    return this.#summary;
  }
  push(documents: Parameters<PackSession['push']>[0]): Promise<void> {
    return this.ask('push', documents);
  }
  async finish(): Promise<void> {
    await this.ask('finish');
    this.#summary = await this.ask('summary');
  }
  take(most?: number): Promise<Batch[]> {
    return this.ask('take', most);
  }
}

class RemoteDrawing extends Opened {
  draw(...[view, width, height]: Parameters<Drawing['draw']>): Promise<ReturnType<Drawing['draw']>> {
    return this.ask('draw', view, width, height);
  }
  hit(...args: Parameters<Drawing['hit']>): Promise<ReturnType<Drawing['hit']>> {
    return this.ask('hit', ...args);
  }
  waste(...args: Parameters<Drawing['waste']>): Promise<ReturnType<Drawing['waste']>> {
    return this.ask('waste', ...args);
  }
}
