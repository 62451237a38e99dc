"""The sign test against R and by enumeration."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.errors import TestError
from evalang.verdicts.tests.sign_tests import sign
from tests.golden.load import Case, agrees, cases

ALTERNATIVES = {"two.sided": "two-sided", "less": "less", "greater": "greater"}


@pytest.mark.parametrize("case", cases("sign_test"))
def test_golden(case: Case) -> None:
    options = case["options"]
    result = sign(
        case["inputs"]["a"],
        case["inputs"]["b"],
        alternative=ALTERNATIVES[options["alternative"]],
        zero_method=options["ties"],
    )
    got = {
        "wins": result.statistic,
        "losses": result.losses,
        "ties": result.ties,
        "n": dict(result.details)["n used"],
        "p_value": result.pvalue,
    }
    agrees(case, **{key: value for key, value in got.items() if key in case["expected"]})


@pytest.mark.parametrize("n", range(1, 13))
@pytest.mark.parametrize("ties", [0, 1, 3])
def test_holds_its_level_by_full_enumeration(n: int, ties: int) -> None:
    for alternative in ("two-sided", "less", "greater"):
        weights: dict[float, int] = {}
        for wins in range(n + 1):
            d = [1] * wins + [-1] * (n - wins) + [0] * ties
            p = sign(d, [0] * len(d), alternative=alternative).pvalue
            weights[p] = weights.get(p, 0) + math.comb(n, wins)
        reached = 0
        for p in sorted(weights):
            reached += weights[p]
            assert reached / 2**n <= p * (1 + 1e-12)


def test_two_sided_is_twice_the_tail() -> None:
    for wins, losses in itertools.product(range(8), range(8)):
        if wins + losses:
            d = [1] * wins + [-1] * losses
            tail = sum(math.comb(wins + losses, i) for i in range(min(wins, losses) + 1)) / 2 ** (wins + losses)
            assert sign(d, [0] * len(d)).pvalue == pytest.approx(min(1.0, 2 * tail), rel=1e-14)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=20))
def test_one_more_win_never_raises_the_one_sided_p(d: list[int]) -> None:
    before = sign(d, [0] * len(d), alternative="greater").pvalue
    after = sign([*d, 1], [0] * (len(d) + 1), alternative="greater").pvalue
    assert after <= before * (1 + 1e-12)


@given(st.lists(st.integers(-50, 50).filter(bool), min_size=1, max_size=30))
def test_interval_excludes_zero_exactly_when_p_is_below(d: list[int]) -> None:
    result = sign(d, [0] * len(d))
    assert (result.interval.low > 0 or result.interval.high < 0) == (result.pvalue <= 0.05 * (1 + 1e-12))


def test_unknown_zero_method() -> None:
    with pytest.raises(TestError, match="zero method"):
        sign([1], [0], zero_method="pratt")
