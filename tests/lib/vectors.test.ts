// SPDX-License-Identifier: MIT
// Every shared vector through the package, in both builds of the core.
import type { Batch, Ledger, Packscope, Plan } from 'packscope';
import { createPackscope, PackscopeError } from 'packscope';
import { describe, expect, test } from 'vitest';

import type { VectorInput } from './vector.js';
import { readVectors, vectorInput } from './vector.js';

type Lists = (number | number[])[];
type Counts = Record<string, number>;

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const snakeCased = (counts: object) =>
  Object.fromEntries(Object.entries(counts).map(([name, value]) => [snakeCase(name), value])) as Counts;

function only<T>(all: Record<string, T>, expected: unknown): Record<string, T | string> {
  return Object.fromEntries(Object.keys(expected as object).map((name) => [name, all[name] ?? 'unknown key']));
}

const rows = (values: ArrayLike<number | bigint>, width: number) => {
  const all = Array.from(values, Number);
  return Array.from({ length: all.length / width }, (_, row) => all.slice(row * width, (row + 1) * width));
};

const between = (values: ArrayLike<number>, offsets: ArrayLike<number>) => {
  const all = Array.from(values);
  return Array.from({ length: offsets.length - 1 }, (_, i) => all.slice(offsets[i], offsets[i + 1]));
};

/** What came of a vector, by the names that expectations have. */
class Outcome {
  constructor(
    private readonly packscope: Packscope,
    private readonly input: VectorInput,
    private readonly plan: Plan,
  ) {}

  value(key: string, expected: unknown): unknown {
    if (key.endsWith('_flat')) return (this.value(key.slice(0, -'_flat'.length), expected) as Lists).flat();
    const ledger = snakeCased(this.plan.ledger);
    if (key in ledger) return ledger[key];
    const find = this.finders[key];
    return find ? find(expected) : 'unknown key';
  }

  private readonly finders: Record<string, (expected: unknown) => unknown> = {
    segment_lengths: () => between(this.plan.segment_length, this.plan.window_offsets),
    segment_documents: () => between(this.plan.segment_document, this.plan.window_offsets),
    segment_offsets: () => between(this.plan.segment_offset, this.plan.window_offsets),
    windows: () => this.real(this.rows(this.batch().input_ids)),
    position_ids: () => this.real(this.rows(this.batch().position_ids)),
    labels_shifted: () => this.real(this.rows(this.batch({ labels: 'shifted' }).labels)),
    labels_aligned: () => this.real(this.rows(this.batch({ labels: 'aligned' }).labels)),
    shifted_loss_mask: () => this.real(this.rows(this.batch({ labels: 'shifted' }).loss_mask)),
    shifted_loss_mask_padded: () => this.rows(this.batch({ labels: 'shifted' }).loss_mask),
    attention_mask_padded: () => this.rows(this.batch().doc_ids).map((row) => row.map((id) => (id === -1 ? 0 : 1))),
    cu_seqlens_real: () => this.boundaries('cu_seqlens'),
    cu_seqlens_padded: () => this.boundaries('cu_seqlens_padded'),
    max_seqlen: () => Array.from(this.batch({ cuSeqlens: 'real' }).max_seqlen),
    loss_token_count: () => this.batch().loss_mask.reduce((sum, trained) => sum + trained, 0),
    dense_mask: () => this.denseMask(),
    block_masks: (expected) =>
      (expected as [number, number, string[]][]).map(([queries, keys]) => [
        queries,
        keys,
        this.blockLines(queries, keys),
      ]),
    mask_error: () => codeOf(() => this.packscope.blockMask(this.plan, this.input.masks)),
    materialize_error: () => codeOf(() => this.batch()),
    ledger_by_source: (expected) => this.ledgerBySource(expected as Record<string, Counts>),
    stats: (expected) => only(this.stats(), expected),
    arrays: (expected) => only(this.arrays(), expected),
  };

  private batch(overrides: { labels?: 'shifted' | 'aligned'; cuSeqlens?: 'window' | 'real' } = {}): Batch {
    return this.packscope.materialize(this.plan, this.input.documents, overrides);
  }

  private rows(values: ArrayLike<number | bigint>): number[][] {
    return rows(values, this.plan.options.contextLength);
  }

  private real(lists: number[][]): number[][] {
    const documents = this.rows(this.batch().doc_ids);
    return lists.map((list, window) => list.filter((_, i) => documents[window]?.[i] !== -1));
  }

  private boundaries(name: 'cu_seqlens' | 'cu_seqlens_padded'): number[][] {
    const batch = this.batch({ cuSeqlens: 'real' });
    return between(batch[name] ?? [], batch.cu_seqlens_offsets);
  }

  /** Of the only window; every form with cells and the predicate must say the same. */
  private denseMask(): string[] {
    const { packscope, plan, input } = this;
    const length = plan.options.contextLength;
    const mask = (format: 'boolean' | 'packed' | 'float32' | 'float16' | 'bfloat16') =>
      packscope.attentionMask(plan, { ...input.masks, windows: 0, format }).data;
    const [boolean, packed, float32, float16, bfloat16] = [
      mask('boolean'),
      mask('packed'),
      mask('float32'),
      mask('float16'),
      mask('bfloat16'),
    ];
    const line = (query: number) =>
      Array.from({ length }, (_, key) => {
        const cell = query * length + key;
        const allowed = packscope.attends(plan, 0, query, key, input.masks);
        expect(boolean[cell]).toBe(allowed ? 1 : 0);
        expect(((packed[query * Math.ceil(length / 8) + (key >> 3)] as number) >> (key & 7)) & 1).toBe(allowed ? 1 : 0);
        expect(float32[cell]).toBe(allowed ? 0 : Number.NEGATIVE_INFINITY);
        expect(float16[cell]).toBe(allowed ? 0 : 0xfc00);
        expect(bfloat16[cell]).toBe(allowed ? 0 : 0xff80);
        return allowed ? '1' : '0';
      }).join('');
    return Array.from({ length }, (_, query) => line(query));
  }

  private blockLines(queries: number, keys: number): string[] {
    const mask = this.packscope.blockMask(this.plan, { ...this.input.masks, block: [queries, keys] });
    return Array.from(mask.kv_num_blocks, (_, row) => {
      const line = Array.from({ length: mask.keyBlocks }, () => '.');
      const mark = (counts: Int32Array, indices: Int32Array, kind: string) => {
        const first = row * mask.keyBlocks;
        for (const block of indices.subarray(first, first + (counts[row] as number))) line[block] = kind;
      };
      mark(mask.kv_num_blocks, mask.kv_indices, 'p');
      mark(mask.full_kv_num_blocks, mask.full_kv_indices, 'F');
      return line.join('');
    });
  }

  private ledgerBySource(expected: Record<string, Counts>): Record<string, unknown> {
    const ledgers = new Map<string, Ledger | undefined>(
      this.plan.sourceNames.map((name, i) => [name, this.plan.ledgerBySource[i]]),
    );
    return Object.fromEntries(
      Object.entries(expected).map(([name, counts]) => [name, only(snakeCased(ledgers.get(name) ?? {}), counts)]),
    );
  }

  private stats(): Counts {
    const stats = this.packscope.stats(this.plan, this.input.documents, { content: true });
    return { documents_without_target: 0, ...snakeCased(stats) };
  }

  private arrays(): Record<string, unknown> {
    const batch = this.batch();
    const lists = (['input_ids', 'labels', 'position_ids', 'doc_ids', 'segment_ids', 'loss_mask'] as const).map(
      (name) => [name, this.rows(batch[name])],
    );
    const perWindow = (['window_lengths', 'max_seqlen', 'filler'] as const).map((name) => [
      name,
      Array.from(batch[name]),
    ]);
    const fields = Object.entries(batch.fields).map(([name, values]) => [name, this.rows(values)]);
    return {
      ...Object.fromEntries([...lists, ...perWindow, ...fields]),
      cu_seqlens: between(batch.cu_seqlens, batch.cu_seqlens_offsets),
      ...(batch.cu_seqlens_padded && { cu_seqlens_padded: between(batch.cu_seqlens_padded, batch.cu_seqlens_offsets) }),
      ...(batch.cu_seqlens_count && { cu_seqlens_count: Array.from(batch.cu_seqlens_count) }),
    };
  }
}

function codeOf(call: () => unknown): string {
  try {
    call();
    return 'none';
  } catch (error) {
    return (error as PackscopeError).code;
  }
}

/** `view: segments`: the documents are the segments of one window that just holds them. */
function planOfSegments(packscope: Packscope, { documents, options }: VectorInput): Plan {
  const multiple = options.documentMultiple ?? 1;
  const positions = documents.documents.reduce((sum, { length }) => sum + Math.ceil(length / multiple) * multiple, 0);
  return packscope.pack(documents, { ...options, contextLength: positions, algorithm: 'next_fit' });
}

// Names of options in messages are those of JavaScript.
const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function expectError(error: PackscopeError, expected: Record<string, unknown>): void {
  const { error: code, error_document, error_names = [], ...rest } = expected;
  expect(error.code).toBe(code);
  if (error_document !== undefined) expect(error.document).toBe(error_document);
  for (const word of error_names as string[]) {
    const names = [word, camelCase(word)];
    expect(
      names.some((name) => error.message.includes(name)),
      `${error.message} should name ${word}`,
    ).toBe(true);
  }
  expect(Object.keys(rest)).toEqual([]);
}

describe.each(['simd', 'scalar'] as const)('%s', (variant) => {
  const packscope = createPackscope({ variant });

  test.each(
    [...readVectors('cases.jsonl'), ...readVectors('rules.jsonl')].map((vector) => [vector.id, vector] as const),
  )('%s', (_, vector) => {
    const input = vectorInput(vector);
    let plan: Plan;
    try {
      plan = input.documentsAreSegments
        ? planOfSegments(packscope, input)
        : packscope.pack(input.documents, input.options);
    } catch (error) {
      if (!(error instanceof PackscopeError)) throw error;
      expectError(error, vector.expect);
      return;
    }
    expect(vector.expect).not.toHaveProperty('error');
    packscope.validate(plan, input.documents);
    const outcome = new Outcome(packscope, input, plan);
    for (const [key, expected] of Object.entries(vector.expect))
      expect(outcome.value(key, expected), key).toEqual(expected);
  });
});
