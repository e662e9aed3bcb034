// SPDX-License-Identifier: MIT
// The recipe of docs/recipes.md with onnxruntime-web as a real client: what a model gives for packed documents is
// what it gives for each alone, with the mask, and something else without it. Prints the speed of packed against
// padded batches.
import assert from 'node:assert/strict';
import * as ort from 'onnxruntime-web';
import { groupByLength, pack, unpack } from 'packscope';

import { embedPacked, modelInputs } from '../../examples/onnx-embedding.mjs';
import { Checks } from '../../scripts/checks.mjs';
import { shape, transformerModel } from './transformer.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const contextLength = 128;
const tolerance = 1e-4;
const session = await ort.InferenceSession.create(transformerModel());
const checks = new Checks();

// Lengths as short texts have them: most have 10 to 30 tokens, some many more.
function makeDocuments(count) {
  let state = 7;
  const next = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const length = () => (next(8) === 0 ? 30 + next(90) : 5 + next(25));
  return Array.from({ length: count }, () => Int32Array.from({ length: length() }, () => next(shape.vocabulary)));
}

const documents = makeDocuments(200);

async function alone(document) {
  const plan = pack([document], { contextLength: document.length });
  const { hidden } = await session.run(modelInputs(plan, [document], [0, 1]));
  return hidden.data;
}

async function packed(documents, maskOptions) {
  const plan = pack(documents, { contextLength });
  const windows = [0, plan.window_offsets.length - 1];
  const { hidden } = await session.run(modelInputs(plan, documents, windows, maskOptions));
  return { plan, states: unpack(plan, hidden.data) };
}

function largestDifference(a, b) {
  assert.equal(a.length, b.length);
  return a.reduce((largest, entry, i) => Math.max(largest, Math.abs(entry - b[i])), 0);
}

function meanOf(states) {
  const mean = new Float32Array(shape.width);
  const rows = states.length / shape.width;
  for (let i = 0; i < states.length; i += 1) mean[i % shape.width] += states[i] / rows;
  return mean;
}

const expected = [];
for (const document of documents) expected.push(await alone(document));

await checks.check('the packed hidden states of each document are those of the document alone', async () => {
  const { states } = await packed(documents);
  const differences = expected.map((values, document) => largestDifference(states.get(document), values));
  console.log(`  with the mask: at most ${Math.max(...differences).toExponential(1)} apart`);
  differences.forEach((difference, document) => {
    assert.ok(difference < tolerance, `document ${document} is ${difference} apart`);
  });
});

await checks.check('without the document mask, documents that share a window differ', async () => {
  const { plan, states } = await packed(documents, { documentMask: false });
  const shared = documentsThatShare(plan);
  const differences = shared.map((document) => largestDifference(states.get(document), expected[document]));
  console.log(`  without the mask: at least ${Math.min(...differences).toExponential(1)} apart`);
  assert.ok(shared.length > documents.length / 2);
  differences.forEach((difference, i) => {
    assert.ok(difference > 100 * tolerance, `document ${shared[i]} is only ${difference} apart`);
  });
});

await checks.check('the recipe gives each document the mean of its own states', async () => {
  const embeddings = await embedPacked(session, documents, { contextLength, windowsPerRun: 3 });
  embeddings.forEach((embedding, document) => {
    const difference = largestDifference(embedding, meanOf(expected[document]));
    assert.ok(difference < tolerance, `document ${document} is ${difference} apart`);
  });
});

await checks.check('the recipe refuses what has no embedding', async () => {
  await assert.rejects(embedPacked(session, [new Int32Array(contextLength + 1)], { contextLength }), {
    code: 'document_too_long',
    document: 0,
  });
  await assert.rejects(embedPacked(session, [[]], { contextLength }), { code: 'invalid_argument' });
});

function documentsThatShare({ window_offsets, segment_document }) {
  return Array.from(segment_document).filter((_, segment) => {
    const window = window_offsets.findLastIndex((offset) => offset <= segment);
    return window_offsets[window + 1] - window_offsets[window] > 1;
  });
}

// One document a window, as long as the longest of its batch: what packing replaces. Pooling is left out.
async function runPadded(documents, batches) {
  for (const batch of batches) {
    const members = batch.map((document) => documents[document]);
    const plan = pack(members, { algorithm: 'pad', contextLength: longestOf(members) });
    await session.run(modelInputs(plan, members, [0, members.length]));
  }
}

const longestOf = (documents) => Math.max(...documents.map(({ length }) => length));

// Consecutive stretches of `order`, of `size` documents each.
function batchesOf(order, size) {
  const all = Array.from(order);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

function paddedPositions(documents, batches) {
  return batches.reduce((sum, batch) => sum + batch.length * longestOf(batch.map((i) => documents[i])), 0);
}

async function medianMs(body) {
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    await body();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[2];
}

async function printSpeed() {
  const many = makeDocuments(600);
  const batchSize = 32;
  const inOrder = batchesOf(many.keys(), batchSize);
  const byLength = batchesOf(groupByLength(many, { maxRows: batchSize }).order, batchSize);
  const packedPositions = (pack(many, { contextLength }).window_offsets.length - 1) * contextLength;
  const ways = [
    ['padded', paddedPositions(many, inOrder), () => runPadded(many, inOrder)],
    ['padded, by length', paddedPositions(many, byLength), () => runPadded(many, byLength)],
    ['packed', packedPositions, () => embedPacked(session, many, { contextLength })],
  ];
  const tokens = many.reduce((sum, { length }) => sum + length, 0);
  console.log(`  ${many.length} documents of ${tokens} tokens, batches of ${batchSize}, windows of ${contextLength}`);
  let paddedMs;
  for (const [name, positions, body] of ways) {
    const ms = await medianMs(body);
    paddedMs ??= ms;
    const columns = [String(positions).padStart(8), ms.toFixed(0).padStart(6), (paddedMs / ms).toFixed(2).padStart(6)];
    console.log(`  ${name.padEnd(18)}${columns[0]} positions${columns[1]} ms${columns[2]} times as fast as padded`);
  }
}

await printSpeed();
checks.finish();
