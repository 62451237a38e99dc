"""Short ways to a plan."""

from __future__ import annotations

from typing import TypeVar

from evalang.language.text import SourceText
from evalang.plans.build import Built, build
from evalang.plans.model import Comparison
from evalang.plans.names import PassedValue

T = TypeVar("T")
TABLES = """
dataset a from csv "a.csv", target "y"
dataset b from csv "b.csv", target "y"
dataset c from csv "c.csv", target "y"
dataset r from csv "r.csv", target "y" as regression
learner t is decision-tree
learner n is naive-bayes
learner k is knn
learner tuned is decision-tree, tune max_depth in {2, 4, 8}, min_samples_leaf in 1..5
learner five is random-forest, tune max_depth in {2, 4, 8}, train 5 times
"""


def planned(text: str, *passed: PassedValue) -> Built:
    """The plan of a text."""
    return build(SourceText("test.eval", text), passed=passed)


def clean(text: str) -> Built:
    """The plan of a text after the definitions above, in which nothing was found."""
    built = planned(TABLES + text)
    assert [f.message for f in built.findings] == []
    return built


def only(text: str) -> Comparison:
    """The one comparison of a text after the definitions above."""
    (found,) = clean(text).plan.comparisons
    return found


def the(value: T | None) -> T:
    """The value, which is not None."""
    assert value is not None
    return value
