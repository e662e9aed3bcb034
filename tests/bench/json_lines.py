#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# How much faster the program reads JSON lines than Python's json module does, on one thread.
"""Makes seeded JSON lines in build/bench-data, reads them in turn with the program's reader and with Python, and prints the
ratio of the times: its geometric mean and its spread. Once with every token kept, once for lengths alone.

    cmake --preset bench && cmake --build build/bench --target read_json_lines
    python3 tests/bench/json_lines.py [--megabytes 200] [--rounds 5] [--reader build/bench/read_json_lines] [--as-written]

Text: json.loads of each line, then text.encode(). Ids: json.loads, then numpy.array(ids, dtype=int32). Times are
those of the processor, so that other work on the machine weighs less. The program does more in its time: it checks
all tokens and, where it keeps them, writes them into one array: text as bytes, ids as int32.
"""
import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMITS = {("text", "lengths"): 10, ("text", "tokens"): 10, ("ids", "lengths"): 4, ("ids", "tokens"): 4}
KINDS = ["text", "ids"]
VOCAB_SIZE = 50_000


def word(rng):
    letters = "etaoinshrdlucmfwypvbgk"
    return "".join(rng.choices(letters, k=rng.randint(2, 9)))


def text_document(rng, words):
    """Prose: lines of a dozen words, now and then a quotation or a letter outside ASCII."""
    lines = []
    for _ in range(max(1, round(rng.lognormvariate(2.8, 1.1)))):
        line = rng.choices(words, k=12)
        if rng.random() < 0.15:
            line[3] = f'"{line[3]}"'
        if rng.random() < 0.15:
            line[7] += "é"
        lines.append(" ".join(line))
    return {"id": rng.randrange(10**9), "text": "\n".join(lines)}


def id_document(rng, ids):
    length = max(1, round(rng.lognormvariate(5.7, 1.1)))
    begin = rng.randrange(len(ids) - min(length, len(ids)) + 1)
    return {"input_ids": ids[begin : begin + length]}


def make_data(kind, megabytes, path):
    if path.exists():
        return
    rng = random.Random(1)
    if kind == "text":
        words = [word(rng) for _ in range(20_000)]
        document = lambda: text_document(rng, words)
    else:
        # As in text, most ids are common words with small numbers.
        ids = [min(VOCAB_SIZE - 1, int(rng.lognormvariate(7, 2.2))) for _ in range(1_000_000)]
        document = lambda: id_document(rng, ids)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with open(unfinished, "w", encoding="utf-8") as file:
        while file.tell() < megabytes * 1_000_000:
            file.writelines(json.dumps(document()) + "\n" for _ in range(100))
    unfinished.rename(path)


def read_back(path):
    """Into memory as from a disk. What was written there in small pieces stays in small pages, as which the system
    takes half as long again to copy or to map it: that is another benchmark, see --as-written."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while file.read(1 << 22):
            pass


def python_seconds(kind, path):
    begin = time.process_time()
    tokens = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if kind == "text":
                tokens += len(record["text"].encode())
            else:
                tokens += len(numpy.array(record["input_ids"], dtype=numpy.int32))
    return time.process_time() - begin, tokens


def program_seconds(kind, keeps, path, reader):
    """The second of two reads in one process, so that its memory is warm as Python's is."""
    command = [reader, path, "2", keeps, *(["text"] if kind == "text" else [])]
    rounds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    seconds, tokens = rounds[1].split()
    return float(seconds), int(tokens)


def compare(kind, path, reader, rounds):
    size = path.stat().st_size
    ratios = {"lengths": [], "tokens": []}
    for _ in range(rounds):
        theirs, their_tokens = python_seconds(kind, path)
        line = f"  {kind:4}  Python {size / theirs / 1e6:5,.0f} MB/s"
        for keeps, of_rounds in ratios.items():
            ours, our_tokens = program_seconds(kind, keeps, path, reader)
            if our_tokens != their_tokens:
                sys.exit(f"{path}: the program reads {our_tokens} tokens, Python {their_tokens}")
            of_rounds.append(theirs / ours)
            line += f"   {keeps} {size / ours / 1e6:7,.0f} MB/s {of_rounds[-1]:5.1f}x"
        print(line)
    for keeps, of_rounds in ratios.items():
        tell(kind, keeps, of_rounds)


def tell(kind, keeps, ratios):
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    limit = LIMITS[kind, keeps]
    verdict = "holds" if mean >= limit else "MISSED"
    spread = f"from {min(ratios):.1f} to {max(ratios):.1f}"
    print(f"{kind}, {keeps}: {mean:.1f} times Python's json, {spread}; limit {limit}: {verdict}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reader", default=ROOT / "build/bench/read_json_lines")
    parser.add_argument("--as-written", action="store_true", help="do not read the data back from the disk before")
    parser.add_argument("kinds", nargs="*", default=KINDS, metavar="text|ids")
    options = parser.parse_args()
    for kind in options.kinds:
        path = ROOT / "build/bench-data" / f"{kind}-{options.megabytes}.jsonl"
        make_data(kind, options.megabytes, path)
        if not options.as_written:
            read_back(path)
        compare(kind, path, options.reader, options.rounds)


main()
