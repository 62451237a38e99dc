"""Dietterich's nine questions: what each asks, of what its answer speaks, and of what it does not.

Dietterich 1998, section 1; Salzberg 1997, 3.4, for what lies beyond the datasets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Question:
    """`holds` is the population an answer speaks of, with {data} for the dataset; `not_of` what it is silent about."""

    number: int
    asks: str
    holds: str
    not_of: str


_TRAINED_ONCE = "the learner trained on other rows, or any other dataset"
_NEW_ROWS = "new rows drawn as those of {data} were"

QUESTIONS: tuple[Question, ...] = (
    Question(
        1,
        "how well one trained classifier does, with a large test set",
        f"this one trained classifier on {_NEW_ROWS}",
        _TRAINED_ONCE,
    ),
    Question(
        2,
        "how well one trained classifier does, with few rows",
        f"the learner (in place of the one classifier) trained on about as many rows as here, on {_NEW_ROWS}",
        "the one classifier that ends up in use, or any other dataset",
    ),
    Question(
        3,
        "which of two trained classifiers does better, with a large test set",
        f"these two trained classifiers on {_NEW_ROWS}",
        _TRAINED_ONCE,
    ),
    Question(
        4,
        "which of two trained classifiers does better, with few rows",
        f"the learners (in place of the two classifiers) trained on about as many rows as here, on {_NEW_ROWS}",
        "the two classifiers that end up in use, or any other dataset",
    ),
    Question(
        5,
        "how well a learner does at a given training size, with plenty of rows",
        f"the learner over training sets of this size, on {_NEW_ROWS}",
        "other training sizes, or any other dataset",
    ),
    Question(
        6,
        "how well a learner does, with few rows",
        f"the learner trained on about as many rows as here, on {_NEW_ROWS}",
        "one classifier trained once, other training sizes, or any other dataset",
    ),
    Question(
        7,
        "which of two learners does better at a given training size, with plenty of rows",
        f"the learners over training sets of this size, on {_NEW_ROWS}",
        "other training sizes, or any other dataset",
    ),
    Question(
        8,
        "which of two learners does better, with few rows",
        f"the learners trained on about as many rows as here, on {_NEW_ROWS}",
        "one classifier trained once, other training sizes, or any other dataset",
    ),
    Question(
        9,
        "which learner does better over several datasets",
        "the learners over {data}, taken as they are",
        "any dataset that is not among them, unless they were drawn from a named population",
    ),
)


def trained_again(asked: Question) -> Question:
    """The question when learners are trained several times on one training set: it speaks of that training set."""
    holds = f"the learners trained again on these same training rows, on {_NEW_ROWS}"
    return replace(asked, holds=holds, not_of="the learners trained on other rows, or any other dataset")


def question(number: int) -> Question:
    """The question of that number; 8, the commonest, when a plan has none."""
    return QUESTIONS[number - 1] if 1 <= number <= 9 else QUESTIONS[7]
