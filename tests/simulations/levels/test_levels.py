"""The study of levels: its tests are those of plain loops, its learners learn, its tables add up."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from ..procedures import oracle
from .candidates import averaged, corrected, five_by_two_t, halving, one_partition
from .divide import SCHEMES
from .learners import LEARNERS, neighbours
from .measure import POWER, RUNS
from .nulls import EFFECTS, Cell, differences, draw
from .outcome import OUTCOME
from .unfolded import cluster_t, cosine_t, wilcoxon_drop, wilcoxon_split


def test_candidates_are_those_of_plain_loops() -> None:
    d = np.random.default_rng(1).normal(0.4, 1, (3, 10))
    for row, by_ratio, once, first in zip(d, corrected(d, 1.0), one_partition(d, 2), five_by_two_t(d), strict=True):
        folds = row.reshape(5, 2).tolist()
        assert by_ratio == pytest.approx(oracle.corrected_t(folds, 1.0))
        assert once == pytest.approx(oracle.partition_t(folds, 1.0))
        assert first == pytest.approx(oracle.five_by_two_t(folds))
    assert one_partition(d, 10) == pytest.approx(corrected(d, 1 / 9))  # with one partition they are the same
    assert averaged(d, 10) == pytest.approx(corrected(d, 0.0))  # the plain t on the folds of one partition


def test_halving_by_hand() -> None:
    """Halves that differ by 2 in every halving: v = 4/4, so t is the mean of the cross-validation."""
    halves = np.tile(np.repeat([1.0, -1.0], 5), 10)[None]
    assert halving(np.full((1, 100), 2.262157), halves)[0] == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "grown-tree"])
def test_learners_learn_from_what_they_are_given(name: str) -> None:
    """Right more often than not on rows they have not seen, and blind to the labels of those."""
    rng = np.random.default_rng(2)
    x, y = draw(rng, 300, EFFECTS)
    weights = np.zeros((2, 300), dtype=np.uint8)
    weights[0, :200], weights[1, 100:] = 1, 1
    given = LEARNERS[name](x, y, weights)
    assert (given == y)[weights == 0].mean() > 0.62
    other = y.copy()
    other[200:] = 1 - other[200:]
    assert (LEARNERS[name](x, other, weights)[0, 200:] == given[0, 200:]).all()


@pytest.mark.parametrize("k", [1, 5])
def test_neighbours_are_those_that_are_trained_on(k: int) -> None:
    """Few of many rows are trained on, and each asks these alone, however many others lie nearer."""
    x, y = draw(np.random.default_rng(4), 300, EFFECTS)
    weights = np.zeros((1, 300), dtype=np.uint8)
    weights[0, :12] = 1
    given = neighbours(x, y, weights, k=k)[0]
    for row in range(12, 300):
        near = np.argsort(((x[:12] - x[row]) ** 2).sum(axis=1))[:k]
        assert given[row] == (2 * y[near].sum() > k)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_row_is_trained_on_and_tested(scheme: str) -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 30)
    trained, tested = SCHEMES[scheme](rng, y)
    assert not ((trained > 0) & tested).any()
    assert tested.any(axis=1).all()
    assert trained.any(axis=1).all()


@pytest.mark.parametrize(("scheme", "k", "share"), [("10x10cv", 10, 1), ("50x2cv", 2, 1), ("halvings", 5, 2)])
def test_every_row_is_tested_once_in_a_partition(scheme: str, k: int, share: int) -> None:
    """Each class is dealt evenly; in a half the rows of the other half are neither trained on nor tested."""
    y = np.random.default_rng(4).permutation(np.arange(60) % 2)
    trained, tested = SCHEMES[scheme](np.random.default_rng(5), y)
    parts = tested.reshape(-1, share * k, 60)
    assert (parts.sum(axis=1) == 1).all()
    assert ((trained > 0) | tested).sum(axis=1).tolist() == [60 // share] * len(tested)
    ones = tested[:, y == 1].sum(axis=1)
    assert ones.min() >= 30 // (share * k) - 1
    assert ones.max() <= 30 // (share * k) + 1
    assert len({tuple(row) for row in tested}) == len(tested)


def test_a_batch_is_the_same_whenever_it_is_made() -> None:
    cell = Cell("centroid", 60, "symmetric")
    one, two = (differences({cell: (EFFECTS, EFFECTS)}, 0, 3, ("50x2cv",))["centroid", "50x2cv"] for _ in range(2))
    assert (one == two).all()
    assert one.shape == (3, 100)
    assert one.any()


def test_every_cell_has_the_runs_that_were_set_before() -> None:
    with (OUTCOME / "levels.csv").open(newline="") as file:
        runs = {(row["null"] == "power", int(row["runs"])) for row in csv.DictReader(file)}
    assert runs == {(False, RUNS), (True, POWER)}


def test_tests_off_folds_against_known_values() -> None:
    d = np.array([3.0, -1.0, 2.5, 5.0, 4.0, -2.0])
    assert wilcoxon_drop(d) == wilcoxon_split(d) == pytest.approx(oracle.wilcoxon(list(d)))
    assert wilcoxon_split(np.array([0.0, 0.0, 1.0, 2.0, 3.0])) == pytest.approx(0.25)  # three signs of three alike
    equal = np.full(10, 15.0)
    sums = np.arange(10.0) - 3
    cr2, cr1 = cluster_t(sums, equal)
    assert cr2 == pytest.approx(oracle.t_two_sided(sums.mean() / np.sqrt(sums.var(ddof=1) / 10), 9))  # equal clusters
    assert cr2 == pytest.approx(cr1)
    assert cosine_t(np.random.default_rng(0).normal(5, 1, (1, 100)))[0] < 1e-6


def test_rates_are_rejections_over_runs() -> None:
    for name in ("levels.csv", "unfolded.csv"):
        with (OUTCOME / name).open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert rows
        for row in rows:
            rate = int(row["rejections"]) / int(row["runs"])
            assert float(row["rate"]) == pytest.approx(rate, abs=5.1e-5)  # written with four decimals
            assert float(row["standard error"]) == pytest.approx(
                (rate * (1 - rate) / int(row["runs"])) ** 0.5, abs=5e-5
            )


def test_the_range_is_that_of_its_cells() -> None:
    with (OUTCOME / "levels.csv").open(newline="") as file:
        cells = [row for row in csv.DictReader(file) if row["null"] in ("symmetric", "crossing")]
    with (OUTCOME / "ranges.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            here = [c for c in cells if f"{c['scheme']} by {c['test']}" == row["scheme and test"]]
            rates = [int(c["rejections"]) / int(c["runs"]) for c in here]
            assert (len(rates), f"{max(rates):.3f}") == (int(row["cells"]), row["highest"])
