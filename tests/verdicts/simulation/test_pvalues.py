"""Each vectorised p is that of the test itself, trial by trial; a refused trial rejects nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalang.errors import TestError
from evalang.verdicts.apply import compute, function_of
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.simulation import pvalues
from evalang.verdicts.simulation.draws import Counts, DrawnFolds

seeds = st.integers(0, 2**32 - 1)


def one(test: str, *arguments: Any, **options: Any) -> float:
    try:
        return float(function_of(test)(*arguments, **options).pvalue)
    except TestError:
        return 1.0


def shown(test: str, **given: Any) -> float:
    try:
        return float(compute(test, **given).pvalue)
    except TestError:
        return 1.0


@pytest.mark.parametrize("test", [t for t in pvalues.OUTCOMES if t != "cochran-q"])
@given(seed=seeds, rows=st.integers(2, 60), error=st.sampled_from([0.02, 0.2, 0.5]), sides=st.sampled_from([1, 2]))
@settings(max_examples=30, deadline=None)
def test_outcomes(test: str, seed: int, rows: int, error: float, sides: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((4, rows, 2)) >= error
    a, b = right[..., 0], right[..., 1]
    counts = Counts(
        first_only=(~a & b).sum(axis=1), second_only=(a & ~b).sum(axis=1), both=(~a & ~b).sum(axis=1), rows=rows
    )
    alternative = "two-sided" if sides == 2 else "greater"
    asked = "mcnemar-exact" if test == "permutation" and rows > 16 else test
    expected = [shown(asked, first=a[i], second=b[i], alternative=alternative) for i in range(4)]
    assert pvalues.pvalues(test, counts, sides) == pytest.approx(expected, abs=1e-9)


@given(seed=seeds, rows=st.integers(2, 60))
@settings(max_examples=30, deadline=None)
def test_cochran_q(seed: int, rows: int) -> None:
    right = np.random.default_rng(seed).random((rows, 2)) >= 0.3
    a, b = right[:, :1].T, right[:, 1:].T
    counts = Counts(
        first_only=(~a & b).sum(axis=1), second_only=(a & ~b).sum(axis=1), both=(~a & ~b).sum(axis=1), rows=rows
    )
    assert pvalues.pvalues("cochran-q", counts)[0] == pytest.approx(one("cochran-q", right), abs=1e-9)


@pytest.mark.parametrize("test", pvalues.FOLDS)
@example(seed=104646, size=3, sides=1, times=2)  # equal halves whose floats differ in the last bit
@given(seed=seeds, size=st.sampled_from([3, 10, 150]), sides=st.sampled_from([1, 2]), times=st.integers(2, 6))
@settings(max_examples=30, deadline=None)
def test_folds(test: str, seed: int, size: int, sides: int, times: int) -> None:
    sides = 2 if test == "5x2cv-f" else sides
    shape = (5, 2) if test.startswith("5x2cv") else (1, times) if test == "kfold-t" else (times, 1)
    shape = (3, times) if test == "averaged-t" else shape
    rng = np.random.default_rng(seed)
    a, b = rng.binomial(size, 0.6, (4, *shape)) / size, rng.binomial(size, 0.5, (4, *shape)) / size
    if test == "averaged-t" and times == 2:
        return  # three partitions of two folds are no 5x2cv
    alternative = "two-sided" if sides == 2 else "greater"
    found = pvalues.pvalues(test, DrawnFolds(d=a - b, ratio=0.5), sides)
    for i, p in enumerate(found):
        try:
            scores = {"first": a[i], "second": b[i], "train_size": 200, "test_size": 100}
            assert p == pytest.approx(compute(test, **scores, alternative=alternative).pvalue, abs=1e-9)
        except TestError:
            # averaged-t counts a flat partition as t = 0 here, where the test itself refuses
            assert p == 1.0 or test == "averaged-t"


def test_partitions_of_five_by_two() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.binomial(50, 0.6, (4, 15, 2)) / 50, rng.binomial(50, 0.5, (4, 15, 2)) / 50
    found = pvalues.pvalues("averaged-t", DrawnFolds(d=a - b, ratio=1.0))
    for i, p in enumerate(found):
        expected = one("averaged-t", a[i].reshape(3, 5, 2), b[i].reshape(3, 5, 2))
        assert p == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("test", pvalues.DATASETS)
@given(seed=seeds, units=st.integers(2, 12), sides=st.sampled_from([1, 2]))
@settings(max_examples=30, deadline=None)
def test_over_datasets(test: str, seed: int, units: int, sides: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.binomial(40, 0.6, (4, units)) / 40, rng.binomial(40, 0.5, (4, units)) / 40
    alternative = "two-sided" if sides == 2 else "greater"
    expected = [one(test, a[i], b[i], asked=Sided(alternative)) for i in range(4)]
    assert pvalues.pvalues(test, a - b, sides) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("units", [199, 215, 400, 3000])  # zeros are ranked: about 200 of 215 are not zero
@pytest.mark.parametrize("sides", [1, 2])
def test_wilcoxon_on_many_datasets(units: int, sides: int) -> None:
    """Exact up to 200 differences and normal above, like the test itself; no count overflows."""
    rng = np.random.default_rng(units)
    a, b = rng.binomial(40, 0.52, (3, units)) / 40, rng.binomial(40, 0.5, (3, units)) / 40
    alternative = "two-sided" if sides == 2 else "greater"
    expected = [one("wilcoxon", a[i], b[i], asked=Sided(alternative)) for i in range(3)]
    assert pvalues.pvalues("wilcoxon", a - b, sides) == pytest.approx(expected, abs=1e-9)
