"""Cochran's Q against R."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.errors import TestError
from evalang.verdicts.tests.cochran_q import cochran_q
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("cochran_q"))
def test_agrees_with_r(case: Case) -> None:
    found = cochran_q(case["inputs"]["correct"])
    agrees(case, statistic=found.statistic, p_value=found.pvalue)


def test_all_right_is_p_one() -> None:
    found = cochran_q(np.ones((20, 4), dtype=bool))
    assert found.pvalue == 1.0
    assert found.notes
    assert found.ranks == (2.5,) * 4


def test_order_of_learners_and_rows_is_irrelevant() -> None:
    rng = np.random.default_rng(1)
    table = rng.random((50, 4)) < [0.6, 0.7, 0.8, 0.9]
    p = cochran_q(table).pvalue
    assert cochran_q(table[:, [2, 0, 3, 1]]).pvalue == pytest.approx(p, rel=1e-12)
    assert cochran_q(table[::-1]).pvalue == pytest.approx(p, rel=1e-12)
    assert np.argmin(cochran_q(table).ranks) == 3


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[1], [0]], "two or more learners"),
        ([[1, 0], [1]], "row 2 has 1 numbers"),
        ([[1, 3], [1, 0]], "row 1, column 2"),
    ],
)
def test_bad_input(table: list[list[int]], words: str) -> None:
    with pytest.raises(TestError, match=words):
        cochran_q(table)
