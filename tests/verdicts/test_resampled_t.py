"""resampled-t is the uncorrected statistic of the corrected test's reference cases."""

from __future__ import annotations

import pytest

from evalang.verdicts.tests.t_tests import resampled_t
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("corrected_resampled_t", behavior="value"))
def test_naive_t(case: Case) -> None:
    d = case["inputs"]["differences"]
    found = resampled_t(d, [0.0] * len(d))
    agrees(case, naive_t=found.statistic, df=found.df[0], mean=found.difference)
    assert found.unit == "resample"


def test_dietterich_critical_value() -> None:
    """paper-diet-003: |t| > 2.04523 with 29 degrees of freedom is the 5% level of thirty resamples."""
    from evalang.verdicts.arithmetic.tails import t_pvalue

    (case,) = (c.values[0] for c in cases("paper_example", prefix="paper-diet-003"))
    assert t_pvalue(case["expected"]["value"], case["inputs"]["df"]) == pytest.approx(0.05, rel=1e-9)
