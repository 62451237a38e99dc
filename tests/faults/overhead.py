"""What a trial on a cluster costs beyond dask itself: `python -m tests.faults.overhead [TRIALS]`.

A dask scheduler and one worker as processes here. Empty functions by a bare client, then trials of a learner that does
nothing, in turns, from the first that came back on: before it processes start. Prints the time that passed and the
processor time of all processes for both, and the ratios; ends with 1 when the first is over 3.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from evalang.plans.model import Scheme
from evalang.trials.options import Progress
from evalang.trials.processes import descendants

from ..trials.dask_processes import Dask, dask
from ..trials.made import carry_out, options, own, table

ROUNDS = 3
MOST = 3.0


def empty(_: int) -> None:
    """What a bare client submits."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by the clock and of a processor: at an instant, or of one call."""

    clock: float
    processor: float

    def since(self, before: Cost, calls: int) -> Cost:
        return Cost((self.clock - before.clock) / calls, (self.processor - before.processor) / calls)

    def __str__(self) -> str:
        return f"{1000 * self.clock:.2f} ms ({1000 * self.processor:.2f} ms of a processor)"


def now(there: Dask) -> Cost:
    """Of this process and of the cluster's, with what they have started."""
    mine = time.process_time()
    return Cost(
        time.monotonic(),
        mine
        + sum(ticks(pid, ended=True) for pid in there.numbers())
        + sum(ticks(below) for pid in there.numbers() for below in descendants(pid)),
    )


def ticks(pid: int, ended: bool = False) -> float:
    """Seconds of a processor that a process has used, with or without those that its children had when they ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if ended else 13])) / os.sysconf("SC_CLK_TCK")


def bare(there: Dask, count: int) -> Cost:
    """Of each empty function."""
    from distributed import Client

    with Client(there.address, set_as_default=False) as client:
        client.submit(empty, -1, pure=False).result()
        begun = now(there)
        client.gather([client.submit(empty, i, pure=False) for i in range(count)])
        return now(there).since(begun, count)


def trials(there: Dask, count: int, folder: Path) -> Cost:
    """Of each trial after the first that came back."""
    first: list[tuple[Cost, int]] = []
    last: list[Cost] = []

    def report(progress: Progress) -> None:
        if not first and progress.done:
            first.append((now(there), progress.done))
        if progress.done == count:
            last.append(now(there))

    scheme = Scheme(kind="repeated-cv", partitions=count // 10, folds=10)
    how = replace(options(folder), scheduler=there.address)
    carry_out([own("nothing", "Constant")], [table(30)], scheme, how, report)
    begun, done = first[0]
    return last[0].since(begun, count - done)


def main(words: list[str]) -> int:
    count = int(words[0]) if words else 1000
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as name, dask(Path(name)) as there:
        for number in range(ROUNDS):
            theirs.append(bare(there, count))
            ours.append(trials(there, count, Path(name, f"run{number}")))
            print(f"bare {theirs[-1]}, a trial {ours[-1]}", flush=True)
    ratio = min(one.clock for one in ours) / min(one.clock for one in theirs)
    processor = min(one.processor for one in ours) / min(one.processor for one in theirs)
    print(f"{ratio:.2f} times, {processor:.2f} times of a processor (the quickest of {ROUNDS} rounds each)")
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
