// SPDX-License-Identifier: MIT
// `packscope/worker`: the same interface with its work done in a Web Worker or in one of Node's worker threads.
// Methods return promises; nothing else differs.

import type { Documents } from './documents.js';
import { PackscopeError } from './errors.js';
import type { LengthGroups } from './group-by-length.js';
import type { DenseMask, DenseMaskOptions, MaskFormat } from './masks.js';
import type { Batch, MaterializeOptions } from './materialize.js';
import type { PackSequencesOptions } from './operators.js';
import { packSequencesBy } from './operators.js';
import { givenOptions, wrongArgument } from './options.js';
import type { OutputArray, OutputOptions } from './outputs.js';
import type { Packscope } from './packscope.js';
import type { Plan } from './plan.js';
import type { Drawing } from './render.js';
import { buffersOf, own, resultOf } from './spare-buffers.js';
import type { AnySession, DocumentStream, PackedStream, PackSession, StreamOptions } from './stream.js';
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

/** What goes with one call. */
export interface CallOptions {
  /** Rejects the call with the signal's reason, and stops it where it has steps. */
  signal?: AbortSignal;
  /** Called at most ten times a second by calls that have steps, such as compare(). */
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Buffers of the arguments to move to the worker instead of copying them; they are empty here afterwards. */
  transfer?: readonly ArrayBuffer[];
}

/** A stream packed in the worker, as PackSession. */
export type WorkerSession = Remote<Omit<PackSession, 'dispose'>> &
  Disposable & { readonly summary: PackSession['summary']; dispose(): void };

/** A plan drawn in the worker, as Drawing. A `target` is not drawn over; the picture returned is a new one. */
export type WorkerDrawing = Remote<Omit<Drawing, 'dispose'>> & Disposable & { dispose(): void };

// Methods that keep their own type: those with type parameters, or with what cannot be sent.
type OwnMethods =
  | 'materialize'
  | 'attentionMask'
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
    plan: Plan,
    documents: D,
    options?: O,
  ): Promise<Batch<O, D>>;
  attentionMask<F extends MaskFormat = 'boolean'>(
    plan: Plan,
    options?: DenseMaskOptions & { format?: F },
  ): Promise<DenseMask<F>>;
  packSequences<T>(
    records: readonly T[],
    length: (record: T) => number,
    options?: PackSequencesOptions<T>,
  ): Promise<T[][]>;
  restore<T>(groups: LengthGroups, results: ArrayLike<T>): Promise<(T | undefined)[]>;
  unpack<T extends OutputArray>(plan: Plan, values: T, options?: OutputOptions): Promise<Map<number, T>>;
  createSession(options?: StreamOptions): Promise<WorkerSession>;
  createDrawing(plan: Plan): Promise<WorkerDrawing>;

  /**
   * The same worker, with a signal, progress or transfers for the calls made through what is returned.
   *
   * @example
   * ```js
   * const rows = await packscope.with({ signal: AbortSignal.timeout(5000) }).compare(lengths);
   * ```
   */
  with(options: CallOptions): WorkerPackscope;

  /** Ends the worker. Calls that wait are rejected; a later call starts another. */
  dispose(): void;
}

/** A worker of the browser, or one of Node's. */
export type AnyWorker = Worker | NodeWorker;

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

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: CallOptions['onProgress'];
  /** Stops listening to the call's signal. */
  readonly forget: () => void;
}

/** One worker at a time, and the calls that wait for it. */
class Connection {
  readonly #create: () => AnyWorker;
  readonly #waiting = new Map<number, Waiting>();
  #worker: AnyWorker | undefined;
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
      if (signal !== undefined && typeof signal?.addEventListener !== 'function')
        throw wrongArgument('signal', signal, 'an AbortSignal');
      const worker = this.#started();
      this.#lastId += 1;
      const id = this.#lastId;
      const abort = () => {
        this.#post({ abort: id }, []);
        this.#settle(id)?.reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.set(id, {
        resolve,
        reject,
        onProgress,
        forget: () => signal?.removeEventListener('abort', abort),
      });
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

  end(reason: PackscopeError): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#generation += 1;
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(reason);
    worker?.terminate();
  }

  #started(): AnyWorker {
    if (this.#worker) return this.#worker;
    const worker = this.#create();
    if (typeof worker?.postMessage !== 'function')
      throw wrongArgument('what createWorker() returned', worker, 'a worker');
    const crash = (error: unknown) => {
      if (this.#worker !== worker) return;
      const message = (error as { message?: string } | undefined)?.message ?? String(error);
      this.end(new PackscopeError('internal', `the worker has ended: ${message}`, { cause: error }));
    };
    if ('on' in worker) {
      worker.on('message', (message) => this.#receive(message as FromWorker));
      worker.on('error', crash);
      worker.on('exit', (code) => crash(new Error(`exit code ${code}`)));
    } else {
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
      worker.addEventListener('error', crash);
      worker.addEventListener('messageerror', crash);
    }
    this.#worker = worker;
    return worker;
  }

  #post(message: ToWorker, transfer: readonly ArrayBuffer[]): void {
    this.#worker?.postMessage(message, [...transfer]);
  }

  #receive(message: FromWorker): void {
    if ('progress' in message) {
      this.#waiting.get(message.id)?.onProgress?.(...message.progress);
      return;
    }
    const waiting = this.#settle(message.id);
    if ('error' in message)
      waiting?.reject(new PackscopeError(message.error.code, message.error.message, message.error));
    else waiting?.resolve(('opened' in message ? message.opened : message.value) as never);
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
  const createSession = async (options?: StreamOptions): Promise<WorkerSession> =>
    new RemoteSession(connection, await connection.call<number>(0, 'createSession', [options], callOptions));
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
    createSession,
    createPackStream: (options) => new TransformStream(transformer(() => createSession(options), options)),
    packStream: <O extends StreamOptions>(documents: DocumentStream, options?: O) =>
      packedStream(documents, () => createSession(options), options) as PackedStream<O>,
    createDrawing: async (plan) =>
      new RemoteDrawing(connection, await connection.call<number>(0, 'createDrawing', [plan], callOptions)),
    with: (options) => remotePackscope(connection, { ...callOptions, ...checkedTransfer(options) }),
    dispose,
    [Symbol.dispose]: dispose,
  };
}

/** What a call opened in the worker. */
class Opened {
  readonly #connection: Connection;
  readonly #generation: number;
  readonly #target: number;

  constructor(connection: Connection, target: number) {
    this.#connection = connection;
    this.#generation = connection.generation;
    this.#target = target;
  }

  protected async ask<R>(method: string, ...args: unknown[]): Promise<R> {
    if (this.#connection.generation !== this.#generation) {
      throw new PackscopeError('engine_restarted', 'the worker that held this has ended');
    }
    return this.#connection.call<R>(this.#target, method, args, {});
  }

  dispose(): void {
    if (this.#connection.generation === this.#generation) this.ask('dispose').catch(() => undefined);
  }

  [Symbol.dispose](): void {
    this.dispose();
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
  take(most: number): Promise<Batch[]> {
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
