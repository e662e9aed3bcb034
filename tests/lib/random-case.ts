// SPDX-License-Identifier: MIT
// Random documents and options for fast-check, of the kinds that find faults: short windows, many lengths just
// around them, every option.
import fc from 'fast-check';
import type { ListedDocuments, PackOptions } from 'packscope';

const algorithms = [
  ...(['pad', 'wrap', 'next_fit', 'first_fit', 'best_fit', 'worst_fit'] as const),
  ...(['best_fit_wrap', 'first_fit_decreasing', 'best_fit_decreasing', 'first_fit_shuffle'] as const),
];
const sourceNames = ['code', 'chat', 'web'] as const;

export interface RandomCase {
  readonly documents: ListedDocuments;
  readonly options: PackOptions;
}

const planning = fc.record(
  {
    openWindows: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant('unlimited' as const)),
    candidatePool: fc.integer({ min: 1, max: 6 }),
    evict: fc.constantFrom('oldest' as const, 'fullest' as const),
    seed: fc.integer({ min: 0, max: 1000 }),
    longDocuments: fc.constantFrom('drop' as const, 'truncate' as const, 'truncate_left' as const, 'split' as const),
    tail: fc.constantFrom('pad' as const, 'drop' as const),
    windowMultiple: fc.integer({ min: 1, max: 4 }),
    maxDocumentsPerWindow: fc.integer({ min: 1, max: 4 }),
    shuffleDocuments: fc.boolean(),
    shuffleWindows: fc.boolean(),
    homogeneity: fc.constantFrom('none' as const, 'full' as const),
    flushEvery: fc.integer({ min: 1, max: 20 }),
    dropDuplicates: fc.boolean(),
    extraToken: fc.boolean(),
    bosId: fc.integer({ min: 0, max: 9 }),
    separatorId: fc.integer({ min: 0, max: 9 }),
    separator: fc.constantFrom('after' as const, 'between' as const),
  },
  { requiredKeys: [] },
);

const arrays = fc.record(
  {
    padTokenId: fc.integer({ min: 0, max: 9 }),
    separatorLoss: fc.boolean(),
    positionIds: fc.constantFrom('restart' as const, 'continue' as const),
    paddingPositionIds: fc.constantFrom('count' as const, 'zeros' as const),
    cuSeqlens: fc.constantFrom('window' as const, 'real' as const),
    crossBoundaryLabels: fc.boolean(),
  },
  { requiredKeys: [] },
);

const options = fc
  .record({
    contextLength: fc.integer({ min: 3, max: 24 }),
    algorithm: fc.constantFrom(...algorithms),
    planning,
    arrays,
  })
  .map(
    ({ contextLength, algorithm, planning, arrays }): PackOptions => ({
      contextLength,
      algorithm,
      ...planning,
      ...arrays,
    }),
  );

const document = fc.record({
  tokens: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }),
  source: fc.constantFrom(...sourceNames),
  prompt: fc.nat({ max: 40 }),
});

export const randomCase: fc.Arbitrary<RandomCase> = fc
  .record({ documents: fc.array(document, { maxLength: 60 }), options })
  .map(({ documents, options }) => ({
    documents: {
      documents: documents.map(({ tokens }) => tokens),
      sources: documents.map(({ source }) => source),
      promptLengths: documents.map(({ tokens, prompt }) => Math.min(prompt, tokens.length)),
    },
    options,
  }));
