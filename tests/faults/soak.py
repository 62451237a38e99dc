"""Random faults over ten small scripts: `python -m tests.faults.soak [--minutes M] [--seed S]`.

Each round takes a script, starts `evalang run` on it, here or on a dask cluster, does one thing to it (one of
`soak_faults.py`) at a random instant, waits for its end and runs it again here, undisturbed. Then every trial that was
finished before the fault must still be there with the same bytes, the store must equal that of a run without faults,
no process may be left, and nothing may have taken over 30 seconds without a trial. Prints a table of faults; ends with
1 when something was lost, changed, left over or hung.
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
from importlib import import_module
from pathlib import Path

from evalang.cli.main import run as evalang
from evalang.errors import EvalangError
from evalang.trials.processes import adopt, children, descendants, end_all
from evalang.trials.store import NAME

from ..running import trials_in
from ..trials.dask_processes import Dask, dask
from ..trials.made import stored
from .child import start
from .clock import Clock
from .soak_faults import HERE, ON_A_CLUSTER, SMALL_DISK, Struck, delete_folder

SCHEMES = ("5x10cv", "3x10cv", "5x2cv", "12x5cv", "3x20cv")
SCRIPTS = tuple(
    f"set seed 20\ncompare {learner} vs majority on {dataset} using {scheme}\n"
    for dataset, learner in (("iris", "decision-tree"), ("wine", "naive-bayes"))
    for scheme in SCHEMES
)
PRELOADED = ("evalang.pipeline", "evalang.trials.cluster", "distributed", "sklearn.tree", "sklearn.naive_bayes")
HANG = 30.0  # seconds without a new trial
GIVEN_UP = 10 * HANG  # however busy the machine
LEFT = 15.0  # seconds that processes of a run may take to go after its end
Stored = dict[str, tuple[str, bytes]]


def launch(script: Path, folder: Path, clock: Clock, *options: str) -> int:
    """A run in a forked process, by a clock of its own; its number."""

    def work() -> int:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        clock.install()
        return evalang(["run", *options, "--out", str(folder), str(script)])

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


def waited(pids: set[int]) -> float:
    """Seconds for which these processes wanted a processor and others had it; 0 where the kernel does not count."""
    total = 0
    for path in [one for pid in pids for one in Path("/proc", str(pid), "task").glob("*/schedstat")]:
        with contextlib.suppress(OSError, IndexError):
            total += int(path.read_text().split()[1])
    return total / 1e9


def await_end(pid: int, folder: Path, far: set[int]) -> int | None:
    """The exit code; None when it hung, the time it waited for a processor not counted, and had to be killed."""

    def lost() -> float:
        return waited({one for top in {pid, *far} for one in (top, *descendants(top))})

    size, since, before = -1, time.monotonic(), lost()
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        now = stored_bytes(folder)
        if now != size:
            size, since, before = now, time.monotonic(), lost()
        still = time.monotonic() - since
        if still > GIVEN_UP or (still > HANG and still - (lost() - before) > HANG):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return None
        time.sleep(0.02)


def left_over(ours: set[int]) -> set[int]:
    """Orphans, all of which become children of this process, but not those of ours; they are ended."""
    until = time.monotonic() + LEFT
    while (left := children(os.getpid()) - ours) and time.monotonic() < until:
        for pid in left:
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.05)
    end_all(left)
    return left


class Soak:
    """One folder of scripts and their runs, one cluster, and what went wrong."""

    def __init__(self, place: Path, cluster: Dask, seed: int, small: bool) -> None:
        self._place, self._cluster, self._random = place, cluster, random.Random(seed)
        self._clock = Clock()
        self._here = HERE + SMALL_DISK if small else HERE
        self._whole: dict[int, Stored] = {}
        self.rounds: Counter[str] = Counter()
        self.wrong: list[str] = []

    def round(self) -> None:
        """One script, one fault, one run that takes it up."""
        which, jobs = self._random.randrange(len(SCRIPTS)), self._random.choice(("1", "2"))
        far = self._random.random() < 0.35
        fault, wait = self._random.choice(ON_A_CLUSTER if far else self._here), self._random.uniform(0, 1)
        early = self._random.random() < 0.25  # before anything is stored; else counted from the first trial on
        script = self._place / f"s{which}.eval"
        script.write_text(SCRIPTS[which])
        if which not in self._whole:
            self._whole[which] = self._undisturbed(script, which)
        folder = self._place / f"run{which}"
        where = ("--scheduler", self._cluster.address) if far else ("--jobs", jobs)
        pid = launch(script, folder, self._clock, *where)
        until = time.monotonic() + (0 if early else HANG)
        while not count(folder) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(wait)
        before = found(folder)
        if os.waitpid(pid, os.WNOHANG) != (0, 0):
            self.rounds["ended before the fault"] += 1
            shutil.rmtree(folder, ignore_errors=True)
            return
        fault(Struck(pid=pid, folder=folder, cluster=self._cluster, clock=self._clock, rng=self._random))
        name = fault.__name__.replace("_", " ") + (", on the cluster" if far else "")
        self.rounds[name] += 1
        self.rounds["(of all, with finished trials at stake)"] += bool(before) and before != self._whole[which]
        self._check(f"{name}, script {which}, {' '.join(where)}, after {wait:.2f} s", pid, folder)
        (folder.parent / "filler").unlink(missing_ok=True)
        self._clock.jump(0)
        after = {} if fault is delete_folder else before
        kept = found(folder)
        if any(kept.get(key) != value for key, value in after.items()):
            self.wrong.append(f"{name}: a finished trial of script {which} was lost or changed")
        again = launch(script, folder, self._clock, "--jobs", jobs)
        self._check(f"taken up after {name}, script {which}", again, folder, code=0)
        if found(folder) != self._whole[which]:
            self.wrong.append(f"{name}: the store of script {which} differs from that of an undisturbed run")
        shutil.rmtree(folder, ignore_errors=True)

    def _undisturbed(self, script: Path, which: int) -> Stored:
        folder = self._place / f"whole{which}"
        self._check(f"undisturbed, script {which}", launch(script, folder, self._clock, "--jobs", "1"), folder, code=0)
        whole = found(folder)
        assert whole, "a run without faults stored nothing"
        shutil.rmtree(folder)
        return whole

    def _check(self, what: str, pid: int, folder: Path, code: int | None = None) -> None:
        ended = await_end(pid, folder, self._cluster.numbers())
        if ended is None:
            self.wrong.append(f"{what}: nothing moved for {HANG:g} s")
        elif ended == 3 or (code is not None and ended != code):
            self.wrong.append(f"{what}: ended with {ended}")
        if left := left_over(self._cluster.numbers()):
            self.wrong.append(f"{what}: {len(left)} processes were left")


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=20)
    given = parser.parse_args(words)
    adopt()
    for name in PRELOADED:  # once for all rounds
        import_module(name)
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as far, dask(Path(far)) as cluster:
        mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", name]
        small = not subprocess.run(mount, capture_output=True, check=False).returncode
        try:
            soak = Soak(Path(name), cluster, given.seed, small)
            begun = time.monotonic()
            while time.monotonic() < begun + 60 * given.minutes:
                soak.round()
                print(f"{time.monotonic() - begun:.0f} s: {len(soak.wrong)} wrong", *soak.wrong[-1:], flush=True)
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
