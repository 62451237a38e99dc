"""The paired bootstrap against R's percentile intervals, and with a metric of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evalang.errors import TestError
from evalang.verdicts.tests.resampling_tests import bootstrap
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", cases("bootstrap_percentile_ci"))
def test_agrees_with_r(case: Case) -> None:
    d = case["inputs"]["differences"]
    found = bootstrap(
        d, np.zeros(len(d)), rng=np.random.default_rng(8), resamples=20_000, level=case["options"]["conf"]
    )
    assert found.interval is not None
    agrees(case, lower=found.interval.low, upper=found.interval.high)
    assert found.difference == pytest.approx(case["expected"]["mean"], rel=1e-12)


def _accuracy(truth: NDArray[Any], labels: NDArray[Any]) -> float:
    return float(np.mean(truth == labels))


def test_metric_form_agrees_with_means() -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 300)
    a, b = np.where(rng.random(300) < 0.9, truth, 1 - truth), np.where(rng.random(300) < 0.8, truth, 1 - truth)
    rows = bootstrap(a == truth, b == truth, rng=np.random.default_rng(1))
    whole = bootstrap(a, b, truth=truth, metric=_accuracy, rng=np.random.default_rng(1), resamples=4000)
    assert whole.difference == pytest.approx(rows.difference)
    assert rows.interval is not None
    assert whole.interval is not None
    assert whole.interval.low == pytest.approx(rows.interval.low, abs=0.01)
    assert whole.interval.high == pytest.approx(rows.interval.high, abs=0.01)


def test_metric_form_mirrors_and_ignores_order() -> None:
    rng = np.random.default_rng(4)
    truth, a, b = rng.integers(0, 2, 60), rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    order = rng.permutation(60)

    def run(x: NDArray[Any], y: NDArray[Any], t: NDArray[Any]) -> tuple[float | None, float, float]:
        found = bootstrap(x, y, truth=t, metric=_accuracy, rng=np.random.default_rng(1), resamples=500)
        assert found.interval is not None
        return found.pvalue, found.interval.low, found.interval.high

    p, low, high = run(a, b, truth)
    assert run(a[order], b[order], truth[order]) == (p, low, high)
    assert run(b, a, truth) == pytest.approx((p, -high, -low), rel=1e-12)


def test_identical_predictions() -> None:
    found = bootstrap([1, 0, 1], [1, 0, 1], truth=[1, 1, 1], metric=_accuracy, rng=np.random.default_rng(0))
    assert found.pvalue == 1.0
    assert found.notes
    assert bootstrap([1, 0, 1], [1, 0, 1], rng=np.random.default_rng(0)).pvalue == 1.0


def test_constant_difference_has_the_p_of_the_sign_test() -> None:
    found = bootstrap([0.02] * 8, [0.0] * 8, rng=np.random.default_rng(0))
    assert found.pvalue == pytest.approx(2 / 256)
    assert found.notes


def test_metric_undefined_on_most_resamples() -> None:
    def picky(truth: NDArray[Any], labels: NDArray[Any]) -> float:
        if truth.sum() == 0:
            raise ValueError
        return float(labels[truth == 1].mean())

    truth = np.array([1] + [0] * 200)
    found = bootstrap(
        np.arange(201), np.arange(201)[::-1], truth=truth, metric=picky, rng=np.random.default_rng(0), resamples=50
    )
    assert found.n_units == 201  # undefined draws were drawn again

    def never(truth: NDArray[Any], labels: NDArray[Any]) -> float:
        return 1.0 if len(np.unique(labels)) == 201 else float("nan")

    with pytest.raises(TestError, match="undefined on more than half"):
        bootstrap(
            np.arange(201), np.arange(201) + 0.5, truth=truth, metric=never, rng=np.random.default_rng(0), resamples=50
        )
