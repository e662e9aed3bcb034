// SPDX-License-Identifier: MIT
// The camera over the windows.
import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Scene } from '../../web/app/state/camera.js';
import {
  clamped,
  comfortable,
  fitted,
  placeUnder,
  positionsAcross,
  rowHeight,
  rowsAcross,
  showingRow,
  zoomedAt,
} from '../../web/app/state/camera.js';

const scene: Scene = { windows: 3000, contextLength: 4096, width: 700, height: 500 };

test('the first picture has rows that can be read and whole windows', () => {
  const camera = comfortable(scene);
  expect(rowHeight(camera, scene)).toBe(16);
  expect(positionsAcross(camera, scene)).toBe(4096);
});

test('fitted shows every window', () => {
  expect(rowsAcross(fitted(scene), scene)).toBeCloseTo(3000);
});

test('few windows share the height', () => {
  const few = { ...scene, windows: 5 };
  expect(rowHeight(comfortable(few), few)).toBe(100);
});

test('what is under the pointer stays under it while zooming, away from the edges', () => {
  const start = clamped({ zoom: 200, top: 1000, left: 1000 }, scene);
  const factors = fc.double({ min: 0.5, max: 4, noNaN: true });
  const xs = fc.integer({ min: 0, max: 700 });
  const ys = fc.integer({ min: 0, max: 500 });
  fc.assert(
    fc.property(factors, xs, ys, (factor, x, y) => {
      const before = placeUnder(start, x, y, scene);
      const after = placeUnder(zoomedAt(start, factor, x, y, scene), x, y, scene);
      expect(after.row).toBeCloseTo(before.row, 6);
    }),
  );
});

test('the camera never leaves the plan', () => {
  const numbers = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(numbers, numbers, numbers, (zoom, top, left) => {
      const camera = clamped({ zoom, top, left }, scene);
      expect(camera.top).toBeGreaterThanOrEqual(0);
      expect(camera.top + rowsAcross(camera, scene)).toBeLessThanOrEqual(3000.001);
      expect(camera.left).toBeGreaterThanOrEqual(0);
      expect(camera.left + positionsAcross(camera, scene)).toBeLessThanOrEqual(4096.001);
    }),
  );
});

test('a row out of sight is scrolled into it, one in sight moves nothing', () => {
  const camera = comfortable(scene);
  expect(showingRow(camera, 5, scene)).toBe(camera);
  const moved = showingRow(camera, 100, scene);
  expect(100).toBeGreaterThanOrEqual(moved.top);
  expect(101).toBeLessThanOrEqual(moved.top + rowsAcross(moved, scene));
});
