# SPDX-License-Identifier: MIT
# pack --stream against pack: the same bytes for random options, however little is read at a time; bounded memory;
# runs that are killed and resumed; and what cannot be streamed is refused. The last line is `N passed, N failed`.
import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from program import PROGRAM, kill_and_resume, packscope, resume_compares_tokens, run_tests, same_folders, with_little_memory, write_documents
from report import Report

STREAMING = ["pad", "wrap", "next_fit", "first_fit", "best_fit", "worst_fit", "best_fit_wrap"]
OFFLINE = ["first_fit_decreasing", "best_fit_decreasing", "first_fit_shuffle"]
SOURCES = ["web", "code", "books", "chat"]
RANDOM_RUNS, SEED = 60, 11

report = Report()
check = report.check


def document(numbers, index):
    length = numbers.choice([0, 1, 5, 31, 32, 33, numbers.randrange(150)])
    return {
        "input_ids": [numbers.randrange(50_000) for _ in range(length)],
        # Later documents have sources of their own.
        "source": numbers.choice(SOURCES[: 1 + min(3, index // 100)]),
        "mask": [numbers.randrange(2) for _ in range(length)],
        "prompt": numbers.randrange(length + 1),
    }


def random_options(numbers):
    """Options of a streaming run, as words, and the container of the folder."""
    words = ["-L", str(numbers.choice([1, 8, 32, 64]) * 4)]
    flush = numbers.random() < 0.3
    words += ["-a", numbers.choice(OFFLINE + STREAMING if flush else STREAMING)]
    if flush:
        words += ["--flush-every", str(numbers.choice([1, 7, 100, 10_000]))]
    sometimes = [
        ["--separator-id", "9"],
        ["--separator-id", "9", "--separator", "between"],
        ["--separator-id", "9", "--separator-loss"],
        ["--bos-id", "3"],
        ["--homogeneity", "full"],
        ["--homogeneity", "group", "--groups", "text=web+books;other=code+chat"],
        ["--open-windows", str(numbers.choice([1, 3, 500]))],
        ["--candidate-pool", str(numbers.choice([1, 5, 64]))],
        ["--long-documents", numbers.choice(["split", "truncate", "truncate_left", "drop"])],
        ["--tail", "drop"],
        ["--document-multiple", "4"],
        ["--window-multiple", "8"],
        ["--max-documents-per-window", "3"],
        ["--labels", "aligned"],
        ["--cross-boundary-labels"],
        ["--position-ids", "continue"],
        ["--cu-seqlens", "real"],
        ["--cu-seqlens-width", "80"],
        ["--evict", "fullest", "--min-room", "4"],
        ["--shard-windows", str(numbers.choice([150, 370, 100_000]))],
        ["--input-ids-dtype", "uint16"],
        ["--format", "megatron"],
        ["--loss-mask-field", "mask"],
        ["--prompt-length-field", "prompt"],
        ["--limit-documents", str(numbers.choice([0, 1, 123]))],
        ["--plan-only"],
        ["--extra-token"],
    ]
    chance = numbers.choice([0.05, 0.2, 0.35])
    for more in sometimes:
        if more[0] not in words and numbers.random() < chance:
            words += more
    return words


def without_token_stats(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    for key in ("exact_duplicates", "documents_without_target"):
        manifest["stats"].pop(key, None)
    return manifest


def streams_give_the_same_bytes(folder):
    path = folder / "documents.jsonl"
    write_documents(path, 600, 3, document)
    numbers = random.Random(SEED)
    whole, stream = folder / "whole", folder / "stream"
    ran = 0
    for _ in range(RANDOM_RUNS):
        words = ["pack", path, "--source-field", "source", "--ignore-field", "mask", *random_options(numbers), "-q"]
        if "--loss-mask-field" in words:
            at = words.index("--ignore-field")
            del words[at:at + 2]
        done = packscope(*words, "-o", whole, expect=None)
        memory, threads = numbers.choice(["1", "3K", "1M"]), numbers.choice([1, 3])
        streamed = packscope(*words, "-o", stream, "--stream", "--max-memory", memory, "--threads", threads, expect=None)
        if done.returncode != 0:  # these options do not go together
            check(streamed.stderr == done.stderr, words, streamed.stderr)
            continue
        ran += 1
        check(streamed.returncode == 0, words, streamed.stderr)
        check(same_folders(whole, stream, ignored=["manifest.json"]), words)
        check(without_token_stats(whole) == without_token_stats(stream), words)
        verified = packscope("verify", stream, "--against", path, expect=None)
        check(verified.returncode == 0, words, verified.stderr)
        for out in (whole, stream):
            shutil.rmtree(out)
    check(ran > RANDOM_RUNS / 2, ran, "of", RANDOM_RUNS, "runs had options that go together")


def lines_come_as_windows_close(folder):
    path = folder / "documents.jsonl"
    for more in ([], ["--plan-only"]):
        words = ["pack", path, "-L", 64, "-a", "best_fit", "--open-windows", 8, "--ignore-field", "mask", "-q", *more, "-o", "-"]
        lines = packscope(*words, "--stream", "--max-memory", "1").stdout
        check(lines == packscope(*words).stdout and lines.count("\n") > 100, more)
    # They come before the input ends.
    run = subprocess.Popen([PROGRAM, "pack", "-", "--input", "jsonl", "-L", "4", "-a", "next_fit", "--stream", "-q", "--max-memory", "1",
                            "--threads", "1", "-o", "-"], stderr=subprocess.DEVNULL, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    window = json.dumps({"input_ids": [1, 2, 3, 4]}) + "\n"
    run.stdin.write((window * 10_000).encode())
    run.stdin.flush()
    first = json.loads(run.stdout.readline())
    check(first["input_ids"] == [1, 2, 3, 4] and run.poll() is None, first)
    run.stdin.close()
    rest = run.stdout.read()
    check(rest.count(b"\n") == 9_999 and run.wait() == 0, rest.count(b"\n"))


def every_kind_of_input_streams(folder):
    texts = folder / "lines.txt"
    texts.write_text("".join(f"line {n} " + "x" * (n % 50) + "\n" for n in range(500)))
    lengths = folder / "lengths.txt"
    lengths.write_text("".join(f"{n % 90}\n" for n in range(500)))
    ids = folder / "ids.bin"
    ids.write_bytes(b"".join(bytes([n % 250, 0]) for n in range(20_000)))
    kinds = {
        "text": [texts, "--input", "text"],
        "text-files": [texts, lengths, "--input", "text-files", "--long-documents", "split"],
        "lengths": [lengths, "--input", "lengths"],
        "tokens": [ids, "--input", "tokens", "--token-type", "uint16", "--end-of-document", "7", "--long-documents", "split"],
    }
    packed = folder / "megatron"
    packscope("pack", texts, "--input", "text", "-L", 64, "--format", "megatron", "-o", packed, "-q")
    kinds["megatron"] = [packed / "input_ids.idx", "--input", "megatron"]
    for kind, words in kinds.items():
        outs = [folder / f"{kind}-whole", folder / f"{kind}-stream"]
        for out, more in zip(outs, ([], ["--stream", "--max-memory", "1"])):
            packscope("pack", *words, "-L", 128, "-a", "first_fit", "-o", out, "-q", *more)
        check(same_folders(*outs, ignored=["manifest.json"]), kind)
        check(without_token_stats(outs[0]) == without_token_stats(outs[1]), kind)
    outs = [folder / "none-whole", folder / "none-stream"]
    (folder / "empty.jsonl").write_text("")
    for out, more in zip(outs, ([], ["--stream"])):
        packscope("pack", folder / "empty.jsonl", "-L", 8, "-a", "wrap", "--shard-windows", 4, "-o", out, "-q", *more)
    check(same_folders(*outs), "an output without windows")


def memory_stays_bounded(folder):
    """Many short documents: lengths and plan of all of them are more than the program may have."""
    lengths = folder / "many.txt"
    lengths.write_text("3\n" * 4_000_000)
    words = ["pack", lengths, "--input", "lengths", "-L", 2048, "--plan-only", "-q", "--threads", 1]
    stream = ["-a", "best_fit", "--stream", "--max-memory", "1M"]
    for name, more, fits in (("flat", stream, True), ("whole", ["-a", "best_fit"], False),
                             ("flushed", ["-a", "best_fit_decreasing", "--stream", "--flush-every", 10_000], True)):
        done = with_little_memory(65_536, *words, *more, "-o", folder / name)
        check((done.returncode == 0) == fits, name, done.stderr)
        check(fits or "out_of_memory" in done.stderr, done.stderr)
    packscope(*words, "-a", "best_fit", "-o", folder / "whole")
    check(same_folders(folder / "flat", folder / "whole", ignored=["manifest.json"]), "the same bytes within any memory")
    told = packscope("pack", lengths, "--input", "lengths", "-L", 2048, "--plan-only", "-a", "wrap", "--stream").stderr
    check("memory peaked at" in told, told)


def killed_streams_go_on(folder):
    path = folder / "more.jsonl"
    write_documents(path, 12_000, 4, lambda numbers, index: {"input_ids": list(range(numbers.randrange(300)))})
    command = ["pack", path, "-L", 512, "-a", "best_fit", "--shard-windows", 100, "--stream", "--max-memory", "64K", "-q"]
    kill_and_resume(folder, command, 15, 0.4, check)
    check(list(folder.glob(".packscope*")) == [], "no spooled file is left")
    undisturbed = folder / "undisturbed"
    left = folder / ".again.packscope-999999999"  # no process has this number
    shutil.copytree(undisturbed, left)
    shutil.rmtree(left / "shard-00003")
    for more in (["--pad-token-id", "5"], ["--labels", "aligned"]):
        told = packscope(*command, *more, "-o", folder / "again", "--resume", expect=2).stderr
        check("was made of other input or with other options" in told, told)
    documents = path.read_text()
    path.write_text(documents.replace("[0, 1, 2]", "[0, 1]", 1))
    told = packscope(*command, "-o", folder / "again", "--resume", expect=2).stderr
    check("was made of other input" in told, told)
    path.write_text(documents)
    resume_compares_tokens(lambda: packscope(*command, "-o", folder / "again", "--resume", expect=2).stderr, path, check)
    packscope(*command, "-o", folder / "again", "--resume")
    check(same_folders(undisturbed, folder / "again"), "the right command goes on")


def a_file_that_shrinks_ends_the_run(folder):
    """Tokens and text are mapped, so that the system answers a read behind their end with a signal."""
    out = folder / "shrunk"
    ids = ["--input", "tokens", "--token-type", "uint16", "--end-of-document", "0"]
    text = ["--text-field", "text", "--threads"]
    for name, words in (("shrinks.bin", ids), ("shrinks.jsonl", [*text, "1"]), ("shrinks.jsonl", [*text, "2"])):
        path = folder / name
        path.write_bytes(b'{"text": "one line, then a long one"}\n')
        with open(path, "r+b") as file:
            file.truncate(4 << 30)  # takes no room
        run = subprocess.Popen([PROGRAM, "pack", str(path), *words, "-L", "2048", "-a", "wrap", "--plan-only", "--stream", "-o", str(out)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        maps = Path(f"/proc/{run.pid}/maps")
        while name not in maps.read_text():
            time.sleep(0.01)
        path.write_bytes(b"")
        told = run.communicate()[1]
        check(run.returncode == 1 and "file became shorter while it was read" in told, name, run.returncode, told)
        check(told.count("io_error: ") == 1, told)
        check(not out.exists() and list(folder.glob(".shrunk*")) == [], "nothing is left")


def what_needs_all_documents_is_refused(folder):
    path = folder / "documents.jsonl"
    out = folder / "refused"
    reader = [path, "-L", 64, "--ignore-field", "mask"]
    for words, remedy in {
        ("-a", "best_fit_decreasing"): "add --flush-every N",
        ("-a", "wrap", "--shuffle-windows"): "leave out --stream",
        ("-a", "wrap", "--shuffle-documents"): "leave out --stream",
        ("-a", "wrap", "--drop-duplicates"): "leave out --stream",
        ("-a", "wrap", "--format", "npz"): "use --format npy or megatron",
        ("-a", "wrap", "--format", "sequences"): "use --format jsonl",
        ("-a", "wrap", "--input-ids-dtype", "auto"): "name int32 or uint16",
        ("-a", "wrap", "--ledger-ids"): "leave out --stream",
    }.items():
        told = packscope("pack", *reader, *words, "--stream", "-o", out, expect=2).stderr
        check(remedy in told and not out.exists(), words, told)
    told = packscope("pack", path, "-L", 64, "-a", "wrap", "--stream", "-o", out, expect=1).stderr
    check("field 'mask' has as many values as tokens, and --stream does not carry" in told and "--ignore-field mask" in told, told)
    check(not out.exists() and list(folder.glob(".refused*")) == [], "nothing is left")
    (folder / "bad.jsonl").write_text('{"input_ids": [1, 2]}\n' * 500 + '{"input_ids": [1, -2]}\n')
    told = packscope("pack", folder / "bad.jsonl", "-L", 64, "-a", "wrap", "--stream", "--max-memory", "1", "-o", out, expect=1).stderr
    check("bad.jsonl:501" in told and not out.exists(), told)
    told = packscope("pack", folder / "bad.jsonl", "-L", 64, "-a", "wrap", "--stream", "--max-memory", "1", "-o", out, "--shard-windows", 2, "--threads", 1,
                     expect=1).stderr
    check("bad.jsonl:501" in told and "note: finished shards are kept, --resume goes on: " in told, told)
    left = list(folder.glob(".refused*"))
    check(len(left) == 1 and str(left[0]) in told and not out.exists(), left, told)
    shutil.rmtree(left[0])
    told = packscope("pack", path, "-L", 64, "-a", "wrap", "--ignore-field", "mask", "--source-field", "source", "--homogeneity", "group",
                     "--groups", "text=web", "--stream", "--max-memory", "1", "-o", out, expect=None).stderr
    check("source 'code' is in no group" in told and not out.exists(), told)


def main():
    return run_tests([streams_give_the_same_bytes, lines_come_as_windows_close, every_kind_of_input_streams, memory_stays_bounded,
                      killed_streams_go_on, a_file_that_shrinks_ends_the_run, what_needs_all_documents_is_refused], report)


if __name__ == "__main__":
    sys.exit(main())
