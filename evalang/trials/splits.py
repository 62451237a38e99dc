"""The outer division of a scheme: which rows train and which are tested, fold by fold, made when asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..errors import DataError
from ..plans.model import GUESSES, Part, Scheme, Tuning
from .trial import digest, stream

Rows = NDArray[np.int64]


def deal(
    sizes: tuple[int, ...], strata: NDArray[Any] | None, groups: NDArray[Any] | None, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The bin of each row; bins have these sizes (about them, where groups must stay together).

    With `strata` each bin holds each class in proportion, up to one row for bins of equal size.
    """
    n = sum(sizes)
    if groups is not None:
        return _deal_groups(sizes, strata, groups, rng)
    order = _by_class(strata, rng) if strata is not None else rng.permutation(n)
    bins = np.empty(n, dtype=np.int64)
    bins[order] = _rhythm(sizes, rng)
    return bins


def in_order_of_appearance(values: NDArray[Any]) -> NDArray[np.int64]:
    """Each value as the place of its first appearance among the different ones: what it is called does not count.

    >>> in_order_of_appearance(np.array(["b", "a", "b", "c"])).tolist()
    [0, 1, 0, 2]
    """
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    coded: NDArray[np.int64] = place[codes]
    return coded


def equal_sizes(n: int, k: int) -> tuple[int, ...]:
    """Sizes of k bins of n rows that differ by one at most."""
    return tuple(n // k + (i < n % k) for i in range(k))


def _by_class(strata: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows in random order within their class, the classes in random order."""
    codes = in_order_of_appearance(strata)
    shuffled = rng.permutation(len(codes))
    rank = rng.permutation(int(codes.max()) + 1)
    order: NDArray[np.int64] = shuffled[np.argsort(rank[codes[shuffled]], kind="stable")]
    return order


def _rhythm(sizes: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    """Bins in turn, so that every run of consecutive places holds each bin in proportion."""
    n, k = sum(sizes), len(sizes)
    if max(sizes) - min(sizes) <= 1:
        # In turn, the larger bins first, so that each gets its size; who is who among equals is left to chance.
        names = np.lexsort((rng.permutation(k), -np.asarray(sizes)))
        return names[np.arange(n) % k]
    places = np.concatenate([(np.arange(size) + 0.5) / size for size in sizes])
    owner = np.repeat(np.arange(k), sizes)
    # Bins of one size fall on the same places: who comes first among them is left to chance.
    return owner[np.lexsort((rng.permutation(k)[owner], np.round(places, 12)))]


def _deal_groups(
    sizes: tuple[int, ...], strata: NDArray[Any] | None, groups: NDArray[Any], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Whole groups, largest first (equals in random order), each to the bin it brings nearest to its share."""
    member = in_order_of_appearance(groups)
    kinds = np.zeros(len(member), dtype=np.int64) if strata is None else in_order_of_appearance(strata)
    counts = np.zeros((int(member.max()) + 1, int(kinds.max()) + 1))
    np.add.at(counts, (member, kinds), 1)
    shares = np.asarray(sizes, dtype=float) / sum(sizes)
    weight = 1.0 / counts.sum(axis=0)  # every class counts the same, however rare
    target = shares[:, None] * counts.sum(axis=0)
    held = np.zeros_like(target)
    home = np.empty(len(counts), dtype=np.int64)
    shuffled = rng.permutation(len(counts))
    for group in shuffled[np.argsort(-counts.sum(axis=1)[shuffled], kind="stable")]:
        lack = (target - held) * weight
        # Reduction of the squared distance from the target if the group went to each bin.
        gain = ((2 * lack - counts[group] * weight) * (counts[group] * weight)).sum(axis=1)
        best = np.flatnonzero(np.isclose(gain, gain.max(), rtol=1e-9, atol=1e-12))
        home[group] = rng.choice(best) if len(best) > 1 else best[0]
        held[home[group]] += counts[group]
    _fill_empty(home, counts.sum(axis=1), len(sizes))
    return home[member]


def _fill_empty(home: NDArray[np.int64], rows: NDArray[np.float64], bins: int) -> None:
    """Every bin gets a group while there are enough: the smallest of the bin that has most of them."""
    for lacking in np.flatnonzero(np.bincount(home, minlength=bins) == 0):
        count = np.bincount(home, minlength=bins)
        if count.max() < 2:
            return
        own = np.flatnonzero(home == count.argmax())
        home[own[np.argmin(rows[own])]] = lacking


Division = Callable[[int], tuple[Rows, Rows]]  # fold -> (training part, test part)


def shape(scheme: Scheme, table: Table) -> tuple[int, int]:
    """(partitions, folds in each) once the data is known."""
    if scheme.card.pooled:
        return 1, len(np.unique(groups_of(scheme, table))) if scheme.grouped else table.rows
    if scheme.looks is not None:
        return 1, GUESSES + 1
    if scheme.card.needs == "folds":
        return 1, len(np.unique(_given(scheme, table)))
    return scheme.dealings, scheme.folds


def split_fingerprint(scheme: Scheme, table: Table) -> str:
    """What the rows of a fold depend on besides the rows (their number, classes, groups, time), seed, partition, fold.

    The number of partitions is left out: 5x10cv and 10x10cv share their first five partitions, and their trials.
    """
    how = (is_stratified(scheme, table), scheme.grouped)
    card = scheme.card
    if table.splits is not None:
        every = hashlib.sha256(b"".join(rows.astype("<i8").tobytes() for pair in table.splits for rows in pair))
        return digest("handed", scheme.kind, scheme.folds, every.hexdigest(), *how)
    if card.halved:  # from which partition on they are halved
        return digest(scheme.kind, scheme.partitions, scheme.folds, *how)
    if card.dealt:
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
    """The rows without their features and without names: how many, and the target, classes by their first appearance.

    The learners' own seeds belong to it. So they differ between datasets, and stay when a column or a class is renamed.
    """
    y = in_order_of_appearance(table.y).astype("<i8") if table.task == "classification" else table.y.astype("<f8")
    return digest("rows", table.rows, hashlib.sha256(y.tobytes()).hexdigest())


def is_stratified(scheme: Scheme, table: Table) -> bool:
    """Whether classes are kept in proportion: as written, else where the target has classes."""
    classes = table.task == "classification"
    if scheme.stratified and not classes:
        raise DataError(
            f"{table.name} has a target of numbers, which cannot be stratified",
            hint="write `unstratified`, or `as classification` at the dataset",
            span=scheme.span,
        )
    return classes if scheme.stratified is None else scheme.stratified


def divide(scheme: Scheme, table: Table, seed: int, partition: int) -> Division:
    """One partition; its folds are made one at a time, so that leave-one-out of many rows stays small."""
    deals = _DEALS.get(scheme.kind)
    if deals is None:
        raise DataError(f"{scheme.kind} is not a scheme that divides rows", span=scheme.span)
    if table.splits is not None:
        handed, first = table.splits, partition * shape(scheme, table)[1]
        return lambda fold: handed[first + fold]
    name = split_fingerprint(scheme, table)
    # Disjoint training sets are dealt all at once, so every one of them comes from the same draws.
    drawn = () if scheme.card.disjoint else (partition,)
    return deals(scheme, table, stream(seed, "outer", table.rows, name, *drawn), partition)


def enough(n: int, k: int, scheme: Scheme, table: Table, groups: NDArray[Any] | None = None) -> int:
    """k, when k folds can be made of the rows or groups there are."""
    units = len(np.unique(groups_of(scheme, table) if groups is None else groups)) if scheme.grouped else n
    if k < 2 or units < k:
        raise DataError(
            f"{k} folds cannot be made of {units} {'groups' if scheme.grouped else 'rows'} of {table.name}",
            hint="take fewer folds (two or more)",
            span=scheme.span,
        )
    return k


def deal_rows(
    scheme: Scheme, table: Table, rows: Rows, sizes: tuple[int, ...], rng: np.random.Generator
) -> NDArray[np.int64]:
    """The bin of each of these rows, dealt the way the scheme says."""
    strata = table.y[rows] if is_stratified(scheme, table) else None
    groups = groups_of(scheme, table)[rows] if scheme.grouped else None
    return deal(sizes, strata, groups, rng)


def forward(scheme: Scheme, table: Table, rows: Rows, splits: int) -> Division:
    """Blocks in order of time; rows of one moment stay in one block, each block after the first is tested.

    The last rows before a tested block are not trained on where the scheme has a gap: so many, and the rest of the
    moment in which the gap begins. Where windows slide, those before the last so many are not either, and a moment
    that the window would divide is left out whole. Where the table holds several series, blocks, gap and window count
    moments in place of rows: all series are cut at the same ones.
    """
    moment = np.unique(time_of(scheme, table)[rows], return_inverse=True)[1]
    moments = np.bincount(moment)
    if table.series is not None:
        moments = np.ones_like(moments)
    if splits < 1 or len(moments) < splits + 1:
        raise DataError(
            f"{splits} splits forward need {splits + 1} different moments; {table.name} has {len(moments)}",
            hint="take fewer splits",
            span=scheme.span,
        )
    block = _cut(moments, splits + 1)
    before = np.concatenate([[0], np.cumsum(moments)])  # rows before each moment

    def division(fold: int) -> tuple[Rows, Rows]:
        tested = block == fold + 1
        trained = before[1:] <= before[int(np.argmax(tested))] - scheme.gap
        if scheme.window:
            trained &= before[:-1] >= moments[trained].sum() - scheme.window
        return rows[trained[moment]], rows[tested[moment]]

    return division


def groups_of(scheme: Scheme, table: Table) -> NDArray[Any]:
    """The group of each row."""
    if table.groups is None:
        raise DataError(
            f"{table.name} has no groups column, which a grouped scheme needs",
            hint='add `groups "column"` to the dataset',
            span=scheme.span,
        )
    return table.groups


def time_of(scheme: Scheme, table: Table) -> NDArray[Any]:
    """The moment of each row."""
    if table.time is None:
        raise DataError(
            f"{table.name} has no time column, which `forward` needs",
            hint='add `time "column"` to the dataset',
            span=scheme.span,
        )
    return table.time


def _by_bin(home: NDArray[np.int64]) -> Division:
    return lambda fold: (np.flatnonzero(home != fold), np.flatnonzero(home == fold))


def _folds(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    sizes = equal_sizes(table.rows, enough(table.rows, scheme.folds, scheme, table))
    return _by_bin(deal_rows(scheme, table, np.arange(table.rows), sizes, rng))


def _halvings(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    """The partitions of all rows first; then halvings, whose first half of the folds lies in one half of the rows."""
    if partition < scheme.partitions:
        return _folds(scheme, table, rng, partition)
    rows, each = np.arange(table.rows), scheme.folds // 2
    half = deal_rows(scheme, table, rows, equal_sizes(table.rows, 2), rng)
    fold = np.empty(table.rows, dtype=np.int64)
    for side in (0, 1):
        own = rows[half == side]
        groups = groups_of(scheme, table)[own] if scheme.grouped else None
        sizes = equal_sizes(len(own), enough(len(own), each, scheme, table, groups))
        fold[own] = side * each + deal_rows(scheme, table, own, sizes, rng)
    return lambda number: (rows[(half == number // each) & (fold != number)], rows[fold == number])


def _two_parts(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    rows, size = np.arange(table.rows), _test_size(scheme, table)
    home = deal_rows(scheme, table, rows, (table.rows - size, size), rng)
    return lambda fold: (rows[home == 0], rows[home == 1])


def _guarded(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    """The training part in folds, for the guess; the last fold trains on all of it and tests what was held out."""
    rows, size = np.arange(table.rows), _test_size(scheme, table)
    home = deal_rows(scheme, table, rows, (table.rows - size, size), rng)
    train, held = rows[home == 0], rows[home == 1]
    sizes = equal_sizes(len(train), enough(len(train), GUESSES, scheme, table))
    inner = deal_rows(scheme, table, train, sizes, rng)
    return lambda fold: (train, held) if fold == GUESSES else (train[inner != fold], train[inner == fold])


def _single_out(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    return _by_bin(in_order_of_appearance(groups_of(scheme, table)) if scheme.grouped else np.arange(table.rows))


def _in_time(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    return forward(scheme, table, np.arange(table.rows), scheme.folds)


def _test_size(scheme: Scheme, table: Table) -> int:
    size = scheme.part_or_third.of(table.rows)
    size = size if scheme.card.part == "tested" else table.rows - size
    if not 0 < size < table.rows:
        raise DataError(
            f"{scheme.text or scheme.kind} leaves no row to {'test' if size <= 0 else 'train on'}: "
            f"{table.name} has {table.rows} rows",
            hint="take another share of the rows",
            span=scheme.span,
        )
    return size


def _trainings(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    """One of N disjoint training sets, and the test set that all of them share (Rasmussen 1996)."""
    size, count = scheme.rows or 1, scheme.partitions
    if size * count >= table.rows:
        raise DataError(
            f"{count} trainings of {size} rows need {size * count} rows and some to test; {table.name} has "
            f"{table.rows}",
            hint="take fewer or smaller training sets",
            span=scheme.span,
        )
    sizes = (size,) * count + (table.rows - size * count,)
    home = deal_rows(scheme, table, np.arange(table.rows), sizes, rng)
    return lambda fold: (np.flatnonzero(home == partition), np.flatnonzero(home == count))


def _bootstrap(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    """As many units as there are, drawn with replacement; the rows never drawn are tested."""
    rows = np.arange(table.rows)
    if scheme.grouped:
        bins = in_order_of_appearance(groups_of(scheme, table))
        members = [rows[bins == group] for group in range(int(bins.max()) + 1)]
    strata = in_order_of_appearance(table.y) if is_stratified(scheme, table) else np.zeros(table.rows, int)
    for _ in range(1000):  # a tiny table may be drawn whole, which leaves nothing to test
        if scheme.grouped:
            train = np.concatenate([members[group] for group in rng.integers(0, len(members), len(members))])
        else:
            each = [rows[strata == stratum] for stratum in range(int(strata.max()) + 1)]
            train = np.concatenate([rng.choice(own, len(own)) for own in each])
        test = np.setdiff1d(rows, train)
        if len(test):
            drawn = (np.sort(train), test)
            return lambda fold: drawn
    raise DataError(f"{table.name} is too small for a bootstrap: every draw holds every row", span=scheme.span)


def _cut(moments: NDArray[np.int64], blocks: int) -> NDArray[np.int64]:
    """The block of each moment: about equally many rows in each, none empty."""
    middle = np.cumsum(moments) - moments / 2
    block: NDArray[np.int64] = np.minimum((middle * blocks / moments.sum()).astype(np.int64), blocks - 1)
    block[0] = 0
    for place in range(1, len(block)):  # a moment of very many rows may jump over a block: leave none empty
        block[place] = min(max(block[place], block[place - 1]), block[place - 1] + 1)
        block[place] = max(block[place], blocks - (len(block) - place))
    return block


def _given_folds(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    return _by_bin(np.unique(_given(scheme, table), return_inverse=True)[1])


def _given(scheme: Scheme, table: Table) -> NDArray[Any]:
    if table.folds is None:
        raise DataError(
            f"{table.name} has no folds column, which `given folds` needs",
            hint='add `folds "column"` to the dataset',
            span=scheme.span,
        )
    return table.folds


def _given_test(scheme: Scheme, table: Table, rng: np.random.Generator, partition: int) -> Division:
    first = table.test_from
    if first is None:
        raise DataError(
            f"{table.name} has no test set of its own",
            hint="add `tested on …` to the dataset, or take another scheme",
            span=scheme.span,
        )
    rows = np.arange(table.rows)
    return lambda fold: (rows[:first], rows[first:])


# The one place where kinds go different ways: how each of them deals the rows of a partition.
_DEALS: dict[str, Callable[[Scheme, Table, np.random.Generator, int], Division]] = {
    "holdout": _two_parts,
    "guarded-holdout": _guarded,
    "resamples": _two_parts,
    "cv": _folds,
    "repeated-cv": _folds,
    "5x2cv": _folds,
    "partitions-cv": _folds,
    "partitions-5x2cv": _folds,
    "halvings": _halvings,
    "trainings": _trainings,
    "leave-one-out": _single_out,
    "bootstrap": _bootstrap,
    "forward": _in_time,
    "given-folds": _given_folds,
    "given-test": _given_test,
}


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
