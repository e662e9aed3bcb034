// SPDX-License-Identifier: MIT
// The worker: takes the page's calls, runs them on the engine and sends pictures back without copying them.
import { createPackscope } from 'packscope/slim';

import type { Answer, EngineSource, ExportedFile, Failure, Frame, Request } from './protocol.js';
import { PackingService } from './service.js';

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
let receiveEngine: (source: EngineSource) => void;
const service = new Promise<EngineSource>((resolve) => {
  receiveEngine = resolve;
})
  .then(createPackscope)
  .then((packscope) => new PackingService(packscope));

function post(answer: Answer, transfer: Transferable[] = []): void {
  scope.postMessage(answer, transfer);
}

function failure(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  const { remedy, remedies = [], command } = (error ?? {}) as Partial<Failure>;
  return { name, message, remedy, remedies, command };
}

// Pictures and files.
function heavyParts(value: unknown): Transferable[] {
  const { pixels, bytes } = (value ?? {}) as Partial<Frame & ExportedFile>;
  const heavy = pixels ?? bytes;
  return heavy ? [heavy.buffer] : [];
}

type AnyMethod = (...args: unknown[]) => unknown;

async function run({ id, method, args }: Request): Promise<void> {
  try {
    const target = await service;
    const value = await (target[method] as AnyMethod).call(target, ...args, (progress: unknown) =>
      post({ id, progress }),
    );
    post({ id, value }, heavyParts(value));
  } catch (error) {
    post({ id, error: failure(error) });
  }
}

scope.addEventListener('message', ({ data }: MessageEvent<Request | EngineSource>) => {
  if ('id' in data) void run(data);
  else receiveEngine(data);
});
