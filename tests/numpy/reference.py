# SPDX-License-Identifier: MIT
# Every array of a packed folder once more, in NumPy, from nothing but the plan, the documents and the
# options. Written from the rules, without the program's code.
import struct

import numpy as np

IGNORED = -100


def added_tokens(options):
    """Whether a document gets a BOS, and a separator that counts towards its length."""
    after = options.get("separator_id") is not None and options.get("separator", "after") == "after"
    return int(options.get("bos_id") is not None), int(after)


class Layout:
    """Which token stands at an offset of a lengthened document: [bos] kept tokens [separator]."""

    def __init__(self, count, options):
        bos, after = added_tokens(options)
        window = options["context_length"] + int(options.get("extra_token", False))
        splits = options["algorithm"] in ("wrap", "best_fit_wrap")
        rule = options.get("long_documents", "split" if splits else "drop")
        self.first, self.end, self.bos = 0, count, bos
        if count + bos + after <= window:
            return
        kept = window - bos - after
        if rule == "truncate":
            self.end = kept
        if rule == "truncate_left":
            self.first = count - kept

    def token_at(self, offset):
        """The index of the document's own token, or 'bos' or 'separator'."""
        if self.bos and offset == self.first:
            return "bos"
        index = offset - self.bos
        return index if index < self.end else "separator"


class Window:
    """One stored window, a position at a time."""

    def __init__(self, segments, documents, options):
        length = options["context_length"] + int(options.get("extra_token", False))
        self.options = options
        self.tokens = np.full(length, options.get("pad_token_id", 0), np.int64)
        self.target = np.zeros(length, bool)
        self.doc_ids = np.full(length, -1, np.int64)
        self.segment_ids = np.zeros(length, np.int64)
        self.position_ids = np.zeros(length, np.int64)
        self.own = np.full(length, -1, np.int64)  # index of the document's own token, -1 elsewhere
        self.spans = []
        self.end = 0  # where the tail of padding begins
        for number, segment in enumerate(segments, start=1):
            self.place(number, *segment, documents)
        tail = np.arange(length - self.end)
        zeros = options.get("padding_position_ids") == "zeros"
        self.position_ids[self.end :] = 0 if zeros else tail

    def place(self, number, document, offset, length, documents):
        given = documents[document]
        layout = Layout(len(given["tokens"]), self.options)
        begin, multiple = self.end, self.options.get("document_multiple", 1)
        self.end += -(-length // multiple) * multiple
        base = offset if self.options.get("position_ids") == "continue" else 0
        self.position_ids[begin : self.end] = base + np.arange(self.end - begin)
        self.doc_ids[begin : begin + length] = document
        self.segment_ids[begin : begin + length] = number
        self.spans.append((begin, length))
        for i in range(length):
            index = layout.token_at(offset + i)
            self.tokens[begin + i], wanted = self.token(given, index)
            first_may = self.options.get("cross_boundary_labels", False) and begin > 0
            self.target[begin + i] = wanted and (i > 0 or first_may)
            if isinstance(index, int):
                self.own[begin + i] = index

    def token(self, given, index):
        """Its id, and whether it is a target wherever it stands."""
        if index == "bos":
            return self.options["bos_id"], self.options.get("separator_loss", False)
        if index == "separator":
            return self.options["separator_id"], self.options.get("separator_loss", False)
        masked = given.get("loss_mask") is not None and given["loss_mask"][index] == 0
        return given["tokens"][index], not masked and index >= given.get("prompt_length", 0)

    def labels(self):
        context_length = self.options["context_length"]
        labels = np.full(context_length, IGNORED, np.int64)
        for t in range(context_length):
            ahead = 0 if self.options.get("labels") == "aligned" else 1
            if t + ahead < len(self.tokens) and self.target[t + ahead]:
                labels[t] = self.tokens[t + ahead]
        return labels

    def field(self, name, documents):
        values = np.zeros(len(self.own), np.float64)
        for t in np.flatnonzero(self.own >= 0):
            values[t] = documents[self.doc_ids[t]][name][self.own[t]]
        return values

    def boundaries(self):
        """cu_seqlens, its padded twin, and how many entries are their own."""
        context_length = self.options["context_length"]
        real, padded = [0], [0]
        for begin, length in self.spans:
            if begin >= context_length:
                continue  # only the extra token
            real.append(real[-1] + min(length, context_length - begin))
            multiple = self.options.get("document_multiple", 1)
            padded.append(padded[-1] + -(-length // multiple) * multiple)
        tail = context_length - min(self.end, context_length)
        if self.options.get("cu_seqlens", "window") == "window" and tail > 0:
            real.append(real[-1] + tail)
            padded.append(context_length)
        count, longest = len(real), max(np.diff(real), default=0)
        width = self.options.get("cu_seqlens_width") or count
        real += [real[-1]] * (width - count)
        padded += [padded[-1]] * (width - count)
        return real, padded, count, longest


def plan_windows(plan):
    segments = list(zip(*(plan[f"segment_{name}"].tolist() for name in ("document", "offset", "length"))))
    offsets = plan["window_offsets"].tolist()
    return [segments[begin:end] for begin, end in zip(offsets, offsets[1:])]


def expected_arrays(plan, documents, options, fields=()):
    """Name to array, for everything the options call for."""
    context_length = options["context_length"]
    windows = [Window(segments, documents, options) for segments in plan_windows(plan)]

    def rows(get):
        return np.array([get(w)[:context_length] for w in windows], np.float64).reshape(-1, context_length)

    bounds = [w.boundaries() for w in windows]
    arrays = {
        "input_ids": rows(lambda w: w.tokens),
        "labels": rows(lambda w: w.labels()),
        "loss_mask": rows(lambda w: w.labels() != IGNORED),
        "position_ids": rows(lambda w: w.position_ids),
        "doc_ids": rows(lambda w: w.doc_ids),
        "segment_ids": rows(lambda w: w.segment_ids),
        "window_lengths": np.array([(w.doc_ids[:context_length] >= 0).sum() for w in windows]),
        "filler": np.array([int(not w.spans) for w in windows]),
        "max_seqlen": np.array([longest for _, _, _, longest in bounds]),
        "cu_seqlens": np.array([x for real, _, _, _ in bounds for x in real]),
        "cu_seqlens_offsets": np.cumsum([0] + [len(real) for real, _, _, _ in bounds]),
    }
    if options.get("document_multiple", 1) > 1:
        arrays["cu_seqlens_padded"] = np.array([x for _, padded, _, _ in bounds for x in padded])
    if options.get("cu_seqlens_width"):
        arrays["cu_seqlens_count"] = np.array([count for _, _, count, _ in bounds])
    for name in fields:
        arrays[name] = rows(lambda w, name=name: w.field(name, documents))
    return arrays


def textbook_mask(doc_ids):
    """May position i attend to position j: j <= i, the same document, and i is no padding."""
    i, j = np.indices((len(doc_ids), len(doc_ids)))
    return (j <= i) & (doc_ids[i] == doc_ids[j]) & (doc_ids[i] != -1)


def mask_from_boundaries(boundaries, length):
    """The block-diagonal causal mask that cu_seqlens of real tokens describes."""
    mask = np.zeros((length, length), bool)
    for begin, end in zip(boundaries, boundaries[1:]):
        mask[begin:end, begin:end] = np.tril(np.ones((end - begin, end - begin), bool))
    return mask


def fingerprint(plan, context_length):
    """XXH64 of the plan's numbers, as 16 hexadecimal digits."""
    segments = np.stack([plan[f"segment_{name}"] for name in ("document", "offset", "length")], axis=1)
    data = struct.pack("<I", context_length)
    data += plan["window_offsets"].astype("<u8").tobytes() + segments.astype("<u4").tobytes()
    return f"{xxh64(data):016x}"


P1, P2, P3, P4, P5 = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)
M = (1 << 64) - 1


def rotate(value, bits):
    value &= M
    return (value << bits | value >> (64 - bits)) & M


def mix(lane, value):
    return rotate(lane + value * P2, 31) * P1 & M


def xxh64(data):
    """The XXH64 hash with seed 0, from its specification."""
    at, n = 0, len(data)
    if n >= 32:
        lanes = [(P1 + P2) & M, P2, 0, -P1 & M]
        while at + 32 <= n:
            lanes = [mix(lane, value) for lane, value in zip(lanes, struct.unpack_from("<4Q", data, at))]
            at += 32
        total = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & M
        for lane in lanes:
            total = ((total ^ mix(0, lane)) * P1 + P4) & M
    else:
        total = P5
    total = (total + n) & M
    while at + 8 <= n:
        total = (rotate(total ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * P1 + P4) & M
        at += 8
    if at + 4 <= n:
        total = (rotate(total ^ struct.unpack_from("<I", data, at)[0] * P1, 23) * P2 + P3) & M
        at += 4
    for byte in data[at:]:
        total = rotate(total ^ byte * P5, 11) * P1 & M
    total = (total ^ total >> 33) * P2 & M
    total = (total ^ total >> 29) * P3 & M
    return total ^ total >> 32
