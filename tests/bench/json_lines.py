#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# How much faster the program reads JSON lines than Python's json module does, on one thread.
"""Makes seeded JSON lines in build/bench-data, reads them in turn with the program's reader and with Python, and prints the
ratio of the times: its geometric mean and its spread.

    cmake --preset bench && cmake --build build/bench --target read_json_lines
    python3 tests/bench/json_lines.py [--megabytes 200] [--rounds 5] [--reader build/bench/read_json_lines]

Text: json.loads of each line, then text.encode(). Ids: json.loads, then numpy.array(ids, dtype=int32). Times are
those of the processor, so that other work on the machine weighs less. The program does more in its time: it keeps
every token as an int32 in one array and checks all of them.
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMITS = {"text": 10, "ids": 4}
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


def program_seconds(kind, path, reader):
    """The second of two reads in one process, so that its memory is warm as Python's is."""
    command = [reader, path, "2", *(["text"] if kind == "text" else [])]
    rounds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    seconds, tokens = rounds[1].split()
    return float(seconds), int(tokens)


def compare(kind, path, reader, rounds):
    size = path.stat().st_size
    ratios = []
    for _ in range(rounds):
        ours, our_tokens = program_seconds(kind, path, reader)
        theirs, their_tokens = python_seconds(kind, path)
        if our_tokens != their_tokens:
            sys.exit(f"{path}: the program reads {our_tokens} tokens, Python {their_tokens}")
        ratios.append(theirs / ours)
        print(f"  {kind:5} program {size / ours / 1e6:7,.0f} MB/s   Python {size / theirs / 1e6:5,.0f} MB/s   {ratios[-1]:5.1f}x")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    verdict = "holds" if mean >= LIMITS[kind] else "MISSED"
    print(f"{kind}: {mean:.1f} times Python's json, from {min(ratios):.1f} to {max(ratios):.1f}; limit {LIMITS[kind]}: {verdict}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--reader", default=ROOT / "build/bench/read_json_lines")
    parser.add_argument("kinds", nargs="*", default=list(LIMITS), metavar="text|ids")
    options = parser.parse_args()
    for kind in options.kinds:
        path = ROOT / "build/bench-data" / f"{kind}-{options.megabytes}.jsonl"
        make_data(kind, options.megabytes, path)
        compare(kind, path, options.reader, options.rounds)


main()
