"""The cards of the tests over datasets, the Bayesian tests and the intervals: complete, and true of the functions."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from evalang.catalogue.schemes import SCHEMES
from evalang.catalogue.tests import BAYES, ESTIMATES, OVER, TestEntry
from evalang.errors import TestError
from evalang.verdicts.compute import function_of

CARDS = (*OVER, *BAYES, *ESTIMATES)


@pytest.mark.parametrize("card", CARDS, ids=lambda c: c.name)
def test_card_says_everything(card: TestEntry) -> None:
    for field in ("title", "question", "null", "unit", "method", "type_one", "use_when", "avoid_when"):
        assert getattr(card, field), field
    assert card.references
    assert set(card.schemes) <= {scheme.kind for scheme in SCHEMES}
    assert card.gives_p or not card.one_sided


def test_cards_need_no_numpy() -> None:
    code = (
        "import sys, evalang.catalogue.tests, evalang.catalogue.tests,"
        " evalang.catalogue.tests,"
        " evalang.catalogue.corrections, evalang.catalogue.power;"
        " sys.exit(any(m in sys.modules for m in ('numpy', 'scipy', 'statistics')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("n", [1, 2, 5, 6, 10])
@pytest.mark.parametrize("sides", [1, 2])
def test_smallest_p_of_the_tests_of_signs(n: int, sides: int) -> None:
    card = {c.name: c for c in OVER}
    alternative = "two-sided" if sides == 2 else "greater"
    for name in ("wilcoxon", "sign"):
        best = function_of(name)(np.arange(1.0, n + 1), np.zeros(n), alternative=alternative).pvalue
        assert card[name].smallest_p(n, 2, sides) == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize(("n", "k"), [(2, 3), (5, 3), (4, 6), (10, 4)])
def test_smallest_p_of_the_rank_tests(n: int, k: int) -> None:
    """All datasets agree on the order of the learners."""
    card = {c.name: c for c in OVER}
    same = np.tile(np.arange(k, dtype=float), (n, 1))
    for name in ("friedman", "iman-davenport"):
        assert card[name].smallest_p(n, k, 2) == pytest.approx(function_of(name)(same).pvalue, rel=1e-9)
    for name, options in (("nemenyi", {}), ("bonferroni-dunn", {"control": 0})):
        best = min(each.pvalue for each in function_of(name)(same, **options).results)
        assert card[name].smallest_p(n, k, 2) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("card", OVER, ids=lambda c: c.name)
def test_too_few_units_names_the_number_needed(card: TestEntry) -> None:
    few = card.min_units - 1
    arguments = (np.zeros(few), np.zeros(few)) if card.learners == "two" else (np.zeros((few, 3)),)
    with pytest.raises(TestError, match=f"at least {card.min_units} dataset"):
        function_of(card.name)(*arguments, **({"control": 0} if card.name == "bonferroni-dunn" else {}))
