"""Schemes made concrete: which rows train, stop training, tune, calibrate, choose a threshold and test.

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
from ..plans.model import Part, Scheme, Tuning
from .divide import Rows, deal_rows, divide, enough, equal_sizes, forward, groups_of, shape, split_fingerprint, time_of
from .trial import stream


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fold:
    """One division of the rows. The parts share no row; `train` may repeat rows under `bootstrap` only."""

    partition: int
    fold: int
    train: Rows
    test: Rows
    stopping: Rows | None = None
    tuning: Rows | None = None
    calibration: Rows | None = None
    threshold: Rows | None = None

    @property
    def inner(self) -> dict[str, Rows]:
        """What was cut from the training part, by name."""
        found = ((name, getattr(self, name)) for name in PARTS)
        return {name: rows for name, rows in found if rows is not None}


PARTS = ("stopping", "tuning", "calibration", "threshold")  # in order of time, where rows have one


@dataclass(frozen=True, slots=True)
class Cuts:
    """What is cut from a training part before anything is trained."""

    tuning: Tuning | None = None
    calibration: Part | None = None
    threshold: Part | None = None
    stopping: Part | None = None
    stops: bool = True  # False: the stopping part is put back, so that the other parts are those of all learners

    def sizes(self, n: int) -> tuple[int, ...]:
        """Rows of n to train on, and of each part."""
        tuning = self.tuning.part if self.tuning is not None and self.tuning.where == "part" else None
        asked = (self.stopping, tuning, self.calibration, self.threshold)
        cut = tuple(part.of(n) if part is not None else 0 for part in asked)
        return n - sum(cut), *cut


WHOLE = Cuts()


def folds(scheme: Scheme, table: Table, seed: int, cuts: Cuts = WHOLE) -> tuple[Fold, ...]:
    """Every fold of a scheme on a table, in order of partition and fold."""
    partitions, count = shape(scheme, table)
    made = (Partition(scheme, table, seed, partition) for partition in range(partitions))
    return tuple(one.fold(number, cuts) for one in made for number in range(count))


class Partition:
    """One partition of a table; its folds are made when asked for."""

    __slots__ = ("_division", "number", "scheme", "seed", "table")

    def __init__(self, scheme: Scheme, table: Table, seed: int, number: int) -> None:
        self.scheme, self.table, self.seed, self.number = scheme, table, seed, number
        self._division = divide(scheme, table, seed, number)

    def fold(self, number: int, cuts: Cuts = WHOLE) -> Fold:
        """One fold, its training part divided further where a part of it is asked for."""
        train, test = self._division(number)
        if not len(train) or not len(test):
            raise DataError(
                f"{self.scheme.text or self.scheme.kind} leaves nothing to {'test' if len(train) else 'train on'} "
                f"in fold {number + 1} of {self.table.name}",
                hint="take fewer folds or more rows",
                span=self.scheme.span,
            )
        train, parts = self._inner(train, number, cuts)
        return Fold(partition=self.number, fold=number, train=train, test=test, **parts)

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

    def _inner(self, train: Rows, number: int, cuts: Cuts) -> tuple[Rows, dict[str, Rows]]:
        """What trains, and what was cut from it, by name."""
        parts: dict[str, Rows] = {}
        if cuts.tuning is not None and cuts.tuning.where == "given":
            train, parts["tuning"] = self._given_tuning(train)
        distinct = np.unique(train)
        sizes = cuts.sizes(len(distinct))
        if not any(sizes[1:]):
            return train, parts
        if sizes[0] < 1:
            asked = [name for name, size in zip(PARTS, sizes[1:], strict=True) if size]
            raise DataError(
                f"{' and '.join(asked)} take {sum(sizes[1:])} of the {len(distinct)} training rows of "
                f"{self.table.name}, which leaves none to train on",
                hint="take smaller parts",
                span=(cuts.tuning or self.scheme).span,
            )
        home = self._deal_parts(distinct, sizes, number)
        for place, (name, size) in enumerate(zip(("training", *PARTS), sizes, strict=True)):
            found = distinct[home == place]
            if size and not len(found):
                raise DataError(
                    f"the {name} part of {self.table.name} is empty: its rows cannot be divided further",
                    hint="take larger parts or more groups",
                    span=self.scheme.span,
                )
            if size and place:
                parts[name] = found
        if not cuts.stops:
            parts.pop("stopping", None)
        return train[~np.isin(train, np.concatenate([train[:0], *parts.values()]))], parts

    def _given_tuning(self, train: Rows) -> tuple[Rows, Rows]:
        """The training file, and the tuning file that follows it."""
        first = self.table.tune_from
        if first is None:
            raise DataError(f"{self.table.name} has no tuning file", hint="add `tuned on …`", span=self.scheme.span)
        return train[train < first], train[train >= first]

    def _deal_parts(self, rows: Rows, sizes: tuple[int, ...], number: int) -> NDArray[np.int64]:
        if self.scheme.card.in_time:
            return _latest(time_of(self.scheme, self.table)[rows], sizes)
        used = tuple(size for size in sizes if size)
        names = np.array([place for place, size in enumerate(sizes) if size])
        return names[deal_rows(self.scheme, self.table, rows, used, self._stream("inner", number))]


def _latest(time: NDArray[Any], sizes: tuple[int, ...]) -> NDArray[np.int64]:
    """Training first, then the parts, in order of time; a moment is never divided."""
    moment = np.unique(time, return_inverse=True)[1]
    home = np.empty(len(moment), dtype=np.int64)
    home[np.argsort(moment, kind="stable")] = np.repeat(np.arange(len(sizes)), sizes)
    last = np.zeros(int(moment.max()) + 1, dtype=np.int64)
    np.maximum.at(last, moment, home)
    return last[moment]
