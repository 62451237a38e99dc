"""Values by their address."""

from __future__ import annotations

import pytest

from evalang.errors import ScriptError
from evalang.reports.values import value

from ..support.hostile import renamed
from ..support.results import many, pair


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("trees-or-bayes.heart.accuracy.p", "0.002"),
        ("trees-or-bayes.heart.accuracy.raw-p", "0.00040"),
        ("trees-or-bayes.accuracy.heart.interval", "-0.100 to -0.060 (tree minus naive-bayes)"),
        ("trees-or-bayes.heart.accuracy.tree-vs-naive-bayes.interval", "-0.100 to -0.060"),
        ("trees-or-bayes.heart.accuracy.low", "-0.100"),
        ("trees-or-bayes.heart.brier.difference", "+0.080 (tree minus naive-bayes)"),
        ("trees-or-bayes.heart.accuracy.verdict", "naive-bayes better"),
        ("trees-or-bayes.heart.accuracy.tree", "0.750"),
        ("trees-or-bayes.heart.brier.tree", "0.250"),
        ("claim-1.status", "supported"),
    ],
)
def test_an_address_finds_its_value(address: str, shown: str) -> None:
    assert value(pair(), address) == shown


def test_over_datasets_is_meant_when_nothing_else_is_said() -> None:
    assert value(many(), "league.svm-vs-majority.p") == "0.003"
    assert value(many(), "league.over.svm-vs-forest.verdict") == "inconclusive"


def test_names_may_hold_dots() -> None:
    base = renamed(pair(), {"heart": "heart.v1.2", "trees-or-bayes": "C4.5.against.nb"})
    assert value(base, "C4.5.against.nb.heart.v1.2.accuracy.p") == "0.002"


@pytest.mark.parametrize("address", ["nothing.p", "trees-or-bayes.p", "trees-or-bayes", "", ".", "claim-1.p"])
def test_an_address_that_fits_nothing_or_too_much_is_refused(address: str) -> None:
    with pytest.raises(ScriptError):
        value(pair(), address)
