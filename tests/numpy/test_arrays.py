# SPDX-License-Identifier: MIT
# Packs small inputs with the program under many combinations of options, loads the folder with NumPy and
# compares every array with reference.py. The last line is `N passed, N failed`.
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import reference
from report import Report

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("PACKSCOPE_PROGRAM", str(ROOT / "build" / "dev" / "packscope"))
SEED = 20240
RUNS = 150

ALGORITHMS = [
    "pad", "wrap", "next_fit", "first_fit", "best_fit", "worst_fit", "best_fit_wrap",
    "first_fit_decreasing", "best_fit_decreasing", "first_fit_shuffle",
]  # fmt: skip

DTYPES = {
    "input_ids": "int32", "labels": "int32", "position_ids": "int32", "doc_ids": "int32",
    "segment_ids": "int32", "loss_mask": "uint8", "window_lengths": "int32", "max_seqlen": "int32",
    "filler": "uint8", "cu_seqlens": "int32", "cu_seqlens_padded": "int32",
    "cu_seqlens_offsets": "uint64", "cu_seqlens_count": "int32", "segment_document": "uint32",
    "segment_offset": "uint32", "segment_length": "uint32", "window_offsets": "uint64",
}  # fmt: skip


def random_options(dice, algorithm):
    def sometimes(one_in=3):
        return dice.randrange(one_in) == 0

    options = {"algorithm": algorithm, "context_length": dice.choice([4, 6, 8, 12, 16, 24, 31])}
    if sometimes():
        options["extra_token"] = True
    if sometimes():
        options["separator_id"] = 98
        options["separator"] = dice.choice(["after", "between"])
        options["separator_loss"] = sometimes(2)
    if sometimes(4):
        options["bos_id"] = 97
    if sometimes(2):
        options["long_documents"] = dice.choice(["drop", "truncate", "truncate_left", "split"])
    if sometimes() and not options.get("extra_token") and options.get("separator") != "between":
        divisors = [m for m in (2, 3, 4) if options["context_length"] % m == 0]
        options["document_multiple"] = dice.choice(divisors or [1])
    if sometimes() and not options.get("extra_token"):
        options["labels"] = "aligned"
    if sometimes() and options.get("document_multiple", 1) == 1:
        options["cross_boundary_labels"] = True
    if sometimes():
        options["position_ids"] = "continue"
    if sometimes():
        options["padding_position_ids"] = "zeros"
    if sometimes():
        options["cu_seqlens"] = "real"
    if sometimes(4):
        options["cu_seqlens_width"] = 40
    if sometimes(4):
        options["window_multiple"] = 4
    if sometimes(4):
        options["pad_token_id"] = 5
    if sometimes(5):
        options["shuffle_windows"] = True
    if sometimes(5):
        options["flush_every"] = 5
    if sometimes(5):
        options["max_documents_per_window"] = 2
    return options


def random_documents(dice, context_length):
    edges = [0, 1, 2, context_length - 1, context_length, context_length + 1, 2 * context_length + 1]
    masked, prompted = dice.randrange(2), dice.randrange(2)
    documents = []
    for _ in range(dice.randrange(1, 25)):
        length = dice.choice(edges) if dice.randrange(3) == 0 else dice.randrange(1, context_length)
        document = {
            "tokens": [dice.randrange(90) for _ in range(length)],
            "reward": [dice.randrange(-5, 5) for _ in range(length)],
            "weight": [dice.randrange(8) / 8 + 0.0625 for _ in range(length)],
        }
        if masked:
            document["loss_mask"] = [dice.randrange(2) for _ in range(length)]
        elif prompted:
            document["prompt_length"] = dice.randrange(length + 1)
        documents.append(document)
    return documents


def flags(options):
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is not False:
            words += [flag, str(value)]
    return words


def pack(folder, documents, options):
    """Runs the program and loads what it wrote."""
    source, out = folder / "documents.jsonl", folder / "out"
    source.write_text("".join(json.dumps(document) + "\n" for document in documents))
    command = [PROGRAM, "pack", str(source), "-o", str(out), "--tokens-field", "tokens", *flags(options)]
    if "loss_mask" in documents[0]:
        command += ["--loss-mask-field", "loss_mask"]
    if "prompt_length" in documents[0]:
        command += ["--prompt-length-field", "prompt_length"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()}\n  {' '.join(command)}")
    arrays = {path.stem: np.load(path) for path in out.glob("*.npy")}
    return arrays, json.loads((out / "manifest.json").read_text())


def check_arrays(report, arrays, documents, options, place):
    # A field that never has a value has no type either, so nothing is written for it.
    fields = ("reward", "weight") if any(document["tokens"] for document in documents) else ()
    wanted = reference.expected_arrays(arrays, documents, options, fields)
    plan = {"segment_document", "segment_offset", "segment_length", "window_offsets"}
    report.check(set(arrays) == set(wanted) | plan, place, "arrays", sorted(set(arrays) ^ (set(wanted) | plan)))
    for name, values in wanted.items():
        made = arrays.get(name)
        same = made is not None and made.shape == values.shape and np.array_equal(made, values)
        report.check(same, place, name, f"made   {made!r}", f"wanted {values!r}")
    for name, dtype in DTYPES.items():
        if name in arrays:
            report.check(arrays[name].dtype == np.dtype(dtype), place, f"{name} is {arrays[name].dtype}")


def check_manifest(report, arrays, manifest, documents, options, place):
    ledger = manifest["ledger"]
    stored = int(arrays["segment_length"].sum(dtype=np.uint64))
    given = sum(len(document["tokens"]) for document in documents)
    kept = stored - ledger["separators_added"] + ledger["tokens_dropped"]
    report.check(given == kept, place, f"{given} tokens in, {kept} accounted for")
    report.check(ledger["empty_documents"] == sum(not d["tokens"] for d in documents), place, "empty_documents")
    report.check(ledger["filler_windows"] == int(arrays["filler"].sum()), place, "filler_windows")
    wanted = reference.fingerprint(arrays, options["context_length"])
    report.check(manifest["fingerprint"] == wanted, place, f"fingerprint {manifest['fingerprint']}, not {wanted}")


def check_masks(report, arrays, options, place):
    """The textbook mask of doc_ids against the one that the boundaries of real tokens describe."""
    if options.get("document_multiple", 1) > 1 or options.get("cu_seqlens", "window") != "real":
        return
    offsets = arrays["cu_seqlens_offsets"].tolist()
    for doc_ids, begin, end in zip(arrays["doc_ids"], offsets, offsets[1:]):
        boundaries = arrays["cu_seqlens"][begin:end].tolist()
        textbook = reference.textbook_mask(doc_ids)
        described = reference.mask_from_boundaries(boundaries, len(doc_ids))
        report.check(np.array_equal(textbook, described), place, "mask", f"{doc_ids}", f"{boundaries}")


def main():
    report = Report()
    # Known answers of the hash itself, so that a fault here is not taken for one of the program.
    report.check(reference.xxh64(b"") == 0xEF46DB3751D8E999, "XXH64 of nothing")
    report.check(reference.xxh64(b"abc") == 0x44BC2CF5AD770999, "XXH64 of abc")

    dice = random.Random(SEED)
    for run in range(RUNS):
        options = random_options(dice, ALGORITHMS[run % len(ALGORITHMS)])
        documents = random_documents(dice, options["context_length"])
        place = f"run {run}: {options}"
        with tempfile.TemporaryDirectory() as folder:
            try:
                arrays, manifest = pack(Path(folder), documents, options)
            except RuntimeError as error:
                report.check(False, place, error)
                continue
        check_arrays(report, arrays, documents, options, place)
        check_manifest(report, arrays, manifest, documents, options, place)
        check_masks(report, arrays, options, place)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
