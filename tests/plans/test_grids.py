"""Grids, and numbers of any size: they are counted before anything is made."""

from __future__ import annotations

import time

import pytest

from evalang.plans.build import Built
from evalang.plans.model import Grid
from tests.support.plans import planned


def grid_of(text: str) -> Grid:
    built = planned(f"learner x is svm, tune C in {text}")
    assert [f.message for f in built.findings] == []
    return built.plan.learners[0].grids[0]


def at_once(text: str) -> Built:
    begun = time.process_time()
    built = planned(text)
    assert time.process_time() - begun < 1
    return built


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("{1, 2, 4}", (1, 2, 4)),
        ("{0.5, 20%, 1/4}", (0.5, 0.2, 0.25)),
        ("3..6", (3, 4, 5, 6)),
        ("10^{-3..3}", (0.001, 0.01, 0.1, 1, 10, 100, 1000)),
        ("10^{-7..-5}", (1e-7, 1e-6, 1e-5)),  # the numbers that people write
        ("2^{-2..2}", (0.25, 0.5, 1, 2, 4)),
        ("log(0.001, 1000, 7)", (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)),
    ],
)
def test_values(text: str, values: tuple[float, ...]) -> None:
    found = grid_of(text)
    assert (found.parameter, found.size, found.values) == ("C", len(values), values)
    assert found.form == text.replace("20%, 1/4", "0.2, 0.25")


def test_settings_multiply_and_try_limits_them() -> None:
    text = "learner x is svm, tune C in {1, 2, 4}, gamma in {0.1, 0.2}"
    assert [planned(text + t).plan.learners[0].candidates for t in ("", ", try 4", ", try 50")] == [6, 4, 6]


def test_a_grid_of_1000_to_the_5_is_refused_at_once_and_sampled_if_asked() -> None:
    names = ("max_depth", "min_samples_leaf", "min_samples_split", "max_leaf_nodes", "max_features")
    text = f"learner x is decision-tree, tune {', '.join(f'{name} in 1..1000' for name in names)}"
    (found,) = [f for f in at_once(text).findings if "settings" in f.message]
    assert (found.code, found.message) == ("EV006", "the grid of learner `x` has more than a million million settings")
    assert "try 50" in found.help
    sampled = planned(f"{text}, try 50")
    assert not [f for f in sampled.findings if "settings" in f.message]
    assert sampled.plan.learners[0].candidates == 50


@pytest.mark.parametrize(
    "text",
    [
        *(f"learner x is svm, tune C in {g}" for g in ("1..1000000000000", "log(0.1, 1, 999999999)", f"1..{'9' * 26}")),
        *(
            f"compare knn vs svm on iris using {scheme}"
            for scheme in ("999999999cv", "1000000000x10cv", "99999 partitions of 99999cv", "bootstrap 10000000000")
        ),
    ],
)
def test_huge_grids_and_schemes_are_refused_before_anything_is_made(text: str) -> None:
    assert [f.code for f in at_once(text).findings] == ["EV006"]
