// SPDX-License-Identifier: MIT
// Which fields of a record hold the document: found by name and kind, or chosen by a person.
import type { Remedy } from './problem.js';
import { DataError } from './problem.js';

export type ColumnKind = 'tokens' | 'messages' | 'text' | 'number' | 'other';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** The columns that make a document: all of one kind. */
export interface Choice {
  readonly kind: Exclude<ColumnKind, 'other'>;
  readonly names: readonly string[];
}

const tokenNames = ['input_ids', 'tokens', 'token_ids', 'ids'];
const messageNames = ['messages', 'conversations', 'conversation'];
const textNames: readonly (readonly string[])[] = [
  ['text'],
  ['content'],
  ['question', 'answer'],
  ['prompt', 'completion'],
  ['prompt', 'response'],
  ['instruction', 'input', 'output'],
  ['instruction', 'output'],
  ['instruction', 'response'],
  ['query', 'response'],
  ['prompt', 'chosen'],
  ['prompt'],
  ['question'],
  ['document'],
];
const lengthNames = ['length', 'lengths', 'num_tokens', 'n_tokens', 'token_count', 'seq_len', 'tokens'];
const sourceNames = ['source', 'dataset', 'data_source', 'set', 'subset', 'domain'];

const found = (columns: readonly Column[], names: readonly string[], kind: ColumnKind) =>
  names.every((name) => columns.some((column) => column.name === name && column.kind === kind));

/** The columns to read, in the order in which a record's own are looked for. */
export function chooseColumns(
  columns: readonly Column[],
  wanted: readonly string[] | undefined,
  title: string,
): Choice {
  if (wanted !== undefined && wanted.length > 0) return checkedChoice(columns, wanted, title);
  for (const name of tokenNames) if (found(columns, [name], 'tokens')) return { kind: 'tokens', names: [name] };
  for (const name of messageNames) if (found(columns, [name], 'messages')) return { kind: 'messages', names: [name] };
  for (const names of textNames) if (found(columns, names, 'text')) return { kind: 'text', names };
  for (const name of lengthNames) if (found(columns, [name], 'number')) return { kind: 'number', names: [name] };
  throw noColumn(columns, title);
}

function checkedChoice(columns: readonly Column[], wanted: readonly string[], title: string): Choice {
  const kinds = wanted.map((name) => columns.find((column) => column.name === name)?.kind ?? 'other');
  const kind = kinds[0] as ColumnKind;
  const alike = kinds.every((other) => other === kind) && (kind === 'text' || wanted.length === 1);
  if (kind !== 'other' && alike) return { kind, names: wanted };
  const has = list(columns.map(({ name, kind: of }) => `${name} (${of})`));
  throw new DataError(
    `${title} cannot be read by ${list(wanted)}. Choose texts, or one column of tokens or lengths. Columns found: ${has}.`,
    { remedies: remediesFor(columns) },
  );
}

function noColumn(columns: readonly Column[], title: string): DataError {
  const names = columns.map(({ name }) => name);
  const text = `No length or token column in ${title}. Columns found: ${list(names)}.`;
  const remedies = remediesFor(columns);
  const advice = remedies.length === 0 ? ' Name one of them text, input_ids or length.' : '';
  return new DataError(text + advice, { remedies });
}

const labels: Readonly<Record<Choice['kind'], (name: string) => string>> = {
  tokens: (name) => `Take the lists in ${name} as tokens`,
  messages: (name) => `Count tokens in the messages of ${name}`,
  text: (name) => `Count tokens in ${name}`,
  number: (name) => `Take ${name} as lengths`,
};

function remediesFor(columns: readonly Column[]): Remedy[] {
  return columns
    .filter((column): column is Column & { kind: Choice['kind'] } => column.kind !== 'other')
    .slice(0, 4)
    .map(({ name, kind }) => ({ label: labels[kind](name), reading: { columns: [name] } }));
}

/** The column that names where documents come from; undefined for none. */
export function sourceColumn(columns: readonly Column[], wanted: string | undefined): string | undefined {
  if (wanted !== undefined) return columns.find(({ name }) => name === wanted)?.name;
  return sourceNames.find((name) => found(columns, [name], 'text'));
}

const list = (names: readonly string[]) => names.join(', ') || 'none';

/** What kind of column a value in it makes it. */
export function kindOf(value: unknown): ColumnKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (ArrayBuffer.isView(value)) return 'tokens';
  if (!Array.isArray(value)) return 'other';
  const [first] = value as unknown[];
  if (first === undefined || typeof first === 'number' || typeof first === 'bigint') return 'tokens';
  return typeof first === 'object' && first !== null ? 'messages' : 'other';
}
