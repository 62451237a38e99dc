"""What every test of many learners over datasets must do, whatever it computes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from evalang.catalogue.tests import TESTS
from evalang.errors import TestError
from evalang.results.records import PostHoc, TestResult
from evalang.verdicts.apply import compute

CARDS = [card for card in TESTS if card.learners == "many" and card.evidence == "dataset-scores"]
TABLES = hnp.arrays(np.int64, st.tuples(st.integers(2, 9), st.integers(3, 6)), elements=st.integers(0, 20))


def pvalues(found: TestResult | PostHoc) -> dict[frozenset[int], float]:
    """By pair of columns; an omnibus has the empty pair."""
    if isinstance(found, PostHoc):
        return {frozenset(pair): r.pvalue or 0.0 for pair, r in zip(found.pairs, found.results, strict=True)}
    return {frozenset(): found.pvalue or 0.0}


def given_to(name: str, table: Any, *, control: int = 0, **options: Any) -> TestResult | PostHoc:
    """What a test makes of a table; bonferroni-dunn is told its control."""
    named = {"control": control} if name == "bonferroni-dunn" else {}
    found: TestResult | PostHoc = compute(name, scores=table, **named, **options)
    return found


def run(name: str, table: NDArray[Any], **options: Any) -> TestResult | PostHoc | None:
    """None when the test refuses: anova without any error variance."""
    try:
        return given_to(name, table, **options)
    except TestError as error:
        if "variance is 0" not in str(error):
            raise
        return None


@pytest.mark.parametrize("name", [card.name for card in CARDS])
@settings(deadline=None, max_examples=30)
@given(table=TABLES)
def test_metamorphic(name: str, table: NDArray[np.int64]) -> None:
    base = run(name, table / 20)
    if base is None:
        return
    k = table.shape[1]
    expected = pvalues(base)
    assert all(0.0 < p <= 1.0 for p in expected.values())
    assert sum(base.ranks) == pytest.approx(k * (k + 1) / 2)
    if isinstance(base, PostHoc) and base.critical_difference is not None:
        for one in base.results:
            far = abs(one.effect.value) >= base.critical_difference
            assert (one.pvalue <= 0.05) == far or one.pvalue == pytest.approx(0.05)
    for other in (table / 20 + 0.375, table * 5.0, table[::-1] / 20):  # shifted, scaled, datasets in another order
        again = run(name, other)
        assert pvalues(again) == pytest.approx(expected, rel=1e-6, abs=1e-12)
    losses = run(name, -table / 20, higher_is_better=False)
    assert pvalues(losses) == pytest.approx(expected, rel=1e-6, abs=1e-12)
    assert losses.ranks == pytest.approx(base.ranks)
    if isinstance(base, PostHoc):
        assert [(r.wins, r.losses) for r in losses.results] == [(r.losses, r.wins) for r in base.results]
    turned = run(name, table[:, ::-1] / 20, control=k - 1)
    back = {frozenset(k - 1 - j for j in pair): p for pair, p in pvalues(turned).items()}
    assert back == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("name", [card.name for card in CARDS])
def test_equal_learners_give_p_one(name: str) -> None:
    column = np.random.default_rng(0).random((8, 1))
    found = run(name, np.repeat(column, 4, axis=1))
    assert set(pvalues(found).values()) == {1.0}


@pytest.mark.parametrize("name", [card.name for card in CARDS])
@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[1.0, 2.0, math.nan], [1.0, 2.0, 3.0]], "row 1, column 3"),
        ([[1.0, 2.0, 3.0], [math.inf, 2.0, 3.0]], "row 2, column 1"),
        ([[1.0, 2.0], [3.0]], "not a table of numbers"),
        ([["a", 2.0], [3.0, 4.0]], "not a table of numbers"),
        ([[1.0, 2.0, 3.0]], "at least 2 datasets"),
        ([[1.0], [2.0]], "at least 2 learners"),
        ([], "axes"),
        (None, "scores"),
    ],
)
def test_bad_tables_are_named(name: str, table: Any, words: str) -> None:
    with pytest.raises(TestError, match=words):
        given_to(name, table)
