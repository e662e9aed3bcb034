// SPDX-License-Identifier: MIT
// Code that does the same elsewhere, filled in with the settings and the selected window. Each ends with the
// assertion that proves it.
import type { PackOptions } from 'packscope/slim';

import type { WindowInfo } from '../engine/protocol.js';

export interface Snippet {
  readonly name: string;
  readonly about: string;
  readonly language: 'sh' | 'js' | 'python';
  readonly code: string;
}

/** Options that differ from their defaults, and always the two that name the plan. */
export interface ChosenOptions {
  readonly contextLength: number;
  readonly options: Readonly<Partial<PackOptions>>;
  readonly windows: number;
  readonly fingerprint: string;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function flags(options: Readonly<Partial<PackOptions>>): string {
  return Object.entries(options)
    .map(([name, value]) => (value === true ? ` \\\n  --${kebab(name)}` : ` \\\n  --${kebab(name)} ${String(value)}`))
    .join('');
}

function entries(options: Readonly<Partial<PackOptions>>): string {
  return Object.entries(options)
    .map(([name, value]) => `  ${name}: ${typeof value === 'string' ? `'${value}'` : String(value)},\n`)
    .join('');
}

export function commandLine({ options, fingerprint }: ChosenOptions): Snippet {
  const code = `packscope pack documents.jsonl --text-field text${flags(options)} \\
  -o packed
packscope verify packed --against documents.jsonl
# the same lengths give fingerprint ${fingerprint}
`;
  return {
    name: 'Command line',
    about: 'Packs a file into .npy arrays, then proves that no token is lost.',
    language: 'sh',
    code,
  };
}

export function javaScript({ options, windows, fingerprint }: ChosenOptions): Snippet {
  const code = `import { materialize, pack } from 'packscope';

// documents: token ids, or only their lengths to plan
const plan = pack(documents, {
${entries(options)}});
const batch = materialize(plan, documents, { windows: 0 });
// batch.input_ids, labels, position_ids, doc_ids, cu_seqlens, ...

console.assert(plan.window_offsets.length - 1 === ${windows});
console.assert(plan.fingerprint === '${fingerprint}');
`;
  return { name: 'JavaScript', about: 'The npm package: the same plan, in Node or a browser.', language: 'js', code };
}

const fewBoundaries = 12;

// Every boundary where they are few, so that the code runs as it stands; else how to read them.
function boundaryLines({ boundaries, window }: WindowInfo, [make, dtype] = ['torch.tensor', 'torch.int32']): string {
  const list = boundaries.join(', ');
  if (boundaries.length <= fewBoundaries) return `cu_seqlens = ${make}([${list}], dtype=${dtype})`;
  const lines = list.replace(/(.{1,68})(?:, |$)/g, '    $1,\n').replace(/,,\n/g, ',\n');
  return `cu_seqlens = ${make}([  # window ${window}\n${lines}], dtype=${dtype})`;
}

/** How a window is attended to: what the snippets with a mask are filled in with. */
export interface Attention {
  readonly contextLength: number;
  readonly causal: boolean;
  /** 0: no limit. */
  readonly slidingWindow: number;
}

// Boundaries that lead to the end of the window: those of real tokens only leave the padding tail out.
function wholeBoundaries({ boundaries }: WindowInfo, contextLength: number): readonly number[] {
  return boundaries.at(-1) === contextLength ? boundaries : [...boundaries, contextLength];
}

/** Pairs of query and key that may attend, the padding tail counted as a document of its own. */
export function attendingPairs(boundaries: readonly number[], { causal, slidingWindow }: Attention): number {
  return boundaries.slice(1).reduce((sum, end, index) => {
    const length = end - (boundaries[index] as number);
    const reach = slidingWindow === 0 ? length : Math.min(slidingWindow, length);
    // The first queries see fewer keys than the window reaches back.
    const back = length * reach - (reach * (reach - 1)) / 2;
    return sum + (causal ? back : 2 * back - length);
  }, 0);
}

const ruleLines = ({ causal, slidingWindow }: Attention, module: string) =>
  [
    `position = ${module}.arange(len(doc))`,
    'distance = position[:, None] - position[None, :]  # query minus key',
    'allowed = doc[:, None] == doc[None, :]',
    ...(causal ? ['allowed &= distance >= 0'] : []),
    ...(slidingWindow === 0
      ? []
      : [causal ? `allowed &= distance < ${slidingWindow}` : `allowed &= abs(distance) < ${slidingWindow}`]),
  ].join('\n');

export function scaledDotProduct(info: WindowInfo, attention: Attention): Snippet {
  const { contextLength } = attention;
  const boundaries = wholeBoundaries(info, contextLength);
  const code = `import torch
# from torch.nn.functional import scaled_dot_product_attention

${boundaryLines({ ...info, boundaries })}
doc = torch.repeat_interleave(torch.arange(len(cu_seqlens) - 1), cu_seqlens.diff().long())
${ruleLines(attention, 'torch')}
# out = scaled_dot_product_attention(query, key, value, attn_mask=allowed)

assert allowed.shape == (${contextLength}, ${contextLength})
assert int(allowed.sum()) == ${attendingPairs(boundaries, attention)}
`;
  return {
    name: 'PyTorch SDPA',
    about: 'A boolean mask, True where a query may attend. It is whole: for windows that are not too long.',
    language: 'python',
    code,
  };
}

export function jax(info: WindowInfo, attention: Attention): Snippet {
  const { contextLength } = attention;
  const boundaries = wholeBoundaries(info, contextLength);
  const documents = info.segments.length;
  const code = `import jax.numpy as jnp

${boundaryLines({ ...info, boundaries }, ['jnp.array', 'jnp.int32'])}
lengths = jnp.diff(cu_seqlens)
doc = jnp.repeat(jnp.arange(len(lengths)), lengths)
segment_ids = jnp.where(doc < ${documents}, doc + 1, 0)  # padding is 0
positions = jnp.arange(len(doc)) - jnp.repeat(cu_seqlens[:-1], lengths)
${ruleLines(attention, 'jnp')}
# flash attention of Pallas takes SegmentIds(q=segment_ids[None], kv=segment_ids[None]);
# dot_product_attention(query, key, value, mask=allowed[None, None])

assert segment_ids.shape == positions.shape == (${contextLength},)
assert int(segment_ids.max()) == ${documents} and int((segment_ids == 0).sum()) == ${contextLength - info.used}
assert int(allowed.sum()) == ${attendingPairs(boundaries, attention)}
`;
  return {
    name: 'JAX',
    about: 'Segment ids for kernels that take them, and the mask for those that do not.',
    language: 'python',
    code,
  };
}

export function onnx(info: WindowInfo, attention: Attention): Snippet {
  const { contextLength } = attention;
  const boundaries = wholeBoundaries(info, contextLength);
  const code = `import numpy as np
# session = onnxruntime.InferenceSession("model.onnx")

${boundaryLines({ ...info, boundaries }, ['np.array', 'np.int64'])}
lengths = np.diff(cu_seqlens)
doc = np.repeat(np.arange(len(lengths)), lengths)
position_ids = (np.arange(len(doc)) - np.repeat(cu_seqlens[:-1], lengths))[None]
${ruleLines(attention, 'np')}
attention_bias = np.where(allowed, 0, -np.inf).astype(np.float32)[None, None]
# session.run(None, dict(input_ids=input_ids, position_ids=position_ids, attention_bias=attention_bias))

assert position_ids.dtype == np.int64 and position_ids.shape == (1, ${contextLength})
assert int(np.isfinite(attention_bias).sum()) == ${attendingPairs(boundaries, attention)}
assert np.isfinite(attention_bias).any(axis=-1).all()  # no row of only -inf, which makes softmax NaN
`;
  return {
    name: 'ONNX Runtime',
    about: 'int64 positions and an additive mask, for a model exported with these two inputs.',
    language: 'python',
    code,
  };
}

export function huggingFace(info: WindowInfo, contextLength: number): Snippet {
  const code = `import torch

# window ${info.window}, as a model of transformers takes it; labels are aligned, the model shifts them
${boundaryLines(info)}
position_ids = torch.cat([torch.arange(n) for n in cu_seqlens.diff().tolist()])[None]
inputs = dict(
    position_ids=position_ids,
    cu_seq_lens_q=cu_seqlens,
    cu_seq_lens_k=cu_seqlens,
    max_length_q=int(cu_seqlens.diff().max()),
    max_length_k=int(cu_seqlens.diff().max()),
)
# model(input_ids=input_ids, labels=labels, **inputs), with attn_implementation="flash_attention_2"

assert position_ids.shape == (1, ${contextLength})
assert int((position_ids == 0).sum()) == len(cu_seqlens) - 1
`;
  return {
    name: 'Hugging Face',
    about: 'position_ids that begin again at each document keep them apart in a padding-free forward pass.',
    language: 'python',
    code,
  };
}

export function flashAttention(
  info: WindowInfo,
  contextLength: number,
  causal: boolean,
  slidingWindow: number,
): Snippet {
  // The kernel counts the keys beside the token itself; -1 is no limit.
  const beside = slidingWindow === 0 ? -1 : slidingWindow - 1;
  const after = causal && slidingWindow > 0 ? 0 : beside;
  const code = `import torch
# from flash_attn import flash_attn_varlen_func

${boundaryLines(info)}
max_seqlen = int(cu_seqlens.diff().max())
arguments = dict(
    cu_seqlens_q=cu_seqlens, cu_seqlens_k=cu_seqlens,
    max_seqlen_q=max_seqlen, max_seqlen_k=max_seqlen,
    causal=${causal ? 'True' : 'False'}, window_size=(${beside}, ${after}),
)
# out = flash_attn_varlen_func(q, k, v, **arguments)   q, k, v: [${contextLength}, heads, head_size]

assert cu_seqlens[0] == 0 and cu_seqlens[-1] == ${contextLength}
assert bool((cu_seqlens.diff() > 0).all())
`;
  return {
    name: 'FlashAttention',
    about: 'The varlen kernel takes the boundaries and never builds a mask.',
    language: 'python',
    code,
  };
}

export function flexAttention(info: WindowInfo, contextLength: number, causal: boolean): Snippet {
  const rule = causal ? 'same & (kv <= q)' : 'same';
  const code = `import torch
# from torch.nn.attention.flex_attention import create_block_mask, flex_attention

${boundaryLines(info)}
doc = torch.repeat_interleave(torch.arange(len(cu_seqlens) - 1), cu_seqlens.diff())

def mask_mod(b, h, q, kv):
    same = doc[q] == doc[kv]
    return ${rule}

# block_mask = create_block_mask(mask_mod, None, None, ${contextLength}, ${contextLength})
# out = flex_attention(query, key, value, block_mask=block_mask)

assert doc.shape == (${contextLength},)
`;
  return {
    name: 'FlexAttention',
    about: 'A mask_mod over document numbers; skipped blocks cost nothing.',
    language: 'python',
    code,
  };
}
