"""Every test of the catalogue has exactly one function, and every function of a test one card."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import pytest

from evalang.catalogue.tests import TESTS
from evalang.errors import TestError
from evalang.verdicts import tests
from evalang.verdicts.compute import CALLED_WITH, compute, function_of, shapes_of
from evalang.verdicts.evidence import Outcomes, Shape


def test_tests_have_one_function_and_functions_one_card() -> None:
    functions = [function_of(card.name) for card in TESTS]
    assert len(set(functions)) == len(TESTS)
    files = {path.stem for path in Path(str(tests.__file__)).parent.glob("*.py")} - {"__init__"}
    assert {function.__module__.rpartition(".")[2] for function in functions} == files
    for stem in files:
        module = import_module(f"{tests.__name__}.{stem}")
        giving = {
            found
            for _, found in inspect.getmembers(module, inspect.isfunction)
            if found.__module__ == module.__name__ and not found.__name__.startswith("_")
        }
        assert giving & set(functions), stem


def test_functions_are_named_after_their_cards() -> None:
    """5x2cv-t cannot be a Python name; all others are the card's name in snake_case."""
    spelled = {"5x2cv-t": "five_by_two_t", "5x2cv-f": "five_by_two_f"}
    for card in TESTS:
        assert function_of(card.name).__name__ == spelled.get(card.name, card.name.replace("-", "_"))


def test_every_shape_is_called_and_some_test_takes_it() -> None:
    taken = {shape for card in TESTS for shape in shapes_of(card.name)}
    assert taken == set(CALLED_WITH) == set(Shape.__args__)


def test_what_is_no_evidence_for_a_test_is_refused_in_words() -> None:
    with pytest.raises(TestError, match="corrected-t is not made from Outcomes") as found:
        compute("corrected-t", Outcomes(first=[1, 0], second=[1, 1]))
    assert found.value.hint == "it is made from FoldScores"
    with pytest.raises(TestError, match="mcnemar has no option margn"):
        compute("mcnemar", Outcomes(first=[1, 0], second=[1, 1]), margn=0.1)
    with pytest.raises(TestError, match="tost needs a margin"):
        compute("tost", Outcomes(first=[1, 0], second=[1, 1]))
