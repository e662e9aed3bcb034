// SPDX-License-Identifier: MIT
// Code that does the same elsewhere, filled in with the settings and the selected window. Each ends with the
// assertion that proves it.
import type { OptionInfo, PackOptions } from 'packscope/slim';

import type { DataSummary, WindowInfo } from '../engine/protocol.js';
import type { Model } from '../state/model.js';
import { shellWord } from './shell-word.js';

export interface Snippet {
  readonly name: string;
  readonly about: string;
  readonly language: 'sh' | 'js' | 'python';
  readonly code: string;
}

/** Options that differ from their defaults, and always the two that name the plan. */
export interface ChosenOptions {
  /** As inputWords has it. */
  readonly input: string;
  readonly options: Readonly<Partial<PackOptions>>;
  readonly windows: number;
  readonly fingerprint: string;
}

/** Of the options, those that differ from the module's defaults; the window length and the algorithm are always said. */
export function changedOptions(options: PackOptions, known: readonly OptionInfo[]): Partial<PackOptions> {
  const defaults = new Map(known.map((option) => [option.name, JSON.stringify(option.default)]));
  const kept = Object.entries(options).filter(
    ([name, value]) => name === 'contextLength' || name === 'algorithm' || defaults.get(name) !== JSON.stringify(value),
  );
  return Object.fromEntries(kept) as Partial<PackOptions>;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const flagText = (value: PackOptions[keyof PackOptions] | null) =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([group, sources]) => `${group}=${sources.join(',')}`)
        .join(';')
    : String(value);

function flags(options: Readonly<Partial<PackOptions>>): string {
  return Object.entries(options)
    .map(([name, value]) => {
      const flag = ` \\\n  --${kebab(name)}`;
      return value === true ? flag : `${flag} ${shellWord(flagText(value))}`;
    })
    .join('');
}

const entries = (options: Readonly<Partial<PackOptions>>) =>
  Object.entries(options)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`)
    .join('');

/** What the documents on show are in, as the program is told: which fields of which file. */
export function inputWords({
  columns,
  chosen,
  sourceColumn,
}: Pick<DataSummary, 'columns' | 'chosen' | 'sourceColumn'>): string {
  const kind = columns.find(({ name }) => name === chosen[0])?.kind;
  const field = kind === 'tokens' ? 'tokens-field' : 'text-field';
  const names = kind === 'tokens' || kind === 'text' ? chosen.join(',') : 'text';
  const source = sourceColumn ? ` --source-field ${shellWord(sourceColumn)}` : '';
  return `documents.jsonl --${field} ${shellWord(names)}${source}`;
}

export function commandLine({ input, options, fingerprint }: ChosenOptions): Snippet {
  const code = `packscope pack ${input}${flags(options)} \\
  -o packed
packscope verify packed --against documents.jsonl
grep ${fingerprint} packed/manifest.json  # the same lengths give the same plan
`;
  return {
    name: 'Command line',
    about: 'Packs a file into .npy arrays, then proves that no token is lost.',
    language: 'sh',
    code,
  };
}

export function javaScript({ options, windows, fingerprint }: ChosenOptions): Snippet {
  const code = `import { materialize, pack } from "packscope";

// documents: token ids, or only their lengths to plan
const plan = pack(documents, {
${entries(options)}});
const batch = materialize(plan, documents, { windows: 0 });
// batch.input_ids, labels, position_ids, doc_ids, cu_seqlens, ...

console.assert(plan.window_offsets.length - 1 === ${windows});
console.assert(plan.fingerprint === "${fingerprint}");
`;
  return { name: 'JavaScript', about: 'The npm package: the same plan, in Node or a browser.', language: 'js', code };
}

const fewValues = 12;

type ArrayMaker = readonly [make: string, dtype: string];

const torchArray: ArrayMaker = ['torch.tensor', 'torch.int32'];
const jaxArray: ArrayMaker = ['jnp.array', 'jnp.int32'];
const numpyArray: ArrayMaker = ['np.array', 'np.int64'];

// On one line where they are few; else on several, after what they are.
function arrayLine(name: string, values: readonly number[], [make, dtype]: ArrayMaker, about: string): string {
  const list = values.join(', ');
  if (values.length <= fewValues) return `${name} = ${make}([${list}], dtype=${dtype})`;
  const lines = list.replace(/(.{1,68})(?:, |$)/g, '    $1,\n').replace(/,,\n/g, ',\n');
  return `${name} = ${make}([  # ${about}\n${lines}], dtype=${dtype})`;
}

const boundaryLines = ({ boundaries, window }: WindowInfo, maker: ArrayMaker = torchArray) =>
  arrayLine('cu_seqlens', boundaries, maker, `window ${window}`);

/** How a window is attended to: what the snippets with a mask are filled in with. */
export interface Attention {
  readonly contextLength: number;
  readonly causal: boolean;
  /** 0: no limit. */
  readonly slidingWindow: number;
  /** Of prefix masks: how many tokens of each segment, from its start, see each other both ways. */
  readonly prefixes?: readonly number[] | undefined;
}

/** How the model on show attends in a window. */
export function attentionOf(of: Model, info: WindowInfo): Attention {
  const { contextLength, mask, slidingWindow, prefixPercent, bos } = of;
  const prefixes = mask === 'prefix' ? segmentPrefixes(info, prefixPercent, bos ? 1 : 0) : undefined;
  return { contextLength, causal: mask !== 'bidirectional', slidingWindow, prefixes };
}

/** The prefixes of a window's segments where each document's is a share of it; `added` tokens stand before a document. */
export function segmentPrefixes({ segments }: WindowInfo, percent: number, added = 0): number[] {
  return segments.map(({ offset, length, documentLength }) => {
    const prefix = Math.round((documentLength * percent) / 100);
    return prefix === 0 ? 0 : Math.min(Math.max(prefix + added - offset, 0), length);
  });
}

// Boundaries that lead to the end of the window: those of real tokens only leave the padding tail out.
function wholeBoundaries({ boundaries }: WindowInfo, contextLength: number): readonly number[] {
  return boundaries.at(-1) === contextLength ? boundaries : [...boundaries, contextLength];
}

/** Pairs of query and key that may attend, the padding tail counted as a document of its own. */
export function attendingPairs(boundaries: readonly number[], attention: Attention): number {
  const { causal, slidingWindow, prefixes = [] } = attention;
  return boundaries.slice(1).reduce((sum, end, index) => {
    const length = end - (boundaries[index] as number);
    const back = pairsBack(length, slidingWindow);
    if (!causal) return sum + 2 * back - length;
    const prefix = prefixes[index] ?? 0;
    return sum + back + pairsBack(prefix, slidingWindow) - prefix;
  }, 0);
}

// Of each of so many tokens with itself and those before it. The first see fewer than the window reaches back.
function pairsBack(length: number, slidingWindow: number): number {
  const reach = slidingWindow === 0 ? length : Math.min(slidingWindow, length);
  return length * reach - (reach * (reach - 1)) / 2;
}

// How far each document's prefix goes; the padding tail has none.
function prefixLines({ prefixes }: Attention, boundaries: readonly number[], maker: ArrayMaker): string {
  if (prefixes === undefined) return '';
  const all = boundaries.slice(1).map((_, index) => prefixes[index] ?? 0);
  return `${arrayLine('prefix', all, maker, 'tokens of each document')}\nprefix_end = (cu_seqlens[:-1] + prefix)[doc]\n`;
}

// `|` and `&` because each side is an array.
function causalRule(attention: Attention, query: string, key: string, prefixEnd: string): string[] {
  const { causal, prefixes } = attention;
  if (!causal) return [];
  return [prefixes === undefined ? `(${key} <= ${query})` : `((${key} <= ${query}) | (${key} < ${prefixEnd}))`];
}

function slidingRule({ causal, slidingWindow, prefixes }: Attention, query: string, key: string): string[] {
  if (slidingWindow === 0) return [];
  const distance = `${query} - ${key}`;
  return [
    causal && prefixes === undefined ? `(${distance} < ${slidingWindow})` : `(abs(${distance}) < ${slidingWindow})`,
  ];
}

const ruleLines = (attention: Attention, module: string) =>
  [
    `position = ${module}.arange(len(doc))`,
    'query, key = position[:, None], position[None, :]',
    'allowed = doc[:, None] == doc[None, :]',
    ...causalRule(attention, 'query', 'key', 'prefix_end[:, None]').map((rule) => `allowed &= ${rule}`),
    ...slidingRule(attention, 'query', 'key').map((rule) => `allowed &= ${rule}`),
  ].join('\n');

export function scaledDotProduct(info: WindowInfo, attention: Attention): Snippet {
  const { contextLength } = attention;
  const boundaries = wholeBoundaries(info, contextLength);
  const code = `import torch
# from torch.nn.functional import scaled_dot_product_attention

${boundaryLines({ ...info, boundaries })}
doc = torch.repeat_interleave(torch.arange(len(cu_seqlens) - 1), cu_seqlens.diff().long())
${prefixLines(attention, boundaries, torchArray)}${ruleLines(attention, 'torch')}
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

${boundaryLines({ ...info, boundaries }, jaxArray)}
lengths = jnp.diff(cu_seqlens)
doc = jnp.repeat(jnp.arange(len(lengths)), lengths)
segment_ids = jnp.where(doc < ${documents}, doc + 1, 0)  # padding is 0
positions = jnp.arange(len(doc)) - jnp.repeat(cu_seqlens[:-1], lengths)
${prefixLines(attention, boundaries, jaxArray)}${ruleLines(attention, 'jnp')}
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

${boundaryLines({ ...info, boundaries }, numpyArray)}
lengths = np.diff(cu_seqlens)
doc = np.repeat(np.arange(len(lengths)), lengths)
position_ids = (np.arange(len(doc)) - np.repeat(cu_seqlens[:-1], lengths))[None]
${prefixLines(attention, boundaries, numpyArray)}${ruleLines(attention, 'np')}
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

export function flexAttention(info: WindowInfo, attention: Attention): Snippet {
  const { contextLength } = attention;
  const boundaries = wholeBoundaries(info, contextLength);
  const rules = ['(doc[q] == doc[kv])', ...causalRule(attention, 'q', 'kv', 'prefix_end[q]')];
  const code = `import torch
# from torch.nn.attention.flex_attention import create_block_mask, flex_attention

${boundaryLines({ ...info, boundaries })}
doc = torch.repeat_interleave(torch.arange(len(cu_seqlens) - 1), cu_seqlens.diff().long())
${prefixLines(attention, boundaries, torchArray)}
def mask_mod(b, h, q, kv):
    return ${[...rules, ...slidingRule(attention, 'q', 'kv')].join(' & ')}

# block_mask = create_block_mask(mask_mod, None, None, ${contextLength}, ${contextLength})
# out = flex_attention(query, key, value, block_mask=block_mask)

position = torch.arange(${contextLength})
allowed = mask_mod(None, None, position[:, None], position[None, :])
assert int(allowed.sum()) == ${attendingPairs(boundaries, attention)}
`;
  return {
    name: 'FlexAttention',
    about: 'A mask_mod over document numbers; skipped blocks cost nothing.',
    language: 'python',
    code,
  };
}
