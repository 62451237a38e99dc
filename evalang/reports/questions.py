"""Dietterich's nine questions: what each asks, of what its answer speaks, and of what it does not.

Dietterich 1998, section 1; Salzberg 1997, 3.4, for what lies beyond the datasets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..results import numbers


@dataclass(frozen=True, slots=True)
class Question:
    """`holds` is the population an answer speaks of, with {data} for the dataset and {rows} for the rows trained on;
    `not_of` what it is silent about."""

    number: int
    asks: str
    holds: str
    not_of: str

    @property
    def named(self) -> str:
        """The source of the question."""
        return f"question {self.number} of the nine in Dietterich 1998"


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
        f"the learner (in place of the one classifier) trained on {{rows}}, on {_NEW_ROWS}",
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
        f"the learners (in place of the two classifiers) trained on {{rows}}, on {_NEW_ROWS}",
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
        f"the learner trained on {{rows}}, on {_NEW_ROWS}",
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
        f"the learners trained on {{rows}}, on {_NEW_ROWS}",
        "one classifier trained once, other training sizes, or any other dataset",
    ),
    Question(
        9,
        "which learner does better, over several datasets",
        "the learners over datasets like {data}, as far as these are a fair sample of such datasets",
        "any single one of them, or datasets of another kind",
    ),
)


def trained_again(asked: Question, both: bool = True) -> Question:
    """Return the question when learners are trained several times on one training set: it is about that set."""
    again = "the learners trained again on these same training rows"
    holds = f"{again}{'' if both else ' (the one that was trained once: as it was trained)'}, on {_NEW_ROWS}"
    return replace(asked, holds=holds, not_of="the learners trained on other rows, or any other dataset")


def in_groups(asked: Question) -> Question:
    """Return the question when the rows came in groups, which were the units of the test."""
    return replace(asked, holds=re.sub(r"new (rows|items) drawn", r"new groups of \1 drawn", asked.holds))


def of_items(asked: Question) -> Question:
    """Return the question when the rows were items of a benchmark: the models that answered need be no classifiers."""
    asks = asked.asks.replace("trained classifier", "model").replace("with a large test set", "judged on items")
    holds = asked.holds.replace("trained classifier", "model").replace("new rows drawn", "new items drawn")
    holds = re.sub(r"(models?) on new items", r"\1 as run here, on new items", holds)
    not_of = asked.not_of.replace("the learner trained on other rows", "other versions or settings of a model")
    return replace(asked, asks=asks, holds=holds, not_of=not_of)


def trained_on(sizes: Iterable[tuple[float, float] | None]) -> str:
    """Return how many rows were trained on, given those trained and tested on in each place.

    >>> trained_on([(120.0, 120.0)])
    'about 120 rows (half of those there are)'
    """
    known = [size for size in sizes if size is not None]
    if not known:
        return "about as many rows as in each fold here"
    low, high = (numbers.count(round(f(size[0] for size in known))) for f in (min, max))
    half = " (half of those there are)" if all(abs(a - b) <= 1.0 for a, b in known) else ""
    return f"about {low} rows{half}" if low == high else f"about {low} to {high} rows{half}"


def question(number: int) -> Question:
    """Return the question of that number; 8, the most common, when a plan has none."""
    return QUESTIONS[number - 1] if 1 <= number <= 9 else QUESTIONS[7]
