"""What a trial on a cluster costs beyond dask itself: `python -m tests.faults.overhead [TRIALS]`.

A dask scheduler and one worker as processes here. Empty functions by a bare client, then trials of a learner that does
nothing, in turns, from the first that came back on: before it processes start. Prints both and their ratio; ends with 1
when it is over 3.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from evalang.plans.model import Scheme
from evalang.trials.options import Progress

from ..trials.dask_processes import Dask, dask
from ..trials.made import carry_out, options, own, table

ROUNDS = 3
MOST = 3.0


def empty(_: int) -> None:
    """What a bare client submits."""


def bare(there: Dask, count: int) -> float:
    """Seconds for each empty function."""
    from distributed import Client

    with Client(there.address, set_as_default=False) as client:
        client.submit(empty, -1, pure=False).result()
        begun = time.monotonic()
        client.gather([client.submit(empty, i, pure=False) for i in range(count)])
        return (time.monotonic() - begun) / count


def trials(there: Dask, count: int, folder: Path) -> float:
    """Seconds for each trial after the first that came back."""
    first: list[tuple[float, int]] = []

    def report(now: Progress) -> None:
        if not first and now.done:
            first.append((time.monotonic(), now.done))

    scheme = Scheme(kind="repeated-cv", partitions=count // 10, folds=10)
    how = replace(options(folder), scheduler=there.address)
    carry_out([own("nothing", "Constant")], [table(30)], scheme, how, report)
    begun, done = first[0]
    return (time.monotonic() - begun) / (count - done)


def main(words: list[str]) -> int:
    count = int(words[0]) if words else 1000
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as name, dask(Path(name)) as there:
        for number in range(ROUNDS):
            theirs.append(bare(there, count))
            ours.append(trials(there, count, Path(name, f"run{number}")))
            print(f"bare {1000 * theirs[-1]:.2f} ms, a trial {1000 * ours[-1]:.2f} ms", flush=True)
    ratio = min(ours) / min(theirs)
    print(f"{ratio:.2f} times (the quickest of {ROUNDS} rounds each)")
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
