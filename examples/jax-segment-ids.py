# SPDX-License-Identifier: MIT
"""Segment ids for JAX: the attention mask of packed windows from segment_ids.npy, as Flax and Pallas kernels use it.

  python3 jax-segment-ids.py FOLDER     a folder that node-jsonl.mjs or `packscope pack -o` wrote

Kernels that take segment ids themselves, such as Pallas' flash and splash attention, need no mask: give them
segment_ids for queries and keys. Padding has the id 0 there, and so attends to itself only.
"""
import sys

import numpy

try:
    import jax.numpy as jnp
except ImportError:  # what is used here is the same in both
    jnp = numpy


def causal_document_mask(segment_ids):
    """bool [W, 1, L, L]: query and key are real tokens of one segment, and the key does not come later."""
    queries = segment_ids[:, None, :, None]
    keys = segment_ids[:, None, None, :]
    position = jnp.arange(segment_ids.shape[1])
    return (queries == keys) & (queries != 0) & (position[:, None] >= position)


def main(folder):
    segment_ids = jnp.asarray(numpy.load(f"{folder}/segment_ids.npy"))
    position_ids = jnp.asarray(numpy.load(f"{folder}/position_ids.npy"))
    mask = causal_document_mask(segment_ids[:1])
    print("segment_ids", *segment_ids[0])
    print("position_ids", *position_ids[0])
    print("mask", *mask.shape, "pairs", int(mask.sum()))
    for row in numpy.asarray(mask[0, 0]).astype(int):
        print(*row)


if __name__ == "__main__":
    main(sys.argv[1])
