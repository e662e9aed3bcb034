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
function boundaryLines({ boundaries, window }: WindowInfo): string {
  const list = boundaries.join(', ');
  if (boundaries.length <= fewBoundaries) return `cu_seqlens = torch.tensor([${list}], dtype=torch.int32)`;
  const lines = list.replace(/(.{1,68})(?:, |$)/g, '    $1,\n').replace(/,,\n/g, ',\n');
  return `cu_seqlens = torch.tensor([  # window ${window}\n${lines}], dtype=torch.int32)`;
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
