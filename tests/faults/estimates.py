"""What a pilot says of the time and what the run takes, for ten runs: `python -m tests.faults.estimates`.

Each in a fresh folder: `plan --pilot`, then `run`; the time of the run is that of its trials, without reading data,
tests and reports. Prints a table; ends with 1 when any is off by more than a factor of two.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from evalang.language.text import SourceText
from evalang.pipeline import Request, open_data, open_script, plan_script, run_pilot
from evalang.plans.build import build
from evalang.plans.cost import wall
from evalang.scores.metrics import score_candidate
from evalang.trials.options import Progress, RunOptions
from evalang.trials.schedule import run
from evalang.trials.store import Store

FOREST = "learner forest is random-forest(n_estimators = 40)\n"
TUNED = "learner tuned is decision-tree, tune max_depth in {2, 4, 8, 16}\n"
RUNS = (
    ("many quick trials", "compare naive-bayes vs decision-tree on iris using 100x10cv"),
    ("quick and slow", f"{FOREST}compare forest vs naive-bayes on breast-cancer using 10x10cv"),
    ("three datasets", f"{FOREST}compare forest vs knn on iris, wine, breast-cancer using 5x10cv, holm over datasets"),
    ("tuned on a part", f"{TUNED}compare tuned vs naive-bayes on breast-cancer using 10x10cv, tune on 20%"),
    ("tuned by 5cv", f"{TUNED}compare tuned vs knn on wine using 5x10cv, tune using 5cv"),
    ("halvings", f"{FOREST}compare forest vs decision-tree on breast-cancer using 5 halvings of 3x10cv"),
    ("resamples", f"{FOREST}compare forest vs logistic-regression on wine using 60 resamples of 2/3"),
    ("leave-one-out", "compare decision-tree vs knn on breast-cancer using leave-one-out"),
    ("one worker", f"{FOREST}compare forest vs knn on wine using 10x10cv"),
    ("bootstrap", f"{FOREST}compare forest vs decision-tree on digits using bootstrap 40"),
)


@dataclass(frozen=True)
class Ran:
    """One run: what the pilot said was left, what it took, and each report of progress by its second."""

    said: float
    took: float
    trials: int
    beside: float  # seconds of a worker for each trial that were not the trial's, from the first report on
    ratios: list[tuple[float, float]]


def one(script: str, jobs: int, folder: Path) -> Ran:
    """A pilot, then the rest."""
    source = SourceText(str(folder / "x.eval"), f"set seed 20\n{script}\n")
    request = Request(options=RunOptions(jobs=jobs, folder=folder / "run", pilot=60.0))
    cost, _ = run_pilot(open_script(source, request), request, build(source).plan)
    said = wall(cost, left=True)
    assert said is not None
    told: list[tuple[float, Progress]] = []
    again = open_data(plan_script(source, request), request)
    options = RunOptions(jobs=jobs, folder=folder / "run")
    outcome = run(again.plan, again.tables, options, score_candidate, lambda p: told.append((time.monotonic(), p)))
    begun, end = told[0][0], told[-1][0]
    store = Store(folder / "run", write=False)
    work = sum(trial.seconds or 0.0 for trial in store.trials(sorted(store.done())))
    store.close()
    work *= outcome.ran / outcome.total  # those of the pilot are there too
    return Ran(
        said=said,
        took=outcome.seconds,
        trials=outcome.ran,
        beside=(jobs * (end - begun) - work) / outcome.ran,
        ratios=[
            (at - begun, p.left / (end - at))
            for at, p in told
            if p.left is not None and not p.at_least and end - at > 1.0
        ],
    )


def main() -> int:
    """The table."""
    worst = 1.0
    print("| run | trials | said by the pilot | took | ratio | progress: within two | farthest off | beside a trial |")
    print("|---|---|---|---|---|---|---|---|")
    for name, script in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            found = one(script, 1 if name == "one worker" else 2, Path(folder))
        ratio = found.said / found.took
        worst = max(worst, ratio, 1 / ratio)
        near = sum(0.5 < one < 2 for _, one in found.ratios)
        at, off = max(found.ratios, key=lambda pair: max(pair[1], 1 / max(pair[1], 1e-9)), default=(0.0, 1.0))
        print(
            f"| {name} | {found.trials:,} | {found.said:.1f} s | {found.took:.1f} s | {ratio:.2f} "
            f"| {near} of {len(found.ratios)} | {off:.2f} after {at:.1f} s | {1000 * found.beside:.1f} ms |",
            flush=True,
        )
    return int(worst > 2)


if __name__ == "__main__":
    sys.exit(main())
