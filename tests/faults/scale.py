"""A run of very many trials: `python -m tests.faults.scale [--trials N] [--jobs J] [--minutes M]`.

A learner that does nothing against another, N planned trials, by the real command line. Prints the finished trials and
the memory of parent and workers as time goes by, then the time and memory of `evalang report`. After M minutes the run
is interrupted as by Ctrl-C; then there is no report, which wants a finished run. Ends with 1 when something failed.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evalang.trials.processes import children

from ..cli.calling import ROOT
from ..running import trials_in

SCRIPT = """set seed 20
learner idle is "tests.faults.estimators:Constant" because "it does nothing"
compare idle vs majority on iris using {partitions}x10cv
"""
EACH = 20  # trials of a partition: ten folds, two learners


def memory(pid: int) -> int:
    """Megabytes that a process holds; 0 when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() // 2**20
    except (OSError, IndexError):
        return 0


def evalang(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """A command under way, with its words in a file beside the script."""
    with (folder / "said").open("ab") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "evalang", *words],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip


def watch(run: subprocess.Popen[bytes], place: Path, planned: int, seconds: float) -> None:
    """One line every now and then until it ends, or is asked to."""
    begun = time.monotonic()
    asked = False
    while run.poll() is None:
        passed = time.monotonic() - begun
        workers = [memory(pid) for pid in children(run.pid)]
        print(
            f"{passed:6.0f} s  {trials_in(place):7} of {planned}  parent {memory(run.pid)} MB, workers {workers} MB",
            flush=True,
        )
        if passed > seconds and not asked:
            run.send_signal(signal.SIGINT)
            asked = True
        try:
            run.wait(max(2.0, min(seconds, 600) / 20))
        except subprocess.TimeoutExpired:
            continue


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.scale")
    parser.add_argument("--trials", type=int, default=300_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600)
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "study.eval").write_text(SCRIPT.format(partitions=given.trials // EACH))
        place = folder / "runs" / "study"
        run = evalang(folder, "run", "--jobs", str(given.jobs), "--trust", "tests.faults", "study.eval")
        begun = time.monotonic()
        watch(run, place, given.trials, 60 * given.minutes)
        done, seconds = trials_in(place), time.monotonic() - begun
        size = sum(file.stat().st_size for file in place.glob("trials.sqlite*")) // 2**20
        print(f"run ended with {run.returncode}: {done} trials, {done / seconds:.0f} a second, store {size} MB")
        if run.returncode:
            print((folder / "said").read_text()[-600:])
            return int(run.returncode != 130)
        begun = time.monotonic()
        report = evalang(folder, "report", str(place))
        most = 0
        while report.poll() is None:
            most = max(most, memory(report.pid))
            time.sleep(0.05)
        print(f"report ended with {report.returncode} after {time.monotonic() - begun:.1f} s, {most} MB")
    return int(report.returncode != 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
