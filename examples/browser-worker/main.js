// SPDX-License-Identifier: MIT
// Lengths go to the worker, a plan and a picture come back; a click stops it, and progress is shown.
import { createPackscopeWorker } from 'packscope/worker';

const element = (id) => document.querySelector(`#${id}`);
const packscope = createPackscopeWorker();
const firstWindows = { kind: 'rows', windows: [0, 20] };
let running = new AbortController();

function makeLengths(count) {
  return Uint32Array.from({ length: count }, () => Math.max(1, Math.floor(600 * Math.random() ** 2)));
}

function options() {
  running = new AbortController();
  const onProgress = (done, total) => Object.assign(element('progress'), { value: done, max: total });
  return { signal: running.signal, onProgress };
}

async function start() {
  const lengths = makeLengths(1_000_000);
  const remote = packscope.with(options());
  const compared = await remote.compare(lengths, {
    contextLengths: [2048],
    algorithms: ['wrap', 'best_fit_decreasing'],
  });
  const lines = compared.map(({ algorithm, stats }) => `${algorithm}: ${stats.windows} windows`);
  const plan = await remote.pack(lengths, { contextLength: 2048 });
  element('report').textContent = [...lines, `fingerprint ${plan.fingerprint}`].join('\n');
  await draw(remote, plan);
}

async function draw(remote, plan) {
  const canvas = element('picture');
  const { data, width, height } = await remote.render(plan, firstWindows, canvas.width, canvas.height);
  canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0);
}

element('start').addEventListener('click', async () => {
  element('start').disabled = true;
  element('stop').disabled = false;
  try {
    await start();
  } catch (error) {
    element('report').textContent = error.name === 'AbortError' ? 'stopped' : error.message;
  }
  element('start').disabled = false;
  element('stop').disabled = true;
});
element('stop').addEventListener('click', () => running.abort());
