// SPDX-License-Identifier: MIT
// What models of transformers.js read: int64 tensors, made from packed windows or from padded batches.
//
// `Tensor` is the class of @huggingface/transformers; that of onnxruntime-web takes the same arguments.
import { attentionMask, groupByLength, materialize, pack } from 'packscope';

/**
 * Packed windows, for a model exported with position_ids and an additive attention_mask of four dimensions.
 * W windows of L positions.
 */
export function packedInputs(Tensor, plan, documents, windows, mask = 'causal') {
  const batch = materialize(plan, documents, { windows, arrays: ['input_ids', 'position_ids'], int64: true });
  const dense = attentionMask(plan, { windows, mask, format: 'float32' });
  const shape = [batch.windowCount, batch.contextLength];
  return {
    input_ids: new Tensor('int64', batch.input_ids, shape),
    position_ids: new Tensor('int64', batch.position_ids, shape),
    attention_mask: new Tensor('float32', dense.data, [...dense.shape]),
  };
}

/**
 * Padded batches of documents of similar length, for a model whose attention_mask has two dimensions, as most are
 * exported: such a mask hides padding, but cannot keep the documents of a packed window apart.
 *
 * @returns an iterator over { order, inputs }: the documents of a batch, and what the model reads
 */
export function* paddedInputs(Tensor, documents, maxTokens) {
  const groups = groupByLength(documents, { maxTokens });
  for (const [b, contextLength] of groups.padded_lengths.entries()) {
    const order = groups.order.subarray(groups.batch_offsets[b], groups.batch_offsets[b + 1]);
    const members = Array.from(order, (document) => documents[document]);
    const plan = pack(members, { algorithm: 'pad', contextLength });
    const { input_ids, segment_ids } = materialize(plan, members, {
      arrays: ['input_ids', 'segment_ids'],
      int64: true,
    });
    const shape = [members.length, contextLength];
    yield {
      order,
      inputs: {
        input_ids: new Tensor('int64', input_ids, shape),
        // 1 for the only segment of a window, 0 in padding: what such a mask holds.
        attention_mask: new Tensor('int64', segment_ids, shape),
      },
    };
  }
}
