"""Fisher's and Stouffer's combinations against R and Bradford & Brodley."""

from __future__ import annotations

import pytest

from evalang.errors import TestError
from evalang.verdicts.combine import fisher, stouffer
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("combine_fisher", behavior="value"))
def test_golden_fisher(case: Case) -> None:
    result = fisher(case["inputs"]["p"])
    got = {
        "statistic": result.statistic,
        "df": result.df[0],
        "p_value": result.pvalue,
        "log_p": dict(result.details)["log p"],
    }
    agrees(case, **{key: value for key, value in got.items() if key in case["expected"]})


@pytest.mark.parametrize("case", cases("combine_fisher", behavior="undefined"))
def test_golden_fisher_undefined(case: Case) -> None:
    with pytest.raises(TestError, match="p-value 1 is 0"):
        fisher(case["inputs"]["p"])


@pytest.mark.parametrize("case", cases("combine_stouffer"))
def test_golden_stouffer(case: Case) -> None:
    plain, weighted = stouffer(case["inputs"]["p"]), stouffer(case["inputs"]["p"], weights=case["inputs"]["weights"])
    agrees(case, z=plain.statistic, p_value=plain.pvalue, z_weighted=weighted.statistic, p_weighted=weighted.pvalue)


@pytest.mark.parametrize(
    "case", [c for c in cases("paper_example", prefix="paper-bb") if "fisher" in c.values[0]["options"]["quantity"]]
)
def test_bradford_brodley(case: Case) -> None:
    p = case["inputs"]["p"]
    result = fisher([0.25] * 55 if isinstance(p, str) else p)
    agrees(case, value=result.pvalue if case["options"]["quantity"] == "fisher_p" else result.statistic)


@pytest.mark.parametrize("p", [[], [1.2], ["x"], [float("nan")]])
def test_bad_pvalues(p: list[object]) -> None:
    for combine in (fisher, stouffer):
        with pytest.raises(TestError):
            combine(p)
