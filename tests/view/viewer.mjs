// SPDX-License-Identifier: MIT
// Starts `packscope view` for a test, and ends it.
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

import { projectRoot } from '../../scripts/shell.mjs';

export const program = resolve(process.env.PACKSCOPE_PROGRAM ?? join(projectRoot, 'build/dev/packscope'));

/** Resolves once the server says where it is, to { url, base, port, stop }; rejects with what it says instead. */
export function startViewer(folder, flags = []) {
  const child = spawn(program, ['view', folder, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told += text;
  });
  const ended = new Promise((done) => child.on('close', done));
  const stop = (signal = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return new Promise((done, refuse) => {
    ended.then((code) => refuse(new Error(`exit ${code}: ${told}`)));
    child.stdout.setEncoding('utf8').once('data', (text) => {
      const url = text.trim();
      done({ url, base: url.replace(/#.*/, ''), port: Number(new URL(url).port), stop });
    });
  });
}
