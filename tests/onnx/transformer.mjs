// SPDX-License-Identifier: MIT
// A small transformer encoder as an ONNX model with seeded random weights: token and position embeddings, then
// layers of layer norm, attention with an additive mask, and an MLP.
import { elementType, model, node, tensor, value } from './protobuf.mjs';

export const shape = { vocabulary: 256, positions: 512, width: 64, heads: 2, layers: 2, hidden: 256 };

// Uniform in [-1, 1), from a linear congruential generator: any weights will do, as long as they stay the same.
function uniform(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

class Graph {
  nodes = [];
  initializers = [];
  #random = uniform(1);

  add(type, inputs, output, attributes) {
    this.nodes.push(node(type, inputs, output, attributes));
    return output;
  }

  weights(name, rows, columns) {
    const scale = Math.sqrt(3 / rows);
    const data = Float32Array.from({ length: rows * columns }, () => scale * this.#random());
    this.initializers.push(tensor(name, [rows, columns], data));
    return name;
  }

  embedding(name, rows, columns) {
    const data = Float32Array.from({ length: rows * columns }, () => this.#random());
    this.initializers.push(tensor(name, [rows, columns], data));
    return name;
  }

  constant(name, data, sizes = [data.length]) {
    this.initializers.push(tensor(name, sizes, data));
    return name;
  }

  linear(input, output, rows, columns) {
    return this.add('MatMul', [input, this.weights(`${output}.weight`, rows, columns)], output);
  }

  layerNorm(input, output, width) {
    const scale = this.constant(`${output}.scale`, new Float32Array(width).fill(1));
    return this.add('LayerNormalization', [input, scale], output, { axis: -1 });
  }
}

// [W, L, width] to [W, heads, L, width / heads], or with the last two exchanged.
function splitHeads(graph, input, permutation) {
  const split = graph.add('Reshape', [input, 'split'], `${input}.split`);
  return graph.add('Transpose', [split], `${input}.heads`, { perm: permutation });
}

function attention(graph, input, layer, width) {
  const [query, key, values] = ['query', 'key', 'value'].map((part) =>
    graph.linear(input, `${layer}.${part}`, width, width),
  );
  const q = splitHeads(graph, query, [0, 2, 1, 3]);
  const k = splitHeads(graph, key, [0, 2, 3, 1]);
  const v = splitHeads(graph, values, [0, 2, 1, 3]);
  const scores = graph.add('MatMul', [q, k], `${layer}.scores`);
  const scaled = graph.add('Mul', [scores, 'scale'], `${layer}.scaled`);
  const masked = graph.add('Add', [scaled, 'attention_mask'], `${layer}.masked`);
  const shares = graph.add('Softmax', [masked], `${layer}.shares`, { axis: -1 });
  const mixed = graph.add('MatMul', [shares, v], `${layer}.mixed`);
  const together = graph.add('Transpose', [mixed], `${layer}.together`, { perm: [0, 2, 1, 3] });
  const merged = graph.add('Reshape', [together, 'merged'], `${layer}.merged`);
  return graph.linear(merged, `${layer}.attention`, width, width);
}

function encoderLayer(graph, input, layer, { width, hidden }) {
  const attended = attention(graph, graph.layerNorm(input, `${layer}.norm1`, width), layer, width);
  const middle = graph.add('Add', [input, attended], `${layer}.middle`);
  const wide = graph.linear(graph.layerNorm(middle, `${layer}.norm2`, width), `${layer}.wide`, width, hidden);
  const active = graph.add('Relu', [wide], `${layer}.active`);
  const narrow = graph.linear(active, `${layer}.narrow`, hidden, width);
  return graph.add('Add', [middle, narrow], `${layer}.output`);
}

/** The bytes of the model. */
export function transformerModel() {
  const { vocabulary, positions, width, heads, layers } = shape;
  const graph = new Graph();
  graph.constant('split', BigInt64Array.from([0, 0, heads, width / heads].map(BigInt)));
  graph.constant('merged', BigInt64Array.from([0, 0, width].map(BigInt)));
  graph.constant('scale', Float32Array.of(1 / Math.sqrt(width / heads)), []);
  const tokens = graph.add('Gather', [graph.embedding('tokens', vocabulary, width), 'input_ids'], 'token');
  const places = graph.add('Gather', [graph.embedding('places', positions, width), 'position_ids'], 'place');
  let state = graph.add('Add', [tokens, places], 'embedded');
  for (let layer = 0; layer < layers; layer += 1) state = encoderLayer(graph, state, `layer${layer}`, shape);
  graph.layerNorm(state, 'hidden', width);
  return model({
    name: 'transformer',
    nodes: graph.nodes,
    initializers: graph.initializers,
    inputs: [
      value('input_ids', elementType.int64, ['windows', 'length']),
      value('position_ids', elementType.int64, ['windows', 'length']),
      value('attention_mask', elementType.float32, ['windows', 1, 'length', 'length']),
    ],
    outputs: [value('hidden', elementType.float32, ['windows', 'length', width])],
    operatorSet: 17,
  });
}
