// SPDX-License-Identifier: MIT
// Which part of the windows is on screen. One zoom: rows grow to a comfortable height, then tiles widen instead.

export interface Camera {
  /** Height of a row in CSS pixels; above the tallest the rest widens the tiles. */
  readonly zoom: number;
  /** The row at the top edge; fractions scroll smoothly. */
  readonly top: number;
  /** The position at the left edge. */
  readonly left: number;
}

/** What the camera looks at, and through what. */
export interface Scene {
  readonly windows: number;
  readonly contextLength: number;
  readonly width: number;
  readonly height: number;
}

const comfortableRow = 16;
const tallRow = 44;
/** Few windows share the room, so that their text can be read. */
const tallestRow = 110;
/** Positions across the picture at the closest zoom. */
const fewestPositions = 32;

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));

const tallest = ({ height, windows }: Scene) => clamp(height / Math.max(windows, 1), tallRow, tallestRow);

export const rowHeight = ({ zoom }: Camera, scene: Scene) => Math.min(zoom, tallest(scene));

export function positionsAcross({ zoom }: Camera, scene: Scene): number {
  return scene.contextLength * Math.min(1, tallest(scene) / zoom);
}

export const rowsAcross = (camera: Camera, scene: Scene) => scene.height / rowHeight(camera, scene);

/** All windows at once, as far as they are not thinner than a row may be. */
export function fitted(scene: Scene): Camera {
  return clamped({ zoom: scene.height / Math.max(scene.windows, 1), top: 0, left: 0 }, scene);
}

/** The first picture: rows that can be read. */
export function comfortable(scene: Scene): Camera {
  const zoom = clamp(scene.height / Math.max(scene.windows, 1), comfortableRow, tallest(scene));
  return clamped({ zoom, top: 0, left: 0 }, scene);
}

export function clamped(camera: Camera, scene: Scene): Camera {
  const least = Math.min(scene.height / Math.max(scene.windows, 1), comfortableRow);
  const most = Math.max((tallest(scene) * scene.contextLength) / fewestPositions, tallest(scene));
  const zoom = clamp(camera.zoom, least, most);
  const sized = { ...camera, zoom };
  const rows = rowsAcross(sized, scene);
  return {
    zoom,
    top: clamp(camera.top, 0, Math.max(scene.windows - rows, 0)),
    left: clamp(camera.left, 0, scene.contextLength - positionsAcross(sized, scene)),
  };
}

export function scrolled(camera: Camera, rows: number, positions: number, scene: Scene): Camera {
  return clamped({ ...camera, top: camera.top + rows, left: camera.left + positions }, scene);
}

/** Zooms so that what stands at (x, y) stays there. */
export function zoomedAt(camera: Camera, factor: number, x: number, y: number, scene: Scene): Camera {
  const before = placeUnder(camera, x, y, scene);
  const { zoom } = clamped({ ...camera, zoom: camera.zoom * factor }, scene);
  const sized = { ...camera, zoom };
  const left = before.position - (x / scene.width) * positionsAcross(sized, scene);
  return clamped({ zoom, top: before.row - y / rowHeight(sized, scene), left }, scene);
}

/** Row and position at a point, both with fractions. */
export function placeUnder(camera: Camera, x: number, y: number, scene: Scene): { row: number; position: number } {
  return {
    row: camera.top + y / rowHeight(camera, scene),
    position: camera.left + (x / scene.width) * positionsAcross(camera, scene),
  };
}

/** Scrolls as little as it takes to have the row in sight. */
export function showingRow(camera: Camera, row: number, scene: Scene): Camera {
  const rows = rowsAcross(camera, scene);
  if (row < camera.top) return clamped({ ...camera, top: row - 1 }, scene);
  if (row + 1 > camera.top + rows) return clamped({ ...camera, top: row + 2 - rows }, scene);
  return camera;
}

export function centredOn(camera: Camera, row: number, scene: Scene): Camera {
  return clamped({ ...camera, top: row + 0.5 - rowsAcross(camera, scene) / 2 }, scene);
}
