"""The two z tests of proportions against R and Dietterich's section 5."""

from __future__ import annotations

import pytest

from evalang.results.records import TestResult
from evalang.verdicts.tests.mcnemar import mcnemar_counts
from evalang.verdicts.tests.proportions import (
    corrected_proportions,
    corrected_proportions_counts,
    proportions,
    proportions_counts,
)
from tests.golden.load import Case, agrees, cases


def _both(cells: dict[str, int]) -> TestResult:
    rows = cells["n00"] + cells["n01"] + cells["n10"] + cells["n11"]
    return proportions_counts(cells["n01"], cells["n10"], both_right=cells["n11"], rows=rows)


@pytest.mark.parametrize("case", cases("two_proportions_z"))
def test_proportions_agree_with_r(case: Case) -> None:
    found = _both(case["inputs"])
    details = dict(found.details)
    assert found.statistic is not None
    got: dict[str, float | None] = {
        "z": -found.statistic,
        "p_value": found.pvalue,
    }  # golden counts errors, we count rights
    if "p_A" in case["expected"]:
        got |= {"p_A": 1.0 - details["first"], "p_B": 1.0 - details["second"], "chi2": found.statistic**2}
    agrees(case, **got)


@pytest.mark.parametrize("case", cases("paired_prop_diff_ci"))
def test_wald_interval_of_paired_proportions(case: Case) -> None:
    cells = case["inputs"]
    found = corrected_proportions_counts(
        cells["n01"], cells["n10"], rows=sum(cells.values()), level=case["options"]["conf"]
    )
    details = dict(found.details)
    assert found.difference is not None
    agrees(
        case,
        diff=-found.difference,
        se=details["wald_standard_error"],
        lower=-details["wald_high"],
        upper=-details["wald_low"],
    )


@pytest.mark.parametrize(
    "case",
    [c for c in cases("paper_example", prefix="paper-diet") if "proportions" in c.values[0]["options"]["quantity"]],
)
def test_dietterich_section_5(case: Case) -> None:
    found = _both({k: v for k, v in case["inputs"].items() if k != "table"})
    value = found.pvalue if case["options"]["quantity"].endswith("_p") else found.statistic
    assert value is not None
    agrees(case, value=value if value == found.pvalue else -value)


def test_dietterich_error_difference() -> None:
    (case,) = [c.values[0] for c in cases("paper_example", prefix="paper-diet-011")]
    found = _both({k: v for k, v in case["inputs"].items() if k != "table"})
    assert found.difference is not None
    agrees(case, value=abs(found.difference))


@pytest.mark.parametrize(("n01", "n10"), [(4, 9), (0, 7), (30, 12), (5, 5)])
def test_corrected_square_is_mcnemar_without_correction(n01: int, n10: int) -> None:
    found, chi = (
        corrected_proportions_counts(n01, n10, rows=60),
        mcnemar_counts(n01, n10, correction=False, exact_below=0),
    )
    assert found.statistic is not None
    assert found.statistic**2 == pytest.approx(chi.statistic, rel=1e-12)
    assert found.pvalue == pytest.approx(chi.pvalue, rel=1e-12)


def test_no_difference() -> None:
    for test in (proportions, corrected_proportions):
        found = test([1, 1, 0], [1, 1, 0])
        assert found.pvalue == 1.0
        assert found.statistic == 0.0
        assert found.notes


def test_directions() -> None:
    a, b = [1] * 40 + [0] * 10, [1] * 20 + [0] * 30
    for test in (proportions, corrected_proportions):
        greater, less = test(a, b, alternative="greater").pvalue, test(a, b, alternative="less").pvalue
        assert greater is not None
        assert less is not None
        assert greater < 0.001
        assert less > 0.999
