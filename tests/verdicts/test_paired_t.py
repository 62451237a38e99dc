"""The paired t-test against R, Bramer's chapter and NIST."""

from __future__ import annotations

import math

import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.t_tests import paired_t
from tests.golden.load import Case, agrees, cases

ALTERNATIVES = {"two.sided": "two-sided", "less": "less", "greater": "greater"}


def run(case: Case):
    options = case["options"]
    return paired_t(
        case["inputs"]["a"],
        case["inputs"]["b"],
        alternative=ALTERNATIVES[options["alternative"]],
        level=options["conf"],
    )


@pytest.mark.parametrize("case", cases("paired_t", behavior="value"))
def test_golden_value(case: Case) -> None:
    result = run(case)
    got = {
        "statistic": result.statistic,
        "p_value": result.pvalue,
        "df": result.df[0],
        "mean_diff": result.difference,
        "se": dict(result.details)["standard error"],
        "ci_lower": result.interval.low,
        "ci_upper": result.interval.high,
        "log_p": math.log(result.pvalue),
    }
    agrees(case, **{key: value for key, value in got.items() if key in case["expected"]})


@pytest.mark.parametrize("case", cases("paired_t", behavior="undefined"))
def test_golden_undefined(case: Case) -> None:
    if case.get("edge") == "all_ties":
        result = run(case)
        agrees(case, statistic=result.statistic, p_value=result.pvalue, mean_diff=result.difference)
        assert result.notes
    else:
        with pytest.raises(TestError):
            run(case)


@pytest.mark.parametrize("case", cases("paired_t", behavior="error"))
def test_golden_error(case: Case) -> None:
    with pytest.raises(TestError, match="3 units and second has 2"):
        run(case)


def _numbers_of_the_chapter(case: Case) -> dict[str, object]:
    """Bramer's quantities, difference B - A as in the chapter."""
    a, b = case["inputs"]["A"], case["inputs"]["B"]
    level = case["inputs"].get("conf", 0.95)
    result = paired_t(b, a, level=level)
    z = [y - x for x, y in zip(a, b, strict=True)]
    n, details = len(z), dict(result.details)
    s = details["standard deviation"]
    return {
        "mean_z": result.difference,
        "mean_diff": result.difference,
        "s2": s * s,
        "s": s,
        "se": details["standard error"],
        "t": result.statistic,
        "p_two_sided": result.pvalue,
        "ci_lower": result.interval.low,
        "ci_upper": result.interval.high,
        "ci95_upper": result.interval.high,
        "ci95_lower": result.interval.low,
        "ci_half_width": (result.interval.high - result.interval.low) / 2,
        "step2": n * result.difference**2,
        "step3": s * s * (n - 1),
    }


PROGRAM_CAN_GET_WRONG = {
    "mean_z", "mean_diff", "s2", "s", "se", "t", "p_two_sided", "ci_lower", "ci_upper", "ci95_upper", "ci95_lower",
    "ci_half_width", "step2", "step3",
}  # fmt: skip


@pytest.mark.parametrize(
    "case",
    [
        c
        for c in cases("paper_example", prefix="paper-bramer")
        if c.values[0]["options"]["quantity"] in PROGRAM_CAN_GET_WRONG
    ],
)
def test_bramer(case: Case) -> None:
    quantity = case["options"]["quantity"]
    got = _numbers_of_the_chapter(case)[quantity]
    agrees(case, value=got)
    if case["expected"]["published"] is not None and case["expected"]["status"] == "agrees":
        assert abs(got - case["expected"]["published"]) <= case["expected"]["published_tolerance"]


def test_nist_numacc4_keeps_its_digits() -> None:
    """NIST StRD NumAcc4: certified mean 10000000.2 and standard deviation 0.1 (1001 values)."""
    values = [10000000.2] + [10000000.1, 10000000.3] * 500
    result = paired_t(values, [0.0] * len(values))
    assert result.difference == pytest.approx(10000000.2, rel=1e-14)
    assert dict(result.details)["standard deviation"] == pytest.approx(0.1, rel=1e-7)  # the data are not in binary64


def test_constant_difference_offers_the_sign_test() -> None:
    with pytest.raises(TestError, match="no variance") as found:
        paired_t([0.1, 0.2, 0.3, 0.4], [0.0, 0.1, 0.2, 0.3])
    assert "p = 0.125" in found.value.hint
