# SPDX-License-Identifier: MIT
# Windows in every kind of folder: npz read by NumPy, safetensors and Megatron's indexed data sets by readers written
# here from the descriptions of the formats. The last line is `N passed, N failed`.
import json
import shutil
import struct
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from program import packscope
from report import Report

CONTAINERS = ("npy", "npz", "safetensors", "megatron")
PACKING = ("-L", "64", "-a", "best_fit_decreasing", "--long-documents", "split", "-q")
SAFETENSORS_TYPES = {"U8": "|u1", "U16": "<u2", "I32": "<i4", "I64": "<i8", "U64": "<u8", "F64": "<f8"}
MEGATRON_TYPES = {4: "<i4", 8: "<u2"}
LARGEST = 50_000

report = Report()
check = report.check


def read_safetensors(path):
    content = path.read_bytes()
    (size,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + size])
    check(content[8:9] == b"{" and (8 + size) % 8 == 0, path, "header")
    metadata = header.pop("__metadata__")
    check(all(isinstance(value, str) for value in metadata.values()), path, metadata)
    values, end, arrays = content[8 + size :], 0, {}
    for name, told in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        first, last = told["data_offsets"]
        check(first == end, path, name, "follows on the array before it")
        end = last
        arrays[name] = np.frombuffer(values[first:last], SAFETENSORS_TYPES[told["dtype"]]).reshape(told["shape"])
    check(end == len(values), path, "nothing follows the last array")
    return arrays


def read_megatron(stem):
    """The sequences of STEM.bin and STEM.idx, one document each."""
    index, tokens = Path(f"{stem}.idx").read_bytes(), Path(f"{stem}.bin").read_bytes()
    magic, version, code, sequences, entries = struct.unpack_from("<9sQBQQ", index)
    check((magic, version, entries) == (b"MMIDIDX\0\0", 1, sequences + 1), stem, magic, version, entries)
    at = 34
    sizes = np.frombuffer(index, "<i4", sequences, at)
    pointers = np.frombuffer(index, "<i8", sequences, at + 4 * sequences)
    documents = np.frombuffer(index, "<i8", entries, at + 12 * sequences)
    check(len(index) == at + 12 * sequences + 8 * entries, stem, "size of the index")
    check(np.array_equal(documents, np.arange(entries)), stem, "documents")
    dtype = np.dtype(MEGATRON_TYPES[code])
    rows = [np.frombuffer(tokens, dtype, size, pointer) for size, pointer in zip(sizes, pointers)]
    check(sum(row.nbytes for row in rows) == len(tokens), stem, "every byte belongs to a sequence")
    return np.stack(rows) if rows else np.zeros((0, 64), dtype)


def read_arrays(folder, container):
    """The arrays of windows in a folder, or in a shard's."""
    listed = json.loads((folder / "manifest.json" if (folder / "manifest.json").exists() else folder / "shard.json").read_text())["arrays"]
    arrays = {path.stem: np.load(path) for path in folder.glob("*.npy")}
    if container == "npz":
        check(zipfile.ZipFile(folder / "windows.npz").testzip() is None, folder, "CRC-32 of each member")
        arrays |= dict(np.load(folder / "windows.npz"))
    if container == "safetensors":
        arrays |= read_safetensors(folder / "windows.safetensors")
    if container == "megatron":
        arrays["input_ids"] = read_megatron(folder / "input_ids")
    check(sorted(arrays) == sorted(listed), folder, sorted(arrays), sorted(listed))
    for name, told in listed.items():
        check((arrays[name].dtype.str, list(arrays[name].shape)) == (told["dtype"], told["shape"]), folder, name, told)
        file = folder / told.get("file", f"{name}.npy")
        placed = np.memmap(file, told["dtype"], "r", told.get("offset", 128), tuple(told["shape"])) if arrays[name].size else arrays[name]
        check(np.array_equal(placed, arrays[name]), folder, name, "stands where the list says")
    return arrays


def same_values(one, other, *what):
    check(sorted(one) == sorted(other), *what, sorted(one), sorted(other))
    for name in one:
        check(np.array_equal(one[name], other[name]), *what, name)


def write_documents(path, count):
    numbers = np.random.default_rng(3)
    with open(path, "w") as file:
        for _ in range(count):
            length = int(numbers.integers(0, 90))
            ids = numbers.integers(0, LARGEST, length).tolist()
            file.write(json.dumps({"input_ids": ids, "weight": numbers.random(length).tolist(), "big": (numbers.integers(0, 2**40, length)).tolist()}) + "\n")


def every_container_holds_the_same(folder):
    path = folder / "documents.jsonl"
    write_documents(path, 700)
    wanted = None
    for container in CONTAINERS:
        for ids, dtype in (("int32", "<i4"), ("uint16", "<u2"), ("auto", "<u2")):
            out = folder / f"{container}-{ids}"
            packscope("pack", path, *PACKING, "--format", container, "--input-ids-dtype", ids, "-o", out)
            arrays = read_arrays(out, container)
            check(arrays["input_ids"].dtype.str == dtype, out, arrays["input_ids"].dtype)
            wanted = wanted or arrays
            same_values(wanted, arrays, out)
            packscope("verify", out)
            packscope("verify", out, "--against", path, "-q")
        threads = folder / f"{container}-threads"
        packscope("pack", path, *PACKING, "--format", container, "--threads", 3, "-o", threads)
        for file in threads.iterdir():
            check(file.read_bytes() == (folder / f"{container}-int32" / file.name).read_bytes(), threads, file.name)
    return wanted


def shards_and_steps_hold_the_same(folder, wanted):
    path = folder / "documents.jsonl"
    packscope("lengths", path, "-o", folder / "corpus", "-q")
    for container in CONTAINERS:
        shards, steps = folder / f"{container}-shards", folder / f"{container}-steps"
        options = ("--format", container, "--input-ids-dtype", "auto", "--shard-windows", 100)
        packscope("pack", path, *PACKING, *options, "-o", shards)
        packscope("plan", folder / "corpus", *PACKING, *options, "-o", steps)
        packscope("materialize", steps, "-q")
        parts = [read_arrays(part, container) for part in sorted(shards.glob("shard-*"))]
        joined = np.concatenate([part["input_ids"] for part in parts])
        check(len(parts) > 2 and np.array_equal(joined, wanted["input_ids"]), shards, "input_ids")
        check(joined.dtype.str == "<u2", shards, joined.dtype)
        for part in sorted(shards.glob("shard-*")):
            for file in part.iterdir():
                check(file.read_bytes() == (steps / part.name / file.name).read_bytes(), steps, part.name, file.name)
        packscope("verify", shards, "--against", path, "-q")
        packscope("verify", steps)


def megatron_windows_are_read_again(folder, wanted):
    """What is written can be packed: one document for each window."""
    out = folder / "again"
    packscope("pack", folder / "megatron-uint16" / "input_ids.idx", "-L", 64, "-a", "pad", "-o", out, "-q")
    check(np.array_equal(np.load(out / "input_ids.npy"), wanted["input_ids"]), "packed again")


def outputs_without_windows(folder):
    (folder / "none.jsonl").write_text("")
    for container in CONTAINERS:
        out = folder / f"none-{container}"
        packscope("pack", folder / "none.jsonl", *PACKING, "--format", container, "-o", out)
        check(read_arrays(out, container)["input_ids"].shape == (0, 64), out)
        packscope("verify", out, "--against", folder / "none.jsonl", "-q")


def lengths_alone_have_no_ids(folder):
    np.save(folder / "lengths.npy", np.arange(1, 200, dtype=np.uint32) % 64)
    for container in CONTAINERS:
        out = folder / f"lengths-{container}"
        packscope("pack", folder / "lengths.npy", *PACKING, "--format", container, "--input-ids-dtype", "auto", "-o", out)
        if container == "megatron":
            check(not list(out.glob("input_ids.*")), out, "has no tokens to index")
        else:
            check("input_ids" not in read_arrays(out, container), out)
        packscope("verify", out, "--against", folder / "lengths.npy", "-q")


def damage_is_found(folder):
    """A byte changed anywhere in a file is found, also outside of the values."""
    for container, name in (("npz", "windows.npz"), ("safetensors", "windows.safetensors"), ("megatron", "input_ids.idx"), ("megatron", "input_ids.bin")):
        out, path = folder / f"{container}-auto", folder / f"{container}-auto" / name
        whole = path.read_bytes()
        numbers = np.random.default_rng(5)
        places = {0, 1, 9, 20, 33, len(whole) - 1, len(whole) - 30, *numbers.integers(0, len(whole), 40).tolist()}
        for at in sorted(places):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
            told = packscope("verify", out, expect=1).stderr
            check(str(path) in told, container, "byte", at, told)
        for change in (whole[:-1], whole + b"\0", b""):
            path.write_bytes(change)
            told = packscope("verify", out, expect=1).stderr
            check(str(path) in told, container, len(change), "of", len(whole), told)
            told = packscope("verify", out, "--against", folder / "documents.jsonl", expect=1).stderr
            check(str(path) in told, container, len(change), "of", len(whole), told)
        path.write_bytes(whole)
        for more in ("more.npz", "labels.idx"):
            (out / more).write_bytes(b"")
            check("is not in the manifest" in packscope("verify", out, expect=1).stderr, out, more, "is one too many")
            (out / more).unlink()
        packscope("verify", out)


def lists_that_lead_elsewhere_are_refused(folder):
    out = folder / "elsewhere"
    shutil.copytree(folder / "safetensors-int32", out)
    manifest = json.loads((out / "manifest.json").read_text())
    for change in ({"file": "../npz-int32/windows.npz"}, {"offset": 2**63}, {"offset": 2**64 - 8}, {"shape": [2**32, 2**32]}, {"file": "manifest.json"}):
        listed = json.loads(json.dumps(manifest))
        listed["arrays"]["labels"] |= change
        (out / "manifest.json").write_text(json.dumps(listed))
        for command in (("verify", out), ("verify", out, "--against", folder / "documents.jsonl")):
            told = packscope(*command, expect=1).stderr
            check("invalid_data" in told, change, told)


def ids_that_do_not_fit_are_refused(folder):
    (folder / "large.jsonl").write_text('{"input_ids": [1, 2]}\n{"input_ids": [3, 65536]}\n')
    out = folder / "large"
    told = packscope("pack", folder / "large.jsonl", "-L", 8, "--input-ids-dtype", "uint16", "-o", out, expect=1).stderr
    check("document 1: token 1 is 65536" in told and "--input-ids-dtype int32" in told and not out.exists(), told)
    packscope("pack", folder / "large.jsonl", "-L", 8, "--input-ids-dtype", "auto", "-o", out, "-q")
    check(np.load(out / "input_ids.npy").dtype == np.int32, "auto")
    (folder / "small.jsonl").write_text('{"input_ids": [1, 65535]}\n')
    for flag in ("--pad-token-id", "--separator-id", "--bos-id"):
        told = packscope("pack", folder / "small.jsonl", "-L", 8, "--input-ids-dtype", "uint16", flag, 65536, "-o", folder / "never", expect=1).stderr
        check("an id that the options add is 65536" in told, flag, told)
        packscope("pack", folder / "small.jsonl", "-L", 8, "--input-ids-dtype", "auto", flag, 65536, "-o", out, "-q")
        check(np.load(out / "input_ids.npy").dtype == np.int32, flag)
    packscope("pack", folder / "small.jsonl", "-L", 8, "--input-ids-dtype", "auto", "-o", out, "-q")
    check(np.load(out / "input_ids.npy").tolist() == [[1, 65535, 0, 0, 0, 0, 0, 0]], "the largest id that fits")
    # A plan made of lengths meets the id when its windows are written.
    packscope("plan", folder / "large.jsonl", "-L", 8, "--input-ids-dtype", "uint16", "-o", folder / "planned", "-q")
    told = packscope("materialize", folder / "planned", expect=1).stderr
    check("window 0, position 3: token id 65536 does not fit uint16" in told, told)


def folders_are_replaced_whole(folder):
    """Whatever they held: nothing of the old output stays."""
    out = folder / "replaced"
    for container in (*CONTAINERS, *reversed(CONTAINERS)):
        packscope("pack", folder / "documents.jsonl", *PACKING, "--format", container, "-o", out)
        packscope("verify", out)
    (out / "notes.bin").write_bytes(b"mine")
    told = packscope("pack", folder / "documents.jsonl", *PACKING, "-o", out, expect=2).stderr
    check((out / "notes.bin").read_bytes() == b"mine" and "notes.bin" in told, told)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wanted = every_container_holds_the_same(folder)
        shards_and_steps_hold_the_same(folder, wanted)
        megatron_windows_are_read_again(folder, wanted)
        outputs_without_windows(folder)
        lengths_alone_have_no_ids(folder)
        damage_is_found(folder)
        lists_that_lead_elsewhere_are_refused(folder)
        ids_that_do_not_fit_are_refused(folder)
        folders_are_replaced_whole(folder)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
