"""A dataset as the learners see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Array = np.ndarray[Any, Any]
Kind = Literal["numeric", "categorical"]
Task = Literal["classification", "regression"]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Features `X`, target `y`, and what the script declares about the rows.

    `X` has float64 columns (missing: NaN) and pandas category columns whose categories are text (missing: NaN).
    `y` is float64 for regression; for classification it is int64, the place of the row's class in `classes`. Classes
    are text, sorted by value where all are numbers; of two classes the positive one, if declared, comes last (code 1).
    """

    name: str
    X: pd.DataFrame
    y: Array
    target: str
    task: Task
    task_reason: str
    classes: tuple[str, ...] = ()
    positive: str | None = None
    kinds: tuple[Kind, ...] = ()
    groups: Array | None = None  # int64, one number per group
    time: Array | None = None  # int64 or float64, larger is later
    series: Array | None = None  # int64, one number per series
    weights: Array | None = None  # float64, none negative
    folds: Array | None = None  # int64, place in fold_names
    fold_names: tuple[str, ...] = ()
    test_from: int | None = None  # first row of the official test part
    tune_from: int | None = None  # first row of the official tuning part, which ends where the test part begins
    splits: tuple[tuple[Array, Array], ...] | None = None  # folds passed in Python
    left_out: tuple[tuple[str, int], ...] = ()  # rows that were read and are not here: why, and how many
    content_hash: str = ""
    row_hashes: Array | None = None  # uint64, of each row as it was read, dropped columns included
    source: str = ""
    named: frozenset[str] = frozenset()  # columns that the source or the script says hold names of categories
    dates: tuple[str, ...] = ()  # columns that came as dates
    dropped: pd.DataFrame | None = None  # columns that the script drops, as they were read

    @property
    def rows(self) -> int:
        """Rows in all, the official test part included."""
        return len(self.y)

    @property
    def features(self) -> int:
        """Columns a learner may use."""
        return int(self.X.shape[1])

    @property
    def numeric(self) -> tuple[str, ...]:
        """Names of the numeric columns."""
        return tuple(c for c, k in zip(self.X.columns, self.kinds, strict=True) if k == "numeric")

    @property
    def categorical(self) -> tuple[str, ...]:
        """Names of the categorical columns."""
        return tuple(c for c, k in zip(self.X.columns, self.kinds, strict=True) if k == "categorical")

    @property
    def positive_code(self) -> int | None:
        """The number in `y` that stands for the positive class."""
        return None if self.positive is None else self.classes.index(self.positive)

    @property
    def labels(self) -> Array:
        """The target in the user's own words: class names, or the numbers themselves."""
        if self.task == "regression":
            return self.y
        labels: Array = np.array(self.classes, dtype=object)[self.y]
        return labels
