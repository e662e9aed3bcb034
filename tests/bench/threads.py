# SPDX-License-Identifier: MIT
# JSON lines to arrays on disk: one thread against two, one rank of MPI against two, and a plain Python packer, as ratios
# of wall-clock time within each round.
#
#   python3 tests/bench/threads.py [ROUNDS]       the program is $PACKSCOPE_PROGRAM, or build/release/packscope
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("PACKSCOPE_PROGRAM", str(ROOT / "build" / "release" / "packscope"))
LENGTH = 2048
DOCUMENTS = 60_000


def write_inputs(folder):
    """Ids and text of the same lognormal lengths, in two files each so that two ranks share them."""
    numbers = np.random.default_rng(1)
    lengths = np.clip(numbers.lognormal(np.log(300), 1.1, DOCUMENTS), 1, LENGTH).astype(int)
    words = np.array(["the", "windows", "of", "a", "training", "set", "say \"hm\"", "Größe"])
    inputs = {"ids": [], "text": []}
    for half in range(2):
        for kind in inputs:
            path = folder / f"{kind}-{half}.jsonl"
            with open(path, "w") as file:
                for length in lengths[half::2]:
                    record = ({"input_ids": numbers.integers(0, 50_000, length).tolist()} if kind == "ids"
                              else {"text": " ".join(numbers.choice(words, length // 5 + 1))})
                    file.write(json.dumps(record) + "\n")
            inputs[kind].append(path)
    return inputs


def seconds_of(command, out):
    shutil.rmtree(out, ignore_errors=True)
    start = time.perf_counter()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def pack(kind, paths, out, *more, ranks=0):
    reader = ["--text-field", "text"] if kind == "text" else []
    mpi = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", ranks] if ranks else []
    return seconds_of([*mpi, PROGRAM, "pack", *paths, *reader, "-L", LENGTH, "-a", "next_fit", "-q", "-o", out, *more], out)


def plain_python(kind, paths, out):
    """What a script of a few lines does: next fit, and the arrays of a trainer. In this process, so Python is warm."""
    shutil.rmtree(out, ignore_errors=True)
    start = time.perf_counter()
    windows, window = [], []
    for path in paths:
        with open(path) as file:
            for line in file:
                record = json.loads(line)
                ids = record["input_ids"] if kind == "ids" else list(record["text"].encode())
                if len(window) + len(ids) > LENGTH:
                    windows.append(window)
                    window = []
                window = window + ids[:LENGTH]
    windows.append(window)
    input_ids = np.zeros((len(windows), LENGTH), dtype=np.int32)
    for index, window in enumerate(windows):
        input_ids[index, : len(window)] = window
    out.mkdir()
    np.save(out / "input_ids.npy", input_ids)
    return time.perf_counter() - start


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = write_inputs(folder)
        out = folder / "out"
        print("| input | what | median ratio of time | from | to |\n| --- | --- | --- | --- | --- |")
        for kind, paths in inputs.items():
            measured = {"one thread / two": [], "Python / one thread": [], "one rank / two": []}
            for _ in range(rounds):
                one = pack(kind, paths, out, "--threads", 1)
                measured["one thread / two"].append(one / pack(kind, paths, out, "--threads", 2))
                measured["Python / one thread"].append(plain_python(kind, paths, out) / one)
                if shutil.which("mpirun"):
                    ranks = [pack(kind, paths, out, "--threads", 1, "--shard-windows", 2000, ranks=count) for count in (1, 2)]
                    measured["one rank / two"].append(ranks[0] / ranks[1])
            for what, ratios in measured.items():
                if ratios:
                    print(f"| {kind} | {what} | {statistics.median(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} |")


main()
