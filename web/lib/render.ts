// SPDX-License-Identifier: MIT
// Pictures of a plan in RGBA: a field of all windows, rows of tiles, an attention mask. A drawing keeps the plan in
// the engine, so that each further picture costs its pixels only.
import type { Engine } from './engine.js';
import { PackscopeError } from './errors.js';
import { EngineHandle } from './handle.js';
import { prefixesOf } from './masks.js';
import type { MaskOptions } from './options.js';
import { describe, optionList, refuseOtherNames, wrongArgument } from './options.js';
import type { AnyPlan } from './plan.js';
import { wholePlan, windowCount } from './plan.js';
import type { RawFieldView, RawMaskView, RawRowsView } from './raw.js';

export type Theme = 'light' | 'dark';

/** A colour: red, green, blue, alpha from 0 to 255. */
export type Color = Uint8Array<ArrayBuffer>;

/** A cell for each window, row by row, coloured by its share of padding. */
export interface FieldView {
  kind: 'field';
  /** Default 0. */
  firstWindow?: number;
  /** Side of a cell in pixels; from 4 on a gap of one pixel is part of it. Default: as large as lets all windows fit, at most 16. */
  cellPx?: number;
  /** Several take the colour halfway between their mean and their worst. Default: as many as it takes for all to fit. */
  windowsPerCell?: number;
  /** Default `light`. */
  theme?: Theme;
}

/** A row for each window, a tile for each segment, hatch for padding. */
export interface RowsView {
  kind: 'rows';
  /** From top to bottom, [first, last); fractions scroll smoothly. Default: all. */
  windows?: readonly [number, number];
  /** From left to right, [first, last). Default: the whole window. */
  positions?: readonly [number, number];
  /** Default `light`. */
  theme?: Theme;
}

/** Which query (from top to bottom) may attend to which key (from left to right). */
export interface MaskView extends MaskOptions {
  kind: 'mask';
  window: number;
  /** [first, last) positions. Default: all. */
  queries?: readonly [number, number];
  /** [first, last) positions. Default: all. */
  keys?: readonly [number, number];
  /** Draw blocks of so many queries by keys instead of cells. Default: cells. */
  block?: number | readonly [queries: number, keys: number];
  /** Default `light`. */
  theme?: Theme;
}

export type View = FieldView | RowsView | MaskView;

/** RGBA, row by row from the top left: what ImageData takes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** uint8 [height, width, 4] */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** What stands at a pixel. */
export interface Hit {
  readonly window: number;
  /** Position in the window; of rows. */
  readonly position?: number;
  /** Index of the segment in the window; of rows, absent on padding. */
  readonly segment?: number;
  /** Positions in the window; of masks. */
  readonly query?: number;
  readonly key?: number;
}

/** Padding of a range of windows. */
export interface Waste {
  /** Positions without a token, of all windows together. */
  readonly padding: number;
  /** Of the window with the most. */
  readonly worst: number;
  /** The first such window. */
  readonly worstWindow: number;
}

/** The colours of pictures. */
export interface Palette {
  /** The document at `index` of `window` takes the colour documentColor(window, index). */
  readonly documents: readonly Color[];
  /** Text on each of them. */
  readonly inks: readonly Color[];
  /** Many documents in one pixel. */
  readonly documentMean: Color;
  /** Around pictures and between tiles. */
  readonly page: Color;
  readonly padding: Color;
  readonly hatch: Color;
  /** Of a mask: a query that may not attend to a key. */
  readonly blocked: Color;
  /** Of a mask: where a document begins. */
  readonly boundary: Color;
  /** Of a mask without the document rule: a query that sees another document. */
  readonly leak: Color;
  /** From no padding to nothing but padding. */
  readonly waste: readonly Color[];
}

/** A plan in the engine, ready to be drawn. Dispose of it after use. */
export interface Drawing extends Disposable {
  /**
   * Draws a view.
   * @param target a picture of the same size to draw over; default: a new one
   * @throws PackscopeError `engine_restarted` where the engine that held the plan has ended
   */
  draw(view: View, width: number, height: number, target?: Picture): Picture;
  /** What stands at pixel (x, y) of such a picture; undefined where nothing does. */
  hit(view: View, width: number, height: number, x: number, y: number): Hit | undefined;
  /** The padding of windows [first, last), in time that grows little with their number. */
  waste(first: number, last: number): Waste;
  /** Frees the plan in the engine; further calls throw. */
  dispose(): void;
}

export interface RenderApi {
  /** Puts a plan into the engine to draw it again and again. */
  createDrawing(plan: AnyPlan): Drawing;

  /**
   * One picture of a plan. For many use createDrawing().
   * @param width pixels, 1 to 32768; 2^28 pixels in all
   * @param height pixels, 1 to 32768
   * @example
   * ```js
   * const { data } = render(plan, { kind: 'rows', theme: 'dark' }, 800, 400);
   * context.putImageData(new ImageData(data, 800, 400), 0, 0);
   * ```
   */
  render(plan: AnyPlan, view: View, width: number, height: number): Picture;

  /** The colours of pictures. Default theme: `light`. */
  palette(theme?: Theme): Palette;

  /** Which of `palette().documents` the document at `index` of `window` takes. */
  documentColor(window: number, index: number): number;
}

export function renderApi(engine: Engine): RenderApi {
  const createDrawing = (plan: AnyPlan) => new EngineDrawing(engine, plan);
  return {
    createDrawing,
    render(plan, view, width, height) {
      const drawing = createDrawing(plan);
      try {
        return drawing.draw(view, width, height);
      } finally {
        drawing.dispose();
      }
    },
    palette: (theme = 'light') => engine.run((raw) => raw.palette({ theme: themeOf(theme) })),
    documentColor(window, index) {
      checkWhole('window', window);
      checkWhole('index', index);
      return engine.run((raw) => raw.documentColor(window, index));
    },
  };
}

export class EngineDrawing implements Drawing {
  readonly #engine: Engine;
  readonly #handle: EngineHandle;
  readonly #windows: number;
  readonly #contextLength: number;
  readonly #storedLength: number;
  readonly #documents: Uint32Array;

  constructor(engine: Engine, plan: AnyPlan) {
    const whole = wholePlan(plan);
    this.#engine = engine;
    this.#windows = windowCount(plan);
    this.#contextLength = plan.options.contextLength;
    this.#storedLength = this.#contextLength + (plan.options.extraToken ? 1 : 0);
    this.#documents = plan.segment_document;
    this.#handle = new EngineHandle(
      engine,
      'drawing',
      (raw) => raw.openDrawing(whole),
      (raw, drawing) => raw.closeDrawing(drawing),
    );
  }

  draw(view: View, width: number, height: number, target?: Picture): Picture {
    checkSides(width, height);
    const picture = target ?? { width, height, data: new Uint8ClampedArray(4 * width * height) };
    if (picture.data?.length !== 4 * width * height) {
      throw new PackscopeError(
        'invalid_argument',
        `target has ${picture.data?.length} bytes, but a picture of ${width} x ${height} pixels has ${4 * width * height}`,
      );
    }
    this.#drawOnto(view, width, height, picture.data);
    return picture;
  }

  #drawOnto(view: View, width: number, height: number, data: Uint8ClampedArray): undefined {
    switch (view?.kind) {
      case 'field': {
        const field = this.#fieldView(view, width, height);
        return this.#handle.ask((raw, drawing) => raw.drawField(drawing, field, width, height, data));
      }
      case 'rows': {
        const rows = this.#rowsView(view);
        return this.#handle.ask((raw, drawing) => raw.drawRows(drawing, rows, width, height, data));
      }
      case 'mask': {
        const mask = this.#maskView(view);
        const options = optionList(view, viewKeys);
        const prefixes = prefixesOf(view.prefixLengths, this.#documents);
        return this.#handle.ask((raw, drawing) => raw.drawMask(drawing, mask, options, prefixes, width, height, data));
      }
      default:
        throw unknownKind(view);
    }
  }

  hit(view: View, width: number, height: number, x: number, y: number): Hit | undefined {
    checkSides(width, height);
    for (const [name, value] of Object.entries({ x, y })) {
      if (typeof value !== 'number') throw wrongArgument(name, value, 'a number of pixels');
    }
    if (!(x >= 0 && x < width && y >= 0 && y < height)) return undefined;
    return this.#hitAt(view, width, height, Math.floor(x), Math.floor(y));
  }

  #hitAt(view: View, width: number, height: number, x: number, y: number): Hit | undefined {
    switch (view?.kind) {
      case 'field': {
        const field = this.#fieldView(view, width, height);
        const window = this.#handle.run((raw, drawing) => raw.fieldHit(drawing, field, width, x, y));
        return window === undefined ? undefined : { window };
      }
      case 'rows': {
        const rows = this.#rowsView(view);
        return this.#handle.run((raw, drawing) => raw.rowsHit(drawing, rows, width, height, x, y));
      }
      case 'mask': {
        const mask = this.#maskView(view);
        const cell = this.#handle.run((raw, drawing) => raw.maskHit(drawing, mask, width, height, x, y));
        return cell && { window: view.window, ...cell };
      }
      default:
        throw unknownKind(view);
    }
  }

  waste(first: number, last: number): Waste {
    if (!(Number.isInteger(first) && Number.isInteger(last) && 0 <= first && first < last && last <= this.#windows)) {
      throw new PackscopeError(
        'invalid_argument',
        `windows [${describe(first)}, ${describe(last)}) are empty or not in the plan, which has ${this.#windows}`,
      );
    }
    return this.#handle.run((raw, drawing) => raw.waste(drawing, [first, last]));
  }

  dispose(): void {
    this.#handle.close();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #fieldView(view: FieldView, width: number, height: number): RawFieldView {
    const fit = this.#engine.run((raw) => raw.fitField(this.#windows, width, height, 16));
    refuseOtherNames(view, 'view', ['kind', 'firstWindow', 'cellPx', 'windowsPerCell', 'theme']);
    const { firstWindow = 0, cellPx = fit.cellPx, windowsPerCell = fit.windowsPerCell } = view;
    for (const [name, value] of Object.entries({ firstWindow, cellPx, windowsPerCell })) checkWhole(name, value);
    return { firstWindow, cellPx, windowsPerCell, theme: themeOf(view.theme) };
  }

  #rowsView(view: RowsView): RawRowsView {
    refuseOtherNames(view, 'view', ['kind', 'windows', 'positions', 'theme']);
    return {
      windows: stretch('windows', view.windows, this.#windows),
      positions: stretch('positions', view.positions, this.#storedLength),
      theme: themeOf(view.theme),
    };
  }

  #maskView(view: MaskView): RawMaskView {
    checkWhole('window', view.window);
    const { block } = view;
    if (block !== undefined) for (const side of [block].flat()) checkWhole('block', side);
    return {
      window: view.window,
      queries: stretch('queries', view.queries, this.#contextLength),
      keys: stretch('keys', view.keys, this.#contextLength),
      block: typeof block === 'number' ? [block, block] : block,
      theme: themeOf(view.theme),
    };
  }
}

const maxPixels = 2 ** 28;
const viewKeys = new Set(['kind', 'window', 'queries', 'keys', 'block', 'theme', 'prefixLengths']);

function unknownKind(view: never): PackscopeError {
  const kind = (view as { kind: unknown } | undefined)?.kind;
  return wrongArgument('view.kind', kind, 'field, rows or mask');
}

function themeOf(theme: Theme = 'light'): Theme {
  if (theme === 'light' || theme === 'dark') return theme;
  throw wrongArgument('theme', theme, 'light or dark');
}

// The engine's limits, before there is an array for the pixels.
function checkSides(width: number, height: number): void {
  for (const [name, side] of Object.entries({ width, height })) {
    if (Number.isInteger(side) && side >= 1 && side <= 32768) continue;
    throw wrongArgument(name, side, 'from 1 to 32768 pixels');
  }
  if (width * height <= maxPixels) return;
  throw new PackscopeError(
    'too_large',
    `a picture of ${width} x ${height} pixels is above the limit of ${maxPixels} pixels: lower width or height`,
  );
}

function checkWhole(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw wrongArgument(name, value, 'a whole number, 0 or more');
}

// Empty plans have no rows, and a stretch may not be empty: one row of nothing is drawn.
function stretch(name: string, range: readonly [number, number] | undefined, whole: number): readonly [number, number] {
  const [first, last] = (range === undefined ? [0, Math.max(whole, 1)] : [range].flat()) as [number, number];
  if (Number.isFinite(first) && Number.isFinite(last) && 0 <= first && first < last) return [first, last];
  throw new PackscopeError(
    'invalid_argument',
    `${name} is [${describe(first)}, ${describe(last)}]; it must go up from 0 or more`,
  );
}
