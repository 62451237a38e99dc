"""row-t against R's paired t."""

from __future__ import annotations

import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.t_tests import row_t
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("paired_t"))
def test_agrees_with_r(case: Case) -> None:
    alternative = case["options"]["alternative"].replace(".", "-")
    if case["behavior"] != "value" and case["edge"] not in ("all_ties",):
        with pytest.raises(TestError):
            row_t(case["inputs"]["a"], case["inputs"]["b"], alternative=alternative)
        return
    found = row_t(case["inputs"]["a"], case["inputs"]["b"], alternative=alternative, level=case["options"]["conf"])
    mine = {"statistic": found.statistic, "p_value": found.pvalue, "mean_diff": found.difference}
    if found.interval is not None:
        mine |= {"ci_lower": found.interval.low, "ci_upper": found.interval.high, "df": found.df[0]}
        mine |= {"se": dict(found.details)["standard_error"]}
    agrees(case, **{key: value for key, value in mine.items() if key in case["expected"]})


def test_constant_difference_offers_the_sign_test() -> None:
    with pytest.raises(TestError, match="no variance") as caught:
        row_t([0.1, 0.2, 0.3, 0.4], [0.0, 0.1, 0.2, 0.3])
    assert "p = 0.125" in caught.value.hint
