"""Numbers are written so that they say what they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalang.results import numbers

ps = st.one_of(st.floats(0, 1), st.floats(0.0499, 0.0501), st.sampled_from((0.0, 1.0, 5e-324, 1e-16, 0.05)))


def read(shown: str) -> float:
    return float(shown.lstrip("<> "))


@given(ps, st.sampled_from((0.05, 0.01, 0.005, 0.1)))
def test_a_p_value_stands_on_its_own_side_of_the_level(value: float, alpha: float) -> None:
    shown = numbers.p(value, alpha)
    assert (read(shown) <= alpha) == (value <= alpha)


@given(ps)
def test_a_p_value_never_reads_as_zero_and_as_one_only_when_it_is(value: float) -> None:
    shown = numbers.p(value)
    assert read(shown) > 0
    assert (shown == "1") == (value == 1)
    if not shown.startswith(("<", ">")):
        assert abs(read(shown) - value) <= max(0.0005, 0.05 * value)


def test_no_evidence_has_no_p() -> None:
    assert numbers.p(None) == "none"


@given(st.floats(-1, 1), st.sampled_from(("accuracy", "brier", "rmse", "seconds")))
def test_a_score_reads_back_and_never_loses_its_sign(value: float, metric: str) -> None:
    shown = numbers.score(value, metric)
    back = float(shown)
    if abs(value) < numbers.NOISE:
        assert back == 0
    else:
        assert (back > 0) == (value > 0)
    assert not shown.startswith("-0.000") or back != 0
    assert abs(back - value) <= 0.0005


@given(st.floats(1e-6, 1e9))
def test_a_score_with_a_unit_keeps_four_digits(value: float) -> None:
    assert abs(float(numbers.score(value, "rmse")) - value) <= 0.0006 * value


def test_infinite_numbers_are_words() -> None:
    assert numbers.decimal(float("inf")) == "infinite"
    assert numbers.decimal(float("-inf")) == "-infinite"
