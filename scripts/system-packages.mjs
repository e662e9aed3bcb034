// SPDX-License-Identifier: MIT
// Installs the Debian packages of one list in system-packages.json. What is missing is printed with its
// size first; without root or sudo the script stops with the line to run.
//
//   node scripts/system-packages.mjs build|test|lint
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { capture, hasProgram, requireNode, run, stop } from './shell.mjs';

const lists = JSON.parse(readFileSync(new URL('./system-packages.json', import.meta.url), 'utf8'));

// A list with the lists that it extends.
export function resolveList(name, all = lists) {
  const list = all[name];
  if (!list) throw new Error(`no list "${name}" in system-packages.json, only ${Object.keys(all).join(', ')}`);
  const base = list.extends ? resolveList(list.extends, all) : { packages: [], optional: [] };
  return {
    purpose: list.purpose,
    packages: [...base.packages, ...list.packages],
    optional: [...base.optional, ...(list.optional ?? [])],
  };
}

// The names that dpkg does not report as installed. `status` is a line for each package it knows:
// name, a space, and the three words of its state.
export function missingPackages(names, status) {
  const installed = new Set(
    status
      .split('\n')
      .filter((line) => line.endsWith(' install ok installed'))
      .map((line) => line.split(' ')[0]),
  );
  return names.filter((name) => !installed.has(name));
}

// Name, download bytes and installed bytes of each record of `apt-cache show`.
export function packageSizes(records) {
  return records
    .split('\n\n')
    .map((record) => {
      const field = (name) => record.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1];
      return {
        name: field('Package'),
        downloadBytes: Number(field('Size') ?? 0),
        installedBytes: Number(field('Installed-Size') ?? 0) * 1024,
      };
    })
    .filter((size) => size.name);
}

// How to become root: an argument prefix, or undefined where there is no way without a password.
export function rootPrefix(userId, sudoWorks) {
  if (userId === 0) return [];
  return sudoWorks ? ['sudo', '-n'] : undefined;
}

export function installLine(packages) {
  return `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

export function ensurePackages(listName) {
  requireNode();
  if (process.env.PACKSCOPE_SYSTEM_PACKAGES === 'skip') return;
  const list = resolveList(listName);
  if (!hasProgram('apt-get') || !hasProgram('dpkg-query')) stopWithoutApt(list);

  const wanted = [...list.packages, ...list.optional];
  const states = wanted.map((name) => capture('dpkg-query', ['-W', '-f=${Package} ${Status}\n', name]) ?? '');
  const missing = missingPackages(wanted, states.join(''));
  if (missing.length === 0) {
    console.log(`System packages for ${list.purpose}: all ${wanted.length} installed.`);
    return;
  }
  installMissing(list, missing);
}

function installMissing(list, missing) {
  console.log(`System packages missing for ${list.purpose}: ${missing.join(' ')}`);
  const isOptional = (name) => list.optional.includes(name);
  const onlyOptional = missing.every(isOptional);
  const prefix = rootPrefix(process.getuid(), capture('sudo', ['-n', 'true']) !== undefined);
  // Sizes come from apt's lists, and a fresh machine has none until it is told to fetch them.
  if (prefix && !onlyOptional && !apt(prefix, ['update', '-qq'])) {
    console.error('apt-get update failed; going on with the package lists there are.');
  }
  const packages = missing.filter((name) => isAvailable(name) || !isOptional(name));
  for (const name of missing.filter((name) => !packages.includes(name))) {
    console.log(`${name} is not in this system's package lists; what needs it will be skipped.`);
  }
  if (packages.length === 0) return;
  printSizes(packages);
  if (prefix) {
    install(prefix, packages);
  } else if (onlyOptional) {
    console.log(`Going on without. To have them, run:\n  ${installLine(packages)}`);
  } else {
    stop(`Installing needs root, or sudo without a password. Run this, then try again:\n  ${installLine(packages)}`);
  }
}

function install(prefix, packages) {
  const options = ['-y', '-qq', '-o', 'Dpkg::Use-Pty=0', '--no-install-recommends'];
  if (!apt(prefix, ['install', ...options, ...packages])) {
    stop(`apt-get could not install them. To see why, run:\n  ${installLine(packages)}`);
  }
}

function apt(prefix, args) {
  const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
  return run(command, rest);
}

// apt-cache exits 0 for a name it has heard of but cannot install.
function isAvailable(name) {
  return /^\s*Candidate: (?!\(none\))/m.test(capture('apt-cache', ['policy', name]) ?? '');
}

function printSizes(packages) {
  const simulated = capture('apt-get', ['install', '-s', '--no-install-recommends', ...packages]);
  if (simulated === undefined) {
    console.log('Their size is unknown: apt has no list of them yet.');
    return;
  }
  const names = [...simulated.matchAll(/^Inst (\S+)/gm)].map((match) => match[1]);
  const sizes = packageSizes(capture('apt-cache', ['show', '--no-all-versions', ...names]) ?? '');
  for (const size of sizes) {
    console.log(`  ${size.name.padEnd(28)} ${megabytes(size.downloadBytes)} to download`);
  }
  const total = (key) => sizes.reduce((sum, size) => sum + size[key], 0);
  console.log(
    `In all, with what they need, ${names.length === 1 ? '1 package' : `${names.length} packages`}: ${megabytes(total('downloadBytes')).trim()} to download, ` +
      `${megabytes(total('installedBytes')).trim()} on disk.`,
  );
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`.padStart(9);
}

function stopWithoutApt(list) {
  stop(
    `This is not a Debian or Ubuntu system. For ${list.purpose} Packscope needs what Debian calls\n` +
      `  ${list.packages.join(' ')}\n` +
      'Install these your way, then run again with PACKSCOPE_SYSTEM_PACKAGES=skip.',
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  if (process.argv.length !== 3 || !lists[process.argv[2]]) {
    console.error(`usage: node scripts/system-packages.mjs ${Object.keys(lists).join('|')}`);
    process.exit(2);
  }
  ensurePackages(process.argv[2]);
}
