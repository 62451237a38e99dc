"""Checks of the numbers that a test is given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import TestError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def numbers(values: Any, name: str, *, ndim: int = 1) -> Floats:
    """Return the values as finite floats with `ndim` axes; an error names the first cell that is missing.

    >>> numbers([0.8, 0.9], "first")
    array([0.8, 0.9])
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TestError(f"{name} is not {_shape_hint(ndim)}") from None
    if array.ndim != ndim:
        raise TestError(f"{name} has {array.ndim} axes where {ndim} are needed", hint=_shape_hint(ndim))
    bad = ~np.isfinite(array)
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        what = "a missing score" if math.isnan(float(array[index])) else "an infinite score"
        raise TestError(f"{name} has {what} at {cell(index)}", hint="every unit needs a score of both learners")
    return array


def outcomes(values: Any, name: str, *, ndim: int = 1) -> Bools:
    """Return right (True) or wrong (False) for every test row; an error names any other value and its cell."""
    if isinstance(values, np.ndarray) and values.dtype == np.bool_ and values.ndim == ndim:
        return values
    checked = numbers(values, name, ndim=ndim)
    bad = (checked != 0.0) & (checked != 1.0)
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        raise TestError(f"{name} has {checked[index]:g} at {cell(index)}", hint="an outcome is right (1) or wrong (0)")
    return checked.astype(np.bool_)


def pair(a: Any, b: Any, *, ndim: int = 1) -> tuple[Floats, Floats]:
    """Return two checked arrays of the same shape, unit by unit of the first and the second learner."""
    one, two = numbers(a, "first", ndim=ndim), numbers(b, "second", ndim=ndim)
    same_shape(one, two)
    return one, two


def outcome_pair(a: Any, b: Any) -> tuple[Bools, Bools]:
    """Return two checked arrays of outcomes of the same length."""
    one, two = outcomes(a, "first"), outcomes(b, "second")
    same_shape(one, two)
    return one, two


def same_shape(one: NDArray[Any], two: NDArray[Any], names: tuple[str, str] = ("first", "second")) -> None:
    """Refuse pairs that do not match."""
    if one.shape != two.shape:
        raise TestError(
            f"{names[0]} has {_size(one)} and {names[1]} has {_size(two)}",
            hint="a paired test needs both learners on the same units, in the same order",
        )


def require_units(n: int, needed: int, unit: str, test: str) -> None:
    """Refuse too few units, with the number needed."""
    if n < needed:
        raise TestError(f"{test} needs at least {needed} {plural(unit, needed)}, and there {_are(n)} {n}")


def plural(unit: str, n: int) -> str:
    """Return `test row` or `test rows`."""
    return unit if n == 1 else unit + "s"


def cell(index: Sequence[int]) -> str:
    """Return how errors name a place: units count from 1, a grid has a row and a column."""
    if len(index) == 1:
        return f"unit {index[0] + 1}"
    if len(index) == 2:
        return f"row {index[0] + 1}, column {index[1] + 1}"
    return "place " + ", ".join(str(i + 1) for i in index)


def _shape_hint(ndim: int) -> str:
    return {1: "one number per unit", 2: "a table of numbers"}.get(ndim, f"an array with {ndim} axes")


def _size(array: NDArray[Any]) -> str:
    return f"{array.shape[0]} units" if array.ndim == 1 else "shape " + " x ".join(map(str, array.shape))


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
