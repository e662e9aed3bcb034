// SPDX-License-Identifier: MIT
// packscope/worker in Node's worker threads: the same answers, signals, progress, crashes.
import { getEventListeners } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Batch } from 'packscope';
import { attentionMask, compare, createPackscope, materialize, pack, packStream, render, stats } from 'packscope';
import type { WorkerPackscope } from 'packscope/worker';
import { createPackscopeWorker, PackscopeError } from 'packscope/worker';
import { afterEach, describe, expect, test } from 'vitest';

const documents = [[11, 12, 13], [21, 22], [31]];
const options = { contextLength: 4 } as const;
const entry = new URL('../../dist/worker-entry.js', import.meta.url);

const started: Worker[] = [];
let packscope: WorkerPackscope;

function start(): WorkerPackscope {
  packscope = createPackscopeWorker({
    createWorker: () => {
      const worker = new Worker(entry);
      started.push(worker);
      return worker;
    },
  });
  return packscope;
}

afterEach(() => packscope?.dispose());

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe('in a worker', () => {
  test('functions answer as they do here', async () => {
    const remote = start();
    const plan = await remote.pack(documents, options);
    expect(plan).toEqual(pack(documents, options));
    expect(await remote.materialize(plan, documents, { int64: true })).toEqual(
      materialize(plan, documents, { int64: true }),
    );
    expect(await remote.stats(plan, documents)).toEqual(stats(plan, documents));
    expect(await remote.attentionMask(plan, { format: 'float16' })).toEqual(attentionMask(plan, { format: 'float16' }));
    expect(await remote.render(plan, { kind: 'rows' }, 8, 8)).toEqual(render(plan, { kind: 'rows' }, 8, 8));
    expect(await remote.packSequences(['abc', 'd'], (text) => text.length, options)).toEqual([['abc', 'd']]);
    expect(await remote.validate(plan, documents)).toBeUndefined();
  });

  test('every function has its twin', () => {
    const here = Object.keys(createPackscope());
    expect(Object.keys(start())).toEqual(expect.arrayContaining(here));
  });

  test('errors are PackscopeErrors', async () => {
    const error = await start()
      .pack([[1], [-1]])
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PackscopeError);
    expect(error).toMatchObject({
      code: 'token_out_of_range',
      document: 1,
      remedy: expect.stringContaining('tokenize'),
    });
  });

  test('what is to go with a call is looked at before it is sent', async () => {
    const remote = start();
    const refused = (name: string) => ({ code: 'invalid_argument', message: expect.stringContaining(name) });
    const wrong = 5 as never;
    await expect(remote.compare([1], { onProgress: wrong })).rejects.toMatchObject(refused('onProgress'));
    await expect(remote.with({ onProgress: wrong }).compare([1])).rejects.toMatchObject(refused('onProgress'));
    await expect(remote.with({ signal: wrong }).pack([1])).rejects.toMatchObject(refused('signal'));
    expect(() => remote.with({ transfer: wrong })).toThrow(expect.objectContaining(refused('transfer')));
    const broken = createPackscopeWorker({ createWorker: () => undefined as never });
    await expect(broken.pack([1])).rejects.toMatchObject(refused('createWorker'));
  });

  test('an argument that cannot be sent is refused', async () => {
    await expect(start().pack([1], { seed: (() => 1) as never })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('streams give the same batches', async () => {
    const streamed = { ...options, algorithm: 'next_fit', windowsPerBatch: 2 } as const;
    const remote = start().packStream(documents, streamed);
    const here = packStream(documents, streamed);
    expect(await collect<Batch>(remote)).toEqual(await collect<Batch>(here));
    expect(remote.summary).toEqual(here.summary);
  });

  test('drawings stay open for many pictures', async () => {
    const plan = pack(documents, options);
    const drawing = await start().createDrawing(plan);
    expect(await drawing.draw({ kind: 'field' }, 8, 8)).toEqual(render(plan, { kind: 'field' }, 8, 8));
    expect(await drawing.hit({ kind: 'rows' }, 8, 8, 0, 0)).toMatchObject({ window: 0, position: 0, segment: 0 });
    drawing.dispose();
    await expect(drawing.waste(0, 1)).rejects.toMatchObject({ code: 'engine_restarted' });
  });

  test('buffers are moved on request', async () => {
    const lengths = Uint32Array.of(3, 2, 1);
    const plan = await start()
      .with({ transfer: [lengths.buffer] })
      .pack(lengths, options);
    expect(lengths.length).toBe(0);
    expect(plan.fingerprint).toBe(pack(documents, options).fingerprint);
  });

  test('what is reused goes to the worker and comes back', async () => {
    const remote = start();
    const lengths = Uint32Array.from({ length: 1000 }, (_, i) => 1 + (i % 4));
    const first = await remote.pack(lengths, options);
    const fewer = await remote.pack(lengths.subarray(0, 900), { ...options, reuse: first });
    expect(first.segment_document.length).toBe(0);
    expect(fewer).toEqual(pack(lengths.subarray(0, 900), options));
    expect(fewer.segment_document.buffer.byteLength).toBe(4000);
    const again = await remote.pack(lengths, { ...options, reuse: fewer });
    expect(again).toEqual(pack(lengths, options));
    const batch = await remote.materialize(again, lengths);
    const next = await remote.materialize(again, lengths, { reuse: batch });
    expect(batch.doc_ids.length).toBe(0);
    expect(next).toEqual(materialize(again, lengths));
    await expect(remote.pack(lengths, { reuse: 5 as never })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('what was reused already, by a call that failed or beside another, has nothing to give', async () => {
    const remote = start();
    const plan = await remote.pack(documents, options);
    await expect(remote.pack([-1], { ...options, reuse: plan })).rejects.toMatchObject({ code: 'invalid_argument' });
    const again = () => remote.pack(documents, { ...options, reuse: plan });
    expect(await Promise.all([again(), again()])).toEqual([pack(documents, options), pack(documents, options)]);
  });

  test('of what is reused only the memory is sent, and only if nothing else lies there', async () => {
    const remote = start();
    const plan = { ...pack(documents, options), method: () => 1 };
    expect(await remote.pack(documents, { ...options, reuse: plan })).toEqual(pack(documents, options));
    expect(plan.segment_document.length).toBe(0);
    const part = { ...pack(documents, options), segment_document: new Uint32Array(5).subarray(2) };
    expect(await remote.pack(documents, { ...options, reuse: part })).toEqual(pack(documents, options));
    expect([part.segment_document.length, part.window_offsets.length]).toEqual([3, 3]);
    const its = pack(documents, options);
    const batch = materialize(its, documents);
    expect(await remote.materialize(its, documents, { reuse: its as never })).toEqual(batch);
  });

  test('memory goes round between the worker and here', async () => {
    const remote = start();
    const lengths = Uint32Array.from({ length: 1000 }, (_, i) => 1 + (i % 4));
    let plan = pack(lengths, options);
    for (const count of [950, 900, 1000]) {
      const before = plan;
      plan = await remote.pack(lengths.subarray(0, count), { ...options, reuse: plan });
      expect(before.segment_document.length).toBe(0);
      expect(plan.segment_document.buffer.byteLength).toBe(4000);
    }
    const here = pack(lengths, { ...options, reuse: plan });
    expect([here, plan.segment_document.length]).toEqual([pack(lengths, options), 0]);
  });

  test('a call that is aborted before it begins takes nothing', async () => {
    const plan = pack(documents, options);
    const remote = start().with({ signal: AbortSignal.abort(new Error('no')) });
    await expect(remote.pack(documents, { reuse: plan })).rejects.toThrow('no');
    expect(plan).toEqual(pack(documents, options));
  });
});

describe('a signal', () => {
  test('that is aborted before refuses the call', async () => {
    const remote = start().with({ signal: AbortSignal.abort(new Error('no')) });
    await expect(remote.pack(documents)).rejects.toThrow('no');
  });

  test('that is aborted during a call rejects it, and stops what has steps', async () => {
    const controller = new AbortController();
    const remote = start();
    const lengths = Uint32Array.from({ length: 200_000 }, (_, i) => 1 + (i % 900));
    const done: number[] = [];
    const contextLengths = Array.from({ length: 50 }, (_, i) => 1024 + i);
    const call = remote
      .with({ signal: controller.signal, onProgress: (count) => done.push(count) })
      .compare(lengths, { contextLengths });
    setTimeout(() => controller.abort(new Error('enough')), 400);
    await expect(call).rejects.toThrow('enough');
    const begin = performance.now();
    await remote.pack([1]);
    expect(performance.now() - begin).toBeLessThan(5000);
    expect(Math.max(0, ...done)).toBeLessThan(500);
  });
});

/** The methods that a worker is asked for, with the answers it may not be given. */
function watched(): { remote: WorkerPackscope; asked: { target: number; method: string }[] } {
  const asked: { target: number; method: string }[] = [];
  packscope = createPackscopeWorker({
    createWorker: () => {
      const worker = new Worker(entry);
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message, transfer) => {
        if ('call' in message) asked.push(message.call);
        post(message, transfer as never);
      };
      return worker;
    },
  });
  return { remote: packscope, asked };
}

const disposals = (asked: readonly { method: string }[]) => asked.filter(({ method }) => method === 'dispose').length;
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
const many = { contextLength: 4, algorithm: 'next_fit' } as const;
const enough = new Error('enough');
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a signal of a stream', () => {
  test('ends it at the next window, and frees it in the worker', async () => {
    const { remote, asked } = watched();
    const controller = new AbortController();
    const other = await remote.createSession(many);
    let windows = 0;
    const run = async () => {
      for await (const _ of remote.with({ signal: controller.signal }).packStream(Array(1500).fill(4), many)) {
        windows += 1;
        if (windows === 3) controller.abort(enough);
      }
    };
    await expect(run()).rejects.toBe(enough);
    expect(windows).toBe(3);
    expect(disposals(asked)).toBeGreaterThan(0);
    expect(listeners(controller.signal)).toBe(0);
    await other.push([4, 4]);
    expect(await other.take(1)).toHaveLength(1);
    expect(await remote.variant()).toBe('simd');
  });

  test('ends it before the first step', async () => {
    const remote = start().with({ signal: AbortSignal.abort(enough) });
    const before = started.length;
    await expect(collect(remote.packStream([4], many))).rejects.toBe(enough);
    await expect(remote.createSession(many)).rejects.toBe(enough);
    await expect(collect(remote.createPackStream(many).readable)).rejects.toBe(enough);
    expect(started.length).toBe(before);
  });

  test('ends it while it waits for documents', async () => {
    const { remote, asked } = watched();
    await remote.variant();
    const controller = new AbortController();
    async function* stalled() {
      yield* [4, 4];
      await new Promise(() => undefined);
    }
    const run = collect(remote.with({ signal: controller.signal }).packStream(stalled(), many));
    setTimeout(() => controller.abort(enough), 200);
    await expect(run).rejects.toBe(enough);
    expect(disposals(asked)).toBe(1);
  });

  test('ends a session between steps and during one', async () => {
    for (const early of [true, false]) {
      const { remote, asked } = watched();
      const controller = new AbortController();
      const session = await remote.with({ signal: controller.signal }).createSession(many);
      const step = early ? undefined : session.push([4, 4]);
      controller.abort(enough);
      if (step) await expect(step).rejects.toBe(enough);
      await expect(session.push([4])).rejects.toBe(enough);
      await expect(session.finish()).rejects.toBe(enough);
      await expect(session.take(1)).rejects.toBe(enough);
      session.dispose();
      expect(await remote.variant()).toBe('simd');
      expect(asked.filter(({ target }) => target !== 0).map(({ method }) => method)).toEqual(
        early ? ['dispose', 'dispose'] : ['push', 'dispose', 'dispose'],
      );
      remote.dispose();
    }
  });

  test('frees what was opened while it was aborted', async () => {
    const { remote, asked } = watched();
    await remote.variant();
    const controller = new AbortController();
    const opening = remote.with({ signal: controller.signal }).createSession(many);
    // Long enough for the worker to answer, while nothing is heard here.
    const until = performance.now() + 300;
    while (performance.now() < until);
    controller.abort(enough);
    await expect(opening).rejects.toBe(enough);
    await later(50);
    expect(disposals(asked)).toBe(1);
  });

  test('ends a drawing', async () => {
    const controller = new AbortController();
    const drawing = await start().with({ signal: controller.signal }).createDrawing(pack(documents, options));
    controller.abort(enough);
    await expect(drawing.waste(0, 1)).rejects.toBe(enough);
  });

  test('errors the readable side of a PackStream, what is not read yet too', async () => {
    const { remote, asked } = watched();
    const controller = new AbortController();
    const stream = remote.with({ signal: controller.signal }).createPackStream({ contextLength: 4 });
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    const written = Promise.all([
      ...Array(100)
        .fill(4)
        .map((length) => writer.write(length)),
      writer.close(),
    ]);
    expect((await reader.read()).value?.firstWindow).toBe(0);
    controller.abort(enough);
    await expect(reader.read()).rejects.toBe(enough);
    await written.catch(() => undefined);
    expect(disposals(asked)).toBeGreaterThan(0);
    expect(listeners(controller.signal)).toBe(0);
  });

  test('errors the writable side of a PackStream that waits', async () => {
    const controller = new AbortController();
    const { writable } = start().with({ signal: controller.signal }).createPackStream(many);
    const writer = writable.getWriter();
    await writer.write(4);
    controller.abort(enough);
    await expect(writer.closed).rejects.toBe(enough);
  });

  test('is listened to by nobody after the stream has ended in any way', async () => {
    const { signal } = new AbortController();
    const remote = start().with({ signal });
    await collect(remote.packStream([4, 4, 4], many));
    for await (const _ of remote.packStream([4, 4, 4], many)) break;
    await expect(collect(remote.packStream([4, -1], many))).rejects.toThrow('-1');
    const whole = new ReadableStream({
      start(controller) {
        for (const length of [4, 4]) controller.enqueue(length);
        controller.close();
      },
    });
    expect(await collect(whole.pipeThrough(remote.createPackStream(many)))).toHaveLength(2);
    const broken = remote.createPackStream(many);
    const writer = broken.writable.getWriter();
    writer.write(-1).catch(() => undefined);
    writer.close().catch(() => undefined);
    writer.closed.catch(() => undefined);
    await expect(collect(broken.readable)).rejects.toThrow('-1');
    const left = remote.createPackStream(many);
    left.writable
      .getWriter()
      .write(4)
      .catch(() => undefined);
    await left.readable.cancel();
    const session = await remote.createSession(many);
    expect(listeners(signal)).toBe(1);
    session.dispose();
    await remote.variant();
    await later(20);
    expect(listeners(signal)).toBe(0);
  });

  test('that waits does not keep a stream from ending with its worker', async () => {
    const { signal } = new AbortController();
    const remote = start().with({ signal });
    const session = await remote.createSession(many);
    let windows = 0;
    const run = async () => {
      for await (const _ of remote.packStream(Array(1500).fill(4), many)) {
        windows += 1;
        if (windows === 3) await started.at(-1)?.terminate();
      }
    };
    await expect(run()).rejects.toMatchObject({ code: 'engine_restarted' });
    expect(windows).toBeLessThan(1500);
    await expect(session.push([4])).rejects.toMatchObject({ code: 'engine_restarted' });
    expect(listeners(signal)).toBe(0);
    expect(await collect(remote.packStream([4, 4], many))).toHaveLength(2);
    const waiting = expect(collect(remote.packStream(Array(1500).fill(4), many))).rejects.toMatchObject({
      code: 'engine_restarted',
    });
    setTimeout(() => remote.dispose(), 5);
    await waiting;
    expect(listeners(signal)).toBe(0);
  });

  test('that is none is refused', async () => {
    const remote = start().with({ signal: 5 as never });
    const refused = { code: 'invalid_argument', message: expect.stringContaining('signal') };
    await expect(collect(remote.packStream([4], many))).rejects.toMatchObject(refused);
    expect(() => remote.createPackStream(many)).toThrow(expect.objectContaining(refused));
  });
});

test('a signal of many calls is listened to once, and without a warning', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const controller = new AbortController();
  const remote = start().with({ signal: controller.signal });
  const calls = Array.from({ length: 50 }, () => remote.pack([1]));
  const streams = Array.from({ length: 20 }, () => remote.createPackStream(many));
  const sessions = await Promise.all(Array.from({ length: 20 }, () => remote.createSession(many)));
  await Promise.all(calls);
  expect(listeners(controller.signal)).toBe(1);
  controller.abort();
  for (const { readable } of streams) await expect(collect(readable)).rejects.toThrow('aborted');
  for (const session of sessions) await expect(session.push([4])).rejects.toMatchObject({ name: 'AbortError' });
  await later(20);
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

test('buffers to transfer stay with a call that is not sent, and with a stream', async () => {
  const lengths = Uint32Array.of(4, 4);
  const transfer = [lengths.buffer];
  const remote = start().with({ transfer });
  await expect(remote.with({ signal: AbortSignal.abort(enough) }).pack(lengths, many)).rejects.toBe(enough);
  expect(await collect(remote.packStream(lengths, many))).toHaveLength(2);
  expect(lengths.length).toBe(2);
  const controller = new AbortController();
  const call = remote.with({ signal: controller.signal }).pack(lengths, many);
  controller.abort(enough);
  await expect(call).rejects.toBe(enough);
  expect(lengths.length).toBe(0);
});

interface Report {
  readonly at: number;
  readonly done: number;
  readonly total: number;
}

function reporter(): { reports: Report[]; onProgress: (done: number, total: number) => void } {
  const reports: Report[] = [];
  return { reports, onProgress: (done, total) => reports.push({ at: performance.now(), done, total }) };
}

/** The least time that eleven reports took. */
function eleven(reports: readonly Report[]): number {
  const times = reports.slice(10).map(({ at }, index) => at - (reports[index]?.at ?? 0));
  return Math.min(Number.POSITIVE_INFINITY, ...times);
}

describe('progress', () => {
  test('comes at most ten times a second, and up to the end', async () => {
    const { reports, onProgress } = reporter();
    const lengths = Uint32Array.from({ length: 300_000 }, (_, i) => 1 + (i % 900));
    let settled = false;
    const heard = (done: number, total: number) => {
      expect(settled).toBe(false);
      onProgress(done, total);
    };
    const rows = await start().compare(lengths, { contextLengths: [1024, 2048], onProgress: heard });
    settled = true;
    expect(rows.map(({ milliseconds, ...row }) => row)).toEqual(
      compare(lengths, { contextLengths: [1024, 2048] }).map(({ milliseconds, ...row }) => row),
    );
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.every(({ total }) => total === rows.length)).toBe(true);
    expect(reports.at(-1)?.done).toBe(rows.length);
    expect(eleven(reports)).toBeGreaterThan(990);
  });

  test('of many short calls keeps to that together, and no call that is shown is left unfinished', async () => {
    const { reports, onProgress } = reporter();
    const remote = start().with({ onProgress });
    const begin = performance.now();
    let calls = 0;
    for (; calls < 100 || performance.now() < begin + 1500; calls += 1) {
      const before = reports.length;
      await remote.compare([1, 2, 3]);
      const last = reports.at(-1);
      if (reports.length > before) expect(last?.done).toBe(last?.total);
      expect(reports.length).toBeGreaterThan(0);
    }
    expect(reports.length).toBeLessThan(calls);
    expect(eleven(reports)).toBeGreaterThan(990);
  });

  test('ends with the call that is aborted, or whose listener throws', async () => {
    const remote = start();
    const { reports, onProgress } = reporter();
    const controller = new AbortController();
    const stop = (done: number, total: number) => {
      onProgress(done, total);
      controller.abort(enough);
    };
    await expect(remote.with({ signal: controller.signal, onProgress: stop }).compare([1])).rejects.toBe(enough);
    const fail = () => {
      throw enough;
    };
    await expect(remote.compare([1], { onProgress: fail })).rejects.toBe(enough);
    await remote.variant();
    expect(reports).toHaveLength(1);
  });
});

describe('a crash', () => {
  test('rejects what waits, ends what was open, and the next call runs in a fresh worker', async () => {
    const remote = start();
    const session = await remote.createSession(options);
    const before = started.length;
    const waiting = remote.pack(new Uint32Array(2_000_000).fill(3));
    await started.at(-1)?.terminate();
    await expect(waiting).rejects.toMatchObject({
      name: 'PackscopeError',
      code: 'internal',
      message: expect.stringContaining('worker has ended'),
    });
    await expect(session.push([[1]])).rejects.toMatchObject({ code: 'engine_restarted' });
    expect((await remote.pack(documents, options)).fingerprint).toBe(pack(documents, options).fingerprint);
    expect(started.length).toBe(before + 1);
  });

  test('for want of memory says so', async () => {
    const create = () => new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: 24 } });
    packscope = createPackscopeWorker({ createWorker: create });
    expect(await packscope.variant()).toBe('simd');
    const texts = Array.from({ length: 2000 }, () => Array.from({ length: 3000 }, (_, i) => i));
    await expect(packscope.pack(texts)).rejects.toMatchObject({ code: 'out_of_memory' });
    expect(await packscope.variant()).toBe('simd');
  });

  test('dispose() rejects what waits', async () => {
    const remote = start();
    const waiting = remote.pack(documents);
    remote.dispose();
    await expect(waiting).rejects.toMatchObject({ code: 'engine_restarted' });
  });
});

describe('a worker that cannot be loaded', () => {
  const cases: [what: string, create: () => Worker, says: string][] = [
    ['for want of its file', () => new Worker(new URL('none.js', entry)), 'none.js'],
    ['for a fault of its script', () => new Worker('throw new Error("broken")', { eval: true }), 'broken'],
    ['for a script that ends', () => new Worker('', { eval: true }), 'exit code 0'],
    ['for an address of no use', () => new Worker(new URL('https://a.test/a.js')), 'file'],
  ];
  test.each(cases)('%s is told with what to check', async (_, createWorker, says) => {
    packscope = createPackscopeWorker({ createWorker });
    await expect(packscope.pack(documents)).rejects.toMatchObject({
      name: 'PackscopeError',
      code: 'io_error',
      message: expect.stringContaining(says),
      remedy: expect.stringMatching(/worker-entry\.js.*bundler.*worker-src.*createWorker/),
    });
  });
});

test('without a factory the worker is found beside the module', async () => {
  packscope = createPackscopeWorker();
  expect(await packscope.variant()).toBe('simd');
});
