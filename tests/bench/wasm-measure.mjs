// SPDX-License-Identifier: MIT
// One round of tests/bench/wasm.mjs: what the package, the engine inside it and plain JavaScript take for the same
// lengths. Runs in Node and in a page alike.
import { pack } from 'packscope';

import createModule from '../../wasm-build/dist/glue.mjs';
import { createBoundary } from '../../web/lib/boundary.ts';
import { countingSort, plainPackers } from './wasm-plain.mjs';

const contextLength = 2048;
const documentCount = 1_000_000;
const calls = 9;

// SplitMix64, as packscope/random.hpp has it.
function* splitMix64(seed) {
  const low64 = (value) => BigInt.asUintN(64, value);
  for (let state = BigInt(seed); ; ) {
    state = low64(state + 0x9e3779b97f4a7c15n);
    let z = low64((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = low64((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    yield z ^ (z >> 31n);
  }
}

/** The lengths of tests/bench/lengths.hpp: lognormal, median 300, sigma 1.1. */
function lognormalLengths(count) {
  const random = splitMix64(300);
  const uniform = () => (Number(random.next().value >> 11n) + 0.5) * 2 ** -53;
  return Uint32Array.from({ length: count }, () => {
    // Compilers of C++ may draw the two in either order; the lengths are as good.
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    return Math.max(1, Math.floor(300 * Math.exp(1.1 * normal)));
  });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

function timed(body) {
  const start = performance.now();
  body();
  return performance.now() - start;
}

// The first calls are left out: they compile, and they grow the memory.
function medianMs(body) {
  for (let i = 0; i < 3; i += 1) body();
  return median(Array.from({ length: calls }, body));
}

/** An engine as the package has it inside, but with a clock at its boundary. */
function clockedEngine(module) {
  let memory;
  let written; // the last array copied in
  let firstRead; // the first one copied out
  let lastCall;
  let longestStretch;
  const boundary = createBoundary(() => memory.buffer);
  const clocked =
    (imported) =>
    (...args) => {
      longestStretch = Math.max(longestStretch, performance.now() - lastCall);
      const result = imported(...args);
      lastCall = performance.now();
      return result;
    };
  const engine = {
    boundary: {
      ...boundary,
      write(array, address) {
        boundary.write(array, address);
        written = performance.now();
      },
      read(...args) {
        firstRead ??= performance.now();
        return boundary.read(...args);
      },
    },
    instantiateWasm(imports, receive) {
      for (const group of Object.values(imports)) {
        for (const [name, imported] of Object.entries(group)) {
          if (typeof imported === 'function') group[name] = clocked(imported);
        }
      }
      const made = new WebAssembly.Instance(module, imports);
      memory = Object.values(made.exports).find((value) => value instanceof WebAssembly.Memory);
      receive(made);
      return made.exports;
    },
  };
  createModule(engine);
  const inside = (call) => {
    firstRead = undefined;
    longestStretch = 0;
    lastCall = performance.now();
    call(engine);
    return { planning: longestStretch, inside: firstRead - written };
  };
  return { inside };
}

// What no pack() does without: the lengths into memory of the engine's kind, the plan into arrays of its own.
function copies(lengths, plan) {
  const arrays = [plan.segment_document, plan.segment_offset, plan.segment_length, plan.window_offsets];
  const inner = new Uint32Array(lengths.length);
  return () =>
    timed(() => {
      inner.set(lengths);
      for (const array of arrays) new Uint32Array(array);
    });
}

function checkEqual(plan, plain, algorithm) {
  for (const [name, expected] of Object.entries(plain)) {
    const same = plan[name].length === expected.length && plan[name].every((entry, i) => entry === expected[i]);
    if (!same) throw new Error(`the plain ${algorithm} gives another ${name} than the package`);
  }
}

// Every plan in the memory of the one before.
function replan(lengths, options) {
  let plan;
  return () =>
    timed(() => {
      plan = pack(lengths, { ...options, reuse: plan });
    });
}

/** Milliseconds by algorithm and way. */
export function measure(module) {
  const lengths = lognormalLengths(documentCount);
  const { inside } = clockedEngine(module);
  const result = { counting_sort: { plain: medianMs(() => timed(() => countingSort(lengths))) } };
  for (const [algorithm, packPlainly] of Object.entries(plainPackers)) {
    const options = { algorithm, contextLength };
    const plan = pack(lengths, options);
    checkEqual(plan, packPlainly(lengths, contextLength), algorithm);
    const list = `algorithm\0${algorithm}\0context_length\0${contextLength}\0`;
    const packInside = () => inside((engine) => engine.pack(list, { lengths }));
    result[algorithm] = {
      planning: medianMs(() => packInside().planning),
      inside: medianMs(() => packInside().inside),
      endToEnd: medianMs(() => timed(() => pack(lengths, options))),
      reusing: medianMs(replan(lengths, options)),
      copies: medianMs(copies(lengths, plan)),
      plain: medianMs(() => timed(() => packPlainly(lengths, contextLength))),
    };
  }
  return result;
}
