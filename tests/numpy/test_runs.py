# SPDX-License-Identifier: MIT
# Full-size runs in small: the same bytes for every number of threads, shards that add up to the whole, runs that are
# killed and resumed, and the three steps of a run on many machines. The last line is `N passed, N failed`.
import filecmp
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from program import PROGRAM, kill_and_resume, packscope, resume_compares_tokens, run_tests, same_folders, with_little_memory, write_documents
from report import Report

ALGORITHMS = ["pad", "wrap", "next_fit", "first_fit", "best_fit", "worst_fit", "best_fit_wrap",
              "first_fit_decreasing", "best_fit_decreasing", "first_fit_shuffle"]
OPTIONS = ["-L", "256", "--long-documents", "split"]
THREADS = [1, 2, 3, 8]

report = Report()
check = report.check


def ids(numbers, index):
    length = numbers.choice([0, 1, 5, numbers.randrange(400)])
    return [numbers.randrange(50_000) for _ in range(length)]


def plain(numbers, index):
    return {"input_ids": ids(numbers, index), "source": numbers.choice(["web", "code", "books"])}


def with_mask(numbers, index):
    record = plain(numbers, index)
    return record | {"mask": [numbers.randrange(2) for _ in record["input_ids"]], "prompt": 0}


def with_late_field(numbers, index):
    """Only records without tokens lack the field that travels with them."""
    record = plain(numbers, index)
    if record["input_ids"] or index > 4000:
        record["weight"] = [numbers.randrange(9) for _ in record["input_ids"]]
    return record


def with_prompt(numbers, index):
    words = ["zwölf", "Boxkämpfer", "jagen", "\\", "\n", "日本"]
    return {key: " ".join(numbers.choices(words, k=numbers.randrange(60))) for key in ("prompt", "answer")}


INPUTS = {
    "ids": (plain, ["--source-field", "source"]),
    "masks": (with_mask, ["--source-field", "source", "--loss-mask-field", "mask", "--prompt-length-field", "prompt"]),
    "fields": (with_late_field, ["--source-field", "source"]),
    "texts": (with_prompt, ["--prompt-field", "prompt", "--completion-field", "answer"]),
}


def threads_give_the_same_bytes(folder):
    for name, (make, reader) in INPUTS.items():
        path = folder / f"{name}.jsonl"
        write_documents(path, 6000, 7, make)
        for output in ("npy", "jsonl", "sequences"):
            first = None
            for threads in THREADS:
                out = folder / f"{name}-{output}-{threads}"
                packscope("pack", path, *reader, *OPTIONS, "--format", output, "-o", out, "--threads", threads, "-q")
                if first is None:
                    first = out
                    continue
                same = same_folders(first, out) if output == "npy" else filecmp.cmp(first, out, shallow=False)
                check(same, name, output, f"{threads} threads")
        packscope("verify", folder / f"{name}-npy-8", "--against", path, "--threads", 3)


def threads_tell_the_same_errors(folder):
    lines = (folder / "ids.jsonl").read_text().splitlines()
    faults = {"no JSON": "{\"input_ids\": [1, ", "negative": '{"input_ids": [-1], "source": "web"}',
              "no source": '{"input_ids": [1]}', "late field": '{"input_ids": [1, 2], "source": "web", "note": [1, 2]}'}
    for what, line in faults.items():
        for at in (10, 3000, len(lines) - 1):
            path = folder / "bad.jsonl"
            path.write_text("\n".join(lines[:at] + [line] + lines[at + 1:]))
            told = [packscope("pack", path, "--source-field", "source", *OPTIONS, "--threads", threads, expect=None)
                    for threads in (1, 8)]
            check(told[0].returncode == told[1].returncode == 1 and told[0].stderr == told[1].stderr, what, "at", at, told)
            check(f"bad.jsonl:{at + 1}:" in told[1].stderr, what, "at", at, told[1].stderr)


def read_shards(folder):
    """Each array of the windows as NumPy users put the shards together."""
    shards = sorted(folder.glob("shard-*"))
    arrays = {path.stem: [np.load(shard / path.name) for shard in shards] for path in shards[0].glob("*.npy")}
    offsets = arrays.pop("cu_seqlens_offsets")
    before = np.cumsum([0] + [part[-1] for part in offsets[:-1]]).astype("u8")
    joined = {name: np.concatenate(parts) for name, parts in arrays.items()}
    moved = [part + base for part, base in zip(offsets, before)]
    joined["cu_seqlens_offsets"] = np.concatenate([moved[0]] + [part[1:] for part in moved[1:]])
    return joined


def shards_add_up(folder):
    path, reader = folder / "masks.jsonl", INPUTS["masks"][1]
    whole = folder / "masks-npy-1"
    windows = len(np.load(whole / "input_ids.npy"))
    for size in (300, windows, windows + 1):
        out = folder / f"shards-{size}"
        packscope("pack", path, *reader, *OPTIONS, "-o", out, "--shard-windows", size, "-q")
        check(len(list(out.glob("shard-*"))) == -(-windows // size), size)
        for name, joined in read_shards(out).items():
            check(np.array_equal(joined, np.load(whole / f"{name}.npy")), size, name)
        packscope("verify", out, "--against", path)
        packscope("verify", out)


def damage_is_found(folder):
    out = folder / "shards-300"
    array = out / "shard-00001" / "labels.npy"
    content = array.read_bytes()
    array.write_bytes(content[:-3] + bytes([content[-3] ^ 1]) + content[-2:])
    told = packscope("verify", out, expect=1).stderr
    check("labels.npy: the checksum of its values is" in told, told)
    array.write_bytes(content)
    moved = out.parent / "away"
    (out / "shard-00001").rename(moved)
    told = packscope("verify", out, expect=1).stderr
    check("shards are missing, the first is shard-00001 with windows 300 to 600" in told, told)
    moved.rename(out / "shard-00001")
    packscope("verify", out)


def killed_runs_go_on(folder):
    command = ["pack", folder / "ids.jsonl", *OPTIONS, "-a", "best_fit_decreasing", "--shard-windows", 100, "-q"]
    kill_and_resume(folder, command, 20, 0.6, check)


def resume_keeps_to_its_command(folder):
    path, out = folder / "ids.jsonl", folder / "other"
    left = folder / ".other.packscope-999999999"  # no process has this number
    shutil.copytree(folder / "undisturbed", left)
    shutil.rmtree(left / "shard-00003")
    told = packscope("pack", path, "-L", "128", "--shard-windows", 100, "-o", out, "--resume", "-q", expect=2).stderr
    check("was made of other input or with other options" in told, told)
    check(not out.exists() and list(folder.glob(".other*")) != [], "it is kept")
    command = ["pack", path, *OPTIONS, "-a", "best_fit_decreasing", "--shard-windows", 100, "-o", out, "--resume", "-q"]
    resume_compares_tokens(lambda: packscope(*command, expect=2).stderr, path, check)
    packscope(*command)
    check(same_folders(folder / "undisturbed", out), "the right command goes on")


def a_full_disk_leaves_the_old_output(folder):
    """A limit of file sizes stands for the disk: the system refuses the write that passes it."""
    out = folder / "full"
    command = ["pack", folder / "ids.jsonl", *OPTIONS, "-a", "best_fit_decreasing", "-q", "-o", out]
    (folder / "part.jsonl").write_text('{"input_ids": [1, 2, 3]}\n')
    packscope("pack", folder / "part.jsonl", *OPTIONS, "-q", "-o", out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    for more in ([], ["--shard-windows", 300], ["--stream", "--flush-every", 10_000]):
        limited = ["bash", "-c", 'ulimit -f 200; exec "$@"', "bash", PROGRAM, *map(str, [*command, *more])]
        done = subprocess.run(limited, capture_output=True, text=True)
        check(done.returncode == 1 and "io_error: cannot write" in done.stderr and ".npy" in done.stderr, more, done.stderr)
        check({path.name: path.read_bytes() for path in out.iterdir()} == before, more, "the old output stays")
        check(list(folder.glob(".full*")) == [], more, "nothing is left beside it")


def steps_give_the_bytes_of_one_run(folder):
    whole, reader = folder / "masks.jsonl", INPUTS["masks"][1]
    lines = whole.read_text().splitlines(keepends=True)
    parts = []
    for index, (first, last) in enumerate([(0, 2500), (2500, 2501), (2501, 6000)]):
        part = folder / f"part-{index}.jsonl"
        part.write_text("".join(lines[first:last]))
        parts.append(folder / f"part-{index}.corpus")
        packscope("lengths", part, *reader, "-o", parts[-1])
    for algorithm in ALGORITHMS:
        single, steps = folder / f"single-{algorithm}", folder / f"steps-{algorithm}"
        options = [*OPTIONS, "-a", algorithm, "--shard-windows", 400]
        packscope("pack", whole, *reader, *options, "-o", single, "-q")
        packscope("plan", *parts, *options, "-o", steps, "-q")
        told = packscope("verify", steps, expect=1).stderr
        check("shards are missing" in told, told)
        workers = [subprocess.Popen([PROGRAM, "materialize", str(steps), "--windows", windows], stdout=subprocess.DEVNULL)
                   for windows in ("0:400", "400:800")]
        check([worker.wait() for worker in workers] == [0, 0], algorithm)
        packscope("materialize", steps)
        check(same_folders(single, steps, ignored=("manifest.json",)), algorithm)
        manifests = [json.loads((out / "manifest.json").read_text()) for out in (single, steps)]
        for key in ("fingerprint", "stats", "ledger", "ledger_by_source", "options", "arrays", "shard_windows"):
            check(manifests[0][key] == manifests[1][key], algorithm, key)
        packscope("verify", steps, *[word for part in parts for word in ("--against", part)])
        for out in (single, steps):
            shutil.rmtree(out)
    told = packscope("materialize", folder / "shards-300", "--windows", "0:450", expect=2).stderr
    check("cuts a shard" in told, told)


def memory_stays_bounded(folder):
    """Tokens of four times the memory that the program may have."""
    path, line = folder / "large.jsonl", json.dumps({"text": "x" * 2000}) + "\n"
    documents = 50_000
    path.write_text(line * documents)
    outs = [folder / "bounded", folder / "unbounded"]
    flags = ["--text-field", "text", "-L", 2048, "-a", "wrap", "--threads", 2, "--plan-only", "--vocab-size", 256, "-q"]
    for out, memory, fits in ((outs[0], "16M", True), (folder / "never", "1G", False)):
        done = with_little_memory(102_400, "pack", path, *flags, "-o", out, "--max-memory", memory)
        check((done.returncode == 0) == fits, memory, done.stderr)
        check(fits or "out_of_memory" in done.stderr, done.stderr)
    packscope("pack", path, *flags, "-o", outs[1])
    check(same_folders(*outs), "the same bytes within any memory")
    path.unlink()
    for name, (_, reader) in INPUTS.items():
        out = folder / f"{name}-little"
        packscope("pack", folder / f"{name}.jsonl", *reader, *OPTIONS, "-o", out, "--max-memory", "1", "-q")
        check(same_folders(folder / f"{name}-npy-1", out), name, "with all tokens in a file")
        corpora = [folder / f"{name}.corpus", folder / f"{name}-little.corpus"]
        for corpus, memory in zip(corpora, ("1G", "1")):
            packscope("lengths", folder / f"{name}.jsonl", *reader, "-o", corpus, "--max-memory", memory)
        check(same_folders(*corpora), name, "the same corpus within any memory")
        out = folder / f"{name}-of-corpus"
        packscope("pack", corpora[0], *OPTIONS, "-o", out, "--max-memory", "1", "-q")
        check(same_folders(folder / f"{name}-npy-1", out, ignored=("manifest.json",)), name, "of a corpus")
    check(list(folder.glob(".packscope-spool*")) == [], "no file of tokens is left")


def on_ranks(count, *arguments):
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = ["mpirun", "--oversubscribe", "-n", str(count), PROGRAM, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ranks_give_the_bytes_of_one_run(folder):
    parts = [folder / f"part-{index}.jsonl" for index in range(3)]
    command = ["pack", *parts, *INPUTS["masks"][1], *OPTIONS, "-q"]
    for shards in ([], ["--shard-windows", "300"]):
        alone = folder / f"alone{len(shards)}"
        packscope(*command, *shards, "-o", alone)
        for count in (2, 4):
            out = folder / f"ranks-{count}-{len(shards)}"
            told = on_ranks(count, *command, *shards, "-o", out).communicate()[1]
            check(out.exists() and same_folders(alone, out), count, "ranks", shards, told)
            packscope("verify", out, *[word for part in parts for word in ("--against", part)])
    run = on_ranks(2, "pack", parts[0], folder / "missing.jsonl", "-L", 256, "-o", folder / "never")
    told = run.communicate()[1]
    check(run.returncode != 0 and "rank 1: io_error: cannot read" in told and not (folder / "never").exists(), told)


def ranks_of(mpirun):
    """Of a run that goes on; none of one that has ended."""
    if mpirun.poll() is not None:
        return []
    children = Path(f"/proc/{mpirun.pid}/task/{mpirun.pid}/children").read_text().split()
    return [int(child) for child in children]


def a_killed_rank_ends_the_run(folder):
    command = ["pack", folder / "ids.jsonl", *OPTIONS, "-a", "best_fit_decreasing", "--shard-windows", 100, "-q"]
    out, killed = folder / "killed-rank", False

    def unfinished():
        return set(folder.glob(".killed-rank.*"))

    for seconds in (0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8):
        left = unfinished()
        run = on_ranks(2, *command, "-o", out, "--resume")
        # Once they write: mpirun itself may wait forever for a rank that died while it was being started.
        while run.poll() is None and unfinished() <= left:
            time.sleep(0.001)
        time.sleep(seconds)
        ranks = ranks_of(run)
        if ranks:
            os.kill(ranks[-1], signal.SIGKILL)
            told = run.communicate()[1]
            check(run.returncode != 0 and told != "", "mpirun tells of the rank that died", told)
            killed = True
        run.communicate()
        if out.exists():
            shutil.rmtree(out)
    check(killed, "a rank was there to be killed")
    told = on_ranks(2, *command, "-o", out, "--resume").communicate()[1]
    check(out.exists() and same_folders(folder / "undisturbed", out), "resumed after a rank was killed", told)
    shutil.move(out, folder / ".killed-rank.packscope-999999999")
    resume_compares_tokens(lambda: on_ranks(2, *command, "-o", out, "--resume").communicate()[1], folder / "ids.jsonl", check)


def main():
    tests = [threads_give_the_same_bytes, threads_tell_the_same_errors, shards_add_up, damage_is_found,
             memory_stays_bounded, killed_runs_go_on, resume_keeps_to_its_command,
             a_full_disk_leaves_the_old_output, steps_give_the_bytes_of_one_run]
    if shutil.which("mpirun"):
        tests += [ranks_give_the_bytes_of_one_run, a_killed_rank_ends_the_run]
    else:
        print("skipped the tests of ranks: there is no mpirun (Debian: openmpi-bin)")
    return run_tests(tests, report)


if __name__ == "__main__":
    sys.exit(main())
