"""Differences of test rows that come in groups: patients with many visits, questions on one text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import TestError
from .differences import differences
from .guarded import Floats, pair


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """The summed difference and the rows of each group."""

    sums: Floats
    sizes: Floats

    @property
    def count(self) -> int:
        """Groups."""
        return int(self.sums.size)

    @property
    def rows(self) -> int:
        """Rows of all groups."""
        return int(self.sizes.sum())

    @property
    def mean(self) -> float:
        """The mean difference by row."""
        return math.fsum(self.sums) / self.rows

    @property
    def effective(self) -> float:
        """As many groups of one size would say as much: n^2 / sum of n_g^2."""
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum())


def clusters_of(a: Any, b: Any, groups: Any, test: str) -> Clusters:
    """The groups of paired row values, in order of their first row."""
    one, two = pair(a, b)
    names = np.asarray(groups)
    if names.shape != one.shape:
        raise TestError(f"{test}: {one.size} rows have {names.size} groups")
    _, member = np.unique(names, return_inverse=True)
    d = differences(one, two)
    sums = np.bincount(member, weights=d).astype(np.float64)
    return Clusters(sums=sums, sizes=np.bincount(member).astype(np.float64))
