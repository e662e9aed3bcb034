// SPDX-License-Identifier: MIT
// What a page and its worker say to each other. Both sides are typed by one list of targets: the Packscope of the
// worker, and the sessions and drawings opened in it.
import type { ErrorCode } from './errors.js';
import type { Packscope } from './packscope.js';
import type { Drawing } from './render.js';
import { isAlone } from './spare-buffers.js';
import type { PackSession } from './stream.js';

/** What can be called, by the kind of thing it is called on. */
export interface Targets {
  packscope: Packscope;
  session: PackSession;
  drawing: Drawing;
}

/** A method of a target, its arguments and its result. */
export type Method<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T] & string;

export interface Call {
  readonly id: number;
  /** 0 is the Packscope; others are what a call opened. */
  readonly target: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type ToWorker = { readonly call: Call } | { readonly abort: number };

export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly document: number | undefined;
}

export type FromWorker =
  /** The first message: the script runs. */
  | { readonly loaded: true }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly opened: number }
  | { readonly id: number; readonly error: ErrorData }
  | { readonly id: number; readonly progress: readonly [done: number, total: number] };

/** The buffers in a message, each once, to be moved instead of copied. */
export function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    // A view of a part would take the rest of its buffer away from others.
    if (isAlone(value) && value.byteLength > 0) found.add(value.buffer as ArrayBuffer);
  } else if (value instanceof Map) {
    for (const entry of value.values()) buffersIn(entry, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const entry of Object.values(value)) buffersIn(entry, found);
  }
  return [...found];
}
