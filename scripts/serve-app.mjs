// SPDX-License-Identifier: MIT
// A static server on loopback for the built visualizer, with the types and the compression a web host has.
//
//   node scripts/serve-app.mjs [PORT]
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { projectRoot } from './shell.mjs';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** Serves `folder` below `path`; resolves to { url, close }. Port 0 takes any that is free. */
export function serveApp({ folder = join(projectRoot, 'build/app'), path = '/', port = 0 } = {}) {
  const compressed = new Map();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const asked = url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname;
    const file = asked.startsWith(path) ? join(folder, normalize(`/${asked.slice(path.length)}`)) : undefined;
    try {
      if (!file) throw new Error('outside');
      if (!compressed.has(file)) compressed.set(file, gzipSync(await readFile(file)));
      const type = types[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', 'x-content-type-options': 'nosniff' });
      response.end(compressed.get(file));
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('There is no such file.');
    }
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve({ url: `http://127.0.0.1:${server.address().port}${path}`, close: () => server.close() });
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await serveApp({ port: Number(process.argv[2] ?? 4173) });
  console.log(`The visualizer is at ${url} (Ctrl+C ends it)`);
}
