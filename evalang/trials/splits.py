"""The folds of a scheme: which rows train, stop training, tune, calibrate, choose a threshold and test.

All learners of a comparison have the same folds: the random numbers depend on the number of rows, the scheme, the
partition and the seed, never on the learner or the features. So two datasets with the same number of rows are split
alike too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..errors import DataError
from ..plans.model import GUESSES, Part, Scheme, Tuning
from .trial import digest, stream

Rows = NDArray[np.int64]
Bins = NDArray[np.int64]  # for each row the number of the part (fold, tuning part) that it goes to
Division = Callable[[int], tuple[Rows, Rows]]  # fold -> (training part, test part)
PARTS = ("stopping", "tuning", "calibration", "threshold")  # in order of time, where rows have one


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


@dataclass(frozen=True, slots=True)
class Cuts:
    """What is cut from a training part before anything is trained."""

    tuning: Tuning | None = None
    calibration: Part | None = None
    threshold: Part | None = None
    stopping: Part | None = None
    uses_stopping: bool = True  # False: these rows are trained on too; the other parts stay those of all learners

    @property
    def parts(self) -> tuple[Part | None, ...]:
        """What is asked for, in the order of PARTS."""
        tuning = self.tuning.part if self.tuning is not None and self.tuning.where == "part" else None
        return self.stopping, tuning, self.calibration, self.threshold

    def sizes(self, n: int) -> tuple[int, ...]:
        """Return the rows of n to train on, and of each part."""
        cut = tuple(part.of(n) if part is not None else 0 for part in self.parts)
        return n - sum(cut), *cut


WHOLE = Cuts()


def folds(scheme: Scheme, table: Table, seed: int, cuts: Cuts = WHOLE) -> tuple[Fold, ...]:
    """Return every fold of a scheme on a table, in order of partition and fold."""
    partitions, count = shape(scheme, table)
    made = (Partition(scheme, table, seed, partition) for partition in range(partitions))
    return tuple(one.fold(number, cuts) for one in made for number in range(count))


class Partition:
    """One partition (random split) of a table; folds are made on demand, since leave-one-out has one for each row."""

    __slots__ = ("_division", "number", "scheme", "seed", "table")

    def __init__(self, scheme: Scheme, table: Table, seed: int, number: int) -> None:
        self.scheme, self.table, self.seed, self.number = scheme, table, seed, number
        divide = _DIVISIONS.get(scheme.kind)
        if divide is None:
            raise _error(scheme, f"{scheme.kind} is not a scheme that divides rows")
        if table.splits is not None:
            given, first = table.splits, number * shape(scheme, table)[1]
            self._division: Division = lambda fold: given[first + fold]
            return
        # Disjoint training sets are divided all at once, so every one of them comes from the same draws.
        drawn = () if scheme.card.disjoint else (number,)
        rng = stream(seed, "outer", table.rows, split_fingerprint(scheme, table), *drawn)
        self._division = divide(scheme, table, rng, number)

    def fold(self, number: int, cuts: Cuts = WHOLE) -> Fold:
        """Return one fold, with the parts that `cuts` takes from its training rows."""
        train, test = self._division(number)
        if not len(train) or not len(test):
            name, lacking = self.scheme.text or self.scheme.kind, "test" if len(train) else "train on"
            message = f"{name} leaves nothing to {lacking} in fold {number + 1} of {self.table.name}"
            raise _error(self.scheme, message, "use fewer folds or more rows")
        train, parts = self._cut(train, number, cuts)
        return Fold(partition=self.number, fold=number, train=train, test=test, **parts)

    def inner(self, rows: Rows, number: int, k: int) -> Iterator[tuple[Rows, Rows]]:
        """Yield (training, scored) rows of an inner K-fold cross-validation over the training rows of a fold."""
        distinct = np.unique(rows)
        if self.scheme.card.in_time:
            division = _forward(self.scheme, self.table, distinct, k)
            yield from (division(place) for place in range(k))
            return
        bins = _fold_bins(self.scheme, self.table, distinct, k, self._stream("inner-cv", number))
        for place in range(k):
            scored = distinct[bins == place]
            yield rows[~np.isin(rows, scored)], scored

    def _stream(self, purpose: str, number: int) -> np.random.Generator:
        name = split_fingerprint(self.scheme, self.table)
        return stream(self.seed, purpose, self.table.rows, name, self.number, number)

    def _cut(self, train: Rows, number: int, cuts: Cuts) -> tuple[Rows, dict[str, Rows]]:
        """Return what trains, and what was cut from it, by name."""
        parts: dict[str, Rows] = {}
        if cuts.tuning is not None and cuts.tuning.where == "given":
            first = self.table.tune_from
            if first is None:
                raise _error(self.scheme, f"{self.table.name} has no tuning file", "add `tuned on …`")
            train, parts["tuning"] = train[train < first], train[train >= first]
        if not any(cuts.parts):
            return train, parts
        distinct = np.unique(train)
        sizes = cuts.sizes(len(distinct))
        if sizes[0] < 1:
            asked = [name for name, size in zip(PARTS, sizes[1:], strict=True) if size]
            raise DataError(
                f"{' and '.join(asked)} take {sum(sizes[1:])} of the {len(distinct)} training rows of "
                f"{self.table.name}, which leaves no rows to train on",
                hint="use smaller parts",
                span=(cuts.tuning or self.scheme).span,
            )
        bins = self._part_bins(distinct, sizes, number)
        for place, (name, size) in enumerate(zip(("training", *PARTS), sizes, strict=True)):
            found = distinct[bins == place]
            if size and not len(found):
                message = f"the {name} part of {self.table.name} is empty, because its rows cannot be split further"
                raise _error(self.scheme, message, "use larger parts or more groups")
            if size and place:
                parts[name] = found
        if not cuts.uses_stopping:
            parts.pop("stopping", None)
        return train[~np.isin(train, np.concatenate([train[:0], *parts.values()]))], parts

    def _part_bins(self, rows: Rows, sizes: tuple[int, ...], number: int) -> Bins:
        if not self.scheme.card.in_time:
            used = tuple(size for size in sizes if size)
            names = np.array([place for place, size in enumerate(sizes) if size])
            return names[_bins(self.scheme, self.table, rows, used, self._stream("inner", number))]
        # Training first, then the parts, in order of time; a moment is never divided.
        moment = np.unique(_column(self.scheme, self.table, "time")[rows], return_inverse=True)[1]
        bins = np.empty(len(moment), dtype=np.int64)
        bins[np.argsort(moment, kind="stable")] = np.repeat(np.arange(len(sizes)), sizes)
        last = np.zeros(int(moment.max()) + 1, dtype=np.int64)
        np.maximum.at(last, moment, bins)
        return last[moment]


def shape(scheme: Scheme, table: Table) -> tuple[int, int]:
    """Return the number of partitions and the folds in each, once the data is known."""
    if scheme.card.pooled:
        return 1, len(np.unique(_column(scheme, table, "groups"))) if scheme.grouped else table.rows
    if scheme.looks is not None:
        return 1, GUESSES + 1
    if scheme.card.needs == "folds":
        return 1, len(np.unique(_column(scheme, table, "folds")))
    return scheme.total_partitions, scheme.folds


def split_fingerprint(scheme: Scheme, table: Table) -> str:
    """Return a hash of what a fold depends on besides the rows (number, classes, groups, time), seed and numbers.

    The number of partitions is left out: 5x10cv and 10x10cv share their first five partitions, and their trials.
    """
    how = (_is_stratified(scheme, table), scheme.grouped)
    card = scheme.card
    if table.splits is not None:
        every = hashlib.sha256(b"".join(rows.astype("<i8").tobytes() for pair in table.splits for rows in pair))
        return digest("handed", scheme.kind, scheme.folds, every.hexdigest(), *how)
    if card.halved:  # from which partition on they are halved
        return digest(scheme.kind, scheme.partitions, scheme.folds, *how)
    if card.k_fold:
        return digest("cv", scheme.folds, *how)
    if scheme.looks is not None:
        return digest("guarded", _test_size(scheme, table), *how)
    if card.part:
        return digest("parts", _test_size(scheme, table), *how)
    if card.disjoint:
        return digest(scheme.kind, scheme.partitions, scheme.rows, *how)
    gap = (scheme.gap,) if scheme.gap else ()
    window = ("window", scheme.window) if scheme.window else ()
    series = ("series",) if card.in_time and table.series is not None else ()
    return digest(scheme.kind, scheme.folds if card.in_time else 0, *how, *gap, *window, *series)


def rows_fingerprint(table: Table) -> str:
    """Return a hash of the rows without features and names: their number and target, classes by first appearance.

    The learners' own seeds belong to it. So they differ between datasets, and stay when a column or a class is renamed.
    """
    y = _by_appearance(table.y).astype("<i8") if table.task == "classification" else table.y.astype("<f8")
    return digest("rows", table.rows, hashlib.sha256(y.tobytes()).hexdigest())


def _error(scheme: Scheme, message: str, hint: str = "") -> DataError:
    return DataError(message, hint=hint, span=scheme.span)


def _is_stratified(scheme: Scheme, table: Table) -> bool:
    """Return whether classes are kept in proportion: as written, else where the target has classes."""
    classes = table.task == "classification"
    if scheme.stratified and not classes:
        message = f"dataset `{table.name}` has a numeric target, which cannot be stratified"
        raise _error(scheme, message, "write `unstratified`, or add `as classification` to the dataset")
    return classes and scheme.stratified is not False


def _column(scheme: Scheme, table: Table, name: Literal["groups", "time", "folds"]) -> NDArray[Any]:
    """Return the column of a table that a scheme needs."""
    found: NDArray[Any] | None = getattr(table, name)
    if found is None:
        message = f"`{scheme.text or scheme.kind}` needs a {name} column, but dataset `{table.name}` has none"
        raise _error(scheme, message, f'add `{name} "column"` to the dataset')
    return found


def _test_size(scheme: Scheme, table: Table) -> int:
    size = scheme.part_or_third.of(table.rows)
    size = size if scheme.card.part == "tested" else table.rows - size
    if not 0 < size < table.rows:
        name, lacking = scheme.text or scheme.kind, "test" if size <= 0 else "train on"
        message = f"{name} leaves no row to {lacking}: {table.name} has {table.rows} rows"
        raise _error(scheme, message, "use a different share of the rows")
    return size


def _by_appearance(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return each value as the place of its first appearance among the different ones; its name does not count.

    >>> _by_appearance(np.array(["b", "a", "b", "c"])).tolist()
    [0, 1, 0, 2]
    """
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    coded: NDArray[np.int64] = np.argsort(np.argsort(first))[codes]
    return coded


def _equal_sizes(n: int, k: int) -> tuple[int, ...]:
    """Return the sizes of k bins of n rows that differ by one at most."""
    return tuple(n // k + (i < n % k) for i in range(k))


def _bins(scheme: Scheme, table: Table, rows: Rows, sizes: tuple[int, ...], rng: np.random.Generator) -> Bins:
    """Return the bin of each of these rows; bins have these sizes, about them where groups must stay together.

    Stratified, each bin holds each class in proportion, up to one row for bins of equal size.
    """
    strata = table.y[rows] if _is_stratified(scheme, table) else None
    if scheme.grouped:
        return _group_bins(sizes, strata, _column(scheme, table, "groups")[rows], rng)
    order = rng.permutation(len(rows))
    if strata is not None:  # in random order within their class, the classes in random order
        codes = _by_appearance(strata)
        rank = rng.permutation(int(codes.max()) + 1)
        order = order[np.argsort(rank[codes[order]], kind="stable")]
    bins = np.empty(len(rows), dtype=np.int64)
    bins[order] = _alternate(sizes, rng)
    return bins


def _alternate(sizes: tuple[int, ...], rng: np.random.Generator) -> Bins:
    """Return bins in turn, so that every run of consecutive places holds each bin in proportion."""
    n, k = sum(sizes), len(sizes)
    if max(sizes) - min(sizes) <= 1:
        # In turn, the larger bins first, so that each gets its size; the order of equals is random.
        names = np.lexsort((rng.permutation(k), -np.asarray(sizes)))
        return names[np.arange(n) % k]
    places = np.concatenate([(np.arange(size) + 0.5) / size for size in sizes])
    owner = np.repeat(np.arange(k), sizes)
    # Bins of one size fall on the same places: their order is random.
    return owner[np.lexsort((rng.permutation(k)[owner], np.round(places, 12)))]


def _group_bins(
    sizes: tuple[int, ...], strata: NDArray[Any] | None, groups: NDArray[Any], rng: np.random.Generator
) -> Bins:
    """Assign whole groups, largest first (equals in random order), each to the bin it brings nearest to its share."""
    member = _by_appearance(groups)
    kinds = np.zeros(len(member), dtype=np.int64) if strata is None else _by_appearance(strata)
    counts = np.zeros((int(member.max()) + 1, int(kinds.max()) + 1))
    np.add.at(counts, (member, kinds), 1)
    weight = 1.0 / counts.sum(axis=0)  # every class counts the same, however rare
    target = (np.asarray(sizes, dtype=float) / sum(sizes))[:, None] * counts.sum(axis=0)
    held = np.zeros_like(target)
    home = np.empty(len(counts), dtype=np.int64)
    rows = counts.sum(axis=1)
    shuffled = rng.permutation(len(counts))
    for group in shuffled[np.argsort(-rows[shuffled], kind="stable")]:
        lack = (target - held) * weight
        # Reduction of the squared distance from the target if the group went to each bin.
        gain = ((2 * lack - counts[group] * weight) * (counts[group] * weight)).sum(axis=1)
        best = np.flatnonzero(np.isclose(gain, gain.max(), rtol=1e-9, atol=1e-12))
        home[group] = rng.choice(best) if len(best) > 1 else best[0]
        held[home[group]] += counts[group]
    # Every bin gets a group while there are enough: the smallest of the bin that has most of them.
    for lacking in np.flatnonzero(np.bincount(home, minlength=len(sizes)) == 0):
        count = np.bincount(home, minlength=len(sizes))
        if count.max() > 1:
            own = np.flatnonzero(home == count.argmax())
            home[own[np.argmin(rows[own])]] = lacking
    return home[member]


def _fold_bins(scheme: Scheme, table: Table, rows: Rows, k: int, rng: np.random.Generator) -> Bins:
    """Return the fold of each of these rows, when k folds can be made of the rows or groups there are."""
    units = len(np.unique(_column(scheme, table, "groups")[rows])) if scheme.grouped else len(rows)
    if k < 2 or units < k:
        what = "groups" if scheme.grouped else "rows"
        message = f"{k} folds cannot be made of {units} {what} of {table.name}"
        raise _error(scheme, message, "use fewer folds (two or more)")
    return _bins(scheme, table, rows, _equal_sizes(len(rows), k), rng)


def _by_bin(bins: Bins) -> Division:
    return lambda fold: (np.flatnonzero(bins != fold), np.flatnonzero(bins == fold))


def _folds(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    return _by_bin(_fold_bins(scheme, table, np.arange(table.rows), scheme.folds, rng))


def _halvings(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    """Divide all rows in the first partitions; then halve them, and divide each half in half of the folds."""
    if partition < scheme.partitions:
        return _folds(scheme, table, rng, partition)
    rows, each = np.arange(table.rows), scheme.folds // 2
    half = _bins(scheme, table, rows, _equal_sizes(table.rows, 2), rng)
    fold = np.empty(table.rows, dtype=np.int64)
    for side in (0, 1):
        own = rows[half == side]
        fold[own] = side * each + _fold_bins(scheme, table, own, each, rng)
    return lambda number: (rows[(half == number // each) & (fold != number)], rows[fold == number])


def _two_parts(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    size = _test_size(scheme, table)
    bins = _bins(scheme, table, np.arange(table.rows), (table.rows - size, size), rng)
    return lambda fold: (np.flatnonzero(bins == 0), np.flatnonzero(bins == 1))


def _guarded(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    """Divide the training part in folds, for the guess; the last fold trains on all of it and tests the holdout."""
    train, held = _two_parts(scheme, table, rng, partition)(0)
    inner = _fold_bins(scheme, table, train, GUESSES, rng)
    return lambda fold: (train, held) if fold == GUESSES else (train[inner != fold], train[inner == fold])


def _leave_one_out(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    return _by_bin(_by_appearance(_column(scheme, table, "groups")) if scheme.grouped else np.arange(table.rows))


def _disjoint_trainings(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    """Return one of N disjoint training sets, and the test set that all of them share (Rasmussen 1996)."""
    size, count = scheme.rows or 1, scheme.partitions
    if size * count >= table.rows:
        raise _error(
            scheme,
            f"{count} trainings of {size} rows need {size * count} rows and some to test; {table.name} has "
            f"{table.rows}",
            "use fewer or smaller training sets",
        )
    sizes = (size,) * count + (table.rows - size * count,)
    bins = _bins(scheme, table, np.arange(table.rows), sizes, rng)
    return lambda fold: (np.flatnonzero(bins == partition), np.flatnonzero(bins == count))


def _bootstrap(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    """Draw as many units as there are with replacement; the rows never drawn are tested."""
    rows = np.arange(table.rows)
    units = _by_appearance(_column(scheme, table, "groups")) if scheme.grouped else None
    if units is None:
        units = _by_appearance(table.y) if _is_stratified(scheme, table) else np.zeros(table.rows, int)
    members = [rows[units == unit] for unit in range(int(units.max()) + 1)]
    for _ in range(1000):  # a tiny table may be drawn whole, which leaves nothing to test
        if scheme.grouped:
            train = np.concatenate([members[group] for group in rng.integers(0, len(members), len(members))])
        else:
            train = np.concatenate([rng.choice(own, len(own)) for own in members])
        test = np.setdiff1d(rows, train)
        if len(test):
            drawn = (np.sort(train), test)
            return lambda fold: drawn
    raise _error(scheme, f"{table.name} is too small for a bootstrap: every draw holds every row")


def _forward_splits(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    return _forward(scheme, table, np.arange(table.rows), scheme.folds)


def _forward(scheme: Scheme, table: Table, rows: Rows, splits: int) -> Division:
    """Divide into blocks in order of time; rows of one moment stay in one block, each block after the first is tested.

    The last rows before a tested block are not trained on where the scheme has a gap: so many, and the rest of the
    moment in which the gap begins. Where windows slide, those before the last so many are not either, and a moment
    that the window would divide is left out whole. Where the table holds several series, blocks, gap and window count
    moments in place of rows: all series are cut at the same ones.
    """
    moment = np.unique(_column(scheme, table, "time")[rows], return_inverse=True)[1]
    moments = np.bincount(moment)
    if table.series is not None:
        moments = np.ones_like(moments)
    if splits < 1 or len(moments) < splits + 1:
        message = f"{splits} splits forward need {splits + 1} different moments; {table.name} has {len(moments)}"
        raise _error(scheme, message, "take fewer splits")
    block = _blocks(moments, splits + 1)
    before = np.concatenate([[0], np.cumsum(moments)])  # rows before each moment

    def division(fold: int) -> tuple[Rows, Rows]:
        tested = block == fold + 1
        trained = before[1:] <= before[int(np.argmax(tested))] - scheme.gap
        if scheme.window:
            trained &= before[:-1] >= moments[trained].sum() - scheme.window
        return rows[trained[moment]], rows[tested[moment]]

    return division


def _blocks(moments: NDArray[np.int64], blocks: int) -> NDArray[np.int64]:
    """Return the block of each moment: about equally many rows in each, none empty."""
    middle = np.cumsum(moments) - moments / 2
    block: NDArray[np.int64] = np.minimum((middle * blocks / moments.sum()).astype(np.int64), blocks - 1)
    block[0] = 0
    for place in range(1, len(block)):  # a moment of very many rows may jump over a block
        block[place] = min(max(block[place], block[place - 1]), block[place - 1] + 1)
        block[place] = max(block[place], blocks - (len(block) - place))
    return block


def _given_folds(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    return _by_bin(np.unique(_column(scheme, table, "folds"), return_inverse=True)[1])


def _given_test(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    first = table.test_from
    if first is None:
        message = f"{table.name} has no test set of its own"
        raise _error(scheme, message, "add `tested on …` to the dataset, or use another scheme")
    rows = np.arange(table.rows)
    return lambda fold: (rows[:first], rows[first:])


# The one place where kinds of schemes differ: how each of them divides the rows of a partition.
_DIVISIONS: dict[str, Callable[[Scheme, Table, np.random.Generator, int], Division]] = {
    "holdout": _two_parts,
    "guarded-holdout": _guarded,
    "resamples": _two_parts,
    **dict.fromkeys(("cv", "repeated-cv", "5x2cv", "partitions-cv", "partitions-5x2cv"), _folds),
    "halvings": _halvings,
    "trainings": _disjoint_trainings,
    "leave-one-out": _leave_one_out,
    "bootstrap": _bootstrap,
    "forward": _forward_splits,
    "given-folds": _given_folds,
    "given-test": _given_test,
}
