"""Rows in groups and rows in time: against enumeration, against what they reduce to, and through a whole script."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, RegressorMixin

from evalang import lint, run
from evalang.errors import TestError
from evalang.reports.sentences import words
from evalang.results.records import Verdict
from evalang.verdicts.tests.dependent_rows import cluster_permutation, cluster_t, diebold_mariano, forward_t

RNG = np.random.default_rng(1)


class Copies(RegressorMixin, BaseEstimator):
    """One column is its answer."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def fit(self, x: Any, y: Any) -> Copies:
        return self

    def predict(self, x: Any) -> Any:
        return np.asarray(x, dtype=float)[:, self.column]


def gap(verdict: Verdict) -> float:
    """First minus second by the table's means."""
    first, second = (score.mean for score in verdict.scores)
    return first - second


def test_all_sign_changes_of_groups() -> None:
    groups = np.repeat(np.arange(7), [1, 4, 2, 2, 5, 3, 1])
    a, b = RNG.random(18), RNG.random(18)
    sums = np.array([(a - b)[groups == g].sum() for g in range(7)])
    totals = np.array([np.dot(signs, sums) for signs in product((1, -1), repeat=7)])
    expected = np.mean(np.abs(totals) >= abs(sums.sum()) - 1e-12)
    found = cluster_permutation(a, b, groups=groups, rng=RNG)
    assert found.pvalue == pytest.approx(expected)
    assert found.difference == pytest.approx((a - b).mean())
    assert found.n_units == 7


def test_the_interval_holds_what_is_not_rejected() -> None:
    groups = np.repeat(np.arange(12), 4)
    a, b = RNG.normal(0.4, 1, 48), RNG.normal(0, 1, 48)
    found = cluster_permutation(a, b, groups=groups, rng=RNG).interval
    for shift, kept in ((found.low + 1e-4, True), (found.low - 1e-4, False), (found.high - 1e-4, True)):
        p = cluster_permutation(a - shift, b, groups=groups, rng=RNG).pvalue
        assert (p > 0.05) == kept, shift


def test_groups_of_one_size_are_a_paired_t_on_their_means() -> None:
    groups = np.repeat(np.arange(30), 5)
    a, b = RNG.random(150), RNG.random(150)
    found = cluster_t(a, b, groups=groups)
    expected = stats.ttest_1samp((a - b).reshape(30, 5).mean(axis=1), 0)
    assert (found.statistic, found.pvalue) == pytest.approx((expected.statistic, expected.pvalue))
    assert found.df == pytest.approx((29.0,))


def test_too_few_or_too_uneven_groups() -> None:
    a, b = RNG.random(100), RNG.random(100)
    with pytest.raises(TestError, match="at least 6 group"):
        cluster_permutation(a[:50], b[:50], groups=np.repeat(np.arange(5), 10), rng=RNG)
    with pytest.raises(TestError, match="at least 6 group"):
        cluster_t(a[:50], b[:50], groups=np.repeat(np.arange(5), 10))
    assert "cluster-permutation" in cluster_t(a, b, groups=np.r_[np.zeros(70, int), np.arange(1, 31)]).unmet[0]
    assert cluster_t(a, b, groups=np.repeat(np.arange(25), 4)).unmet == ()


def test_stamps_are_averaged_and_ordered() -> None:
    times = np.repeat(np.arange(60), 3)
    a, b = RNG.random(180), RNG.random(180)
    order = RNG.permutation(180)
    whole = forward_t(a, b, times=times)
    assert forward_t(a[order], b[order], times=times[order]).pvalue == pytest.approx(whole.pvalue)
    assert whole.n_units == 60
    first = diebold_mariano(a, b, times=times, horizon=1)
    d = (a - b).reshape(60, 3).mean(axis=1)
    assert first.statistic == pytest.approx(stats.ttest_1samp(d, 0).statistic)  # no lags: the plain t
    with pytest.raises(TestError, match="at least 50 time stamp"):
        forward_t(a[:90], b[:90], times=times[:90])


def test_a_large_stamp_counts_for_its_rows() -> None:
    """The first is ahead on forty stamps of one row, the second on twenty of thirty: by row the second is."""
    size = np.where(np.arange(60) % 3 == 0, 30, 1)
    times = np.repeat(np.arange(60), size)
    d = np.where(np.repeat(size, size) == 30, -0.4, 0.6) + RNG.normal(0, 0.1, times.size)
    for found in (forward_t(d, 0 * d, times=times), diebold_mariano(d, 0 * d, times=times)):
        assert found.difference == pytest.approx(d.mean())
        assert (found.wins, found.ties, found.losses) == (40, 0, 20)
    waves = np.sqrt(2 / 60) * np.cos(np.pi * np.outer(np.arange(1, 4), (np.arange(60) + 0.5) / 60))
    added = np.array([(d - d.mean())[times == t].sum() for t in range(60)]) * 60 / d.size  # linearised: a ratio
    expected = d.mean() / np.sqrt(np.mean((waves @ added) ** 2) / 60)
    assert forward_t(d, 0 * d, times=times).statistic == pytest.approx(expected)


@pytest.mark.parametrize(
    ("using", "by", "test"),
    [
        ("grouped holdout 1/3", "by retrained-t", "retrained-t"),
        ("grouped holdout 1/3", "", "retrained-t"),
        ("grouped 4 trainings of 30", "", "quasi-f"),
    ],
)
def test_several_trainings_on_rows_in_groups(tmp_path: Path, using: str, by: str, test: str) -> None:
    x, group = RNG.normal(size=240), np.arange(240) // 6
    frame = pd.DataFrame({"x": x, "y": np.where(x + RNG.normal(0, 1, 240) > 0, "a", "b"), "patient": group})
    frame.to_csv(tmp_path / "visits.csv", index=False)
    script = tmp_path / "s.eval"
    script.write_text(
        'dataset visits from csv "visits.csv", target "y", groups "patient"\n'
        "learner forest is random-forest(n_estimators = 3), train 3 times\n"
        f"compare forest vs naive-bayes on visits using {using}, {by + ', ' if by else ''}seed 2\n"
    )
    assert not lint(script).errors
    (verdict,) = run(script, out=tmp_path / "out").run.verdicts
    assert verdict.test.test == test
    assert "groups" in verdict.test.method
    assert verdict.difference == pytest.approx(gap(verdict), abs=1e-12)
    assert "new groups of rows" in words(verdict).scope


def judged(folder: Path, table: pd.DataFrame, roles: str, using: str) -> Verdict:
    """Return the verdict on the mean absolute errors of two columns."""
    table.to_csv(folder / "d.csv", index=False)
    script = folder / "s.eval"
    data = f'dataset d from csv "d.csv", target "y", {roles}'
    script.write_text(f"{data}\ncompare u vs v on d using {using}, measuring mae, seed 1\n")
    (verdict,) = run(script, {"u": Copies(0), "v": Copies(1)}, jobs=0).run.verdicts
    return verdict


def errors(noise: np.ndarray) -> pd.DataFrame:
    """Two learners whose absolute errors differ by -.5 and this noise."""
    y = np.round(np.random.default_rng(4).normal(size=noise.size), 3)
    return pd.DataFrame({"u": y + 2.0, "v": y + 2.5 - noise, "y": y})


def test_growing_days_do_not_hide_a_difference(tmp_path: Path) -> None:
    """Several series are cut at the same days, so folds have from 30 to 900 rows.

    Residuals once had m (w - 1) too much: p was .07 and neighbours seemed to have a correlation of .89.
    """
    day = np.repeat(np.arange(120), np.round(1.5 * 1.035 ** np.arange(120)).astype(int))
    noise = np.random.default_rng(3).normal(0, 0.3, day.size)
    series = np.concatenate([np.arange(n) for n in np.bincount(day)])
    table = errors(noise).assign(day=day, series=series)
    verdict = judged(tmp_path, table, 'time "day", series in "series"', "forward 8 splits")
    assert verdict.test.test == "forward-t"
    assert verdict.decision == "first-better"
    assert verdict.test.pvalue < 1e-5
    assert -0.56 < verdict.interval.low < -0.5 < verdict.interval.high < -0.44
    assert verdict.difference == pytest.approx(gap(verdict), abs=1e-12)
    assert abs(dict(verdict.test.details)["autocorrelation"]) < 0.3


def test_groups_in_folds_of_180_80_and_30_rows(tmp_path: Path) -> None:
    """The mean is that of the folds, as in the table; its standard error is that of w (d - m), group by group."""
    fold = np.repeat([0, 1, 2], [180, 80, 30])
    group = np.arange(290) // 10
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 0.1, 29)[group] + rng.normal(0, 0.3, 290)
    table = errors(noise).assign(fold=fold, group=group)
    d = np.asarray((table.u - table.y).abs() - (table.v - table.y).abs())
    weight = 290 / (3 * np.array([180, 80, 30])[fold])
    mean = np.mean([d[fold == f].mean() for f in range(3)])
    residual = np.array([(weight * (d - mean))[group == g].sum() for g in range(29)])
    found = judged(tmp_path, table, 'groups "group", folds "fold"', "given folds, by cluster-t")
    assert found.difference == pytest.approx(mean) == pytest.approx(gap(found))
    se = np.sqrt((residual**2).sum()) / 290  # without a correction for few groups
    assert se < dict(found.test.details)["standard_error"] < 1.1 * se
    assert "the mean is over folds" in found.test.method
    other = judged(tmp_path, table, 'groups "group", folds "fold"', "given folds, by cluster-permutation")
    assert other.difference == pytest.approx(mean)
    for limit in (other.interval.low, other.interval.high):
        assert abs(limit - mean) == pytest.approx(2 * se, rel=0.35)


def test_weights_of_cr2_are_those_of_the_matrices() -> None:
    """Degrees of freedom and expected variance by the whole Gram matrix."""
    group, weights = np.repeat(np.arange(8), [3, 9, 4, 4, 7, 2, 5, 6]), RNG.uniform(0.3, 3, 40)
    weights /= weights.mean()
    d = RNG.normal(1, 1, 40)
    share = np.array([weights[group == g].sum() for g in range(8)]) / 40
    vectors = np.array([np.where(group == g, weights, 0) - share[g] * weights for g in range(8)])
    own = np.array([(weights[group == g] ** 2).sum() for g in range(8)])
    vectors *= np.sqrt(own / (vectors**2).sum(axis=1))[:, None]  # so that the variance of independent rows is unbiased
    gram = vectors @ vectors.T
    found = cluster_t(d, 0 * d, groups=group, weights=weights)
    assert found.df == pytest.approx((np.trace(gram) ** 2 / (gram**2).sum(),))
    assert dict(found.details)["standard_error"] == pytest.approx(np.sqrt(((vectors @ d) ** 2).sum()) / 40)
    same = cluster_t(d, 0 * d, groups=group, weights=np.ones(40))
    plain = cluster_t(d, 0 * d, groups=group)
    assert (same.pvalue, same.df) == (pytest.approx(plain.pvalue), pytest.approx(plain.df))


def test_weights_repeat_rows() -> None:
    """A weight of two is the row twice, for the estimate; the p of sign changes is that of the doubled group sums."""
    groups, weights = np.repeat(np.arange(10), 6), np.tile([1.0, 2.0], 30)
    d = RNG.normal(0.3, 1, 60)
    twice = np.repeat(np.arange(60), weights.astype(int))
    by_weight = cluster_permutation(d, 0 * d, groups=groups, weights=weights, rng=RNG)
    by_rows = cluster_permutation(d[twice], 0 * d[twice], groups=groups[twice], rng=RNG)
    assert by_weight.pvalue == by_rows.pvalue
    assert by_weight.difference == pytest.approx(by_rows.difference)
    assert (by_weight.interval.low, by_weight.interval.high) == pytest.approx(
        (by_rows.interval.low, by_rows.interval.high)
    )
