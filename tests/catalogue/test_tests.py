"""The cards of the tests: one function each, texts filled, floors true, and readable without numpy."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest

from evalang.catalogue import tests as floors
from evalang.catalogue.schemes import SCHEMES
from evalang.catalogue.tests import TESTS, TestEntry, find_test
from evalang.verdicts.compute import function_of
from evalang.verdicts.tests import bootstrap as bootstrap_module
from evalang.verdicts.tests import mcnemar as mcnemar_module

PSEUDO = {"predictions", "results"}


def test_names_are_unique_and_found() -> None:
    assert len({card.name for card in TESTS}) == len(TESTS)
    assert all(find_test(card.name) is card for card in TESTS)
    assert find_test("chi-by-eye") is None


@pytest.mark.parametrize("card", [pytest.param(c, id=c.name) for c in TESTS])
def test_cards_are_complete(card: TestEntry) -> None:
    texts = (card.title, card.question, card.null, card.method, card.type_one, card.use_when, card.avoid_when)
    assert all(texts)
    assert card.references
    assert card.scopes
    assert card.min_units >= 1
    assert card.question.endswith("?")
    assert card.null.endswith(".")
    known = {scheme.kind for scheme in SCHEMES} | PSEUDO
    assert set(card.schemes) <= known, set(card.schemes) - known
    assert card.schemes or card.scopes == ("over-datasets",)
    assert all(find_test(name) is not None for name in card.post_hoc_of)
    assert all(1 <= q <= 9 for q in card.questions)


@pytest.mark.parametrize("card", [pytest.param(c, id=c.name) for c in TESTS])
def test_smallest_p_falls_with_units_and_doubles_with_sides(card: TestEntry) -> None:
    values = [card.smallest_p(n, 3, 2) for n in (1, 2, 5, 10, 24, 25, 100)]
    assert all(0.0 <= v <= 1.0 for v in values)
    assert all(later <= earlier + 1e-15 for earlier, later in itertools.pairwise(values)), values
    assert card.smallest_p(10, 3, 1) <= card.smallest_p(10, 3, 2)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 24, 40, 200])
@pytest.mark.parametrize(
    "name", ["mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "proportions", "corrected-proportions"]
)
def test_floors_are_reached_by_the_most_extreme_rows(name: str, n: int) -> None:
    card = find_test(name)
    assert card is not None
    for sides, alternative in ((2, "two-sided"), (1, "greater")):
        found = function_of(name)(np.ones(n, dtype=bool), np.zeros(n, dtype=bool), alternative=alternative)
        assert found.pvalue == pytest.approx(card.smallest_p(n, 2, sides), rel=1e-9)


def test_other_floors_are_reached() -> None:
    cochran, permutation, shuffles = (find_test(n) for n in ("cochran-q", "permutation", "randomization"))
    assert cochran
    assert permutation
    assert shuffles
    table = np.repeat([[True, False, False]], 30, axis=0)
    assert function_of("cochran-q")(table).pvalue == pytest.approx(cochran.smallest_p(30, 3, 2), rel=1e-9)
    found = function_of("permutation")(np.arange(1.0, 9.0), np.zeros(8)).pvalue
    assert found == pytest.approx(permutation.smallest_p(8, 2, 2), rel=1e-12)
    assert function_of("randomization")(1.0, np.zeros(99)).pvalue == pytest.approx(shuffles.smallest_p(99, 1, 1))


def test_constants_agree_with_the_functions() -> None:
    assert floors.EXACT_BELOW == mcnemar_module.EXACT_BELOW
    assert floors.BOOTSTRAP_RESAMPLES == bootstrap_module.RESAMPLES


def test_cards_import_no_numbers_library() -> None:
    code = (
        "import sys, evalang.catalogue.tests, evalang.catalogue.references;"
        "print([m for m in ('numpy', 'scipy', 'pandas', 'sklearn', 'statsmodels') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
