// SPDX-License-Identifier: MIT
// Traces: the plan of pack(), decisions that lead to it, and a playback that steps both ways.
import fc from 'fast-check';
import type { Plan, PlaybackWindow } from 'packscope';
import { Playback, pack, trace, traceStep } from 'packscope';
import { describe, expect, test } from 'vitest';

import { randomCase } from './random-case.js';

const documents = [[1, 2], [3, 4, 5], [6], []];
const options = { contextLength: 4, algorithm: 'first_fit' } as const;

/** The windows of a plan by their number, as playback has them at the end. */
function planWindows(plan: Plan): { document: number; documentOffset: number; length: number }[][] {
  return Array.from({ length: plan.window_offsets.length - 1 }, (_, window) => {
    const [begin = 0, end = 0] = plan.window_offsets.subarray(window, window + 2);
    return Array.from({ length: end - begin }, (_, i) => ({
      document: plan.segment_document[begin + i] as number,
      documentOffset: plan.segment_offset[begin + i] as number,
      length: plan.segment_length[begin + i] as number,
    }));
  });
}

function playedWindows(windows: readonly PlaybackWindow[], fillers: number): unknown[] {
  const kept = windows.filter(({ planWindow }) => planWindow !== undefined);
  const played: unknown[] = Array.from({ length: kept.length + fillers }, () => []);
  for (const { planWindow, segments } of kept) played[planWindow as number] = segments;
  return played;
}

test('a trace names every decision in order', () => {
  const { trace: steps } = trace(documents, options);
  const kinds = Array.from(steps.kind, (_, step) => traceStep(steps, step).kind);
  expect(kinds).toEqual(['open', 'place', 'open', 'place', 'place', 'skip', 'flush', 'flush']);
  expect(traceStep(steps, 4)).toEqual({
    kind: 'place',
    document: 2,
    documentOffset: 0,
    length: 1,
    window: 0,
    room: 1,
    candidates: 2,
    fitting: 2,
  });
  expect(traceStep(steps, 5).window).toBeUndefined();
});

test('maxSteps keeps the first ones', () => {
  const { trace: steps, plan } = trace(documents, { ...options, maxSteps: 2 });
  expect([steps.kind.length, steps.complete]).toEqual([2, false]);
  expect(plan).toEqual(pack(documents, options));
});

describe('Playback', () => {
  test('ends in the windows of the plan, and back at the start in none', () => {
    fc.assert(
      fc.property(randomCase, fc.array(fc.nat({ max: 400 }), { maxLength: 5 }), ({ documents, options }, stops) => {
        let traced: ReturnType<typeof trace>;
        try {
          traced = trace(documents, options);
        } catch (error) {
          expect(() => pack(documents, options)).toThrow((error as Error).message);
          return;
        }
        expect(traced.plan).toEqual(pack(documents, options));
        const playback = new Playback(traced.trace);
        const seen: unknown[] = [structuredClone(playback.windows)];
        while (playback.next()) seen.push(structuredClone(playback.windows));
        expect(playedWindows(playback.windows, traced.trace.fillerWindows)).toEqual(planWindows(traced.plan));
        for (const stop of stops) {
          const step = stop % seen.length;
          playback.seek(step);
          expect(playback.windows).toEqual(seen[step]);
        }
        playback.seek(0);
        expect(playback.windows).toEqual([]);
        expect(playback.previous()).toBeUndefined();
      }),
      { numRuns: 150, seed: 3 },
    );
  });

  test.each([[-1], [0.5], [9]])('refuses to seek to %s', (step) => {
    const playback = new Playback(trace(documents, options).trace);
    expect(() => playback.seek(step)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
