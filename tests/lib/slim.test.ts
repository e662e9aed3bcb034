// SPDX-License-Identifier: MIT
// packscope/slim: the same functions over a `.wasm` that the caller supplies.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as full from 'packscope';
import * as slim from 'packscope/slim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { wasmBytes } from './engine-memory.js';

const documents = [[11, 12, 13], [21, 22], [31]];
const types: Record<string, string> = {
  '/streamed.wasm': 'application/wasm',
  '/plain.wasm': 'application/octet-stream',
};

const server = createServer((request, response) => {
  const type = types[request.url ?? ''];
  if (type === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': type }).end(wasmBytes('scalar'));
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const sources: [string, () => slim.WasmSource | Promise<slim.WasmSource>][] = [
  ['bytes', () => ({ bytes: new Uint8Array(wasmBytes('scalar')) })],
  ['an ArrayBuffer', () => ({ bytes: new Uint8Array(wasmBytes('scalar')).buffer })],
  ['a module', async () => ({ module: await WebAssembly.compile(new Uint8Array(wasmBytes('scalar'))) })],
  ['a response', () => ({ response: fetch(`${origin}/streamed.wasm`) })],
  ['a URL of another type', () => ({ url: `${origin}/plain.wasm` })],
  ['a URL', () => ({ url: new URL(`${origin}/streamed.wasm`) })],
];

describe('createPackscope from', () => {
  test.each(sources)('%s', async (_, make) => {
    const packscope = await slim.createPackscope(await make());
    expect(packscope.variant()).toBe('scalar');
    expect(packscope.pack(documents, { contextLength: 4 })).toEqual(full.pack(documents, { contextLength: 4 }));
  });

  test.each([
    ['a file that is not there', () => ({ url: `${origin}/none.wasm` }), 'io_error'],
    ['a server that is not there', () => ({ url: 'http://127.0.0.1:1/a.wasm' }), 'io_error'],
    ['bytes that are no WebAssembly', () => ({ bytes: Uint8Array.of(1, 2, 3) }), 'invalid_data'],
    ['nothing', () => ({}) as slim.WasmSource, 'invalid_argument'],
    ['null', () => null as unknown as slim.WasmSource, 'invalid_argument'],
  ])('%s is refused', async (_, make, code) => {
    await expect(slim.createPackscope(make())).rejects.toMatchObject({ name: 'PackscopeError', code });
  });
});

test('the simd build says so', async () => {
  const packscope = await slim.createPackscope({ bytes: new Uint8Array(wasmBytes('simd')) });
  expect(packscope.variant()).toBe('simd');
});

test('errors of every entry are of one class', () => {
  expect(slim.PackscopeError).toBe(full.PackscopeError);
});
