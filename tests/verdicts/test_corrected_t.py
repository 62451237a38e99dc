"""corrected-t against the formula of Nadeau & Bengio and of Bouckaert & Frank."""

from __future__ import annotations

import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.t_tests import corrected_t
from tests.golden.load import Case, agrees, cases

SIDES = (("two-sided", "p_two_sided"), ("greater", "p_greater"), ("less", "p_less"))


@pytest.mark.parametrize("case", cases("corrected_resampled_t"))
def test_resampled(case: Case) -> None:
    given = case["inputs"]
    d, zeros = given["differences"], [0.0] * len(given["differences"])
    sizes = {"train_size": given["n_train"], "test_size": given["n_test"]}
    if case["behavior"] != "value" and case["edge"] != "all_ties":
        with pytest.raises(TestError):
            corrected_t(d, zeros, **sizes)
        return
    for side, key in SIDES:
        if key in case["expected"]:
            agrees(case, **{key: corrected_t(d, zeros, alternative=side, **sizes).pvalue})  # type: ignore[arg-type]
    found = corrected_t(d, zeros, **sizes)
    agrees(case, statistic=found.statistic)
    if case["behavior"] == "value":
        assert found.interval is not None
        details = dict(found.details)
        agrees(case, ci_lower=found.interval.low, ci_upper=found.interval.high, mean=found.difference, df=found.df[0])
        agrees(case, variance=details["variance"], naive_t=details["uncorrected_t"])


@pytest.mark.parametrize("case", cases("corrected_repeated_kfold_t"))
def test_repeated_folds(case: Case) -> None:
    given = case["inputs"]
    zeros = [[0.0] * given["k"]] * given["r"]
    for side, key in SIDES[:2]:
        found = corrected_t(given["differences"], zeros, train_size=given["k"] - 1, test_size=1, alternative=side)  # type: ignore[arg-type]
        agrees(case, **{key: found.pvalue, "statistic": found.statistic, "df": found.df[0]})


def test_sizes_are_needed() -> None:
    with pytest.raises(TestError, match="sizes of the training and the test sets"):
        corrected_t([0.1, 0.2], [0.0, 0.0])
    with pytest.raises(TestError, match="cannot be"):
        corrected_t([0.1, 0.2], [0.0, 0.0], train_size=0, test_size=3)


def test_constant_difference() -> None:
    with pytest.raises(TestError, match=r"0\.01 on every fold, so it has no variance") as raised:
        corrected_t([0.51] * 10, [0.5] * 10, train_size=9, test_size=1)
    assert "sign" not in f"{raised.value} {raised.value.hint}"  # EV302 forbids the exact sign test on folds
