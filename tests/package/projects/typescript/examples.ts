// SPDX-License-Identifier: MIT
// What the examples of doc comments take for granted. The test puts each below this, in a function of its own.
// biome-ignore-all lint/correctness/noUnusedImports: examples use them
// biome-ignore-all lint/correctness/noUnusedVariables: examples use them
import type { PackSession, Plan } from 'packscope';
import {
  compare,
  createSession,
  materialize,
  PackStream,
  PackscopeError,
  Playback,
  pack,
  packSequences,
  packStream,
  render,
  segmentMeanPool,
  simdSupported,
  trace,
} from 'packscope';
import { createPackscope } from 'packscope/slim';
import type { WorkerPackscope } from 'packscope/worker';
import { createPackscopeWorker } from 'packscope/worker';

declare const file: string;
declare function lines(file: string): AsyncIterable<number[]>;
declare function train(...ids: (Int32Array | BigInt64Array)[]): void;
declare const readable: ReadableStream<number[]>;
declare const writable: WritableStream<unknown>;
declare const plan: Plan;
declare const lengths: number[];
declare const context: CanvasRenderingContext2D;
declare const packscope: WorkerPackscope;
