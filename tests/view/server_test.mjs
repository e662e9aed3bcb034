// SPDX-License-Identifier: MIT
// `packscope view` as a stranger meets it: what it gives away, and everything that it must refuse. Requests are written
// byte by byte, because a client library would put them right.
//
//   node tests/view/server_test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';

import { Checks } from '../../scripts/checks.mjs';
import { program, startViewer } from './viewer.mjs';

if (!existsSync(program)) {
  console.error(`There is no program at ${program}; build it, or name it with PACKSCOPE_PROGRAM.`);
  process.exit(1);
}

const checks = new Checks();
const folder = mkdtempSync(join(tmpdir(), 'packscope-view-'));
const at = (...names) => join(folder, ...names);

function run(...args) {
  return spawnSync(program, args, { encoding: 'utf8', cwd: folder });
}

writeFileSync(at('a.jsonl'), '{"input_ids":[1,2,3]}\n{"input_ids":[4,5]}\n');
assert.equal(run('pack', 'a.jsonl', '-L', '4', '-q', '-o', 'out').status, 0);
mkdirSync(at('page', 'assets'), { recursive: true });
writeFileSync(at('page/index.html'), '<!doctype html><title>The page</title>');
writeFileSync(at('page/assets/app.js'), 'export {};');
mkdirSync(at('outside'));
writeFileSync(at('outside/secret.txt'), 'secret');
mkdirSync(at('out-secret'));
writeFileSync(at('out-secret/near.txt'), 'secret');
writeFileSync(at('out/.hidden'), 'secret');
writeFileSync(at('out/none.txt'), '');
symlinkSync('../outside/secret.txt', at('out/link.txt'));
symlinkSync('../outside', at('out/folder-link'));
symlinkSync('../out-secret/near.txt', at('out/near-link.txt'));
symlinkSync('/dev/zero', at('out/zero'));
symlinkSync('manifest.json', at('out/inner-link.json'));
spawnSync('mkfifo', [at('out/pipe')]);

const { base, port, url, stop } = await startViewer(at('out'), ['--page', at('page')]);
const root = new URL(base).pathname;
const host = `127.0.0.1:${port}`;

/** Sends bytes as they are and gives all that comes back until the server hangs up. */
function exchange(bytes, address = '127.0.0.1') {
  return new Promise((done, refuse) => {
    const socket = connect(port, address);
    const parts = [];
    const finish = () => done(Buffer.concat(parts).toString('latin1'));
    socket.on('data', (part) => parts.push(part));
    socket.on('close', finish);
    // A server that hangs up on a sender resets the connection.
    socket.on('error', (error) => (error.code === 'ECONNREFUSED' ? refuse(error) : finish()));
    socket.write(bytes);
  });
}

async function ask(target, { method = 'GET', headers = [`Host: ${host}`], body = '' } = {}) {
  const answer = await exchange(
    `${method} ${target} HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}`,
  );
  const [head, ...rest] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n'), answer };
}

const withHost = (...headers) => ({ headers: [`Host: ${host}`, ...headers] });

await checks.check('the address holds a token of 128 bits, and another each time', async () => {
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/#data=data\/$/);
  const other = await startViewer(at('out'), ['--page', at('page')]);
  assert.notEqual(new URL(other.url).pathname, root);
  await other.stop();
});

await checks.check('the page and the data are served, with their types', async () => {
  const page = await ask(root);
  assert.equal(page.status, 200);
  assert.match(page.body, /The page/);
  assert.match(page.head, /Content-Type: text\/html/);
  assert.match((await ask(`${root}assets/app.js`)).head, /Content-Type: text\/javascript/);
  const manifest = await ask(`${root}data/manifest.json`);
  assert.equal(JSON.parse(manifest.body).format, 'packscope');
  assert.equal((await ask(`${root}data/inner-link.json`)).body, manifest.body);
  const empty = await ask(`${root}data/none.txt`);
  assert.deepEqual([empty.status, empty.body], [200, '']);
});

await checks.check('nothing is kept, framed, guessed or told to other sites', async () => {
  const { head } = await ask(root);
  for (const header of [
    'Cache-Control: no-store',
    "Content-Security-Policy: frame-ancestors 'none'",
    'Referrer-Policy: no-referrer',
    'X-Content-Type-Options: nosniff',
    'Cross-Origin-Resource-Policy: same-origin',
  ]) {
    assert.ok(head.includes(header), header);
  }
  assert.doesNotMatch(head, /Access-Control-Allow-Origin/i);
});

await checks.check('HEAD tells the size and sends nothing', async () => {
  const { status, head, body } = await ask(`${root}data/input_ids.npy`, { method: 'HEAD' });
  assert.equal(status, 200);
  assert.match(head, new RegExp(`Content-Length: ${readFileSync(at('out/input_ids.npy')).length}`));
  assert.equal(body, '');
});

const whole = readFileSync(at('out/input_ids.npy'), 'latin1');
for (const [range, begin, end] of [
  ['bytes=0-9', 0, 10],
  ['bytes=10-10', 10, 11],
  ['bytes=128-', 128, whole.length],
  ['bytes=-5', whole.length - 5, whole.length],
  ['bytes=-99999', 0, whole.length],
  ['bytes=100-99999', 100, whole.length],
]) {
  await checks.check(`the range ${range} is read`, async () => {
    const { status, head, body } = await ask(`${root}data/input_ids.npy`, withHost(`Range: ${range}`));
    assert.equal(status, 206);
    assert.ok(head.includes(`Content-Range: bytes ${begin}-${end - 1}/${whole.length}`), head);
    assert.equal(body, whole.slice(begin, end));
  });
}

for (const range of [
  'bytes=99999-',
  'bytes=5-2',
  'bytes=-0',
  'bytes=0-1,3-4',
  'bytes=',
  'bytes=-',
  'items=0-1',
  'bytes=0-18446744073709551616',
  'bytes=a-b',
]) {
  await checks.check(`the range ${range} is refused`, async () => {
    const { status, body } = await ask(`${root}data/input_ids.npy`, withHost(`Range: ${range}`));
    assert.equal(status, 416);
    assert.ok(!body.includes('NUMPY'));
  });
}

for (const [name, headers] of [
  ['of another name', ['Host: packscope.example']],
  ['of another name at this port', [`Host: packscope.example:${port}`]],
  ['without its port', ['Host: 127.0.0.1']],
  ['that only begins so', [`Host: ${host}.example`]],
  ['that is missing', []],
  ['given twice', [`Host: ${host}`, 'Host: packscope.example']],
]) {
  await checks.check(`a Host ${name} is refused`, async () => {
    const { status, answer } = await ask(root, { headers });
    assert.equal(status, 421);
    assert.ok(!answer.includes('The page'));
  });
}

await checks.check('localhost is this host, too', async () => {
  assert.equal((await ask(root, { headers: [`Host: localhost:${port}`] })).status, 200);
});

const token = root.slice(1, -1);
for (const target of [
  '/',
  '/data/manifest.json',
  '/index.html',
  `/${'0'.repeat(32)}/`,
  `/${token.slice(0, -1)}/`,
  `/${token}0/`,
  `/${token.toUpperCase()}g/`,
  `/${token}`,
  '//',
  `/x/${token}/`,
]) {
  await checks.check(`without the right token ${target.replace(token, 'TOKEN')} is nothing`, async () => {
    const { status, answer } = await ask(target);
    assert.equal(status, 404);
    assert.ok(!answer.includes(token) && !answer.includes('The page'));
  });
}

for (const path of [
  ...['data/../a.jsonl', 'data/../../outside/secret.txt', '../a.jsonl', 'data/..', 'data/.', 'data/./manifest.json'],
  ...['data/%2e%2e/a.jsonl', 'data/%2E%2E%2Fa.jsonl', 'data/..%2fa.jsonl', '%2e%2e/a.jsonl', 'data/%252e%252e/a.jsonl'],
  ...[
    'data//manifest.json',
    'data/..\\a.jsonl',
    'data/%5c..%5ca.jsonl',
    'data/%00',
    'data/manifest.json%00.txt',
    'data/%c0%ae%c0%ae/a.jsonl',
  ],
  ...[
    'data/.hidden',
    'data/%2ehidden',
    'data/',
    'data',
    'assets',
    'assets/',
    `data/${at('outside/secret.txt')}`,
    'data/none',
    'data/manifest.json/',
  ],
  ...['data/link.txt', 'data/folder-link/secret.txt', 'data/near-link.txt', 'data/zero', 'data/pipe'],
]) {
  await checks.check(`${path.replace(folder, '')} is not given`, async () => {
    const { status, answer } = await ask(root + path);
    assert.equal(status, 404, answer.slice(0, 100));
    assert.ok(!answer.includes('secret') && !answer.includes('input_ids'));
  });
}

for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
  await checks.check(`${method} is refused`, async () => {
    const { status, head } = await ask(`${root}data/manifest.json`, {
      method,
      headers: [`Host: ${host}`, 'Content-Length: 2'],
      body: 'ab',
    });
    assert.equal(status, 405);
    assert.match(head, /Allow: GET, HEAD/);
  });
}

const large = 'x'.repeat(1 << 20);
for (const [name, bytes] of [
  ['an endless line', large],
  ['an endless target', `GET /${large} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ['an endless header', `GET ${root} HTTP/1.1\r\nHost: ${host}\r\nX: ${large}\r\n\r\n`],
  ['endless headers', `GET ${root} HTTP/1.1\r\nHost: ${host}\r\n${'X: y\r\n'.repeat(100_000)}\r\n`],
  ['an unknown method', `STEAL ${root} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ['no version', `GET ${root}\r\nHost: ${host}\r\n\r\n`],
  ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['a request of zeros', `${'\0'.repeat(5000)}\r\n\r\n`],
]) {
  await checks.check(`${name} gets no answer but a refusal`, async () => {
    const answer = await exchange(Buffer.from(bytes, 'latin1'));
    assert.match(answer, /^$|^HTTP\/1\.1 4\d\d /);
    assert.ok(!answer.includes('The page'));
  });
}

await checks.check('what is sent behind a request is not read as another', async () => {
  const first = `GET ${root}assets/app.js HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`;
  const answer = await exchange(`${first}GET ${root} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  assert.equal(answer.match(/HTTP\/1\.1 /g).length, 1);
});

await checks.check('it listens on loopback alone', async () => {
  const others = Object.values(networkInterfaces())
    .flat()
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of others) await assert.rejects(exchange('GET / HTTP/1.1\r\n\r\n', address), address);
});

await checks.check('after all of that it still serves', async () => {
  assert.equal((await ask(root)).status, 200);
});

await checks.check('a port that is taken is refused with a remedy', async () => {
  const done = run('view', 'out', '--page', 'page', '--port', String(port));
  assert.equal(done.status, 2);
  assert.match(done.stderr, /another program uses it; take another, or leave --port out/);
});

await checks.check('a missing page, a page that is none and a folder that is no output are refused', () => {
  for (const [args, message] of [
    [['view', 'out', '--page', 'outside'], /holds no index\.html; name the folder that npm run build:app wrote/],
    [['view', 'outside', '--page', 'page'], /cannot read outside\/manifest\.json/],
    [['view', '--page', 'page'], /view needs one output folder/],
    [['view', 'out', '--page', 'page', '--port', '65536'], /--port '65536' must be a whole number from 1 to 65535/],
  ]) {
    const done = run(...args);
    assert.notEqual(done.status, 0);
    assert.match(done.stderr, message);
  }
});

await checks.check('Ctrl-C ends it in less than a second, a waiting client or none', async () => {
  const waiting = connect(port, '127.0.0.1');
  waiting.on('error', () => undefined);
  waiting.write('GET ');
  const begin = Date.now();
  assert.equal(await stop('SIGINT'), 130);
  assert.ok(Date.now() - begin < 1000, `${Date.now() - begin} ms`);
  waiting.destroy();
});

rmSync(folder, { recursive: true });
checks.finish();
