"""No scheme has a default test that was measured to be wrong too often."""

from __future__ import annotations

import csv
import re

import pytest

from evalang.catalogue.schemes import find_scheme
from evalang.catalogue.tests import find_test

from .defaults import FORMS, excused, over, problems
from .outcome import OUTCOME


def defaults() -> dict[str, str]:
    """The test that each kind of scheme takes when the script names none."""
    return {kind: card.test for kind in FORMS if (card := find_scheme(kind)) is not None}


def test_defaults_hold_their_level_where_it_was_measured() -> None:
    assert problems(defaults()) == []


def test_a_wrong_default_is_noticed() -> None:
    for kind, wrong in (("5x2cv", "5x2cv-f"), ("repeated-cv", "corrected-t"), ("partitions-cv", "averaged-t")):
        assert problems({**defaults(), kind: wrong}), (kind, wrong)
    assert problems({"cv": "kfold-t"}) == ["5cv by kfold-t was not measured", "10cv by kfold-t was not measured"]


def test_exceptions_are_above_the_limit() -> None:
    assert set(excused()) <= set(over())


@pytest.mark.parametrize("name", ["5x2cv-t", "5x2cv-f", "corrected-t", "partition-t", "averaged-t"])
def test_the_card_says_the_highest_rate_that_was_measured(name: str) -> None:
    """Every scheme's highest rate, or (for a test that holds) one bound above all of them."""
    card = find_test(name)
    assert card is not None
    with (OUTCOME / "ranges.csv").open(newline="") as file:
        highest = [r["highest"][1:] for r in csv.DictReader(file) if r["scheme and test"].endswith(f" by {name}")]
    said = re.findall(r"(?<!\d)\.\d{3}\b", card.type_one)
    assert max(highest) in said, (name, max(highest))
    assert all(rate in said or rate <= max(x for x in said if x <= ".060") for rate in highest), (name, highest)
