// SPDX-License-Identifier: MIT
// The shared test vectors (tests/vectors/README.md), read as the package takes them.
import { readFileSync } from 'node:fs';
import type { ListedDocuments, MaskOptions, PackOptions } from 'packscope';

export interface Vector {
  readonly id: string;
  readonly documents: number[][];
  readonly sources?: string[];
  readonly prompt_lengths?: number[];
  readonly loss_mask?: number[][];
  readonly fields?: Record<string, number[][]>;
  readonly options: Record<string, unknown>;
  readonly expect: Record<string, unknown>;
  readonly reported_as?: string;
  readonly note?: string;
}

export function readVectors(name: string): Vector[] {
  const text = readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Vector);
}

const knownKeys = [
  'id',
  'documents',
  'sources',
  'prompt_lengths',
  'loss_mask',
  'fields',
  'options',
  'expect',
  'reported_as',
  'note',
];
const maskKeys = ['mask', 'document_mask', 'sliding_window', 'padding_queries', 'prefix_lengths'];

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function camelCased(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.map(([name, value]) => [camelCase(name), value]));
}

/** What a vector puts in. */
export interface VectorInput {
  readonly documents: ListedDocuments;
  readonly options: PackOptions;
  readonly masks: MaskOptions;
  readonly documentsAreSegments: boolean;
}

export function vectorInput(vector: Vector): VectorInput {
  const unknown = Object.keys(vector).filter((key) => !knownKeys.includes(key));
  if (unknown.length > 0) throw new Error(`unknown keys ${unknown.join()}`);
  const entries = Object.entries(vector.options);
  const prefixes = vector.options['prefix_lengths'] as number[] | undefined;
  const prompts = vector.prompt_lengths ?? prefixes;
  const fields = Object.entries(vector.fields ?? {}).map(([name, lists]) => [
    name,
    lists.map((list) => Int32Array.from(list)),
  ]);
  return {
    documents: {
      documents: vector.documents,
      ...(vector.sources && { sources: vector.sources }),
      // Prefix tokens are no targets, so a prefix is also a prompt.
      ...(prompts && { promptLengths: prompts }),
      ...(vector.loss_mask && { lossMasks: vector.loss_mask }),
      ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    },
    options: camelCased(entries.filter(([name]) => name !== 'view' && !maskKeys.includes(name))) as PackOptions,
    masks: camelCased(entries.filter(([name]) => maskKeys.includes(name))) as MaskOptions,
    documentsAreSegments: vector.options['view'] === 'segments',
  };
}
