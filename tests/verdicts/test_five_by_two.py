"""5x2cv t and F against Dietterich's and Alpaydin's formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalang.errors import TestError
from evalang.verdicts.tests.partition_tests import five_by_two_f, five_by_two_t
from tests.golden.load import Case, agrees, cases

ZEROS = np.zeros((5, 2))
OURS = [c for c in cases("cv52_t") if c.values[0]["options"]["formula"] == "dietterich"]
PRINTED = [c for c in cases("cv52_t") if c.values[0]["options"]["formula"] != "dietterich"]


@pytest.mark.parametrize("case", OURS)
def test_t_agrees_with_dietterich(case: Case) -> None:
    if case.get("edge") == "zero_variance_nonzero_mean":
        with pytest.raises(TestError, match="no variance"):
            five_by_two_t(case["inputs"]["differences"], ZEROS)
        return
    found = five_by_two_t(case["inputs"]["differences"], ZEROS)
    agrees(case, statistic=found.statistic, p_two_sided=found.pvalue)
    if "variances" in case["expected"]:
        agrees(case, variances=[value for name, value in found.details if name.startswith("variance_")], df=found.df[0])


@pytest.mark.parametrize("case", PRINTED)
def test_not_the_misprinted_form(case: Case) -> None:
    """The form printed by Bradford & Brodley (grand mean) is another number; ours is Dietterich's."""
    found = five_by_two_t(case["inputs"]["differences"], ZEROS)
    assert found.statistic is not None
    assert abs(found.statistic - case["expected"]["statistic"]) > 1e-3
    d = np.array(case["inputs"]["differences"])
    as_printed = d[0, 0] / math.sqrt(0.2 * ((d - d.mean()) ** 2).sum())
    agrees(case, statistic=as_printed)


@pytest.mark.parametrize("case", cases("cv52_f"))
def test_f_agrees_with_alpaydin(case: Case) -> None:
    if case["behavior"] != "value":
        with pytest.raises(TestError, match="no variance"):
            five_by_two_f(case["inputs"]["differences"], ZEROS)
        return
    found = five_by_two_f(case["inputs"]["differences"], ZEROS)
    agrees(case, statistic=found.statistic, df1=found.df[0], df2=found.df[1], p_value=found.pvalue)


@pytest.mark.parametrize("prefix", ["paper-diet-020", "paper-bb-018"])
def test_paper_input(prefix: str) -> None:
    (case,) = (c.values[0] for c in cases("paper_example", prefix=prefix))
    found = five_by_two_t(case["inputs"]["differences"], ZEROS)
    if prefix == "paper-diet-020":
        agrees(case, value=found.statistic)
        assert found.pvalue == pytest.approx(0.1697134546, rel=1e-8)
    else:
        assert found.statistic == pytest.approx(1.603567451, rel=1e-8)  # as the case's note has it


def test_difference_is_the_mean_and_signs_are_noted() -> None:
    d = np.full((5, 2), -0.02)
    d[0, 0], d[1, 1] = 0.01, -0.05
    found = five_by_two_t(d, ZEROS)
    assert found.difference == pytest.approx(d.mean())
    assert dict(found.details)["first_difference"] == 0.01
    assert "signs differ" in found.notes[0]


def test_halves_that_agree_have_no_variance() -> None:
    d = np.repeat([[0.01], [0.02], [0.03], [0.0], [0.05]], 2, axis=1)
    with pytest.raises(TestError, match="no variance to divide by"):
        five_by_two_t(d, ZEROS)


def test_f_interval_is_dual() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        d = rng.normal(0.5, 1.0, (5, 2))
        interval = five_by_two_f(d, ZEROS).interval
        for shift in np.linspace(-4, 4, 41):
            kept = float(stats.f.sf(((d - shift) ** 2).sum() / ((d[:, 0] - d[:, 1]) ** 2).sum(), 10, 5)) > 0.05
            assert kept == (interval is not None and interval.low < shift < interval.high)


def test_shape_and_sides() -> None:
    with pytest.raises(TestError, match="needs 5 partitions of 2 folds, and the scores are 1 x 10"):
        five_by_two_t([0.1] * 10, [0.0] * 10)
    with pytest.raises(TestError, match="no one-sided form"):
        five_by_two_f(ZEROS, ZEROS, alternative="greater")


def test_all_equal() -> None:
    for test in (five_by_two_t, five_by_two_f):
        found = test(ZEROS + 0.7, ZEROS + 0.7)
        assert (found.pvalue, found.statistic, found.difference) == (1.0, 0.0, 0.0)
        assert found.notes
