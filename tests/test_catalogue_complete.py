"""Every test of the catalogue has exactly one function, and every function one card."""

from __future__ import annotations

from evalang.catalogue.tests import TESTS
from evalang.verdicts import over
from evalang.verdicts.functions import FUNCTIONS, ROW_AND_FOLD_TESTS


def test_tests_have_one_function_and_functions_one_card() -> None:
    assert {card.name for card in TESTS} == set(FUNCTIONS)


def test_no_name_is_given_twice() -> None:
    parts = (ROW_AND_FOLD_TESTS, over.OVER_TESTS, over.BAYES_TESTS, over.ESTIMATE_METHODS)
    assert sum(len(part) for part in parts) == len(FUNCTIONS) == len(TESTS)


def test_functions_are_named_after_their_cards() -> None:
    """5x2cv-t cannot be a Python name; all others are the card's name in snake_case."""
    spelled = {"5x2cv-t": "five_by_two_t", "5x2cv-f": "five_by_two_f"}
    for name, function in FUNCTIONS.items():
        assert function.__name__ == spelled.get(name, name.replace("-", "_"))
