"""Every test of the catalogue has exactly one function, and every function of a test one card."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from evalang.catalogue.tests import TESTS
from evalang.errors import TestError
from evalang.verdicts import compute as computing
from evalang.verdicts import tests
from evalang.verdicts.compute import compute, function_of, parameters_of, shapes_of
from evalang.verdicts.evidence import Outcomes


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


def test_functions_take_the_fields_of_their_shapes() -> None:
    for card in TESTS:
        for shape in shapes_of(card.name):
            if shape is not Outcomes:  # it is counted first, where a test takes counts
                required = {name for name, needed in parameters_of(card.name).items() if needed}
                fields = {field.name for field in dataclasses.fields(shape)}
                assert required <= fields | {"rng", "margin"}, (card.name, shape)


def test_what_is_no_evidence_for_a_test_is_refused_in_words() -> None:
    with pytest.raises(TestError, match="corrected-t is not made from Outcomes") as found:
        compute("corrected-t", Outcomes(first=[1, 0], second=[1, 1]))
    assert found.value.hint == "it is made from FoldScores"
    with pytest.raises(TestError, match="mcnemar has no option margn"):
        compute("mcnemar", Outcomes(first=[1, 0], second=[1, 1]), margn=0.1)
    with pytest.raises(TestError, match="tost needs a margin"):
        compute("tost", Outcomes(first=[1, 0], second=[1, 1]))
