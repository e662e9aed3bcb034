// SPDX-License-Identifier: MIT
// Real Chromium, and a small server that sends every file with a strict Content-Security-Policy unless told other headers.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

import { chromium } from 'playwright-core';

export const chromiumPath = process.env.PACKSCOPE_CHROMIUM ?? '/usr/bin/chromium';
const strictHeaders = { 'content-security-policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" };

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};

// Files of `folder`, and `extra`: path in the address to file. Resolves to { url, close }.
export function serve(folder, { extra = {}, headers = strictHeaders } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/favicon.ico') return response.writeHead(204).end();
    const file =
      extra[pathname] ?? join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const type = types[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, ...headers });
    return createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() });
    });
  });
}

export function launch(...flags) {
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu', ...flags] });
}

// What the page at `url` comes to: the JSON text of its #result. Anything the browser complains of is an error.
export async function pageResult(browser, url, patienceMs = 30_000) {
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  try {
    await page.goto(url);
    await page.waitForFunction(() => document.querySelector('#result')?.textContent, undefined, {
      timeout: patienceMs,
    });
    const text = await page.textContent('#result');
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
    return JSON.parse(text);
  } catch (error) {
    throw new Error([error.message, ...complaints].join('\n'));
  } finally {
    await page.close();
  }
}
