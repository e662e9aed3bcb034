// SPDX-License-Identifier: MIT
// The folder that `packscope pack` writes: its plan as it is. Documents are as long as their segments say.
import type { Ledger, Plan } from 'packscope/slim';
import type { DataSet } from './data-set.js';
import { readNpy } from './npy.js';
import { DataError } from './problem.js';

const planArrays = ['segment_document', 'segment_offset', 'segment_length', 'window_offsets'] as const;

const manifestName = 'manifest.json';

/** Whether these are the files of such a folder. */
export function isPackedFolder(files: readonly File[]): boolean {
  return files.some(({ name }) => name === manifestName);
}

interface Manifest {
  readonly format?: string;
  readonly format_version?: number;
  readonly fingerprint?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly ledger?: Readonly<Record<string, number>>;
  readonly ledger_by_source?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly inputs?: readonly string[];
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const camelKeys = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [camelCase(name), value]));

function groupsOf(text: unknown): Record<string, string[]> {
  if (typeof text !== 'string' || text === '') return {};
  return Object.fromEntries(
    text.split(';').map((group) => {
      const [name = '', sources = ''] = group.split('=');
      return [name, sources.split(',')];
    }),
  );
}

async function manifestOf(files: readonly File[]): Promise<Manifest> {
  const file = files.find(({ name }) => name === manifestName);
  let manifest: Manifest = {};
  try {
    manifest = JSON.parse((await file?.text()) ?? '') as Manifest;
  } catch (error) {
    throw new DataError(`${manifestName} is no JSON: ${(error as Error).message}. Pack the folder again.`);
  }
  if (manifest.format === 'packscope' && manifest.format_version === 1 && manifest.options && manifest.ledger)
    return manifest;
  throw new DataError(
    `${manifestName} is not that of a folder written by packscope pack (format version 1). Choose all files of such a folder.`,
  );
}

async function arrayOf(files: readonly File[], name: string): Promise<Uint32Array> {
  const file = files.find((candidate) => candidate.name === `${name}.npy`);
  if (!file) throw new DataError(`${name}.npy is missing beside ${manifestName}. Choose all files of the folder.`);
  const { values } = readNpy(new Uint8Array(await file.arrayBuffer()), file.name);
  return values instanceof Uint32Array ? values : Uint32Array.from(values as ArrayLike<number>, Number);
}

export async function readPackedFolder(files: readonly File[]): Promise<DataSet> {
  const manifest = await manifestOf(files);
  const [segment_document, segment_offset, segment_length, window_offsets] = (await Promise.all(
    planArrays.map((name) => arrayOf(files, name)),
  )) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  const ledger = camelKeys(manifest.ledger ?? {}) as unknown as Ledger;
  const bySource = Object.entries(manifest.ledger_by_source ?? {});
  const options = camelKeys(manifest.options ?? {});
  const plan = {
    options: { ...options, groups: groupsOf(options['groups']) } as unknown as Plan['options'],
    segment_document,
    segment_offset,
    segment_length,
    window_offsets,
    ledger,
    sourceNames: bySource.map(([name]) => name),
    ledgerBySource: bySource.length === 0 ? [ledger] : bySource.map(([, of]) => camelKeys(of) as unknown as Ledger),
    fingerprint: manifest.fingerprint ?? '',
  };
  const lost = ledger.tokensDropped > 0 ? ['Documents that stand in no window have no length in the folder.'] : [];
  return { plan, title: titleOf(files, manifest), lengths: lengthsOf(plan), notes: lost };
}

function titleOf(files: readonly File[], { inputs = [] }: Manifest): string {
  const folder = files[0]?.webkitRelativePath.split('/')[0];
  const of = inputs.map((input) => input.split('/').at(-1)).join(', ');
  return folder || (of === '' ? 'Packed folder' : `Packed: ${of}`);
}

// A segment's offset and length count an added BOS and separator, which its document does not have.
function lengthsOf({ segment_document, segment_offset, segment_length, ledger, options }: Plan): Uint32Array {
  const lengths = new Uint32Array(ledger.documents);
  segment_document.forEach((document, i) => {
    const end = (segment_offset[i] as number) + (segment_length[i] as number);
    lengths[document] = Math.max(lengths[document] ?? 0, end);
  });
  const after = options.separatorId !== null && options.separator === 'after' ? 1 : 0;
  const added = after + (options.bosId === null ? 0 : 1);
  return added === 0 ? lengths : lengths.map((length) => Math.max(length - added, 0));
}
