# SPDX-License-Identifier: MIT
# Runs the program, makes input for it, and compares what it wrote.
import filecmp
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("PACKSCOPE_PROGRAM", str(ROOT / "build" / "dev" / "packscope"))


def packscope(*arguments, expect=0):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if expect is not None and done.returncode != expect:
        raise RuntimeError(f"{' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr}")
    return done


def with_little_memory(kilobytes, *arguments):
    """The program with a limit on the memory that it may ask for."""
    command = ["bash", "-c", f'ulimit -d {kilobytes}; exec "$@"', "bash", PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def same_folders(one, other, ignored=()):
    """Whether two folders hold the same files with the same bytes."""
    names = [sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name not in ignored)
             for folder in (one, other)]
    return names[0] == names[1] and all(filecmp.cmp(one / name, other / name, shallow=False) for name in names[0])


def write_documents(path, count, seed, make):
    """JSON lines, each as `make` gives it."""
    numbers = random.Random(seed)
    with open(path, "w") as file:
        for index in range(count):
            file.write(json.dumps(make(numbers, index)) + "\n")


def resume_compares_tokens(run, path, check):
    """What `run` resumes was made of `path`: with other tokens of the same lengths it says so and keeps what is there."""
    documents = path.read_text()
    path.write_text(re.sub(r"\[\d+, \d+", "[1, 1", documents))
    told = run()
    # Of several ranks any may be the first to look.
    check(re.search(r"shard-\d+: its input_ids are not those that the input gives now", told), "changed tokens are found", told)
    path.write_text(documents)


def kill_and_resume(folder, command, times, longest, check):
    """Starts the same command again and again and stops it at random moments, then lets it end: nothing or all of
    FOLDER/undisturbed stands in FOLDER/killed, and in the end all of it."""
    undisturbed, out = folder / "undisturbed", folder / "killed"
    packscope(*command, "-o", undisturbed)
    numbers = random.Random(5)
    for _ in range(times):
        run = subprocess.Popen([PROGRAM, *map(str, command), "-o", str(out), "--resume"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(numbers.uniform(0, longest))
        run.send_signal(numbers.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
        run.wait()
        if out.exists():
            check(same_folders(undisturbed, out), "after a kill there is all or nothing")
            shutil.rmtree(out)
    packscope(*command, "-o", out, "--resume")
    check(same_folders(undisturbed, out), f"resumed after {times} kills")
    check(list(folder.glob(".killed*")) == [], "nothing is left beside it")


def run_tests(tests, report):
    """Calls each with a folder that all share, and gives the exit code. With -v says how long each took."""
    with tempfile.TemporaryDirectory() as name:
        for test in tests:
            start = time.monotonic()
            try:
                test(Path(name))
            except (RuntimeError, OSError, KeyError) as error:
                report.check(False, test.__name__, error)
            if "-v" in sys.argv:
                print(f"{test.__name__}: {time.monotonic() - start:.1f} s")
    return report.finish()
