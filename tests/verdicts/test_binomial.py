"""Salzberg's binomial test is McNemar's exact test."""

from __future__ import annotations

import pytest

from evalang.verdicts.tests.binomial import binomial, binomial_counts
from evalang.verdicts.tests.mcnemar import mcnemar_exact
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", list(cases("paper_example", prefix="paper-salz-007")))
def test_salzberg_upper_tail(case: Case) -> None:
    n, s = case["inputs"]["n"], case["inputs"]["s"]
    agrees(case, value=binomial_counts(n - s, s, alternative="greater").pvalue)


def test_same_as_mcnemar_exact() -> None:
    a, b = [1] * 9 + [0] * 3 + [1] * 4, [0] * 9 + [1] * 3 + [1] * 4
    one, two = binomial(a, b), mcnemar_exact(a, b)
    assert (one.pvalue, one.difference, one.interval) == (two.pvalue, two.difference, two.interval)
    assert one.test == "binomial"
    assert "mcnemar-exact" in one.method
