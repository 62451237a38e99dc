"""The score of one model on items, what its variance is made of, and what an evaluation of items can find."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalang.catalogue.power import units_needed
from evalang.verdicts.tests.intervals import item_interval, variance_split

from .test_items import KNOWN, gpqa, livebench, only, run


def test_items_needed_by_miller() -> None:
    """969 (968.997) items see 3 points with power .8 when the paired difference has the variance 1/9."""
    assert units_needed(1 / 9, 0.03) == 969
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert z**2 / 9 / 0.03**2 == pytest.approx(968.997, abs=5e-4)
    assert (units_needed(0.5, 0.10), units_needed(0.01, 0.03)) == (393, 88)  # of evalconfidence's own tests
    with pytest.raises(ValueError, match="zero"):
        units_needed(0.1, 0.0)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), items=st.integers(2, 40), epochs=st.integers(1, 6))
def test_the_ends_are_where_the_score_test_turns(seed: int, items: int, epochs: int) -> None:
    """Wilson's equation |mean - p| = t sqrt(p (1 - p) / n) at both ends, n from the variance of the mean."""
    rng = np.random.default_rng(seed)
    values = (rng.random((items, epochs)) < rng.beta(1, 1, items)[:, None]).astype(float)
    x = values.mean(axis=1)
    found = item_interval(x, values=values)
    low, high, mean = found.interval.low, found.interval.high, float(x.mean())
    assert 0.0 <= low <= mean <= high <= 1.0
    assert low < high  # never without width
    variance = x.var(ddof=1) / items
    equivalent = min(mean * (1 - mean) / variance, values.size) if variance > 0 and 0 < mean < 1 else items
    t = stats.t.ppf(0.975, items - 1)
    for end in (low, high):
        if 0.0 < end < 1.0:
            assert abs(mean - end) == pytest.approx(t * math.sqrt(end * (1 - end) / equivalent), abs=1e-9)


def test_all_items_right_leave_room_below() -> None:
    found = item_interval(np.ones(30), values=np.ones((30, 5)))
    assert found.interval.high == 1.0
    assert found.interval.low == pytest.approx(30 / (30 + stats.t.ppf(0.975, 29) ** 2))


def test_groups_widen_it() -> None:
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(20), 10)
    x = (rng.random(200) < rng.beta(2, 2, 20)[groups]).astype(float)
    alone, grouped = item_interval(x), item_interval(x, groups=groups)
    by_group = x.reshape(20, 10).mean(axis=1)
    assert grouped.standard_error == pytest.approx(by_group.std(ddof=1) / math.sqrt(20))  # groups of one size
    assert grouped.interval.high - grouped.interval.low > 1.3 * (alone.interval.high - alone.interval.low)


def test_a_metric_without_bounds_has_the_t_interval() -> None:
    x = np.array([31.2, 40.1, 22.8, 35.5])
    found = item_interval(x, bounds=(None, None)).interval
    expected = stats.t.interval(0.95, 3, x.mean(), stats.sem(x))
    assert (found.low, found.high) == pytest.approx(expected)


def samples_of(frame: pd.DataFrame, model: str) -> np.ndarray:
    mine = frame[frame.model == model].pivot(index="item", columns="epoch", values="score")
    return mine.to_numpy()


def test_variance_between_and_within_items() -> None:
    """The components of a one-way random-effects analysis of variance, by its mean squares."""
    first, second = (samples_of(gpqa(), name) for name in KNOWN["gpqa"]["learners"])
    found = dict(variance_split(first))
    n, k = first.shape
    square_between = k * first.mean(axis=1).var(ddof=1)
    square_within = ((first - first.mean(axis=1, keepdims=True)) ** 2).sum() / (n * (k - 1))
    assert found["variance within items"] == pytest.approx(square_within)
    assert found["variance between items"] == pytest.approx((square_between - square_within) / k)
    both = dict(variance_split(first, second))
    error = math.sqrt((both["variance between items"] + both["variance within items"] / k) / n)
    assert error == pytest.approx(0.027788, abs=5e-7)  # that of the paired difference
    assert variance_split(first[:, :1]) == ()


def test_an_estimate_of_items_from_a_script(tmp_path: Path) -> None:
    name = KNOWN["gpqa"]["learners"][0]
    script = f'results r from csv "t.csv" as score ~ model | item / epoch\nestimate "{name}" on r measuring accuracy\n'
    (estimate,) = run(tmp_path, gpqa(), script).estimates
    x = samples_of(gpqa(), name).mean(axis=1)
    assert estimate.score == pytest.approx(x.mean())
    assert (estimate.units, estimate.unit, estimate.n_units) == ("198 items, 5 epochs each", "item", 198)
    assert dict(estimate.details)["standard error"] == pytest.approx(stats.sem(x))
    assert estimate.interval.low < x.mean() - 1.9 * stats.sem(x)
    assert "variance within items" in dict(estimate.details)


def test_items_right_or_wrong_once_have_wilson(tmp_path: Path) -> None:
    frame = gpqa()
    frame = frame[frame.epoch == 0].drop(columns="epoch")
    name = KNOWN["gpqa"]["learners"][1]
    script = f'results r from csv "t.csv" as score ~ model | item\nestimate "{name}" on r measuring accuracy\n'
    (estimate,) = run(tmp_path, frame, script).estimates
    right = int(frame[frame.model == name].score.sum())
    expected = stats.binomtest(right, 198).proportion_ci(method="wilson")
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx((expected.low, expected.high))


def test_what_stands_beside_not_settled(tmp_path: Path) -> None:
    """18 groups of tasks: the smallest difference they find, and how many would find the rope."""
    script = (
        'results answers from csv "t.csv" as score ~ model | item, groups "task"\n'
        "compare all on answers measuring accuracy, rope 4 points, seed 1\n"
    )
    verdict = only(run(tmp_path, livebench(), script))
    assert verdict.decision == "not-settled"
    power = verdict.power
    error, df = 0.019584058, 13.508827  # CR2 and Bell-McCaffrey, by the formula with whole matrices
    assert power.difference == 0.04
    noncentral = stats.nct(df, 0.04 / error)
    critical = stats.t.ppf(0.975, df)
    assert power.power == pytest.approx(noncentral.sf(critical) + noncentral.cdf(-critical), abs=1e-4)
    assert power.smallest == pytest.approx((critical + stats.t.ppf(0.8, df)) * error, rel=1e-5)

    def power_with(groups: int) -> float:
        freedom, shift = df / 17 * (groups - 1), 0.04 / (error * math.sqrt(18 / groups))
        return float(stats.nct(freedom, shift).sf(stats.t.ppf(0.975, freedom)))

    assert power.needed == next(groups for groups in range(18, 99) if power_with(groups) >= 0.8) == 37


def test_what_items_find_is_printed(tmp_path: Path) -> None:
    from evalang.reports.sentences import words

    frame = gpqa()
    frame = frame[frame.item.isin([f"q{i}" for i in range(60)])]
    script = 'results r from csv "t.csv" as score ~ model | item / epoch\ncompare all on r measuring accuracy\n'
    verdict = only(run(tmp_path, frame, script))
    assert verdict.decision == "not-settled"
    assert "With 60 items, 80% power" in words(verdict).text()
