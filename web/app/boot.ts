// SPDX-License-Identifier: MIT
// The first picture, before the rest of the page is fetched: the worker and the engine start at once, and its rows are
// drawn where the page will draw them. Whatever else a link shows, the page follows at once.
import { ask } from './engine/client.js';
import type { DataSummary, PlanSummary } from './engine/protocol.js';
import type { Camera, Scene } from './state/camera.js';
import { centredOn, comfortable, positionsAcross, rowsAcross } from './state/camera.js';
import type { Model } from './state/model.js';
import { fromHash } from './state/model.js';
import { packOptions } from './state/planning.js';

/** What the worker was asked for already. */
export interface Opening {
  readonly model: Model;
  readonly data: Promise<DataSummary>;
  readonly plan: Promise<PlanSummary>;
}

function open(model: Model): Opening | undefined {
  if (model.example === 'own') return undefined;
  const { example } = model;
  const data = ask('load', { example });
  return { model, data, plan: data.then(() => ask('plan', packOptions(model), model.order)) };
}

const themeOf = ({ theme }: Model) => {
  if (theme !== 'system') return theme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

function firstCamera(scene: Scene, window: number): Camera {
  return centredOn(comfortable(scene), Math.min(window, Math.max(scene.windows - 1, 0)), scene);
}

async function drawFirst({ model, plan }: Opening): Promise<void> {
  const canvas = document.getElementById('first-picture') as HTMLCanvasElement | null;
  const { clientWidth: width = 0, clientHeight: height = 0 } = canvas ?? {};
  const { stats, options } = await plan;
  if (!canvas || width === 0 || height === 0) return;
  const scene: Scene = { windows: stats.windows, contextLength: options.contextLength ?? 1, width, height };
  const camera = firstCamera(scene, model.window);
  const ratio = Math.min(devicePixelRatio, 3);
  const picture = await ask('drawRows', {
    width: Math.max(Math.round(width * ratio), 1),
    height: Math.max(Math.round(height * ratio), 1),
    rows: [camera.top, camera.top + rowsAcross(camera, scene)],
    positions: [camera.left, camera.left + positionsAcross(camera, scene)],
    theme: themeOf(model),
    colorBy: model.colorBy,
    labelWidth: 0,
  });
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.putImageData(new ImageData(picture.pixels, picture.width, picture.height), 0, 0);
  performance.mark('first-picture');
}

async function start(): Promise<void> {
  const model = fromHash(location.hash);
  document.documentElement.dataset['theme'] = themeOf(model);
  const opening = open(model);
  // What cannot be drawn here is drawn, or told, by the page.
  if (opening && model.tab === 'windows' && model.level === 'rows' && model.order === 'plan')
    await drawFirst(opening).catch(() => undefined);
  const { showPage } = await import('./main.js');
  showPage(opening);
}

void start();
