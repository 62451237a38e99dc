from __future__ import annotations

import time

import pytest

from evalang.plans.model import Grid
from tests.plans.planning import planned


def grid_of(text: str) -> Grid:
    built = planned(f"learner x is svm, tune C in {text}")
    assert [f.message for f in built.findings] == []
    return built.plan.learners[0].grids[0]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("{1, 2, 4}", (1, 2, 4)),
        ("{0.5, 20%, 1/4}", (0.5, 0.2, 0.25)),
        ("3..6", (3, 4, 5, 6)),
        ("7..7", (7,)),
        ("10^{-3..3}", (0.001, 0.01, 0.1, 1, 10, 100, 1000)),
        ("2^{-2..2}", (0.25, 0.5, 1, 2, 4)),
        ("log(0.001, 1000, 7)", (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)),
        ("log(1, 16, 5)", (1.0, 2.0, 4.0, 8.0, 16.0)),
    ],
)
def test_values(text: str, values: tuple[float, ...]) -> None:
    found = grid_of(text)
    assert found.values == values
    assert found.size == len(values)
    assert found.parameter == "C"


def test_powers_of_ten_are_the_numbers_people_write() -> None:
    assert grid_of("10^{-7..-5}").values == (1e-7, 1e-6, 1e-5)


def test_the_form_is_kept_for_people() -> None:
    assert grid_of("10^{-3..3}").form == "10^{-3..3}"
    assert grid_of("{1,2}").form == "{1, 2}"


def test_settings_multiply_and_try_limits_them() -> None:
    text = "learner x is svm, tune C in {1, 2, 4}, gamma in {0.1, 0.2}"
    assert planned(text).plan.learners[0].candidates == 6
    assert planned(text + ", try 4").plan.learners[0].candidates == 4
    assert planned(text + ", try 50").plan.learners[0].candidates == 6


HUGE = ", ".join(
    f"{name} in 1..1000"
    for name in ("max_depth", "min_samples_leaf", "min_samples_split", "max_leaf_nodes", "max_features")
)


def test_a_grid_of_1000_to_the_5_is_refused_at_once() -> None:
    begun = time.process_time()
    built = planned(f"learner x is decision-tree, tune {HUGE}")
    assert time.process_time() - begun < 1
    (found,) = [f for f in built.findings if "settings" in f.message]
    assert found.code == "EV006"
    assert found.message == "the grid of x has more than a million million settings"
    assert "try 50" in found.help


def test_a_sample_of_a_huge_grid_is_fine() -> None:
    built = planned(f"learner x is decision-tree, tune {HUGE}, try 50")
    assert not [f for f in built.findings if "settings" in f.message]
    assert built.plan.learners[0].candidates == 50


@pytest.mark.parametrize("grid", ["1..1000000000000", "log(0.1, 1, 999999999)", "1..99999999999999999999999999"])
def test_a_range_is_not_made_before_it_is_counted(grid: str) -> None:
    begun = time.process_time()
    built = planned(f"learner x is svm, tune C in {grid}")
    assert time.process_time() - begun < 1
    assert [f.code for f in built.findings] == ["EV006"]


@pytest.mark.parametrize(
    "scheme",
    ["999999999cv", "1000000000x10cv", "100000x100000cv", "99999 partitions of 99999cv", "bootstrap 10000000000"],
)
def test_huge_schemes_are_refused_before_anything_is_made(scheme: str) -> None:
    begun = time.process_time()
    built = planned(f"compare knn vs svm on iris using {scheme}")
    assert time.process_time() - begun < 1
    assert [f.code for f in built.findings] == ["EV006"]


NINES = "9" * 5000


@pytest.mark.parametrize(
    "text",
    [
        f"compare knn vs svm on iris using {NINES}cv",
        f"compare knn vs svm on iris using {NINES}x10cv",
        f"compare knn vs svm on iris using 10cv, seed {NINES}",
        f"compare knn vs svm on iris using 10cv at alpha 0.{NINES}",
        f"compare knn vs svm on iris using holdout {NINES} rows",
        f"compare knn vs svm on iris using 8 trainings of {NINES}",
        f"learner x is knn(n_neighbors = {NINES})",
        f"learner x is knn, tune n_neighbors in 1..{NINES}",
        f"learner x is knn, train {NINES} times",
        f"dataset d from openml {NINES}",
        "compare knn vs svm on iris using 10cv, seed 1e999999999",
        f"compare knn vs svm on iris using 8 trainings of {'9' * 90}",
        f"learner x is knn(n_neighbors = {'9' * 90})",
    ],
)
def test_numbers_of_any_length_get_a_sentence(text: str) -> None:
    built = planned(text)
    assert built.findings
    assert all(len(f.message) < 300 and len(f.help) < 300 for f in built.findings)
