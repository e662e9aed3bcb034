// SPDX-License-Identifier: MIT
// The documents on show, as the package takes them and as people read them.
import type { Documents, PackOptions, Plan } from 'packscope/slim';
import { DataError } from '../../read/problem.js';
import type { DataSet } from '../data/data-set.js';

/** Tokens that stand in for content where duplicates are dropped: 4 bytes each. */
const mostStandIns = 200_000_000;

/** What planning needs to know of the first documents. */
export function firstDocuments({ title, lengths, sources, identities }: DataSet, count: number): DataSet {
  return {
    title,
    lengths: lengths.slice(0, count),
    sources: sources && { names: sources.names, indices: sources.indices.slice(0, count) },
    identities: identities?.slice(0, count),
  };
}

/** Lengths, with sources where there are any, and with tokens where options need to know what is the same. */
export function documentsFor(data: DataSet, options: PackOptions): Documents {
  const { lengths, sources } = data;
  if (options.dropDuplicates) return standInsOf(data);
  return sources ? { lengths, sources } : lengths;
}

// The package tells duplicates by their tokens. Documents with the same content have the same number, which stands in
// for their first token: equal ones stay equal, different ones differ.
const standIns = new WeakMap<DataSet, Documents>();

// Made once: a slider plans the same documents again and again.
function standInsOf(data: DataSet): Documents {
  const made = standIns.get(data) ?? madeStandIns(data);
  standIns.set(data, made);
  return made;
}

function madeStandIns({ lengths, sources, identities }: DataSet): Documents {
  if (identities === undefined)
    throw new DataError(
      'These documents have lengths only, so that none is known to repeat another. Switch off "Drop duplicates".',
    );
  const offsets = new Float64Array(lengths.length + 1);
  lengths.forEach((length, document) => {
    offsets[document + 1] = (offsets[document] as number) + length;
  });
  const total = offsets[lengths.length] as number;
  if (total > mostStandIns)
    throw new DataError(
      `Dropping duplicates among ${total} tokens is too much for this page, which does up to ${mostStandIns}. Use the program.`,
      { command: 'packscope compare documents.jsonl --drop-duplicates' },
    );
  const tokens = new Uint32Array(total);
  lengths.forEach((length, document) => {
    if (length > 0) tokens[offsets[document] as number] = identities[document] as number;
  });
  return sources ? { tokens, offsets, sources } : { tokens, offsets };
}

/** Whether a plan that was read was made with these options: then it is shown as it is. */
export function isMadeWith({ options: made }: Plan, options: PackOptions): boolean {
  return Object.entries(options).every(([name, value]) => {
    const other = made[name as keyof PackOptions];
    // Which token separates does not change a plan; whether one does, does.
    if (name === 'separatorId' || name === 'bosId') return (other === null) === (value === null);
    return JSON.stringify(other) === JSON.stringify(value);
  });
}

/** How many tokens stand before a document's own: offsets in a plan count them. */
export const addedBefore = ({ options }: Plan) => (options.bosId === null ? 0 : 1);

interface Piece {
  readonly document: number;
  readonly offset: number;
  readonly length: number;
}

const mostShownIds = 400;

/** What a segment says, as text or else as ids; undefined where lengths are all there is. */
export function contentOf(data: DataSet, piece: Piece, added: number): string | undefined {
  const begin = Math.max(piece.offset - added, 0);
  const end = Math.max(piece.offset + piece.length - added, begin);
  const text = data.texts?.[piece.document];
  if (text !== undefined) return textBetween(data, text, begin, end, piece.document);
  const ids = idsOf(data, piece.document);
  return ids && Array.from(ids.subarray(begin, Math.min(end, begin + mostShownIds))).join(' ');
}

function textBetween(
  { tokenizer, lengths }: DataSet,
  text: string,
  begin: number,
  end: number,
  document: number,
): string {
  if (begin === 0 && end >= (lengths[document] as number)) return text;
  if (tokenizer) return tokenizer.slice(text, begin, end);
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(begin, end));
}

const begins = new WeakMap<Uint32Array, Float64Array>();

/** The token ids that a document was given with. */
export function idsOf({ ids, lengths }: DataSet, document: number): Uint32Array | undefined {
  if (ids === undefined) return undefined;
  let offsets = begins.get(ids);
  if (offsets === undefined) {
    offsets = new Float64Array(lengths.length + 1);
    for (let i = 0; i < lengths.length; i += 1) offsets[i + 1] = (offsets[i] as number) + (lengths[i] as number);
    begins.set(ids, offsets);
  }
  return ids.subarray(offsets[document], offsets[document + 1]);
}
