// SPDX-License-Identifier: MIT
// The built-in data: lengths drawn from seeded distributions that look like the real thing, and twelve documents
// to read.

import type { DataSet } from './data-set.js';
import { normal, uniform32 } from './random.js';

export interface Example {
  readonly title: string;
  readonly about: string;
  /** The window length that shows it best. */
  readonly contextLength: number;
  readonly make: () => DataSet | Promise<DataSet>;
}

interface Lognormal {
  readonly documents: number;
  readonly median: number;
  /** Standard deviation of the logarithm. */
  readonly spread: number;
  readonly shortest: number;
  readonly longest: number;
}

const seed = 42;

function lognormalLengths({ documents, median, spread, shortest, longest }: Lognormal): Uint32Array {
  const next = uniform32(seed);
  return Uint32Array.from({ length: documents }, () =>
    Math.min(Math.max(Math.round(median * Math.exp(spread * normal(next))), shortest), longest),
  );
}

const lengthsOnly = (title: string, shape: Lognormal) => () => ({ title, lengths: lognormalLengths(shape) });

async function readable(): Promise<DataSet> {
  const { readableDocuments } = await import('./readable.js');
  const encoder = new TextEncoder();
  const lengths = Uint32Array.from(readableDocuments, (text) => encoder.encode(text).length);
  return { title: 'Twelve short documents', lengths, texts: readableDocuments };
}

export const examples = {
  chat: {
    title: 'Chat, 20,000 conversations',
    about: 'Fine-tuning conversations: a few hundred tokens each, some of them long.',
    contextLength: 4096,
    make: lengthsOnly('Chat, 20,000 conversations', {
      documents: 20_000,
      median: 420,
      spread: 0.95,
      shortest: 12,
      longest: 4096,
    }),
  },
  readable: {
    title: 'Twelve documents to read',
    about: 'Short texts, a token for each byte: small enough to follow by eye.',
    contextLength: 256,
    make: readable,
  },
  web: {
    title: 'Web pages, 200,000',
    about: 'Pre-training pages with a heavy tail: a few are longer than many windows.',
    contextLength: 2048,
    make: lengthsOnly('Web pages, 200,000', {
      documents: 200_000,
      median: 640,
      spread: 1.35,
      shortest: 20,
      longest: 120_000,
    }),
  },
  embedding: {
    title: 'Embedding passages, 50,000',
    about: 'Short passages, dozens of them in a window.',
    contextLength: 512,
    make: lengthsOnly('Embedding passages, 50,000', {
      documents: 50_000,
      median: 62,
      spread: 0.7,
      shortest: 4,
      longest: 512,
    }),
  },
  code: {
    title: 'Code files, 8,000',
    about: 'Source files, many of them longer than the window.',
    contextLength: 2048,
    make: lengthsOnly('Code files, 8,000', {
      documents: 8_000,
      median: 1500,
      spread: 1.4,
      shortest: 10,
      longest: 200_000,
    }),
  },
  stress: {
    title: 'Ten million documents',
    about: 'How far it goes: ten million chat-length documents in this browser.',
    contextLength: 4096,
    make: lengthsOnly('Ten million documents', {
      documents: 10_000_000,
      median: 300,
      spread: 0.9,
      shortest: 8,
      longest: 4096,
    }),
  },
} as const satisfies Record<string, Example>;

export type ExampleName = keyof typeof examples;

export function isExample(name: string): name is ExampleName {
  return Object.hasOwn(examples, name);
}
