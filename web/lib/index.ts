// SPDX-License-Identifier: MIT
// `packscope`: every function, ready to call. The engine is inside and starts with the first call; nothing is
// fetched, nothing is awaited. Doc comments are those of the interfaces.

import type { DocumentRecord } from './held-documents.js';
import type { InlinedOptions } from './inlined.js';
import { inlinedEngine } from './inlined.js';
import type { Packscope } from './packscope.js';
import { packscopeOver } from './packscope.js';
import type { StreamBatch, StreamOptions } from './stream.js';
import { transformer } from './stream.js';

export * from './types.js';

/**
 * A Packscope of its own, with an engine of its own. The functions of this module share one.
 * @param options `variant` forces the build of the core: `simd` or `scalar`
 */
export function createPackscope(options: InlinedOptions = {}): Packscope {
  return packscopeOver(inlinedEngine(options));
}

let shared: Packscope | undefined;

function call<K extends keyof Packscope>(name: K): Packscope[K] {
  const forward = (...args: unknown[]) => {
    shared ??= createPackscope();
    return (shared[name] as (...args: unknown[]) => unknown)(...args);
  };
  return forward as unknown as Packscope[K];
}

export const pack: Packscope['pack'] = /* @__PURE__ */ call('pack');
export const stats: Packscope['stats'] = /* @__PURE__ */ call('stats');
export const validate: Packscope['validate'] = /* @__PURE__ */ call('validate');
export const documentFates: Packscope['documentFates'] = /* @__PURE__ */ call('documentFates');
export const fingerprint: Packscope['fingerprint'] = /* @__PURE__ */ call('fingerprint');
export const resolveOptions: Packscope['resolveOptions'] = /* @__PURE__ */ call('resolveOptions');
export const materialize: Packscope['materialize'] = /* @__PURE__ */ call('materialize');
export const packStream: Packscope['packStream'] = /* @__PURE__ */ call('packStream');
export const createPackStream: Packscope['createPackStream'] = /* @__PURE__ */ call('createPackStream');
export const createSession: Packscope['createSession'] = /* @__PURE__ */ call('createSession');
export const attends: Packscope['attends'] = /* @__PURE__ */ call('attends');
export const keyIntervals: Packscope['keyIntervals'] = /* @__PURE__ */ call('keyIntervals');
export const attentionMask: Packscope['attentionMask'] = /* @__PURE__ */ call('attentionMask');
export const blockMask: Packscope['blockMask'] = /* @__PURE__ */ call('blockMask');
export const countBlocks: Packscope['countBlocks'] = /* @__PURE__ */ call('countBlocks');
export const cuSeqlens: Packscope['cuSeqlens'] = /* @__PURE__ */ call('cuSeqlens');
export const buildIntraDocumentMask: Packscope['buildIntraDocumentMask'] =
  /* @__PURE__ */ call('buildIntraDocumentMask');
export const packFlat: Packscope['packFlat'] = /* @__PURE__ */ call('packFlat');
export const toTraining: Packscope['toTraining'] = /* @__PURE__ */ call('toTraining');
export const packExamples: Packscope['packExamples'] = /* @__PURE__ */ call('packExamples');
export const packSequences: Packscope['packSequences'] = /* @__PURE__ */ call('packSequences');
export const groupByLength: Packscope['groupByLength'] = /* @__PURE__ */ call('groupByLength');
export const restore: Packscope['restore'] = /* @__PURE__ */ call('restore');
export const unpack: Packscope['unpack'] = /* @__PURE__ */ call('unpack');
export const segmentMeanPool: Packscope['segmentMeanPool'] = /* @__PURE__ */ call('segmentMeanPool');
export const compare: Packscope['compare'] = /* @__PURE__ */ call('compare');
export const trace: Packscope['trace'] = /* @__PURE__ */ call('trace');
export const createDrawing: Packscope['createDrawing'] = /* @__PURE__ */ call('createDrawing');
export const render: Packscope['render'] = /* @__PURE__ */ call('render');
export const palette: Packscope['palette'] = /* @__PURE__ */ call('palette');
export const documentColor: Packscope['documentColor'] = /* @__PURE__ */ call('documentColor');
export const algorithms: Packscope['algorithms'] = /* @__PURE__ */ call('algorithms');
export const options: Packscope['options'] = /* @__PURE__ */ call('options');
export const variant: Packscope['variant'] = /* @__PURE__ */ call('variant');

/**
 * packStream() as a TransformStream: documents in, batches out.
 *
 * @example
 * ```js
 * readable.pipeThrough(new PackStream({ algorithm: 'best_fit', contextLength: 2048 })).pipeTo(writable);
 * ```
 */
export class PackStream<
  const O extends StreamOptions = Record<never, never>,
  R extends DocumentRecord = DocumentRecord,
> extends TransformStream<R, StreamBatch<O, R>> {
  constructor(options?: O) {
    super(transformer(async () => createSession(options), options));
  }
}
