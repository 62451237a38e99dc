"""The closed forms of `plan` against the simulation of the same design."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalang.catalogue.power import dataset_power, fold_power, power_paired_t, row_power, smallest_found
from evalang.verdicts.simulation.draws import answer_shares, draw_data_sets, draw_folds, draw_resamples, draw_test_part
from evalang.verdicts.simulation.pvalues import pvalues

TRIALS = 2000
OTHER_SIZES = [(150, 0.02), (150, 0.05), (600, 0.02), (600, 0.09)]  # where the power is near the level or near one


@pytest.mark.parametrize(
    ("rows", "difference"),
    [(150, 0.09), (600, 0.05), *(pytest.param(*size, marks=pytest.mark.slow) for size in OTHER_SIZES)],
)
@pytest.mark.parametrize(
    ("test", "partitions", "folds"),
    [
        ("5x2cv-t", 5, 2),
        ("kfold-t", 1, 10),
        ("corrected-t", 1, 10),
        ("corrected-t", 10, 10),
        ("partition-t", 10, 10),
        ("partition-t", 4, 5),
        ("averaged-t", 20, 10),
        ("averaged-t", 50, 2),
    ],
)
def test_folds(test: str, partitions: int, folds: int, difference: float, rows: int) -> None:
    rng = np.random.default_rng(4)
    found = draw_data_sets(answer_shares(0.2, difference, 0.10), rows, TRIALS, rng)
    simulated = float(np.mean(pvalues(test, draw_folds(found, partitions, folds, 0.0, rng)) <= 0.05))
    closed = fold_power(test, rows=rows, partitions=partitions, folds=folds, difference=difference)
    assert closed == pytest.approx(simulated, abs=0.07)  # accuracies are counts, the closed form is normal


@pytest.mark.parametrize(
    ("times", "tested", "difference"), [(30, 100, 0.06), (10, 133, 0.05), (5, 40, 0.08), (10, 300, 0.05)]
)
@pytest.mark.parametrize("test", ["corrected-t", "partition-t"])
def test_resamples(test: str, times: int, tested: int, difference: float) -> None:
    rng = np.random.default_rng(5)
    found = draw_data_sets(answer_shares(0.2, difference, 0.10), 400, TRIALS, rng)
    simulated = float(np.mean(pvalues(test, draw_resamples(found, tested, times, 0.0, rng)) <= 0.05))
    ratio = tested / (400 - tested)
    closed = fold_power(test, rows=400, partitions=times, folds=1, difference=difference, ratio=ratio)
    assert closed == pytest.approx(simulated, abs=0.05)


@pytest.mark.parametrize("test", ["mcnemar-midp", "mcnemar", "mcnemar-exact", "permutation", "corrected-proportions"])
def test_rows(test: str) -> None:
    rng = np.random.default_rng(6)
    found = draw_data_sets(answer_shares(0.2, 0.05, 0.10), 400, TRIALS, rng)
    simulated = float(np.mean(pvalues(test, draw_test_part(found, 200, 0.0, rng)) <= 0.05))
    assert row_power(test, 200, difference=0.05) == pytest.approx(simulated, abs=0.04)


def test_smallest_found() -> None:
    found = smallest_found(lambda d: row_power("mcnemar", 450, difference=d))
    assert found is not None
    assert row_power("mcnemar", 450, difference=found) == pytest.approx(0.8, abs=0.01)
    assert smallest_found(lambda d: 0.5) is None
    # no less disagreement than difference is supposed
    assert row_power("mcnemar", 1000, difference=0.3) == pytest.approx(1.0, abs=1e-6)


def test_datasets() -> None:
    assert dataset_power("paired-t", 12, difference=0.04, spread=0.05) == pytest.approx(power_paired_t(12, 0.8))
    assert dataset_power("sign", 5, difference=0.5) == 0.0  # five datasets cannot reject at .05
    assert dataset_power("wilcoxon", 1, difference=0.1) is None
    assert dataset_power("friedman", 10, difference=0.8, spread=1.0) is None
    share = stats.norm.cdf(0.8)  # the sign test rejects at ten wins of ten and at nine
    nine_or_ten = share**10 + 10 * (1 - share) * share**9
    assert dataset_power("sign", 10, difference=0.8, spread=1.0) == pytest.approx(nine_or_ten, abs=1e-4)


def test_no_closed_form_is_none() -> None:
    assert fold_power("resampled-t", rows=300, partitions=30, folds=1, difference=0.05) is None
    assert fold_power("kfold-t", rows=15, partitions=1, folds=10, difference=0.05) is None
    assert fold_power("kfold-t", rows=300, partitions=5, folds=1, difference=0.05, ratio=0.5) is None  # resamples
