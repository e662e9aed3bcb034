// SPDX-License-Identifier: MIT
// Draws docs/pictures/*.svg from what the program makes of small inputs, so that no picture shows what does
// not happen. Equal plans give equal bytes; the colours follow the reader's light or dark theme.
//
//   node scripts/draw-pictures.mjs [--check]     --check only tells which pictures are stale
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Checks } from './checks.mjs';
import { projectRoot, stop } from './shell.mjs';

const candidates = ['build/dev/packscope', 'build/release/packscope'].map((path) => join(projectRoot, path));
const program = process.env.PACKSCOPE_PROGRAM ?? candidates.find((path) => existsSync(path));

const cell = 20; // pixels a token
const gap = 5; // between windows
const lightFills = ['#cfe3ff', '#ffdfc2', '#d3efd0', '#f3d3ea', '#fff0b8', '#d9d6fb', '#c9efee', '#f8d0cd'];
const darkFills = ['#1f4b82', '#7a4313', '#25602b', '#732a5d', '#6a5708', '#443c98', '#0f5f62', '#812f2b'];

function style() {
  const fills = (colours) => colours.map((colour, index) => `.d${index}{fill:${colour}}`).join('');
  const light = `text{fill:#1b1f24}.edge{stroke:#8a929c}.pad{fill:#eceef1}${fills(lightFills)}`;
  const dark = `text{fill:#f0f3f6}.edge{stroke:#6e7781}.pad{fill:#272c33}${fills(darkFills)}`;
  return `<style>text{font:12px ui-monospace,Menlo,Consolas,monospace}.edge{fill:none}${light}@media(prefers-color-scheme:dark){${dark}}</style>`;
}

const tile = (x, y, width, height, kind) => `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
const frame = (x, y, width, height) => tile(x + 0.5, y + 0.5, width - 1, height - 1, 'edge');
const label = (x, y, text, anchor = 'start') =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
const fillOf = (document) => (document < 0 ? 'pad' : `d${document % lightFills.length}`);

function svg(width, height, title, parts) {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`;
  return `${[open, `<title>${title}</title>`, style(), ...parts, '</svg>'].join('\n')}\n`;
}

// The windows that the program makes of `input`, as its JSON lines.
function pack(input, ...args) {
  const child = spawnSync(program, ['pack', '-', '-o', '-', '--quiet', ...args], { input, encoding: 'utf8' });
  if (child.error || child.status !== 0) stop(`${program} pack failed: ${child.error ?? child.stderr}`);
  return child.stdout.trim().split('\n').map((line) => JSON.parse(line));
}

function drawWindow(segments, length, x, y) {
  const parts = [tile(x, y, length * cell, cell, 'pad')];
  let position = 0;
  for (const segment of segments) {
    const left = x + position * cell;
    parts.push(tile(left, y, segment.length * cell, cell, fillOf(segment.document)));
    parts.push(frame(left, y, segment.length * cell, cell));
    parts.push(label(left + (segment.length * cell) / 2, y + 14, segment.document, 'middle'));
    position += segment.length;
  }
  return [...parts, frame(x, y, length * cell, cell)];
}

// The same documents by four algorithms, a column each.
function packingPicture() {
  const lengths = [5, 3, 6, 8, 8, 4, 4, 3, 8, 4, 4, 4];
  const windowLength = 10;
  const columns = ['next_fit', 'best_fit', 'best_fit_decreasing', 'wrap'].map((algorithm) => ({
    algorithm,
    windows: pack(`${lengths.join('\n')}\n`, '--input', 'lengths', '-L', String(windowLength), '-a', algorithm),
  }));
  const columnWidth = windowLength * cell + 24;
  const tallest = Math.max(...columns.map(({ windows }) => windows.length));
  const parts = columns.flatMap(({ algorithm, windows }, column) => [
    label(column * columnWidth, 14, `${algorithm}: ${windows.length}`),
    ...windows.flatMap(({ segments }, row) => drawWindow(segments, windowLength, column * columnWidth, 26 + row * (cell + gap))),
  ]);
  const title = `Documents of ${lengths.join(', ')} tokens in windows of ${windowLength}`;
  return svg(columns.length * columnWidth - 24, 26 + tallest * (cell + gap), title, parts);
}

const threeDocuments = '{"input_ids":[11,12,13,14,15]}\n{"input_ids":[21,22]}\n{"input_ids":[31,32,33]}\n';

// The arrays of one window under each other.
function arraysPicture() {
  const names = ['input_ids', 'labels', 'loss_mask', 'position_ids', 'doc_ids', 'segment_ids'];
  const [window] = pack(threeDocuments, '-L', '12', '-a', 'next_fit');
  const left = 110;
  const wide = 36;
  const parts = names.flatMap((name, row) => {
    const y = row * (cell + gap);
    const cells = window[name].flatMap((value, position) => [
      tile(left + position * wide, y, wide, cell, fillOf(window.doc_ids[position])),
      label(left + position * wide + wide / 2, y + 14, value, 'middle'),
    ]);
    return [label(0, y + 14, name), ...cells, frame(left, y, window[name].length * wide, cell)];
  });
  const bottom = names.length * (cell + gap);
  const marks = window.cu_seqlens.map((value) => label(left + value * wide, bottom + 14, value, 'middle'));
  parts.push(label(0, bottom + 14, 'cu_seqlens'), ...marks);
  return svg(left + 12 * wide + 12, bottom + 22, 'The arrays of a window with three documents and two positions of padding', parts);
}

function drawMask(window, x, title, attends) {
  const size = window.doc_ids.length;
  const parts = [label(x, 14, title)];
  for (let query = 0; query < size; query += 1) {
    for (let key = 0; key < size; key += 1) {
      const kind = attends(query, key) ? fillOf(window.doc_ids[query]) : 'pad';
      parts.push(tile(x + key * cell + 1, 26 + query * cell + 1, cell - 2, cell - 2, kind));
    }
  }
  return parts;
}

// What each query (row) may attend to (column): with and without the document rule.
function masksPicture() {
  const [window] = pack(threeDocuments, '-L', '10', '-a', 'next_fit');
  const ids = window.doc_ids;
  const side = ids.length * cell;
  const parts = [
    ...drawMask(window, 0, 'causal: documents leak', (query, key) => key <= query),
    ...drawMask(window, side + 60, 'causal and same document', (query, key) => key <= query && ids[key] === ids[query]),
  ];
  return svg(2 * side + 60, 26 + side, 'Attention in a window of three documents', parts);
}

async function main(checkOnly) {
  if (!program) stop('Build the program first: cmake --preset release && cmake --build --preset release');
  const pictures = { packing: packingPicture(), arrays: arraysPicture(), masks: masksPicture() };
  const checks = new Checks();
  for (const [name, text] of Object.entries(pictures)) {
    const path = join(projectRoot, `docs/pictures/${name}.svg`);
    mkdirSync(dirname(path), { recursive: true });
    if (!checkOnly) writeFileSync(path, text);
    await checks.check(`docs/pictures/${name}.svg`, () => {
      if (readFileSync(path, 'utf8') !== text) throw new Error('is stale; run: npm run docs');
    });
  }
  checks.finish();
}

await main(process.argv.includes('--check'));
