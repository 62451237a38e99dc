"""What is wrong in one evaluation: which tests reject what is true, which intervals miss it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans.model import Metric
from evalang.results.records import Interval, TestResult
from evalang.scores.row_values import reduced
from evalang.verdicts.apply import compute
from evalang.verdicts.tests.dependent_rows import cluster_permutation, cluster_t
from evalang.verdicts.tests.intervals import item_interval
from evalang.verdicts.tests.t_tests import row_t

from .draws import ItemDesign

Wrong = dict[str, bool]  # by test and what it does: whether it was wrong
ALPHA = 0.05
MEAN, MAJORITY = Metric("accuracy"), Metric("accuracy", epochs="majority")
MCNEMARS = ("mcnemar", "mcnemar-exact", "mcnemar-midp")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSetting:
    """One line of the outcome for every test in it."""

    what: str
    name: str
    design: ItemDesign
    wrong: Callable[[ItemDesign, np.random.Generator], Wrong]
    by: str = ""  # the only test in it


def passing(k: int) -> Metric:
    return Metric("pass", options=(("k", k),))


def misses(interval: Interval | None, truth: float) -> bool:
    return interval is not None and not interval.low <= truth <= interval.high


def of_pair(name: str, found: TestResult, truth: float) -> Iterator[tuple[str, bool]]:
    """Equal models are rejected, or the difference lies outside of the interval."""
    if truth == 0.0:
        yield f"{name}, rejects", (found.pvalue or 0.0) <= ALPHA
    yield f"{name}, interval misses", misses(found.interval, truth)


def on_items(design: ItemDesign, rng: np.random.Generator) -> Wrong:
    """Two models on independent items."""
    values = design.draw(rng)
    found: Wrong = {}
    for k in (1, 2, 5)[: 1 if design.epochs == 1 else 3]:
        one, two = reduced(values, MEAN if k == 1 else passing(k))
        label = "" if k == 1 else f" of pass@{k}"
        first, second = design.truth(k)
        found |= of_pair(f"row-t{label}", row_t(one, two), first - second)
        interval = item_interval(one, values=values[0] if k == 1 else None).interval
        found[f"item-interval{label}, interval misses"] = misses(interval, first)
    if design.epochs == 1:
        right = values[:, :, 0] == 1.0
        for name in MCNEMARS:
            found |= of_pair(name, compute(name, first=right[0], second=right[1]), float(np.subtract(*design.truth())))
    elif design.abilities[0] == design.abilities[1]:  # of the majority only the null is known in closed form
        right = reduced(values, MAJORITY) == 1.0
        exact = compute("mcnemar-exact", first=right[0], second=right[1])
        found["mcnemar-exact of the majority, rejects"] = (exact.pvalue or 0.0) <= ALPHA
    return found


def in_groups(design: ItemDesign, rng: np.random.Generator) -> Wrong:
    """Two models on items that come in groups; row-t takes them for independent."""
    values, groups = design.draw(rng), design.places
    one, two = reduced(values, MEAN)
    first, second = design.truth()
    found = dict(of_pair("cluster-permutation", cluster_permutation(one, two, groups=groups, rng=rng), first - second))
    found |= of_pair("cluster-t", cluster_t(one, two, groups=groups), first - second)
    found["item-interval, interval misses"] = misses(
        item_interval(one, values=values[0], groups=groups).interval, first
    )
    found |= of_pair("row-t, groups unsaid", row_t(one, two), first - second)
    return found


def all_pairs(by: str) -> Callable[[ItemDesign, np.random.Generator], Wrong]:
    """A table on disk of several models, all pairs, Holm: wrong where one sentence or one interval is."""

    def wrong(design: ItemDesign, rng: np.random.Generator) -> Wrong:
        table = _table(design, rng)
        more = ', groups "text"' if design.groups else ""
        script = (
            f'results answers from csv "t.csv", items in "item"{more}, measuring accuracy\n'
            f"compare all on answers by {by}, all pairs, holm over learners, seed {rng.integers(1000)}\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            table.to_csv(Path(folder) / "t.csv", index=False)
            result = run_script(SourceText(str(Path(folder) / "s.eval"), script), Request())
        truth = dict(zip((f"m{i}" for i in range(len(design.abilities))), design.truth(), strict=True))
        pairs = [v for v in result.verdicts if v.pair]
        assert len(pairs) == len(truth) * (len(truth) - 1) // 2
        return {
            f"{by}, a wrong sentence": any(_wrong_way(v, truth) for v in pairs),
            f"{by}, an interval misses": any(
                misses(v.interval, truth[v.learners[0]] - truth[v.learners[1]]) for v in pairs
            ),
        }

    return wrong


def _table(design: ItemDesign, rng: np.random.Generator) -> pd.DataFrame:
    right = design.draw(rng)[:, :, 0].astype(int)
    columns: dict[str, Any] = {"item": np.arange(design.items)}
    if (places := design.places) is not None:
        columns["text"] = places
    return pd.DataFrame(columns | {f"m{i}": row for i, row in enumerate(right)})


def _wrong_way(verdict: Any, truth: dict[str, float]) -> bool:
    gap = truth[verdict.learners[0]] - truth[verdict.learners[1]]
    if verdict.decision in ("not-settled", "undecided"):
        return False
    return bool((gap <= 0 and verdict.decision == "first-better") or (gap >= 0 and verdict.decision == "second-better"))
