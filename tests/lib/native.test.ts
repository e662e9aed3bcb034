// SPDX-License-Identifier: MIT
// The package and the native program on the same random documents and options: the same fingerprint, ledger and
// bytes of every array.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { PackOptions } from 'packscope';
import { createPackscope } from 'packscope';
import { afterAll, expect, test } from 'vitest';

import type { RandomCase } from './random-case.js';
import { randomCase } from './random-case.js';

const candidates = [
  process.env['PACKSCOPE_PROGRAM'],
  ...['dev', 'release'].map((preset) => fileURLToPath(new URL(`../../build/${preset}/packscope`, import.meta.url))),
];
const program = candidates.find((path) => path !== undefined && existsSync(path));
const folder = mkdtempSync(join(tmpdir(), 'packscope-'));
afterAll(() => rmSync(folder, { recursive: true }));

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function flags(options: PackOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${snakeCase(name).replaceAll('_', '-')}`;
    if (typeof value === 'boolean') return value ? [flag] : [];
    return [flag, String(value)];
  });
}

interface NativeResult {
  readonly manifest: { readonly fingerprint: string; readonly ledger: Record<string, number> };
  readonly arrays: ReadonlyMap<string, Buffer>;
}

function runNative({ documents, options }: RandomCase): NativeResult | string {
  const input = join(folder, 'in.jsonl');
  const output = join(folder, 'out');
  const lines = documents.documents.map((tokens, i) =>
    JSON.stringify({
      input_ids: tokens,
      source: (documents.sources as string[])[i],
      prompt: (documents.promptLengths as number[])[i],
    }),
  );
  writeFileSync(input, lines.map((line) => `${line}\n`).join(''));
  const args = [
    'pack',
    input,
    '--source-field',
    'source',
    '--prompt-length-field',
    'prompt',
    '-o',
    output,
    '-q',
    ...flags(options),
  ];
  const { status, stderr } = spawnSync(program as string, args, { encoding: 'utf8' });
  if (status !== 0) return /packscope: (\w+):/.exec(stderr)?.[1] ?? stderr;
  const names = readdirSync(output).filter((name) => name.endsWith('.npy'));
  return {
    manifest: JSON.parse(readFileSync(join(output, 'manifest.json'), 'utf8')),
    arrays: new Map(names.map((name) => [name.slice(0, -'.npy'.length), npyData(readFileSync(join(output, name)))])),
  };
}

function npyData(file: Buffer): Buffer {
  return file.subarray(10 + file.readUInt16LE(8));
}

/** A typed array's bytes, at the width that the native array has. */
function bytesOf(array: Uint8Array | Int32Array | Uint32Array, native: Buffer): Buffer {
  const wide = array.length > 0 && native.length === 8 * array.length;
  const same = wide ? BigUint64Array.from(array, BigInt) : array;
  return Buffer.from(same.buffer, same.byteOffset, same.byteLength);
}

test.skipIf(program === undefined).each(['simd', 'scalar'] as const)('%s equals the native program', (variant) => {
  const packscope = createPackscope({ variant });
  fc.assert(
    fc.property(randomCase, (given) => {
      const native = runNative(given);
      let plan: ReturnType<typeof packscope.pack>;
      try {
        plan = packscope.pack(given.documents, given.options);
      } catch (error) {
        expect(native).toBe((error as { code: string }).code);
        return;
      }
      expect(native).toBeTypeOf('object');
      const { manifest, arrays } = native as NativeResult;
      expect(plan.fingerprint).toBe(manifest.fingerprint);
      const ledger = Object.fromEntries(Object.entries(plan.ledger).map(([name, count]) => [snakeCase(name), count]));
      expect(manifest.ledger).toMatchObject(ledger);
      const batch = packscope.materialize(plan, given.documents) as unknown as Record<string, Uint8Array | Int32Array>;
      for (const [name, data] of arrays) expect(bytesOf(batch[name] as Int32Array, data).equals(data), name).toBe(true);
    }),
    { numRuns: 150, seed: 20_240 },
  );
});
