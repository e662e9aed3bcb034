// SPDX-License-Identifier: MIT
// The difference between algorithms in a sentence.
import type { AlgorithmInfo } from 'packscope/slim';

import type { Outcome } from '../engine/protocol.js';
import { count, counted, percent } from '../format.js';

type Title = (algorithm: string) => string;

export function titles(algorithms: readonly AlgorithmInfo[]): Title {
  const names = new Map<string, string>(algorithms.map(({ name, title }) => [name, title]));
  return (algorithm) => names.get(algorithm) ?? algorithm;
}

/** "Best-fit decreasing saves 634 windows (16.2%) over next-fit." */
export function difference(chosen: Outcome, other: Outcome, title: Title): string {
  const saved = other.stats.windows - chosen.stats.windows;
  const [name, rival] = [title(chosen.algorithm), title(other.algorithm).toLowerCase()];
  if (saved === 0) return `${name} needs as many windows as ${rival}.`;
  const verb = saved > 0 ? 'saves' : 'needs';
  const share = percent(Math.abs(saved) / Math.max(other.stats.windows, 1));
  return `${name} ${verb} ${counted(Math.abs(saved), saved > 0 ? 'window' : 'more window')} (${share}) ${saved > 0 ? 'over' : 'than'} ${rival}.`;
}

/** How close to the best that any plan could be. */
export function distance({ algorithm, stats }: Outcome, title: Title): string {
  if (stats.gap === 0)
    return `${title(algorithm)} reaches the lower bound: no plan of these documents has fewer windows.`;
  return `${title(algorithm)} is ${counted(stats.gap, 'window')} (${percent(stats.gap / Math.max(stats.windows, 1))}) above the lower bound of ${count(stats.lowerBound)}, below which no plan can be.`;
}

/** What fewer windows cost: cut or lost documents. */
export function price({ algorithm, ledger }: Outcome, title: Title): string {
  const { splitDocuments, droppedDocuments, truncatedDocuments } = ledger;
  const parts = [
    splitDocuments > 0 ? `splits ${counted(splitDocuments, 'document')}` : '',
    droppedDocuments > 0 ? `leaves out ${counted(droppedDocuments, 'document')}` : '',
    truncatedDocuments > 0 ? `cuts ${counted(truncatedDocuments, 'document')} short` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return `${title(algorithm)} keeps every document whole.`;
  return `${title(algorithm)} ${parts.join(' and ')}.`;
}
