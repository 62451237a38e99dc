"""Formulas: read, and explained when they do not fit the columns."""

from __future__ import annotations

import pytest

from evalang.errors import DataError
from evalang.scores.formula import check_formula, formula_of, read_formula


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("accuracy ~ learner | dataset", ("accuracy", "learner", "dataset")),
        ("accuracy~learner|dataset/fold", ("accuracy", "learner", "dataset", "fold")),
        ('"test score" ~ learner | "data/set" / rep / fold', ("test score", "learner", "data/set", "rep", "fold")),
    ],
)
def test_reads(text: str, words: tuple[str, ...]) -> None:
    assert read_formula(text).words == words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("accuracy", "no ~"),
        ("accuracy ~ learner", r"no \|"),
        ("accuracy ~ learner | ", "a name is missing"),
        ("accuracy ~ learner | dataset / ", "a name is missing"),
        ("x ~ x | dataset", "twice"),
        ("", "no formula"),
        ("a ~ b | c | d", "a name is missing"),
        ("a / b ~ c | d", "a name is missing"),
        ('a ~ b | "c', "a name is missing"),
    ],
)
def test_refuses_with_the_form(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said) as found:
        read_formula(text)
    assert "score ~ learner | dataset" in found.value.hint


def test_every_word_without_a_column_is_named_with_the_nearest() -> None:
    with pytest.raises(DataError) as found:
        check_formula(formula_of(("accuracy", "lerner", "data")), ["Accuracy", "learner", "dataset"], "csv runs.csv")
    assert "'accuracy' and 'lerner' and 'data'" in found.value.message
    assert "'lerner' may be 'learner'" in found.value.hint
    assert "'Accuracy'" in found.value.hint
