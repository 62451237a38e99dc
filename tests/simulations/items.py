"""How often tests and intervals of items are wrong: models whose abilities are known answer items drawn anew.

    python -m tests.simulations.items [RUNS]      RUNS of each setting (2000), a tenth of them for all pairs

The rates are added to the study of levels. What is stored in docs/studies/levels/outcome/items.csv is not made again.
"""

from __future__ import annotations

import csv
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans.model import Metric
from evalang.results.records import Interval, TestResult
from evalang.scores.row_values import reduced
from evalang.verdicts.apply import compute
from evalang.verdicts.tests.dependent_rows import cluster_permutation, cluster_t
from evalang.verdicts.tests.intervals import item_interval
from evalang.verdicts.tests.t_tests import row_t

from .levels.outcome import OUTCOME, by_what, counted, write_csv
from .levels.unfolded import HEAD

Floats = NDArray[np.float64]
SHARED, OWN, GROUPED = 1.0, 0.7, 0.7  # spreads on the logit scale: of items, of a model on an item, of one on a group
AT, WEIGHT = np.polynomial.hermite_e.hermegauss(80)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemDesign:
    """An evaluation: its size, and the abilities of its models as logits of an item of middle difficulty."""

    items: int
    epochs: int
    abilities: tuple[float, ...]
    groups: int = 0  # 0: items are independent
    uneven: bool = False  # the largest group has about nine times the items of the smallest

    @property
    def places(self) -> NDArray[np.intp] | None:
        """The group of every item."""
        if not self.groups:
            return None
        weight = np.linspace(1.0, 9.0 if self.uneven else 1.0, self.groups)
        ends = np.cumsum(weight) / weight.sum() * self.items
        return np.searchsorted(ends, np.arange(self.items) + 0.5)

    def truth(self, k: int = 1) -> Floats:
        """By model: the chance that at least one of k samples of a new item is right, by quadrature."""
        spread = np.sqrt(SHARED**2 + OWN**2 + (GROUPED**2 if self.groups else 0.0))
        wrong = special.expit(-(np.asarray(self.abilities)[:, None] + spread * AT)) ** k
        return np.asarray(1.0 - wrong @ WEIGHT / WEIGHT.sum())

    def draw(self, rng: np.random.Generator) -> Floats:
        """Right (1) and wrong (0) as [model, item, epoch]."""
        models = len(self.abilities)
        logit = np.asarray(self.abilities)[:, None] + OWN * rng.normal(size=(models, self.items))
        logit += SHARED * rng.normal(size=self.items)
        if (places := self.places) is not None:
            logit += GROUPED * rng.normal(size=(models, self.groups))[:, places]
        chance = special.expit(logit)[:, :, None]
        return (rng.random((models, self.items, self.epochs)) < chance).astype(np.float64)


# What is wrong in one evaluation: which tests reject what is true, which intervals miss it

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
    yield f"{name}, interval misses the truth", misses(found.interval, truth)


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
        found[f"item-interval{label}, interval misses the truth"] = misses(interval, first)
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
    found["item-interval, interval misses the truth"] = misses(
        item_interval(one, values=values[0], groups=groups).interval, first
    )
    found |= of_pair("row-t, groups not declared", row_t(one, two), first - second)
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
            f"{by}, a false sentence": any(_wrong_way(v, truth) for v in pairs),
            f"{by}, an interval misses the truth": any(
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


# Every setting, and its rates

STORED = OUTCOME / "items.csv"
SLOW = "all pairs"  # from script to verdict, so run less often
EASY, EQUAL, APART = (2.5, 2.5), (0.0, 0.0), (0.4, 0.0)
NAMES = {EASY: "easy, equal models", EQUAL: "equal models", APART: "different models"}


def settings() -> Iterator[ItemSetting]:
    """Items alone, in groups, and all pairs of five models."""
    for items in (50, 200, 1000):
        for epochs in (1, 5):
            size = f"{items} items, {epochs} epoch{'s' * (epochs > 1)}"
            for abilities, said in NAMES.items():
                design = ItemDesign(items=items, epochs=epochs, abilities=abilities)
                yield ItemSetting(what="items", name=f"{size}, {said}", design=design, wrong=on_items)
            for groups in (10, 20, 50):
                if items < 2 * groups:
                    continue
                for uneven in (False, True):
                    for abilities in (EQUAL, APART):
                        design = ItemDesign(
                            items=items, epochs=epochs, abilities=abilities, groups=groups, uneven=uneven
                        )
                        said = f"{groups} {'uneven' if uneven else 'equal'} groups, {NAMES[abilities]}"
                        yield ItemSetting(what="groups", name=f"{size}, {said}", design=design, wrong=in_groups)
    for abilities, said in (((0.0,) * 5, "five equal models"), ((0.0, 0.0, 0.3, 0.6, 1.2), "five models, two equal")):
        for items in (50, 200):
            for by in ("row-t", "mcnemar-exact"):
                design = ItemDesign(items=items, epochs=1, abilities=abilities)
                yield ItemSetting(what=SLOW, name=f"{items} items, {said}", design=design, wrong=all_pairs(by), by=by)
        for groups, by in ((10, "cluster-permutation"), (20, "cluster-permutation"), (50, "cluster-t")):
            design = ItemDesign(items=200, epochs=1, abilities=abilities, groups=groups)
            name = f"200 items, {groups} equal groups, {said}"
            yield ItemSetting(what=SLOW, name=name, design=design, wrong=all_pairs(by), by=by)


def wrongs_of(setting: ItemSetting, runs: int) -> Counter[str]:
    """By test and what it does, in how many of the runs it was wrong; 0 is kept."""
    rng = np.random.default_rng(zlib.crc32(f"{setting.what}/{setting.name}".encode()))
    found: Counter[str] = Counter()
    for _ in range(runs):
        found.update({name: int(wrong) for name, wrong in setting.wrong(setting.design, rng).items()})
    return found


def measure(runs: int, path: Path = STORED) -> None:
    """Add what is missing to the stored rates, setting by setting; all pairs with a tenth of the runs."""
    rows: list[tuple[object, ...]] = []
    if path.exists():
        with path.open(newline="") as file:
            rows = [tuple(row) for row in csv.reader(file)][1:]
    done = {row[:3] for row in rows}
    for setting in settings():
        if any(key[:2] == (setting.what, setting.name) and str(key[2]).startswith(setting.by) for key in done):
            continue
        times = runs // 10 if setting.what == SLOW else runs
        for name, wrong in wrongs_of(setting, times).items():
            rows.append((setting.what, setting.name, name, *counted(wrong, times)))
        write_csv(path, HEAD, rows)
    head = ("data and test", "settings", "lowest", "highest", "above .06", "highest in")
    write_csv(path.with_name("items-ranges.csv"), head, by_what(path))


if __name__ == "__main__":
    measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
