"""Many quick trials: `python -m tests.faults.stress [TRIALS] [JOBS ...]`.

Unless told otherwise 100,000 trials of a millisecond at 1, 2, 4 and 8 workers. Prints trials a second and the parent's
memory for each number of workers; ends with 1 when a trial is missing or differs.
"""

from __future__ import annotations

import hashlib
import resource
import sys
import tempfile
import time
from pathlib import Path

from evalang.plans.model import Scheme

from ..trials.made import carry_out, options, own, stored, table

FOLDS = 10


def many(folder: Path, trials: int, jobs: int, **learner: float) -> tuple[int, str]:
    """How many trials a run of so many made, and the digest of all it stored."""
    scheme = Scheme(kind="repeated-cv", partitions=trials // FOLDS, folds=FOLDS)
    _, outcome = carry_out([own("quick", "Slow", **learner)], [table(30)], scheme, options(folder, jobs))
    assert not outcome.failed
    found = stored(folder)
    return outcome.ran, hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()[:16]


def main(words: list[str]) -> int:
    trials = int(words[0]) if words else 100_000
    digests = set()
    for jobs in [int(word) for word in words[1:]] or [1, 2, 4, 8]:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            ran, digest = many(Path(folder), trials, jobs, seconds=0.001)
        rate = ran / (time.monotonic() - begun)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{jobs} workers: {ran} trials, {rate:.0f} a second, parent {peak} MB, {digest}", flush=True)
        digests.add((ran, digest))
    return int(digests != {(trials, next(iter(digests))[1])})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
