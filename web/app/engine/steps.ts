// SPDX-License-Identifier: MIT
// The decisions that packing takes on the first documents, with the colour of every tile.
import type { PackOptions, Packscope } from 'packscope/slim';

import type { DataSet } from '../data/data-set.js';
import { documentsFor, firstDocuments } from './documents.js';
import type { StepData } from './protocol.js';

export function tracedSteps(packscope: Packscope, data: DataSet, options: PackOptions, documents: number): StepData {
  const first = firstDocuments(data, documents);
  const { trace } = packscope.trace(documentsFor(first, options), options);
  const place = trace.kinds.indexOf('place');
  const colors = new Uint8Array(trace.kind.length);
  const segments = new Map<number, number>();
  trace.kind.forEach((kind, step) => {
    if (kind !== place) return;
    const window = trace.window[step] as number;
    const index = segments.get(window) ?? 0;
    colors[step] = packscope.documentColor(window, index);
    segments.set(window, index + 1);
  });
  return { trace, colors, lengths: first.lengths, options };
}
