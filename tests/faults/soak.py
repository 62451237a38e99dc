"""Random faults over ten small scripts: `python -m tests.faults.soak [--minutes M] [--seed S]`.

Each round takes a script, starts `evalang run` on it, does one thing to it at a random instant, waits for its end and
runs it again undisturbed. Then every trial that was finished before the fault must still be there with the same bytes,
the store must equal that of a run without faults, no process may be left, and nothing may have taken over 30 seconds
without a trial. Prints a table of faults; ends with 1 when something was lost, changed, left over or hung.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from evalang.cli.main import run as evalang
from evalang.errors import EvalangError
from evalang.trials.descendants import adopt, children, end_all
from evalang.trials.store import NAME

from ..running import trials_in
from ..trials.made import stored
from .child import start

SCHEMES = ("10cv", "3x10cv", "5x2cv", "6x5cv", "20cv")
SCRIPTS = tuple(
    f"set seed 20\ncompare {learner} vs majority on {dataset} using {scheme}\n"
    for dataset, learner in (("iris", "decision-tree"), ("wine", "naive-bayes"))
    for scheme in SCHEMES
)
HANG = 30.0  # seconds without a new trial
LEFT = 5.0  # seconds that processes of a run may take to go after its end
Stored = dict[str, tuple[str, bytes]]


def kill_parent(pid: int, _: Path) -> None:
    os.kill(pid, signal.SIGKILL)


def kill_worker(pid: int, _: Path) -> None:
    for worker in sorted(children(pid))[:1]:
        os.kill(worker, signal.SIGKILL)


def stop_and_continue(pid: int, _: Path) -> None:
    for one in (pid, *sorted(children(pid))):
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGSTOP)
            time.sleep(0.3)
            os.kill(one, signal.SIGCONT)


def interrupt(pid: int, _: Path) -> None:
    os.kill(pid, signal.SIGINT)


def delete_files(_: int, folder: Path) -> None:
    for name in ("plan.json", "script.eval", "environment.json", "result.json"):
        (folder / name).unlink(missing_ok=True)


def delete_folder(_: int, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def fill_disk(_: int, folder: Path) -> None:
    """Only on a small file system; the file goes away before the run is taken up."""
    with contextlib.suppress(OSError), (folder.parent / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"0" * 4096)


FAULTS: tuple[Callable[[int, Path], None], ...] = (
    kill_parent, kill_worker, stop_and_continue, interrupt, delete_files, delete_folder, fill_disk,
)  # fmt: skip


def launch(script: Path, folder: Path, jobs: int) -> int:
    """A run in a forked process; its number."""

    def work() -> int:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        return evalang(["run", "--jobs", str(jobs), "--out", str(folder), str(script)])

    return start(work)


def found(folder: Path) -> Stored:
    try:
        return stored(folder) if (folder / "trials.sqlite").exists() else {}
    except (EvalangError, OSError):
        return {}


def count(folder: Path) -> int:
    try:
        return trials_in(folder)
    except (EvalangError, OSError):
        return 0


def stored_bytes(folder: Path) -> int:
    """The size of the store with its log, which comes and goes while it is looked at."""
    total = 0
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            total += (folder / f"{NAME}{ending}").stat().st_size
    return total


def await_end(pid: int, folder: Path) -> int | None:
    """The exit code; None when it hung and had to be killed."""
    size, since = -1, time.monotonic()
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        now = stored_bytes(folder)
        if now != size:
            size, since = now, time.monotonic()
        if time.monotonic() - since > HANG:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return None
        time.sleep(0.02)


def left_over() -> set[int]:
    """Orphans, all of which become children of this process; they are ended."""
    until = time.monotonic() + LEFT
    while (left := children(os.getpid())) and time.monotonic() < until:
        for pid in left:
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.05)
    end_all(left)
    return left


class Soak:
    """One folder of scripts and their runs, and what went wrong."""

    def __init__(self, place: Path, seed: int, small: bool) -> None:
        self._place, self._random = place, random.Random(seed)
        self._faults = FAULTS if small else FAULTS[:-1]
        self._whole: dict[int, Stored] = {}
        self.rounds: Counter[str] = Counter()
        self.wrong: list[str] = []

    def round(self) -> None:
        """One script, one fault, one run that takes it up."""
        which, jobs = self._random.randrange(len(SCRIPTS)), self._random.choice((1, 2))
        fault, wait = self._random.choice(self._faults), self._random.uniform(0, 1)
        early = self._random.random() < 0.25  # before anything is stored; else counted from the first trial on
        script = self._place / f"s{which}.eval"
        script.write_text(SCRIPTS[which])
        if which not in self._whole:
            self._whole[which] = self._undisturbed(script, which)
        folder = self._place / f"run{which}"
        pid = launch(script, folder, jobs)
        until = time.monotonic() + (0 if early else HANG)
        while not count(folder) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(wait)
        before = found(folder)
        if os.waitpid(pid, os.WNOHANG) != (0, 0):
            self.rounds["ended before the fault"] += 1
            shutil.rmtree(folder, ignore_errors=True)
            return
        fault(pid, folder)
        name = fault.__name__.replace("_", " ")
        self.rounds[name] += 1
        self.rounds["(of all, with finished trials at stake)"] += bool(before) and before != self._whole[which]
        self._check(f"{name}, script {which}, {jobs} workers, after {wait:.2f} s", pid, folder)
        (folder.parent / "filler").unlink(missing_ok=True)
        after = {} if fault is delete_folder else before
        kept = found(folder)
        if any(kept.get(key) != value for key, value in after.items()):
            self.wrong.append(f"{name}: a finished trial of script {which} was lost or changed")
        self._check(f"taken up after {name}, script {which}", launch(script, folder, jobs), folder, code=0)
        if found(folder) != self._whole[which]:
            self.wrong.append(f"{name}: the store of script {which} differs from that of an undisturbed run")
        shutil.rmtree(folder, ignore_errors=True)

    def _undisturbed(self, script: Path, which: int) -> Stored:
        folder = self._place / f"whole{which}"
        self._check(f"undisturbed, script {which}", launch(script, folder, 1), folder, code=0)
        whole = found(folder)
        assert whole, "a run without faults stored nothing"
        shutil.rmtree(folder)
        return whole

    def _check(self, what: str, pid: int, folder: Path, code: int | None = None) -> None:
        ended = await_end(pid, folder)
        if ended is None:
            self.wrong.append(f"{what}: nothing moved for {HANG:g} s")
        elif ended == 3 or (code is not None and ended != code):
            self.wrong.append(f"{what}: ended with {ended}")
        if left := left_over():
            self.wrong.append(f"{what}: {len(left)} processes were left")


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=20)
    given = parser.parse_args(words)
    adopt()
    with tempfile.TemporaryDirectory() as name:
        mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", name]
        small = not subprocess.run(mount, capture_output=True, check=False).returncode
        try:
            soak = Soak(Path(name), given.seed, small)
            until = time.monotonic() + 60 * given.minutes
            while time.monotonic() < until:
                soak.round()
        finally:
            if small:
                subprocess.run(["umount", "-l", name], check=True)
    for fault, count in sorted(soak.rounds.items()):
        print(f"{count:6}  {fault}")
    print("" if small else "no small file system could be mounted: the disk was never full")
    print("\n".join(soak.wrong) or "nothing lost, nothing changed, nothing left over, nothing hung")
    return int(bool(soak.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
