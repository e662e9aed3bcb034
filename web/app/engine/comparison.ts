// SPDX-License-Identifier: MIT
// Plans of several algorithms on the same documents, side by side: drawn, pointed at, and searched for one document.
import type { AlgorithmName, Documents, Drawing, PackOptions, Packscope, Plan, Theme } from 'packscope/slim';

import { rowOfSegment } from './find.js';
import type { ComparedTile, PixelSize } from './protocol.js';

interface Compared {
  readonly plan: Plan;
  readonly drawing: Drawing;
}

/** A document stands in this many places at most that are told. */
const mostPlaces = 8;

export class Comparison {
  readonly #compared: readonly Compared[];

  constructor(packscope: Packscope, documents: Documents, options: PackOptions, algorithms: readonly AlgorithmName[]) {
    this.#compared = algorithms.map((algorithm) => {
      const plan = packscope.pack(documents, { ...options, algorithm });
      return { plan, drawing: packscope.createDrawing(plan) };
    });
  }

  /** Windows of each plan. */
  get windows(): number[] {
    return this.#compared.map(({ plan }) => plan.window_offsets.length - 1);
  }

  draw(
    which: number,
    top: number,
    bottom: number,
    { width, height }: PixelSize,
    theme: Theme,
  ): Uint8ClampedArray<ArrayBuffer> | undefined {
    const drawing = this.#compared[which]?.drawing;
    return drawing?.draw({ kind: 'rows', windows: [top, bottom], theme }, width, height).data;
  }

  /** The document at a position, and every place it has in each plan. */
  tilesAt(which: number, window: number, position: number): ComparedTile[][] | undefined {
    const plan = this.#compared[which]?.plan;
    const document = plan && documentAt(plan, window, position);
    return document === undefined ? undefined : this.#compared.map(({ plan: other }) => tilesOf(other, document));
  }

  dispose(): void {
    for (const { drawing } of this.#compared) drawing.dispose();
  }
}

function documentAt(plan: Plan, window: number, position: number): number | undefined {
  const [from, to] = [plan.window_offsets[window], plan.window_offsets[window + 1]];
  if (from === undefined || to === undefined) return undefined;
  let begin = 0;
  for (let i = from; i < to; i += 1) {
    const length = plan.segment_length[i] as number;
    if (position >= begin && position < begin + length) return plan.segment_document[i];
    begin += roundedUp(plan, length);
  }
  return undefined;
}

const roundedUp = ({ options: { documentMultiple } }: Plan, length: number) =>
  Math.ceil(length / documentMultiple) * documentMultiple;

function tilesOf(plan: Plan, document: number): ComparedTile[] {
  const tiles: ComparedTile[] = [];
  let at = plan.segment_document.indexOf(document);
  while (at >= 0 && tiles.length < mostPlaces) {
    const window = rowOfSegment(plan.window_offsets, at);
    let begin = 0;
    for (let i = plan.window_offsets[window] as number; i < at; i += 1)
      begin += roundedUp(plan, plan.segment_length[i] as number);
    tiles.push({ document, window, begin, length: plan.segment_length[at] as number });
    at = plan.segment_document.indexOf(document, at + 1);
  }
  return tiles;
}
