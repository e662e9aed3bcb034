// SPDX-License-Identifier: MIT
// trace(): pack() with the decisions that led to the plan.
import type { Documents } from './documents.js';
import { documentSet } from './documents.js';
import type { Engine } from './engine.js';
import type { PackOptions } from './options.js';
import { givenOptions, optionList, wrongArgument } from './options.js';
import { documentsToPack } from './pack.js';
import type { Plan } from './plan.js';
import { planFromRaw } from './plan.js';
import type { Trace, TraceKind } from './playback.js';

export interface TraceOptions extends PackOptions {
  /** Steps recorded; further ones are taken, but not kept. Default 100000. */
  maxSteps?: number;
}

export interface TracedPlan {
  readonly plan: Plan;
  readonly trace: Trace;
}

export interface TraceApi {
  /**
   * pack(), with every decision it took: which document came, which windows were open, where it went. Playback steps
   * through them. A step costs time in proportion to the windows that are open.
   * @throws PackscopeError as pack()
   */
  trace(documents: Documents, options?: TraceOptions): TracedPlan;
}

const defaultMaxSteps = 100_000;

export function traceApi(engine: Engine): TraceApi {
  return {
    trace(documents, options) {
      const { maxSteps = defaultMaxSteps, ...packing } = givenOptions(options);
      if (!Number.isSafeInteger(maxSteps) || maxSteps < 0) {
        throw wrongArgument('maxSteps', maxSteps, 'a whole number');
      }
      const list = optionList(packing);
      const given = documentsToPack(engine, documentSet(documents), list);
      const { plan, trace } = engine.ask((raw) => raw.trace(list, given, maxSteps));
      const kinds = trace.kinds as readonly TraceKind[];
      return { plan: planFromRaw(engine, plan, list), trace: { ...trace, kinds } };
    },
  };
}
