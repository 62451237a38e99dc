"""The simulation of items: a quick part, proof that it would notice, and what the full one stored."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from scipy import stats

from evalang.catalogue.tests import find_test

from .items import SLOW, STORED, ItemDesign, settings, wrongs_of
from .levels.outcome import by_what

QUICK = {
    "50 items, 1 epoch, equal models": 150,
    "50 items, 5 epochs, different models": 150,
    "200 items, 1 epoch, 10 uneven groups, equal models": 150,
    "50 items, 5 epochs, 20 equal groups, different models": 100,
}
UNSAID = "row-t, groups not declared"
TESTS = ("row-t", "mcnemar", "mcnemar-exact", "mcnemar-midp", "cluster-permutation", "cluster-t", "item-interval")


def too_many(wrong: int, runs: int) -> bool:
    """More than chance brings in one of two thousand such simulations where one in twenty is wrong."""
    return bool(stats.binom.sf(wrong - 1, runs, 0.05) < 0.0005)


@pytest.mark.parametrize("name", QUICK)
def test_tests_of_items_keep_their_level_and_intervals_cover(name: str) -> None:
    setting = next(s for s in settings() if s.name == name)
    found = wrongs_of(setting, QUICK[name])
    assert found
    assert {test for test, wrong in found.items() if too_many(wrong, QUICK[name])} <= {
        f"{UNSAID}, rejects",
        f"{UNSAID}, interval misses the truth",
    }


def test_groups_that_nobody_said_are_noticed() -> None:
    setting = next(s for s in settings() if s.name == "200 items, 1 epoch, 10 uneven groups, equal models")
    assert too_many(wrongs_of(setting, 150)[f"{UNSAID}, rejects"], 150)


def test_all_pairs_from_a_table_on_disk() -> None:
    setting = next(s for s in settings() if s.by == "row-t")
    found = wrongs_of(setting, 3)
    assert set(found) == {"row-t, a false sentence", "row-t, an interval misses the truth"}
    assert not any(too_many(wrong, 3) for wrong in found.values())


def test_what_is_true_is_what_many_items_show() -> None:
    for groups in (0, 4000):
        design = ItemDesign(items=200_000, epochs=5, abilities=(0.4, -1.0), groups=groups)
        right = design.draw(np.random.default_rng(3))
        for k in (1, 2, 5):
            seen = right[:, :, :k].any(axis=2).mean(axis=1)
            assert design.truth(k) == pytest.approx(seen, abs=0.02 if groups else 0.006)


def test_groups_have_the_sizes_that_are_said() -> None:
    for groups in (10, 20, 50):
        sizes = np.bincount(ItemDesign(items=1000, epochs=1, abilities=(0.0,), groups=groups).places)
        assert set(sizes) == {1000 // groups}
        uneven = ItemDesign(items=1000, epochs=1, abilities=(0.0,), groups=groups, uneven=True)
        assert np.bincount(uneven.places).max() >= 6 * np.bincount(uneven.places).min()


def rows() -> list[dict[str, str]]:
    with STORED.open(newline="") as file:
        return list(csv.DictReader(file))


def test_every_setting_is_stored_with_rates_of_its_runs() -> None:
    stored = rows()
    assert {(r["what"], r["setting"]) for r in stored} == {(s.what, s.name) for s in settings()}
    for row in stored:
        runs, wrong = int(row["runs"]), int(row["rejections"])
        assert runs >= (40 if row["what"] == SLOW else 200)
        assert float(row["rate"]) == pytest.approx(wrong / runs, abs=5.1e-5)


def test_the_table_on_the_page_is_that_of_the_stored_rates() -> None:
    with STORED.with_name("items-ranges.csv").open(newline="") as file:
        assert [tuple(r) for r in csv.reader(file)][1:] == [tuple(str(x) for x in line) for line in by_what(STORED)]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("does", ["rejects", "interval misses the truth"])
def test_the_card_says_the_highest_rate(test: str, does: str) -> None:
    card = find_test(test)
    rates = [float(row["rate"]) for row in rows() if row["test"] == f"{test}, {does}"]
    assert not rates or f"{100 * max(rates):.1f}%" in card.type_one
    assert rates or test == "item-interval"  # which rejects nothing
