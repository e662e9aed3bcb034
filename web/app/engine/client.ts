// SPDX-License-Identifier: MIT
// The page's side of the worker: calls with promises. A worker that dies is replaced by the next call; who waits for
// it hears why.
import scalarUrl from 'packscope/packscope.scalar.wasm?url';
import simdUrl from 'packscope/packscope.simd.wasm?url';

import type { Remedy } from '../../read/problem.js';
import type { Answer, EngineSource, Failure, Method, Request, Service } from './protocol.js';

/** What failed in the worker, with what to do about it where that is known. */
export class EngineError extends Error {
  override readonly name: string;
  readonly remedy: string | undefined;
  readonly remedies: readonly Remedy[];
  readonly command: string | undefined;

  constructor({ name, message, remedy, remedies, command }: Failure) {
    super(message);
    this.name = name;
    this.remedy = remedy;
    this.remedies = remedies;
    this.command = command;
  }
}

type Arguments<M extends Method> = Parameters<Service[M]>;
type Result<M extends Method> = ReturnType<Service[M]>;

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ((value: never) => void) | undefined;
}

const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let lastId = 0;

/** Called when a worker has died, so that the page can load its data again. */
export const crashes = new EventTarget();

// As simdSupported() of the package tells it, whose module would bring all of the package to the page: (func i32.const 0
// i8x16.splat drop).
const simdProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 4, 1, 96, 0, 0],
  ...[3, 2, 1, 0],
  ...[10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11],
);
const wasmUrl = new URL(WebAssembly.validate(simdProbe) ? simdUrl : scalarUrl, location.href).href;

// Fetched and compiled here while the worker's own code is on its way, and once for every worker. Where that fails the
// worker tries by itself, and says why not.
const engine: Promise<EngineSource> = compiled().catch(() => ({ url: wasmUrl }));

async function compiled(): Promise<EngineSource> {
  const response = await fetch(wasmUrl);
  const streams = response.headers.get('content-type') === 'application/wasm';
  if (!response.ok || !streams) return { url: wasmUrl };
  return { module: await WebAssembly.compileStreaming(response) };
}

function start(): Worker {
  const made = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'packscope' });
  void engine.then((source) => made.postMessage(source));
  made.addEventListener('message', ({ data }: MessageEvent<Answer>) => receive(data));
  made.addEventListener('error', (event) => {
    event.preventDefault();
    crash(event.message || 'it ended without a message');
  });
  return made;
}

function crash(message: string): void {
  worker?.terminate();
  worker = undefined;
  const error = new EngineError({
    name: 'WorkerEnded',
    message: `The worker that packs has ended: ${message}`,
    remedy: 'It was started again.',
    remedies: [],
    command: undefined,
  });
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
  crashes.dispatchEvent(new Event('crash'));
}

function receive(answer: Answer): void {
  const call = waiting.get(answer.id);
  if (call === undefined) return;
  if ('progress' in answer) {
    call.onProgress?.(answer.progress as never);
    return;
  }
  waiting.delete(answer.id);
  if ('error' in answer) call.reject(new EngineError(answer.error));
  else call.resolve(answer.value as never);
}

export function ask<M extends Method>(method: M, ...args: Arguments<M>): Promise<Result<M>> {
  return askWithProgress(method, undefined, ...args);
}

export function askWithProgress<M extends Method>(
  method: M,
  onProgress: ((value: never) => void) | undefined,
  ...args: Arguments<M>
): Promise<Result<M>> {
  worker ??= start();
  lastId += 1;
  const request: Request = { id: lastId, method, args };
  return new Promise<Result<M>>((resolve, reject) => {
    waiting.set(request.id, { resolve, reject, onProgress });
    worker?.postMessage(request);
  });
}
