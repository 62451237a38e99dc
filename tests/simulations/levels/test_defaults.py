"""No scheme has a default test that was measured to be wrong too often."""

from __future__ import annotations

from evalang.catalogue.schemes import find_scheme

from .defaults import FORMS, excused, over, problems


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
