"""Every test of the catalogue has exactly one function, and every function of a test one card."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.catalogue.tests import TESTS
from evalang.errors import TestError
from evalang.verdicts import apply as computing
from evalang.verdicts import tests
from evalang.verdicts.apply import compute, function_of


def test_tests_have_one_function_and_functions_one_card() -> None:
    assert set(computing.TESTS) == {card.name for card in TESTS}
    functions = [function_of(card.name) for card in TESTS]
    assert len(set(functions)) == len(TESTS)
    files = {path.stem for path in Path(str(tests.__file__)).parent.glob("*.py")} - {"__init__"}
    assert {function.__module__.rpartition(".")[2] for function in functions} == files


def test_functions_are_named_after_their_cards() -> None:
    """5x2cv-t cannot be a Python name; all others are the card's name in snake_case."""
    spelled = {"5x2cv-t": "five_by_two_t", "5x2cv-f": "five_by_two_f"}
    for card in TESTS:
        assert function_of(card.name).__name__ == spelled.get(card.name, card.name.replace("-", "_"))


def test_what_is_missing_is_named() -> None:
    with pytest.raises(TestError, match="tost needs a margin") as found:
        compute("tost", first=[1, 0], second=[1, 1])
    assert found.value.hint == "add rope 1 point, or --margin 0.01 on the command line"
