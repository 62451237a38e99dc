"""Learners in another order, or under other names: the same p to the last bit, and the mirrored interval."""

from __future__ import annotations

import inspect
import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.catalogue.tests import TESTS
from evalang.results.records import TestResult, Verdict
from evalang.verdicts.apply import function_of
from evalang.verdicts.arithmetic.differences import orientation

from ..support.tables import run_on

ROWS = 80
PREDICTIONS = 'predictions t from csv "t.csv", truth "y", learners in {}{}\ncompare {} on t measuring {}, seed 3'
RESULTS = 'results t from csv "t.csv", datasets in "set", measuring {}\ncompare {} on t, seed 3'


def numbers(rng: np.random.Generator, learners: str, *, level: bool = False) -> pd.DataFrame:
    """Numbers; `level`: the errors of the second are those of the first on other rows, so that nobody is ahead."""
    y = np.round(rng.normal(size=ROWS), 1)
    off = {x: np.round(rng.exponential(size=ROWS), 2) for x in learners}
    if level:
        off[learners[1]] = np.concatenate([off[learners[0]][ROWS // 2 :], off[learners[0]][: ROWS // 2]])
    return pd.DataFrame({"y": y, "g": np.arange(ROWS) % 25} | {x: y + off[x] for x in learners})


def classes(rng: np.random.Generator, learners: str, *, level: bool = False) -> pd.DataFrame:
    """Classes; `level`: as often right the one as the other."""
    y = np.array(["no", "yes"])[rng.integers(0, 2, ROWS)]
    wrong = {x: rng.random(ROWS) < 0.3 for x in learners}
    if level:
        wrong[learners[1]] = ~wrong[learners[0]] & (np.cumsum(~wrong[learners[0]]) <= wrong[learners[0]].sum())
    other = np.where(y == "no", "yes", "no")
    return pd.DataFrame({"y": y, "g": np.arange(ROWS) % 25} | {x: np.where(wrong[x], other, y) for x in learners})


def scores(rng: np.random.Generator, learners: str, *, level: bool = False) -> pd.DataFrame:
    """Scores on datasets; `level`: each learner wins as often as the other, by as much."""
    made = {x: np.round(rng.uniform(0.6, 0.9, 32), 3) for x in learners}
    if level:
        made[learners[1]] = np.concatenate([made[learners[0]][16:], made[learners[0]][:16]])
    return pd.DataFrame({"set": [f"s{i}" for i in range(32)]} | made)


def script(kind: str, shown: tuple[str, ...], order: tuple[str, ...]) -> str:
    listed, compared = ", ".join(f'"{x}"' for x in shown), " vs ".join(order)
    if kind == "datasets":
        return RESULTS.format("accuracy", compared)
    measured = {"numbers": "mae", "labels": "accuracy", "f-score": "f-score"}.get(kind, "mae")
    more = ', groups "g"' if kind == "groups" else ', positive "yes"' if kind in ("labels", "f-score") else ""
    return PREDICTIONS.format(listed, more, compared, measured)


MADE = {"numbers": numbers, "groups": numbers, "labels": classes, "f-score": classes, "datasets": scores}
DRAWN = {  # test, and on what
    ("permutation", "numbers"): "by permutation",
    ("permutation", "labels"): "by permutation",
    ("permutation", "datasets"): "by permutation",
    ("bootstrap", "numbers"): "by bootstrap",
    ("bootstrap", "labels"): "by bootstrap",
    ("bootstrap", "f-score"): "by bootstrap(resamples = 201)",
    ("bootstrap", "datasets"): "by bootstrap",
    ("cluster-permutation", "groups"): "by cluster-permutation",
    ("bayes-signed-rank", "datasets"): "by bayes-signed-rank, rope 1 point",
}


def verdicts(folder: Path, kind: str, frame: pd.DataFrame, order: tuple[str, ...], more: str) -> list[Verdict]:
    shown = tuple(x for x in frame.columns if x not in ("y", "g", "set"))
    found = run_on(folder, f"{script(kind, shown, order)}, {more}\n", t=frame).verdicts
    return [v for v in found if v.pair and v.test is not None]


def same(one: TestResult, other: TestResult) -> None:
    """p, interval and difference of the swapped learners, to the last bit."""
    assert (one.pvalue, one.difference) == (other.pvalue, -(other.difference or 0.0))
    assert (one.interval.low, one.interval.high) == (-other.interval.high, -other.interval.low)
    if one.posterior is not None:
        assert one.posterior.p_rope == other.posterior.p_rope
        assert one.posterior.p_left == pytest.approx(other.posterior.p_right, abs=1e-12)


def test_every_drawn_test_is_here() -> None:
    drawn = {
        t.name for t in TESTS if t.learners == "two" and "rng" in inspect.signature(function_of(t.name)).parameters
    }
    assert {name for name, _ in DRAWN} == drawn


@pytest.mark.parametrize("level", [False, True])
@pytest.mark.parametrize(("test", "kind"), DRAWN)
def test_swapped_learners(test: str, kind: str, level: bool, tmp_path: Path) -> None:
    more = DRAWN[test, kind]
    frame = MADE[kind](np.random.default_rng(len(kind)), "ab", level=level)
    (one,) = verdicts(tmp_path, kind, frame, ("a", "b"), more)
    (other,) = verdicts(tmp_path, kind, frame, ("b", "a"), more)
    same(one.test, other.test)
    (renamed,) = verdicts(tmp_path, kind, frame.rename(columns={"a": "zebra"}), ("zebra", "b"), more)
    assert renamed.test == one.test


@pytest.mark.parametrize(("kind", "test"), [("numbers", "row-t"), ("datasets", "paired-t")])
def test_every_order_of_three_has_the_same_simultaneous_intervals(kind: str, test: str, tmp_path: Path) -> None:
    frame = MADE[kind](np.random.default_rng(1), "abc")
    found = []
    for order in itertools.permutations("abc"):
        made = verdicts(tmp_path, kind, frame, order, f"by {test}, all pairs, holm over learners")
        ends = set()
        for v in made:
            assert v.interval.way == "max-t"
            turn = v.learners[0] < v.learners[1]
            low, high = (v.interval.low, v.interval.high) if turn else (-v.interval.high, -v.interval.low)
            ends.add((*sorted(v.learners), low, high))
        found.append(ends)
    assert all(one == found[0] for one in found)


def test_what_faces_the_other_way_is_turned() -> None:
    rng = np.random.default_rng(2)
    for d in (rng.normal(size=9), np.array([3.0, -1.0, -2.0, 0.0]), np.array([1.0, 1.0, -2.0])):
        assert orientation(d) == -orientation(-d) != 0.0
    assert orientation(np.array([2.0, -2.0, 0.0])) == 0.0
