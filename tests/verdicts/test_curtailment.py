"""`until settled`: the band against plain loops, the verdict against that of the full design, and who may run it."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evalang.catalogue.tests import CURTAILED
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans.model import look_counts
from evalang.reports.json import record
from evalang.reports.methods import methods
from evalang.results.run_result import RunResult, dumps, loads
from evalang.trials.options import RunOptions
from evalang.verdicts.apply import compute
from evalang.verdicts.until_settled import STATISTICS, Full, band

from ..simulations.until_settled import Count, judged

SHAPES = {"partition-t": (6, 10), "corrected-t": (6, 5, 2), "averaged-t": (6, 10)}


def made(shape: tuple[int, ...], seed: int = 1, shift: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two learners; partitions differ from one another."""
    rng = np.random.default_rng(seed)
    moved = rng.normal(size=(shape[0], *[1] * (len(shape) - 1)))
    return rng.normal(size=shape) + 0.5 * moved + shift, rng.normal(size=shape)


def plain_t(test: str, folds: list[list[float]], ratio: float, partitions: int) -> float:
    """The statistic of the full design by its formula, in loops: `folds` are the differences of each partition."""
    if test == "averaged-t":
        total = 0.0
        for part in folds:
            mean = sum(part) / len(part)
            variance = sum((x - mean) ** 2 for x in part) / (len(part) - 1)
            total += mean / math.sqrt(variance / len(part))
        return total / len(folds)
    every = [x for part in folds for x in part]
    count = partitions * len(folds[0])
    mean = sum(every) / len(every)
    variance = sum((x - mean) ** 2 for x in every) / len(every) * count / (count - 1)
    factor = 1 / count + ratio if test == "corrected-t" else ratio / (1 + ratio) + ratio
    return mean / math.sqrt(factor * variance)


@pytest.mark.parametrize("test", STATISTICS)
def test_the_band_is_that_of_plain_loops(test: str) -> None:
    a, b = made(SHAPES[test])
    folds = [[float(x) for x in part.ravel()] for part in a - b]
    n, whole, ratio, error = len(folds), 20, 1 / 9, 0.00125
    middle = plain_t(test, folds, ratio, whole)
    pseudo = [n * middle - (n - 1) * plain_t(test, folds[:i] + folds[i + 1 :], ratio, whole) for i in range(n)]
    centre = sum(pseudo) / n
    spread = math.sqrt(sum((x - centre) ** 2 for x in pseudo) / (n - 1))
    half = stats.t.ppf(1 - error / 2, n - 1) * spread * math.sqrt(1 / n - 1 / whole)
    found = band(a, b, Full(test=test, partitions=whole, ratio=ratio), error)
    assert found.statistic == pytest.approx(middle, rel=1e-9)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), rel=1e-9)


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", STATISTICS)
def test_with_all_partitions_the_band_is_the_test_itself(test: str, side: str) -> None:
    a, b = made(SHAPES[test], seed=2)
    own = compute(test, first=a, second=b, train_size=90, test_size=10, alternative=side)
    full = Full(test=test, partitions=len(a), ratio=10 / 90, alternative=side)
    found = band(a, b, full, 0.005)
    assert found.low == found.high == pytest.approx(own.statistic, rel=1e-9)
    assert (found.p_low, found.p_high) == pytest.approx((own.pvalue, own.pvalue), rel=1e-7)


def test_the_p_values_of_a_band_are_the_extremes_within_it() -> None:
    a, b = made((6, 10), seed=3, shift=0.0)
    full = Full(test="partition-t", partitions=40, ratio=1 / 9)
    found = band(a, b, full, 0.001)
    assert found.low < 0.0 < found.high
    inside = [2 * stats.t.sf(abs(t), 9) for t in np.linspace(found.low, found.high, 2001)]
    assert found.p_low == pytest.approx(min(inside), rel=1e-6)
    assert found.p_high == 1.0


def test_partitions_that_do_not_differ_settle_nothing() -> None:
    part = np.linspace(-1.0, 2.0, 10)
    full = Full(test="partition-t", partitions=20, ratio=1 / 9)
    assert band(np.tile(part, (5, 1)), np.zeros((5, 10)), full, 0.001) is None
    assert band(np.zeros((5, 10)), np.zeros((5, 10)), full, 0.001) is None
    assert band(part[None], np.zeros((1, 10)), full, 0.001) is None


def test_the_catalogue_names_the_tests_that_have_a_band() -> None:
    assert set(CURTAILED) == set(STATISTICS)


def test_looks_are_taken_evenly_and_end_with_all() -> None:
    for partitions in range(1, 60):
        for looks in range(1, 12):
            counts = look_counts(partitions, looks)
            assert counts[-1] == partitions
            assert list(counts) == sorted(set(counts))
            assert len(counts) <= looks


def test_stopping_agrees_with_the_full_design_where_peeking_does_not() -> None:
    """Differences that are dealt again and again from the same rows, as partitions are; 300 samples."""
    rng = np.random.default_rng(7)
    count = Count()
    for _ in range(300):
        sample = rng.normal(size=120)
        d = np.stack([rng.permutation(sample).reshape(10, 12).mean(axis=1) for _ in range(20)])
        judged(d + rng.normal(scale=0.05, size=(20, 1)), "averaged-t", count)
    assert count.differ <= 3  # of 300; .005 are allowed, and three or fewer have probability .93 then
    assert count.peeked > count.full
    assert count.spent < 0.8 * 20 * count.runs


SCRIPT = """dataset d from builtin "wine" because "r"
learner stump is decision-tree(max_depth = 1)
compare {learners} on d using {scheme}{until}{more}, seed 3
"""
UNTIL = ", until settled within 5 looks"


def result(folder: Path | None, until: str = UNTIL, **asked: str) -> RunResult:
    said = {"learners": "stump vs naive-bayes", "scheme": "20x2cv", "more": "", **asked}
    source = SourceText("s.eval", SCRIPT.format(until=until, **said))
    return run_script(source, Request(options=RunOptions(jobs=0, folder=folder)))


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunResult, Path]:
    """A clear case: it ends early."""
    folder = tmp_path_factory.mktemp("looks") / "run"
    return result(folder), folder


def test_a_clear_case_ends_early_with_the_verdict_of_the_full_design(stopped: tuple[RunResult, Path]) -> None:
    early, whole = stopped[0].verdicts[0], result(None, until="").verdicts[0]
    assert early.decision == whole.decision == "second-better"
    stop = early.stopped
    assert (stop.looks, stop.of) == (5, 20)
    assert stop.partitions == 4 * stop.look < 20
    assert stop.p_low <= whole.adjusted_p <= stop.p_high
    assert stopped[0].trials == 2 * 2 * stop.partitions


def test_no_p_is_told_that_nobody_has_seen(stopped: tuple[RunResult, Path]) -> None:
    verdict = stopped[0].verdicts[0]
    stop = verdict.stopped
    assert verdict.adjusted_p is None
    assert verdict.test.pvalue is None
    written = record(stopped[0])["comparisons"][0]
    assert (written["p"], written["adjusted_p"]) == (None, None)
    assert written["stopped"] == dataclasses.asdict(stop)
    assert f"stopped at interim analysis {stop.look} of 5, after {stop.partitions} of 20 random splits" in written[
        "sentence"
    ].replace("Stopped", "stopped")
    said = " ".join(methods(stopped[0]))
    assert "after 4, 8, 12, 16 and 20 random splits" in said
    assert f"The run stopped at analysis {stop.look}, after {stop.partitions} splits." in said
    assert loads(dumps(stopped[0]), "here") == stopped[0]


def verdicts(run: RunResult) -> str:
    """The verdicts as they are written: equal text is equal bytes."""
    return json.dumps(json.loads(dumps(run))["run"]["verdicts"])


def test_the_same_run_again_is_the_same_and_fits_nothing(stopped: tuple[RunResult, Path]) -> None:
    again = result(stopped[1])
    assert verdicts(again) == verdicts(stopped[0])
    assert (again.trials, again.reused) == (0, stopped[0].trials)


def test_partitions_that_are_there_already_are_not_looked_at_before_their_turn(tmp_path: Path) -> None:
    """A store that holds all twenty: the looks are in the order of partitions, so it ends where it would have."""
    result(tmp_path / "run", until="")
    early = result(tmp_path / "run")
    assert early.trials == 0
    assert verdicts(early) == verdicts(result(None))


@pytest.mark.slow
def test_the_same_bytes_with_workers(stopped: tuple[RunResult, Path]) -> None:
    source = SourceText("s.eval", SCRIPT.format(learners="stump vs naive-bayes", scheme="20x2cv", until=UNTIL, more=""))
    for jobs in (1, 2):
        assert verdicts(run_script(source, Request(options=RunOptions(jobs=jobs)))) == verdicts(stopped[0])


def test_a_run_that_was_killed_between_looks_goes_on_to_the_same_end(tmp_path: Path) -> None:
    """Eight of twenty partitions and half of a fold more are in the store."""
    close = {"learners": "naive-bayes vs linear-discriminant", "scheme": "20x2cv"}
    whole = result(tmp_path / "whole", **close)
    result(tmp_path / "cut", until="", **{**close, "scheme": "5x2cv"}, more=", by corrected-t")
    assert verdicts(result(tmp_path / "cut", **close)) == verdicts(whole)


def test_a_case_that_stays_open_is_run_to_its_end_and_tells_its_p(tmp_path: Path) -> None:
    """Under a correction each member has its share of the error; one that is open keeps the whole comparison going."""
    asked = {"learners": "stump vs naive-bayes vs knn", "more": ", all pairs, bonferroni over learners"}
    found, whole = result(None, **asked), result(None, until="", **asked)
    assert [v.decision for v in found.verdicts] == [v.decision for v in whole.verdicts]
    ended = {v.stopped.partitions if v.stopped else 20 for v in found.verdicts}
    assert len(ended) == 1
    assert found.trials == ended.pop() * 2 * 3


def test_the_partitions_of_5x2cv_are_looked_at_five_halvings_at_a_time() -> None:
    found = result(None, scheme="8 partitions of 5x2cv", until=", until settled within 2 looks")
    stop = found.verdicts[0].stopped
    assert (stop.partitions, stop.of) == (4, 8)
    assert found.trials == 4 * 10 * 2
