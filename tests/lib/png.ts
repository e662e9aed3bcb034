// SPDX-License-Identifier: MIT
// Reads the PNG files that libpng writes for pictures: 8 bits a channel, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';
import type { Picture } from 'packscope/slim';

const channelsOf: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

export function decodePng(file: Buffer): Picture {
  const [width, height, channels] = [file.readUInt32BE(16), file.readUInt32BE(20), channelsOf[file[25] as number]];
  if (file[24] !== 8 || channels === undefined || file[28] !== 0) throw new Error('a PNG of another kind');
  const lines = unfiltered(inflateSync(imageData(file)), width * channels, height, channels);
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    data.set(lines.subarray(pixel * channels, (pixel + 1) * channels), pixel * 4);
  return { width, height, data };
}

function imageData(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const begin = at + 8;
    if (file.toString('latin1', at + 4, begin) === 'IDAT')
      parts.push(file.subarray(begin, begin + file.readUInt32BE(at)));
  }
  return Buffer.concat(parts);
}

type Predict = (left: number, up: number, corner: number) => number;

const predictions: readonly Predict[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  nearest,
];

// The one of the three that is closest to left + up - corner.
function nearest(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

// Each line begins with the number of the prediction that was subtracted from it.
function unfiltered(bytes: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(width * height);
  const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (out[y * width + x] as number));
  for (let y = 0; y < height; y += 1) {
    const line = y * (width + 1);
    const predict = predictions[bytes[line] as number] as Predict;
    for (let x = 0; x < width; x += 1)
      out[y * width + x] =
        (bytes[line + 1 + x] as number) + predict(at(x - channels, y), at(x, y - 1), at(x - channels, y - 1));
  }
  return out;
}
