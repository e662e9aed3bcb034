// SPDX-License-Identifier: MIT
// Fresh projects for the package tests: the tarball as `npm pack` makes it, installed into temporary folders
// that know nothing of this checkout.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { projectRoot } from '../../scripts/shell.mjs';

const projects = join(dirname(fileURLToPath(import.meta.url)), 'projects');

// Standard output; where the program fails, an error that holds what it said.
export function output(command, args, cwd) {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout ?? ''}${error.stderr || error.message}`);
  }
}

export class Workplace {
  #folder = mkdtempSync(join(tmpdir(), 'packscope-package-'));
  tarball;

  constructor() {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', this.#folder];
    const answer = JSON.parse(output('npm', args, projectRoot));
    const [made] = Array.isArray(answer) ? answer : Object.values(answer);
    this.tarball = join(this.#folder, made.filename);
    this.files = made.files.map(({ path }) => path);
  }

  // A folder with the package installed and the files of projects/COPIED; none where that is null.
  project(name, copied = name) {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    if (copied) cpSync(join(projects, copied), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    output('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', this.tarball], folder);
    return folder;
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
