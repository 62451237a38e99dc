"""Schemes made concrete: which rows train, tune, calibrate and test.

All learners of a comparison share the folds: they come from a random stream that belongs to the number of rows, the
kind of division, the partition and the seed, never from the learner or the features. So do datasets of the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..errors import DataError
from ..plans.model import Calibration, Part, Scheme, Tuning
from .divide import Rows, deal_rows, divide, enough, equal_sizes, forward, groups_of, shape, split_fingerprint, time_of
from .trial import stream


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fold:
    """One division of the rows. The four parts share no row; `train` may repeat rows under `bootstrap` only."""

    partition: int
    fold: int
    train: Rows
    test: Rows
    tuning: Rows | None = None
    calibration: Rows | None = None


def folds(
    scheme: Scheme, table: Table, seed: int, tuning: Tuning | None = None, calibration: Calibration | None = None
) -> tuple[Fold, ...]:
    """Every fold of a scheme on a table, in order of partition and fold."""
    partitions, count = shape(scheme, table)
    made = (Partition(scheme, table, seed, partition) for partition in range(partitions))
    return tuple(one.fold(number, tuning, calibration) for one in made for number in range(count))


class Partition:
    """One partition of a table; its folds are made when asked for."""

    __slots__ = ("_division", "number", "scheme", "seed", "table")

    def __init__(self, scheme: Scheme, table: Table, seed: int, number: int) -> None:
        self.scheme, self.table, self.seed, self.number = scheme, table, seed, number
        self._division = divide(scheme, table, seed, number)

    def fold(self, number: int, tuning: Tuning | None = None, calibration: Calibration | None = None) -> Fold:
        """One fold, its training part divided further where tuning or calibration ask for a part."""
        train, test = self._division(number)
        if not len(train) or not len(test):
            raise DataError(
                f"{self.scheme.text or self.scheme.kind} leaves nothing to {'test' if len(train) else 'train on'} "
                f"in fold {number + 1} of {self.table.name}",
                hint="take fewer folds or more rows",
                span=self.scheme.span,
            )
        train, tuned, calibrated = self._inner(train, number, tuning, calibration)
        return Fold(partition=self.number, fold=number, train=train, test=test, tuning=tuned, calibration=calibrated)

    def inner(self, rows: Rows, number: int, k: int) -> Iterator[tuple[Rows, Rows]]:
        """(training, judged) rows of an inner Kcv over a fold's training rows, dealt as the scheme deals."""
        distinct = np.unique(rows)
        if self.scheme.card.in_time:
            division = forward(self.scheme, self.table, distinct, k)
            yield from (division(place) for place in range(k))
            return
        groups = groups_of(self.scheme, self.table)[distinct] if self.scheme.grouped else None
        enough(len(distinct), k, self.scheme, self.table, groups)
        rng = self._stream("inner-cv", number)
        home = deal_rows(self.scheme, self.table, distinct, equal_sizes(len(distinct), k), rng)
        for place in range(k):
            judged = distinct[home == place]
            yield rows[~np.isin(rows, judged)], judged

    def _stream(self, purpose: str, number: int) -> np.random.Generator:
        name = split_fingerprint(self.scheme, self.table)
        return stream(self.seed, purpose, self.table.rows, name, self.number, number)

    def _inner(
        self, train: Rows, number: int, tuning: Tuning | None, calibration: Calibration | None
    ) -> tuple[Rows, Rows | None, Rows | None]:
        """The training part divided into what trains, tunes and calibrates."""
        tune_part = tuning.part if tuning is not None and tuning.where == "part" else None
        calibrate_part = calibration.part if calibration is not None and calibration.where == "part" else None
        if tuning is not None and tuning.where == "given":
            train, tuned = self._given_tuning(train)
            train, _, calibrated = self._inner(train, number, None, calibration)
            return train, tuned, calibrated
        if tune_part is None and calibrate_part is None:
            return train, None, None
        distinct = np.unique(train)
        sizes = _sizes(len(distinct), tune_part, calibrate_part)
        if sizes[0] < 1:
            raise DataError(
                f"tuning and calibration take {sizes[1] + sizes[2]} of the {len(distinct)} training rows of "
                f"{self.table.name}, which leaves none to train on",
                hint="take smaller parts",
                span=(tuning or calibration or self.scheme).span,
            )
        home = self._deal_parts(distinct, sizes, number)
        parts = [distinct[home == place] for place in range(3)]
        for size, part, what in zip(sizes, parts, ("training", "tuning", "calibration"), strict=True):
            if size and not len(part):
                raise DataError(
                    f"the {what} part of {self.table.name} is empty: its rows cannot be divided further",
                    hint="take larger parts or more groups",
                    span=self.scheme.span,
                )
        kept = train[np.isin(train, parts[0])]
        return kept, parts[1] if sizes[1] else None, parts[2] if sizes[2] else None

    def _given_tuning(self, train: Rows) -> tuple[Rows, Rows]:
        """The training file, and the tuning file that follows it."""
        first = self.table.tune_from
        if first is None:
            raise DataError(f"{self.table.name} has no tuning file", hint="add `tuned on …`", span=self.scheme.span)
        return train[train < first], train[train >= first]

    def _deal_parts(self, rows: Rows, sizes: tuple[int, int, int], number: int) -> NDArray[np.int64]:
        if self.scheme.card.in_time:
            return _latest(time_of(self.scheme, self.table)[rows], sizes)
        used = tuple(size for size in sizes if size)
        names = np.array([place for place, size in enumerate(sizes) if size])
        return names[deal_rows(self.scheme, self.table, rows, used, self._stream("inner", number))]


def _sizes(n: int, tuning: Part | None, calibration: Part | None) -> tuple[int, int, int]:
    tune = tuning.of(n) if tuning is not None else 0
    calibrate = calibration.of(n) if calibration is not None else 0
    return n - tune - calibrate, tune, calibrate


def _latest(time: NDArray[Any], sizes: tuple[int, int, int]) -> NDArray[np.int64]:
    """Training first, then tuning, then calibration, in order of time; a moment is never divided."""
    moment = np.unique(time, return_inverse=True)[1]
    home = np.empty(len(moment), dtype=np.int64)
    home[np.argsort(moment, kind="stable")] = np.repeat(np.arange(3), sizes)
    last = np.zeros(int(moment.max()) + 1, dtype=np.int64)
    np.maximum.at(last, moment, home)
    return last[moment]
