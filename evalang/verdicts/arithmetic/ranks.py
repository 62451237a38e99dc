"""Ranks on values that agree to twelve digits, so that no tie is lost to floating-point noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import TestError
from .checks import Floats, numbers, require_units
from .differences import TIE_TOLERANCE

Ints = NDArray[np.int64]

BLOCK = 500_000  # cells ranked at a time, so that a large table needs little more memory than itself


def table(scores: Any, *, test: str, learners: int = 2, datasets: int = 2) -> Floats:
    """Return the scores [dataset, learner] as checked numbers; an error names the cell or what is too few."""
    checked = numbers(scores, "scores", ndim=2)
    n, k = checked.shape
    require_units(n, datasets, "dataset", test)
    if k < learners:
        raise TestError(f"{test} needs at least {learners} learners, and there {'is' if k == 1 else 'are'} {k}")
    return checked


def doubled_ranks(values: Floats, *, descending: bool = False) -> tuple[Ints, int]:
    """Return twice the average ranks along each row (so whole numbers), and the sum of t^3 - t over all groups of ties.

    >>> doubled_ranks(np.array([[0.9, 0.1 + 0.2, 0.3]]), descending=True)
    (array([[2, 5, 5]]), 6)
    """
    n, k = values.shape
    ranks = np.empty((n, k), dtype=np.int64)
    ties = 0
    step = max(1, BLOCK // k)
    for start in range(0, n, step):
        block = values[start : start + step]
        ranks[start : start + step], tied = _block(-block if descending else block)
        ties += tied
    return ranks, ties


def _block(keyed: Floats) -> tuple[Ints, int]:
    n, k = keyed.shape
    order = np.argsort(keyed, axis=1)
    ordered = np.take_along_axis(keyed, order, axis=1)
    sizes = np.abs(ordered)
    first = np.ones((n, k), dtype=np.bool_)
    first[:, 1:] = np.diff(ordered, axis=1) > TIE_TOLERANCE * np.maximum(sizes[:, 1:], sizes[:, :-1])
    starts = np.flatnonzero(first)  # a new row always starts a new group
    lengths = np.diff(np.append(starts, n * k))
    # The ranks of a group that starts at s (from 0, within its row) and has t members average s + (t + 1) / 2.
    in_order = np.repeat(2 * (starts % k) + lengths + 1, lengths).reshape(n, k)
    ranks = np.empty((n, k), dtype=np.int64)
    np.put_along_axis(ranks, order, in_order, axis=1)
    tied = lengths[lengths > 1].astype(np.int64)
    return ranks, int(np.sum(tied**3 - tied))
