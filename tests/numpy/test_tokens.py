# SPDX-License-Identifier: MIT
# Writes token files as NumPy users have them, raw and .npy with offsets, packs them, and compares with the same
# documents as JSON lines. The last line is `N passed, N failed`.
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from report import Report

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("PACKSCOPE_PROGRAM", str(ROOT / "build" / "dev" / "packscope"))
END = 99
# END ends each document of a raw file, and stands nowhere else.
CORPUS = [[1, 2, 3, 4], [5, 6], [], [7], [8, 9, 10, 11, 12, 13, 14]]
DTYPES = ["|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", ">u2", ">i4", ">i8"]
ARRAYS = ("input_ids", "labels", "doc_ids", "position_ids")


def packscope(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=cwd)


class Tests:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.report = Report()

    def write_lines(self, name, corpus):
        path = self.folder / name
        path.write_text("".join(json.dumps({"input_ids": ids}) + "\n" for ids in corpus))
        return path

    def pack(self, out, *arguments):
        done = packscope("pack", *arguments, "-L", 8, "-q", "-o", self.folder / out)
        self.report.check(done.returncode == 0, out, done.stderr)
        return {name: np.load(self.folder / out / f"{name}.npy") for name in ARRAYS} if done.returncode == 0 else {}

    def equal(self, what, one, other, names=ARRAYS):
        for name in names:
            same = name in one and name in other and np.array_equal(one[name], other[name])
            self.report.check(same, name, "of", what)

    def verifies(self, out, *against):
        flags = [word for path in against for word in ("--against", path)]
        done = packscope("verify", self.folder / out, *flags)
        self.report.check(done.returncode == 0, out, done.stderr)

    def refuses(self, message, *arguments, code=1):
        done = packscope("pack", *arguments, "-L", 8, "-o", self.folder / "never")
        told = done.returncode == code and message in done.stderr and not (self.folder / "never").exists()
        self.report.check(told, message, "but:", done.returncode, done.stderr)


def raw_tokens(tests):
    ended = [ids + [END] for ids in CORPUS]
    wanted = tests.pack("wanted-raw", tests.write_lines("ended.jsonl", ended))
    for name in ("uint16", "uint32"):
        path = tests.folder / f"{name}.bin"
        np.concatenate([np.array(ids, dtype=name) for ids in ended]).tofile(path)
        flags = (path, "--token-type", name, "--end-of-document", END)
        tests.equal(name, tests.pack(f"out-{name}", *flags), wanted)
        tests.verifies(f"out-{name}", path)
        few = tests.pack(f"few-{name}", *flags, "--limit-documents", 2)
        tests.report.check(few["doc_ids"].max() == 1, "two documents of", name)
    # A document that ends with its id is one to which a separator is added.
    separated = tests.pack("separated", tests.write_lines("plain.jsonl", [ids for ids in CORPUS if ids]), "--separator-id", END)
    full = [ids + [END] for ids in CORPUS if ids]
    path = tests.folder / "full.bin"
    np.concatenate([np.array(ids, dtype=np.uint16) for ids in full]).tofile(path)
    flags = ("--token-type", "uint16", "--end-of-document", END)
    tests.equal("a separator", tests.pack("full", path, *flags), separated, ("input_ids", "doc_ids"))


def raw_faults(tests):
    path = tests.folder / "raw.bin"
    ids = np.array([1, 2, END, 3, 4], dtype=np.uint16)
    ids.tofile(path)
    flags = ("--token-type", "uint16", "--end-of-document", END)
    done = packscope("pack", path, *flags, "-L", 8, "--json")
    tests.report.check("the last document of 1 file lacks the end-of-document id" in done.stderr, done.stderr)
    told = json.loads(done.stdout)
    tests.report.check(told["stats"]["segments"] == 2, "what stands behind the last end is a document")
    tests.report.check(told["repairs"]["unended_documents"] == 1, "it is counted", told["repairs"])
    packscope("lengths", path, *flags, "-o", tests.folder / "raw.corpus")
    told = json.loads(packscope("pack", tests.folder / "raw.corpus", "-L", 8, "--json").stdout)
    tests.report.check(told["repairs"]["unended_documents"] == 1, "a corpus keeps the count", told["repairs"])
    tests.refuses("give --token-type uint16|uint32 and --end-of-document ID", path, code=2)
    tests.refuses("give --token-type", path, "--end-of-document", END, code=2)
    tests.refuses("must be one of uint16|uint32", path, "--token-type", "uint8", code=2)
    tests.refuses("is no uint16", path, "--token-type", "uint16", "--end-of-document", 65536, code=2)
    tests.refuses("none of its 5 tokens is the end-of-document id 7", path, "--token-type", "uint16", "--end-of-document", 7)
    tests.refuses("10 bytes are no whole number of ids of 4 bytes", path, "--token-type", "uint32", "--end-of-document", END)
    tests.refuses("cannot be; save it as a file", "-", "--input", "tokens", *flags, code=2)
    lines = tests.write_lines("lines.jsonl", CORPUS)
    tests.refuses("--token-type is for raw token files, and the input is jsonl", lines, "--token-type", "uint16", code=2)
    large = tests.folder / "large.bin"
    np.array([1, END, 2**31, END], dtype=np.uint32).tofile(large)
    tests.refuses("document 1 holds 2147483648", large, "--token-type", "uint32", "--end-of-document", END)
    (tests.folder / "empty.bin").write_bytes(b"")
    empty = packscope("pack", tests.folder / "empty.bin", *flags, "-L", 8, "--json", "-q")
    tests.report.check(json.loads(empty.stdout)["stats"]["windows"] == 0, "an empty file holds no document")


def offsets_of(corpus):
    return np.concatenate([[0], np.cumsum([len(ids) for ids in corpus])])


def npy_tokens(tests):
    wanted = tests.pack("wanted-npy", tests.write_lines("same.jsonl", CORPUS))
    ids = np.concatenate([np.array(ids, dtype=np.int64) for ids in CORPUS])
    tokens, offsets = tests.folder / "tokens.npy", tests.folder / "offsets.npy"
    for descr in DTYPES:
        np.save(tokens, ids.astype(descr))
        np.save(offsets, offsets_of(CORPUS).astype(descr))
        tests.equal(descr, tests.pack("out-npy", tokens, "--offsets", offsets), wanted)
        tests.verifies("out-npy", tokens)
    twice = tests.pack("twice", tokens, tokens, "--offsets", offsets, "--offsets", offsets)
    tests.equal("two files", twice, tests.pack("lines-twice", tests.folder / "same.jsonl", tests.folder / "same.jsonl"))
    planned = packscope("pack", tokens, "--offsets", offsets, "-L", 8, "--plan-only", "-q", "--json").stdout
    lines = packscope("pack", tests.folder / "same.jsonl", "-L", 8, "--plan-only", "-q", "--json").stdout
    tests.report.check(json.loads(planned)["fingerprint"] == json.loads(lines)["fingerprint"], "a plan from offsets")


def npy_faults(tests):
    tokens, offsets = tests.folder / "t.npy", tests.folder / "o.npy"

    def refuses(message, ids=(1, 2, 3), ends=(0, 2, 3)):
        np.save(tokens, np.array(ids))
        np.save(offsets, np.array(ends))
        tests.refuses(message, tokens, "--offsets", offsets)

    refuses("the first offset is 2 and must be 0", ends=(2, 3))
    refuses("the last offset is 2, and there are 3 tokens", ends=(0, 2))
    refuses("the last offset is -1", ends=(0, -1))
    refuses("the offset at index 2 is 1", ends=(0, 2, 1, 3))
    refuses("the offset at index 1 is 9", ends=(0, 9, 3))
    refuses("holds no offset", ends=np.zeros(0, np.int64))
    refuses("shape (1, 3); token ids must have one dimension", ids=[[1, 2, 3]])
    refuses("dtype '<f8'; token ids must be integers", ids=(1.0, 2.0, 3.0))
    refuses("dtype '<f8'; offsets must be integers", ends=(0.0, 3.0))
    refuses("document 1 holds -3", ids=(1, 2, -3))
    refuses("holds 9223372036854775807", ids=np.array([1, 2, 2**63], np.uint64))
    np.save(offsets, np.array([0, 2, 3]))
    np.save(tokens, np.arange(3))
    whole = tokens.read_bytes()
    tokens.write_bytes(whole[:-3])
    tests.refuses("the file is cut short or damaged", tokens, "--offsets", offsets)
    tokens.write_bytes(whole[:30])
    tests.refuses("too early; it is truncated", tokens, "--offsets", offsets)
    tokens.write_bytes(b"\x1f\x8b" + whole)
    tests.refuses("unpack it first", tokens, "--offsets", offsets)
    tests.refuses("there are 2 files of tokens and 1 file of offsets", tokens, tokens, "--offsets", offsets, code=2)
    tests.refuses("--offsets is for tokens in .npy files", tests.folder / "same.jsonl", "--offsets", offsets, code=2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tests = Tests(folder)
        for part in (raw_tokens, raw_faults, npy_tokens, npy_faults):
            part(tests)
    report = tests.report
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
