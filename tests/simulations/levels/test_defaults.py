"""No scheme has a default test that was measured to be wrong too often."""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import product

import pytest

from evalang.catalogue.metrics import METRICS
from evalang.catalogue.schemes import find_scheme
from evalang.catalogue.tests import EXCEEDING, find_test
from evalang.plans.default_tests import RowFacts, dataset_tests

from ...support.plans import planned
from .defaults import FORMS, MOST, NO_DEFAULT, UNFOLDED, excused, over, problems, unfolded_excused, unfolded_over
from .outcome import HEAD, OUTCOME


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
    assert set(unfolded_excused()) == set(unfolded_over())


def test_with_six_exceptions_a_test_is_no_default() -> None:
    counted = Counter(cell[:2] for cell in excused()) + Counter((w, t) for w, _, t in unfolded_excused())
    assert all(number < MOST for number in counted.values()), counted


def test_every_exception_stands_on_the_card_and_in_the_plan() -> None:
    """Its highest figure, as it was measured; and nothing else is called an exception."""
    with (OUTCOME / "levels.csv").open(newline="") as file:
        rates = {tuple(r[x] for x in HEAD[:5]): float(r["rate"]) for r in csv.DictReader(file)}
    highest: dict[tuple[str, bool], float] = {}
    taken = {(form, test) for kind, test in defaults().items() for form in FORMS[kind]}
    for cell in over():
        if cell[:2] in taken:
            key = (cell[1], cell[2] == "stump")
            highest[key] = max(highest.get(key, 0.0), rates[cell])
    for (what, _, test), rate in unfolded_over().items():
        key = (UNFOLDED[what, test], False)
        highest[key] = max(highest.get(key, 0.0), rate)
    known = {(e.test, e.stumps): e for e in EXCEEDING}
    assert set(known) == set(highest)
    for key, rate in highest.items():
        found, card = known[key], find_test(key[0])
        assert found.rate == pytest.approx(rate, abs=6e-4)
        assert f"{100 * found.rate:.1f}%" in card.type_one
        for kind in found.kinds:
            scheme = find_scheme(kind)
            metrics = tuple(m for m in METRICS if m.name == ("mae" if key[0] == "row-t" else "accuracy"))
            (test,), _ = dataset_tests(scheme, 2, metrics, RowFacts(retrained=key[0] == "retrained-t"))
            assert test.name == key[0]
            assert f"type I error at the 5% level up to {100 * found.rate:.1f}% {found.where}" in test.reason
    assert "type I error" not in dataset_tests(find_scheme("5x2cv"), 2, METRICS[:1])[0][0].reason


@pytest.mark.parametrize("kind", ["cv", "given-folds", "halvings", "5x2cv"])
def test_no_test_is_taken_by_default_where_none_holds(kind: str) -> None:
    """With stumps on one partition; named, it is taken, and elsewhere and with other trees as before."""
    using = {"cv": "10cv", "given-folds": "given folds", "halvings": "10 halvings of 10x10cv"}.get(kind, kind)
    for depth, by in product((1, 2), ("", ", by corrected-t")):
        script = (
            'dataset d from csv "d.csv", target "y", folds "f"\n'
            f"learner t is decision-tree(max_depth = {depth})\n"
            f"compare t vs naive-bayes on d using {using}{by}\n"
        )
        (comparison,) = planned(script).plan.comparisons
        none = depth == 1 and not by and (kind, "stump") in NO_DEFAULT
        assert bool(comparison.tests) is not none, script
        assert ("a type I error of at most 6%" in comparison.over_note) is none


@pytest.mark.parametrize("name", ["5x2cv-t", "5x2cv-f", "corrected-t", "partition-t", "averaged-t"])
def test_the_card_says_the_highest_rate_that_was_measured(name: str) -> None:
    """Every scheme's highest rate, or (for a test that holds) one bound above all of them."""
    card = find_test(name)
    with (OUTCOME / "ranges.csv").open(newline="") as file:
        highest = [float(r["highest"]) for r in csv.DictReader(file) if r["scheme and test"].endswith(f" by {name}")]
    said = [round(float(x) / 100, 3) for x in re.findall(r"([\d.]+)%", card.type_one)]
    assert max(highest) in said, (name, max(highest))
    assert all(rate in said or rate <= max(x for x in said if x <= 0.06) for rate in highest), (name, highest)
