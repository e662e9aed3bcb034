// SPDX-License-Identifier: MIT
// Many short texts in one forward pass: sentence embeddings of packed windows with onnxruntime-web. Explained
// step by step in docs/recipes.md.
import * as ort from 'onnxruntime-web';
import { attentionMask, materialize, PackscopeError, pack, segmentMeanPool } from 'packscope';

/**
 * The mean of each document's hidden states, as if it had gone through the model alone.
 *
 * @param session a model with the inputs input_ids and position_ids, int64 [W, L], and attention_mask, float32
 *   [W, 1, L, L] added to the scores; and the output hidden, float32 [W, L, width]
 * @param documents token arrays, none longer than a window or empty
 * @returns document to Float32Array [width]
 */
export async function embedPacked(session, documents, { contextLength = 128, windowsPerRun = 8 } = {}) {
  const plan = pack(documents, { contextLength, longDocuments: 'error' });
  if (plan.ledger.emptyDocuments > 0) throw new PackscopeError('invalid_argument', 'an empty document has no mean');
  const embeddings = new Array(documents.length);
  const windowCount = plan.window_offsets.length - 1;
  for (let first = 0; first < windowCount; first += windowsPerRun) {
    const windows = [first, Math.min(first + windowsPerRun, windowCount)];
    const { hidden } = await session.run(modelInputs(plan, documents, windows));
    keepMeans(embeddings, segmentMeanPool(plan, hidden.data, { windows }));
  }
  return embeddings;
}

/** What the model reads for some windows of a plan. `maskOptions` may change the mask. */
export function modelInputs(plan, documents, windows, maskOptions = {}) {
  const batch = materialize(plan, documents, { windows, arrays: ['input_ids', 'position_ids'], int64: true });
  const mask = attentionMask(plan, { windows, mask: 'bidirectional', format: 'float32', ...maskOptions });
  const shape = [batch.windowCount, batch.contextLength];
  return {
    input_ids: new ort.Tensor('int64', batch.input_ids, shape),
    position_ids: new ort.Tensor('int64', batch.position_ids, shape),
    attention_mask: new ort.Tensor('float32', mask.data, mask.shape),
  };
}

function keepMeans(embeddings, { documents, means }) {
  const width = means.length / documents.length;
  documents.forEach((document, row) => {
    embeddings[document] = means.subarray(row * width, (row + 1) * width);
  });
}
