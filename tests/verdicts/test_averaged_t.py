"""averaged-t and the test for enough partitions against R."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.arithmetic.tails import t_pvalue
from evalang.verdicts.tests.partition_tests import averaged_t, enough_partitions, five_by_two_t
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("averaged_t"))
def test_agrees_with_r(case: Case) -> None:
    d = np.array(case["inputs"]["differences"])
    found = averaged_t(d, np.zeros_like(d))
    ts = [value for name, value in found.details if name.startswith("t_")]
    agrees(case, t_values=ts, mean_t=found.statistic, df=found.df[0], p_two_sided=found.pvalue)
    if "p_one_sided" in case["expected"]:
        side = "greater" if (found.statistic or 0.0) > 0 else "less"
        agrees(case, p_one_sided=averaged_t(d, np.zeros_like(d), alternative=side).pvalue)  # type: ignore[arg-type]
    else:
        assert "counted as t = 0" in found.notes[0]


@pytest.mark.parametrize("case", cases("bb_sufficient_partitions"))
def test_enough_partitions_agrees_with_r(case: Case) -> None:
    options = case["options"]
    found = enough_partitions(
        case["inputs"]["t_values"], df=case["inputs"]["folds"] - 1, alpha=options["alpha1"], alpha2=options["alpha2"]
    )
    agrees(case, statistic_as_printed=found.as_printed, statistic_df_folds=found.statistic, threshold=found.threshold)
    assert found.enough == (abs(case["expected"]["statistic_df_folds"]) > case["expected"]["threshold"])


def test_enough_on_both_sides() -> None:
    """A clear 'no difference' is settled too, which the printed one-sided rule never says."""
    clear_no = enough_partitions([0.1, -0.1, 0.05, -0.05, 0.0], df=9)
    clear_yes = enough_partitions([8.0, 8.1, 7.9, 8.05, 7.95], df=9)
    unclear = enough_partitions([1.0, 4.0, 0.5, 3.8, 2.0], df=9)
    assert clear_no.enough
    assert clear_yes.enough
    assert not unclear.enough
    assert clear_no.statistic is not None
    assert clear_no.statistic < 0


def test_partitions_of_five_by_two() -> None:
    rng = np.random.default_rng(0)
    d = rng.normal(0.01, 0.02, (7, 5, 2))
    found = averaged_t(d, np.zeros_like(d))
    ts = [five_by_two_t(part, np.zeros((5, 2))).statistic for part in d]
    assert found.statistic == pytest.approx(np.mean(np.array(ts, dtype=float)), rel=1e-12)
    assert found.df == (5.0,)
    assert found.n_units == 7
    assert found.pvalue == pytest.approx(t_pvalue(found.statistic or 0.0, 5), rel=1e-12)


def test_interval_is_dual() -> None:
    rng = np.random.default_rng(1)
    d = rng.normal(0.5, 1.0, (6, 10))
    interval = averaged_t(d, np.zeros_like(d)).interval
    assert interval is not None
    for shift in np.linspace(-1, 2, 31):
        p = averaged_t(d, np.full_like(d, shift)).pvalue
        assert p is not None
        assert (p > 0.05) == (interval.low < shift < interval.high)


def test_one_partition_says_so() -> None:
    found = averaged_t([[0.1, 0.2, 0.4]], [[0.0, 0.0, 0.0]])
    assert found.n_units == 1
    assert "not known" in found.notes[0]


def test_degenerate() -> None:
    zeros = np.zeros((3, 4))
    found = averaged_t(zeros + 1, zeros + 1)
    assert found.pvalue == 1.0
    assert found.interval is None
    assert found.notes
    constant = zeros.copy()
    constant[1] = 0.5
    constant[0, 0] = 0.1
    with pytest.raises(TestError, match="partition 2"):
        averaged_t(constant, zeros)
    with pytest.raises(TestError, match="5 x 2 folds, and there are 4 x 2"):
        averaged_t(np.zeros((3, 4, 2)), np.zeros((3, 4, 2)))
