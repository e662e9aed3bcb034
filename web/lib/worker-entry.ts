// SPDX-License-Identifier: MIT
// `packscope/worker-entry.js`: the script of the worker, in one file. Calls run one after another.
import type { ComparedPlan, CompareOptions, Histogram } from './compare.js';
import { compareSteps, variants } from './compare.js';
import type { Documents } from './documents.js';
import { asPackscopeError, PackscopeError } from './errors.js';
import { inlinedEngine } from './inlined.js';
import { packApi } from './pack.js';
import { packscopeOver } from './packscope.js';
import { EngineDrawing } from './render.js';
import { EngineSession } from './stream.js';
import type { Call, FromWorker, ToWorker } from './worker-protocol.js';
import { buffersIn } from './worker-protocol.js';

interface Port {
  postMessage(message: FromWorker, transfer: ArrayBuffer[]): void;
}

/** What a call that takes long may ask and tell. */
interface Progress {
  stopped(): boolean;
  tell(done: number, total: number): void;
}

const engine = inlinedEngine();
const packscope = packscopeOver(engine);
const opened = new Map<number, object>([[0, packscope]]);
// Calls that wait or run and were not aborted.
const wanted = new Set<number>();
let lastTarget = 0;

// Lets messages in, such as one that stops what runs.
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

async function compare(progress: Progress, documents: Documents | Histogram, options: CompareOptions = {}) {
  const rows: ComparedPlan[] = [];
  const total = variants(engine, options).length;
  for (const row of compareSteps(engine, packApi(engine), documents, options)) {
    rows.push(row);
    progress.tell(rows.length, total);
    await pause();
    if (progress.stopped()) break;
  }
  return rows;
}

// How often that is passed on is decided over there, where it is known which calls share a listener.
function progressOf(port: Port, id: number): Progress {
  return {
    stopped: () => !wanted.has(id),
    tell: (done, total) => port.postMessage({ id, progress: [done, total] }, []),
  };
}

async function run(port: Port, { id, target, method, args }: Call): Promise<unknown> {
  const object = opened.get(target) as Record<string, (...args: unknown[]) => unknown> | undefined;
  if (object === undefined) throw new PackscopeError('engine_restarted', 'what this call belongs to is no longer open');
  if (target === 0 && method === 'compare')
    return compare(progressOf(port, id), ...(args as [Documents, CompareOptions]));
  if (method === 'dispose') opened.delete(target);
  if (method === 'summary') return object[method];
  return object[method]?.(...args);
}

function answer(port: Port, id: number, value: unknown): void {
  if (value instanceof EngineSession || value instanceof EngineDrawing) {
    lastTarget += 1;
    opened.set(lastTarget, value);
    port.postMessage({ id, opened: lastTarget }, []);
    return;
  }
  port.postMessage({ id, value }, buffersIn(value));
}

async function take(port: Port, call: Call): Promise<void> {
  try {
    if (!wanted.has(call.id)) return;
    const value = await run(port, call);
    if (wanted.has(call.id)) answer(port, call.id, value);
  } catch (error) {
    const { code, message, document } = asPackscopeError(error);
    port.postMessage({ id: call.id, error: { code, message, document } }, []);
  } finally {
    wanted.delete(call.id);
  }
}

// One call at a time, in order, while messages that stop one are heard at once.
let last: Promise<void> = Promise.resolve();

function receive(port: Port, message: ToWorker): void {
  if ('abort' in message) {
    wanted.delete(message.abort);
    return;
  }
  wanted.add(message.call.id);
  last = last.then(() => take(port, message.call));
}

interface NodePort extends Port {
  on(event: 'message', listener: (message: ToWorker) => void): void;
}
interface NodeProcess {
  getBuiltinModule?(name: string): { parentPort: NodePort | null };
}

const node = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:worker_threads').parentPort;
if (node) {
  node.on('message', (message) => receive(node, message));
  node.postMessage({ loaded: true }, []);
} else {
  const scope = globalThis as unknown as Port & { onmessage: (event: MessageEvent<ToWorker>) => void };
  const port: Port = { postMessage: (message, transfer) => scope.postMessage(message, transfer) };
  scope.onmessage = ({ data }) => receive(port, data);
  port.postMessage({ loaded: true }, []);
}
