# SPDX-License-Identifier: MIT
# Writes token files in the layout of Megatron-LM's indexed data sets, packs them, and compares with the same
# documents as JSON lines. The last line is `N passed, N failed`.
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from report import Report

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("PACKSCOPE_PROGRAM", str(ROOT / "build" / "dev" / "packscope"))
DTYPES = {1: np.uint8, 2: np.int8, 3: np.int16, 4: np.int32, 5: np.int64, 8: np.uint16}
FLOATS = {6: np.float64, 7: np.float32}

# Documents of sequences of tokens.
CORPUS = [[[1, 2, 3], [4]], [[]], [[5, 6]], [], [[7], [8, 9], [10, 11, 12, 13, 14]]]


def write_files(path, corpus, code, dtype, order=None, modes=False):
    """Sequences lie in the .bin file in `order`; without one in their own."""
    sequences = [np.array(tokens, dtype=dtype) for document in corpus for tokens in document]
    pointers, at = [0] * len(sequences), 0
    with open(path.with_suffix(".bin"), "wb") as file:
        for i in order or range(len(sequences)):
            pointers[i] = at
            at += file.write(sequences[i].tobytes())
    boundaries = np.cumsum([0] + [len(document) for document in corpus])
    with open(path.with_suffix(".idx"), "wb") as file:
        file.write(b"MMIDIDX\x00\x00" + struct.pack("<QBQQ", 1, code, len(sequences), len(boundaries)))
        file.write(np.array([len(tokens) for tokens in sequences], dtype="<i4").tobytes())
        file.write(np.array(pointers, dtype="<i8").tobytes())
        file.write(boundaries.astype("<i8").tobytes())
        if modes:
            file.write(bytes(len(sequences)))


def packscope(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def packed(*arguments):
    done = packscope("pack", *arguments, "-L", 8, "--json", "-q")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)["fingerprint"]


def check_dtypes(report, folder):
    lines = folder / "same.jsonl"
    documents = [[token for tokens in document for token in tokens] for document in CORPUS]
    lines.write_text("".join(json.dumps({"input_ids": ids}) + "\n" for ids in documents))
    wanted = packed(lines, "-o", folder / "wanted")
    for code, dtype in DTYPES.items():
        write_files(folder / "corpus.idx", CORPUS, code, dtype, order=[2, 0, 6, 5, 4, 1, 3], modes=code % 2 == 0)
        out = folder / f"out{code}"
        report.check(packed(folder / "corpus.idx", "-o", out) == wanted, "fingerprint of dtype", code)
        for name in ("input_ids", "labels", "doc_ids"):
            same = np.array_equal(np.load(out / f"{name}.npy"), np.load(folder / "wanted" / f"{name}.npy"))
            report.check(same, name, "of dtype", code)
        verified = packscope("verify", out, "--against", folder / "corpus.idx")
        report.check(verified.returncode == 0, verified.stderr)


def check_names(report, folder):
    """Either file stands for both, and both for one."""
    write_files(folder / "pair.idx", CORPUS, 8, np.uint16)
    wanted = packed(folder / "pair.idx")
    for names in (["pair.bin"], ["pair.bin", "pair.idx"], ["pair.*"]):
        report.check(packed(*(folder / name for name in names)) == wanted, *names)


def refuses(report, folder, message, change):
    """What is done to the files of `corpus.idx` makes the program say `message`."""
    path = folder / "corpus.idx"
    write_files(path, CORPUS, 4, np.int32)
    change(path)
    done = packscope("pack", path, "-L", 8, "-o", folder / "never")
    told = done.returncode == 1 and message in done.stderr and not (folder / "never").exists()
    report.check(told, message, "but:", done.stderr)


def overwrite(at, data, ending=".idx"):
    def change(path):
        content = bytearray(path.with_suffix(ending).read_bytes())
        content[at : at + len(data)] = data
        path.with_suffix(ending).write_bytes(content)

    return change


def cut(ending, size):
    return lambda path: os.truncate(path.with_suffix(ending), size)


def check_faults(report, folder):
    sizes, pointers, documents = 34, 34 + 7 * 4, 34 + 7 * 12  # of 7 sequences
    refuses(report, folder, "does not begin like a Megatron index", overwrite(0, b"X"))
    refuses(report, folder, "index version 2", overwrite(9, b"\x02"))
    refuses(report, folder, "dtype code 9;", overwrite(17, b"\x09"))
    for code, dtype in FLOATS.items():
        refuses(report, folder, f"dtype code {code} ({np.dtype(dtype).name})", overwrite(17, bytes([code])))
    for size in (0, 5):
        refuses(report, folder, "does not begin like a Megatron index", cut(".idx", size))
    for size in (20, 34, 60, 100, documents + 8):
        refuses(report, folder, "it is cut short", cut(".idx", size))
    refuses(report, folder, "it is cut short", overwrite(18, struct.pack("<Q", 2**64 - 1)))
    refuses(report, folder, "it is cut short", overwrite(26, struct.pack("<Q", 2**61)))
    refuses(report, folder, "document_indices is empty", overwrite(26, struct.pack("<Q", 0)))
    refuses(report, folder, "more than its header announces", overwrite(26, struct.pack("<Q", 2)))
    refuses(report, folder, "sequence 0 has -1 tokens", overwrite(sizes, struct.pack("<i", -1)))
    refuses(report, folder, "sequence 1 has 1 tokens at byte -8", overwrite(pointers + 8, struct.pack("<q", -8)))
    refuses(report, folder, "do not belong together", cut(".bin", 20))
    refuses(report, folder, "begins at sequence 8", overwrite(documents + 8, struct.pack("<q", 8)))
    refuses(report, folder, "before it begins at", overwrite(documents + 8, struct.pack("<q", 5)))
    refuses(report, folder, "document 0 holds -7", overwrite(0, struct.pack("<i", -7), ".bin"))
    refuses(report, folder, "corpus.bin: No such file", lambda path: path.with_suffix(".bin").unlink())
    told = packscope("pack", folder / "corpus.txt", "--input", "megatron", "-L", 8).stderr
    report.check("reads an .idx file with its .bin beside it" in told, told)


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        check_dtypes(report, Path(folder))
        check_names(report, Path(folder))
        check_faults(report, Path(folder))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
