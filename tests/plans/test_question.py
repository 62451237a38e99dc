"""Which of Dietterich's nine questions a statement asks: the table of the design, line by line."""

from __future__ import annotations

import pytest

from evalang.plans.default_tests import QUESTIONS, may_say
from tests.plans.planning import only

PREDICTIONS = 'predictions p from csv "p.csv", truth "y", learners in "u", "v"\n'
RESULTS = 'results s from csv "s.csv", datasets in "d", measuring accuracy\n'


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("estimate this classifier t on a using holdout 1/3", 1),
        ("estimate this classifier t on a using given test", 1),
        ("estimate this classifier t on a using 10cv", 2),
        ("compare this classifier t vs n on a using holdout 1/3", 3),
        (PREDICTIONS + "compare u vs v on p", 3),
        ("compare this classifier t vs n on a using 10cv", 4),
        ("estimate t on a using 8 trainings of 300", 5),
        ("estimate t on a using 10cv", 6),
        ("estimate t on a using holdout 1/3", 1),
        ("compare t vs n on a using 8 trainings of 300", 7),
        ("compare t vs n on a using 5x2cv", 8),
        ("compare t vs n on a using 10x10cv", 8),
        ("compare t vs n on a using holdout 1/3", 3),
        ("compare t vs n on a using given test", 3),
        ("compare this classifier t vs n on a, b using holdout 1/3", 3),
        ("compare t vs n on a, b using 5x2cv", 9),
        (RESULTS + "compare t vs n on s", 9),
    ],
)
def test_the_question(text: str, number: int) -> None:
    found = only(text)
    assert found.question == number
    assert found.question_reason
    assert QUESTIONS[number]


def test_a_claim_about_learners_is_not_offered_for_trained_classifiers() -> None:
    assert may_say(only("compare this classifier t vs n on a using holdout 1/3")).endswith("nothing of the learners")
    assert may_say(only("compare t vs n on a using 5x2cv")).endswith("nothing of other data sets")
    assert "300 rows" in may_say(only("compare t vs n on a using 8 trainings of 300"))
