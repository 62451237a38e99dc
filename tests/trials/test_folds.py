"""Properties of the folds of every scheme: disjoint, covering, in proportion, whole groups, forward in time."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.data.table import Table
from evalang.errors import DataError
from evalang.plans.model import Part, Scheme, Tuning
from evalang.trials.splits import Cuts, Fold, Partition, folds, rows_fingerprint, split_fingerprint

from ..support.engine import table

SCHEMES = (
    Scheme(kind="holdout", part=Part(fraction=1 / 3)),
    Scheme(kind="holdout", part=Part(rows=11)),
    Scheme(kind="cv", folds=4),
    Scheme(kind="repeated-cv", partitions=3, folds=3),
    Scheme(kind="5x2cv", partitions=5, folds=2),
    Scheme(kind="partitions-cv", partitions=4, folds=3),
    Scheme(kind="partitions-5x2cv", partitions=10, folds=2),
    Scheme(kind="halvings", partitions=2, folds=4, halvings=2),
    Scheme(kind="resamples", partitions=4, part=Part(fraction=2 / 3)),
    Scheme(kind="trainings", partitions=3, rows=12),
    Scheme(kind="leave-one-out"),
    Scheme(kind="bootstrap", partitions=4),
    Scheme(kind="forward", folds=3),
    Scheme(kind="given-folds"),
    Scheme(kind="given-test"),
)
COVERING = ("cv", "repeated-cv", "5x2cv", "partitions-cv", "partitions-5x2cv", "leave-one-out", "given-folds")
FIFTH = Part(fraction=0.2)
CUTS = Cuts(Tuning(where="part", part=FIFTH), FIFTH)
ALL_CUTS = Cuts(Tuning(where="part", part=FIFTH), FIFTH, FIFTH, FIFTH)


def full_table(rows: int, classes: int, seed: int) -> Table:
    """A table with everything a scheme may ask for."""
    rng = np.random.default_rng(seed)
    return table(
        rows,
        classes,
        seed=seed,
        groups=rng.permutation(np.arange(rows) // 3),
        time=rng.permutation(np.arange(rows) // 2).astype(float),
        folds=rng.permutation(np.arange(rows) % 4),
        test_from=rows - 10,
    )


def parts(fold: Fold) -> list[np.ndarray[Any, Any]]:
    """The four parts, those that are there."""
    return [fold.train, *fold.inner.values(), fold.test]


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: s.kind)
@pytest.mark.parametrize("grouped", [False, True])
@settings(max_examples=12, deadline=None)
@given(rows=st.integers(60, 130), classes=st.sampled_from([0, 2, 3]), seed=st.integers(0, 10**6), inner=st.booleans())
def test_parts_share_no_row(scheme: Scheme, grouped: bool, rows: int, classes: int, seed: int, inner: bool) -> None:
    asked = CUTS if grouped else ALL_CUTS  # a training set of few groups cannot be cut so often
    made = folds(replace(scheme, grouped=grouped), full_table(rows, classes, seed), seed, asked if inner else Cuts())
    assert made
    for fold in made:
        sets = [set(part.tolist()) for part in parts(fold)]
        assert len(set.union(*sets)) == sum(map(len, sets))
        assert all(sets)
        assert set.union(*sets) <= set(range(rows))


@pytest.mark.parametrize("scheme", [s for s in SCHEMES if s.kind in COVERING], ids=lambda s: s.kind)
@settings(max_examples=15, deadline=None)
@given(rows=st.integers(40, 130), seed=st.integers(0, 10**6))
def test_every_partition_tests_every_row_once(scheme: Scheme, rows: int, seed: int) -> None:
    made = folds(scheme, full_table(rows, 2, seed), seed)
    for partition in {fold.partition for fold in made}:
        tested = np.concatenate([fold.test for fold in made if fold.partition == partition])
        assert sorted(tested.tolist()) == list(range(rows))
        for fold in made:
            assert len(fold.train) + len(fold.test) == rows


@settings(max_examples=30, deadline=None)
@given(rows=st.integers(20, 200), k=st.integers(2, 10), classes=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_stratified_folds_hold_each_class_in_proportion(rows: int, k: int, classes: int, seed: int) -> None:
    made = table(rows, classes, seed=seed)
    each = folds(Scheme(kind="cv", folds=k), made, seed)
    counts = np.array([[np.count_nonzero(made.y[f.test] == c) for c in range(classes)] for f in each])
    assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()
    sizes = counts.sum(axis=1)
    assert sizes.max() - sizes.min() <= 1


@settings(max_examples=30, deadline=None)
@given(rows=st.integers(30, 200), share=st.floats(0.1, 0.9), seed=st.integers(0, 10**6))
def test_a_stratified_part_holds_each_class_in_proportion(rows: int, share: float, seed: int) -> None:
    made = table(rows, 3, seed=seed)
    (fold,) = folds(Scheme(kind="holdout", part=Part(fraction=share)), made, seed)
    assert len(fold.test) == int(share * rows + 0.5)
    for code in range(3):
        expected = np.count_nonzero(made.y == code) * len(fold.test) / rows
        assert abs(np.count_nonzero(made.y[fold.test] == code) - expected) < 1.5


@pytest.mark.parametrize(
    "scheme", [s for s in SCHEMES if s.kind not in ("forward", "given-folds", "given-test")], ids=lambda s: s.kind
)
def test_groups_never_straddle(scheme: Scheme) -> None:
    made = full_table(90, 2, 3)
    assert made.groups is not None
    for fold in folds(replace(scheme, grouped=True), made, 3, CUTS):
        held = [set(made.groups[part].tolist()) for part in parts(fold)]
        assert sum(map(len, held)) == len(set.union(*held))


def test_forward_trains_on_the_past_only() -> None:
    made = full_table(90, 0, 5)
    assert made.time is not None
    each = folds(Scheme(kind="forward", folds=6), made, 5, CUTS)
    assert len(each) == 6
    for fold in each:
        assert fold.tuning is not None
        assert fold.calibration is not None
        latest = [made.time[part].max() for part in (fold.train, fold.tuning, fold.calibration)]
        earliest = [made.time[part].min() for part in (fold.tuning, fold.calibration, fold.test)]
        assert all(a < b for a, b in zip(latest, earliest, strict=True))
    sizes = [len(fold.test) for fold in each]
    assert max(sizes) - min(sizes) <= 4


@pytest.mark.parametrize("grouped", [False, True])
def test_inner_cross_validation_judges_every_training_row_once(grouped: bool) -> None:
    made = full_table(90, 2, 5)
    partition = Partition(Scheme(kind="cv", folds=3, grouped=grouped), made, 1, 0)
    fold = partition.fold(0)
    inner = list(partition.inner(fold.train, 0, 5))
    assert sorted(np.concatenate([judged for _, judged in inner]).tolist()) == sorted(fold.train.tolist())
    for trained, judged in inner:
        assert not set(trained.tolist()) & set(judged.tolist())
        assert not set(judged.tolist()) & set(fold.test.tolist())


def test_trainings_are_disjoint_and_share_their_test_rows() -> None:
    each = folds(Scheme(kind="trainings", partitions=4, rows=20), table(120), 8)
    assert [len(f.train) for f in each] == [20] * 4
    assert len(set(np.concatenate([f.train for f in each]).tolist())) == 80
    assert all((f.test == each[0].test).all() for f in each)
    assert len(each[0].test) == 40


def test_bootstrap_draws_as_many_rows_as_there_are() -> None:
    for fold in folds(Scheme(kind="bootstrap", partitions=5), table(80), 8):
        assert len(fold.train) == 80
        assert len(np.unique(fold.train)) < 80


def test_more_partitions_leave_the_first_ones_alone() -> None:
    few = folds(Scheme(kind="repeated-cv", partitions=2, folds=5), table(50), 3)
    many = folds(Scheme(kind="partitions-cv", partitions=4, folds=5), table(50), 3)
    for one, two in zip(few, many, strict=False):
        assert (one.test == two.test).all()


def test_partitions_and_seeds_differ() -> None:
    def first(seed: int, partition: int) -> list[int]:
        scheme = Scheme(kind="repeated-cv", partitions=2, folds=2)
        made = folds(scheme, table(50), seed)
        return next(f.test.tolist() for f in made if f.partition == partition)

    assert len({tuple(first(*key)) for key in ((1, 0), (2, 0), (1, 1), (2, 1))}) == 4


def same(one: tuple[Fold, ...], two: tuple[Fold, ...]) -> bool:
    """Whether all parts of all folds are the same rows."""
    pairs = [p for a, b in zip(one, two, strict=True) for p in zip(parts(a), parts(b), strict=True)]
    return all(np.array_equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: s.kind)
@pytest.mark.parametrize("grouped", [False, True])
@settings(max_examples=6, deadline=None)
@given(rows=st.integers(60, 110), classes=st.sampled_from([0, 2, 3]), seed=st.integers(0, 10**6))
def test_names_and_features_leave_the_folds_alone(
    scheme: Scheme, grouped: bool, rows: int, classes: int, seed: int
) -> None:
    """Columns dropped and renamed, classes in another order, groups with other numbers, another content hash."""
    wanted = replace(scheme, grouped=grouped)
    before = full_table(rows, classes, seed)
    other = np.random.default_rng(seed).permutation(classes) if classes else None
    after = dataclasses.replace(
        before,
        X=before.X.iloc[:, :1].rename(columns=lambda name: f"{name} renamed"),
        kinds=before.kinds[:1],
        y=before.y * 7.5 if other is None else other[before.y],
        classes=tuple(f"class {c}" for c in before.classes),
        groups=None if before.groups is None else 1000 - 3 * before.groups,
        content_hash="another",
    )
    assert same(folds(wanted, before, seed, CUTS), folds(wanted, after, seed, CUTS))
    inner = [list(Partition(wanted, t, seed, 0).inner(np.arange(40), 0, 3)) for t in (before, after)]
    assert all(np.array_equal(a, b) for x, y in zip(*inner, strict=True) for a, b in zip(x, y, strict=True))


def test_the_learners_own_seeds_belong_to_rows_and_target() -> None:
    """They differ between datasets, and stay when features change or classes get other names and codes."""
    made = table(50, 3)
    renamed = dataclasses.replace(made, X=made.X.iloc[:, :1], y=np.array([2, 0, 1])[made.y], content_hash="another")
    assert rows_fingerprint(made) == rows_fingerprint(renamed)
    assert rows_fingerprint(made) != rows_fingerprint(table(50, 3, seed=99))
    numbers = table(50, 0)
    assert rows_fingerprint(numbers) != rows_fingerprint(dataclasses.replace(numbers, y=numbers.y + 1.0))


GREEDY = Cuts(Tuning(where="part", part=Part(rows=50)))
NUMBERS = table(60, 0, time=np.arange(60.0))


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        (Scheme(kind="cv", folds=5, stratified=True), "cannot be stratified"),
        (Scheme(kind="forward", folds=8, gap=40), "leaves nothing to train on in fold 1"),
        (Scheme(kind="cv", folds=2), "leaves no rows to train on"),
        (Scheme(kind="cv", folds=70), "70 folds cannot be made of 60 rows"),
        (Scheme(kind="cv", folds=10, grouped=True), "needs a groups column"),
        (Scheme(kind="forward", folds=3), "needs a time column"),
        (Scheme(kind="given-folds"), "needs a folds column"),
        (Scheme(kind="given-test"), "no test set of its own"),
        (Scheme(kind="holdout", part=Part(rows=60)), "leaves no row to train on"),
        (Scheme(kind="resamples", partitions=2, part=Part(rows=60)), "leaves no row to test"),
        (Scheme(kind="trainings", partitions=6, rows=10), "need 60 rows and some to test"),
    ],
)
def test_what_cannot_be_divided_is_said_in_a_sentence(scheme: Scheme, words: str) -> None:
    with pytest.raises(DataError, match=words):
        folds(
            scheme,
            NUMBERS if scheme.stratified or scheme.gap else table(60),
            1,
            GREEDY if scheme.folds == 2 else Cuts(),
        )


def test_unstratified_ignores_the_classes() -> None:
    made = table(40, 2)
    each = [folds(Scheme(kind="cv", folds=2, stratified=False), made, seed)[0] for seed in range(20)]
    counts = {int(np.count_nonzero(made.y[f.test])) for f in each}
    assert len(counts) > 1


@pytest.mark.parametrize("gap", [1, 7, 30])
def test_a_gap_is_left_before_every_tested_block(gap: int) -> None:
    """Against TimeSeriesSplit of scikit-learn, and with rows that share their moments."""
    from sklearn.model_selection import TimeSeriesSplit

    made = dataclasses.replace(table(360), time=np.arange(360.0))
    scheme = Scheme("forward", folds=8, gap=gap)
    for fold, (train, test) in zip(folds(scheme, made, 1), TimeSeriesSplit(8, gap=gap).split(made.y), strict=True):
        assert fold.train.tolist() == train.tolist()
        assert fold.test.tolist() == test.tolist()
    tied = dataclasses.replace(made, time=np.arange(360.0) // 4)
    for fold in folds(scheme, tied, 1):
        first, last = tied.time[fold.test].min(), tied.time[fold.train].max()
        between = ((tied.time > last) & (tied.time < first)).sum()
        assert gap <= between < gap + 4
    whole = folds(replace(scheme, gap=0), made, 1)
    assert [len(a.train) - len(b.train) for a, b in zip(whole, folds(scheme, made, 1), strict=True)] == [gap] * 8


@pytest.mark.parametrize(("window", "gap"), [(1, 0), (30, 0), (90, 7), (1000, 0)])
def test_a_window_slides_before_every_tested_block(window: int, gap: int) -> None:
    """Against TimeSeriesSplit of scikit-learn; several series share their time stamps, and none is divided."""
    from sklearn.model_selection import TimeSeriesSplit

    made = dataclasses.replace(table(360), time=np.arange(360.0))
    scheme = Scheme("forward", folds=8, rows=window, gap=gap)
    peers = TimeSeriesSplit(8, gap=gap, max_train_size=window).split(made.y)
    for fold, (train, test) in zip(folds(scheme, made, 1), peers, strict=True):
        assert fold.train.tolist() == train.tolist()
        assert fold.test.tolist() == test.tolist()
    if window < 4:
        return
    series = dataclasses.replace(made, time=np.tile(np.arange(90.0), 4))  # four series, one below the other
    for fold in folds(scheme, series, 1):
        days, counts = np.unique(series.time[fold.train], return_counts=True)
        assert (counts == 4).all()
        assert (np.diff(days) == 1).all()
        assert len(fold.train) <= window
        assert len(fold.train) > window - 4 or days[0] == 0
        assert days[-1] < series.time[fold.test].min()


@settings(max_examples=40, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=4),
    blocks=st.integers(3, 6),
    each=st.integers(4, 12),
    window=st.none() | st.integers(1, 80),
    gap=st.integers(0, 3),
    seed=st.integers(0, 10**6),
)
def test_series_are_cut_at_the_same_stamps(
    lengths: list[int], blocks: int, each: int, window: int | None, gap: int, seed: int
) -> None:
    """The stamps of every part are those of TimeSeriesSplit on the stamps alone, whatever rows the series have."""
    from sklearn.model_selection import TimeSeriesSplit

    rng, stamps = np.random.default_rng(seed), blocks * each
    rows = [(stamp, 0) for stamp in range(stamps)]  # one series is whole; the others begin late and have holes
    for number, length in enumerate(lengths, start=1):
        rows += [(int(stamp), number) for stamp in rng.choice(stamps, min(length, stamps), replace=False)]
    time, series = rng.permutation(np.array(rows)).T
    made = table(len(rows), time=time.astype(float) * 86_400, series=series)
    scheme = Scheme("forward", folds=blocks - 1, rows=window, gap=gap)
    peers = TimeSeriesSplit(blocks - 1, gap=gap, max_train_size=window).split(np.zeros(stamps))
    for fold, (train, test) in zip(folds(scheme, made, 1), peers, strict=True):
        assert fold.train.tolist() == np.flatnonzero(np.isin(time, train)).tolist()
        assert fold.test.tolist() == np.flatnonzero(np.isin(time, test)).tolist()
        assert time[fold.train].max() + gap < time[fold.test].min()
        assert not set(time[fold.train]) & set(time[fold.test])
        assert len(np.unique(time[fold.train])) <= (window or stamps)


def test_series_tune_and_judge_forward_too() -> None:
    """Inner parts and inner folds divide no stamp, and the inner gap counts stamps."""
    time, series = np.repeat(np.arange(60.0), 4), np.tile(np.arange(4), 60)
    made = table(240, time=time, series=series)
    partition = Partition(Scheme("forward", folds=3, gap=2), made, 1, 0)
    for number in range(3):
        fold = partition.fold(number, CUTS)
        every = [time[rows] for rows in parts(fold)]
        assert all(before.max() < after.min() for before, after in pairwise(every))
        for train, judged in partition.inner(fold.train, number, 2):
            assert time[judged].min() - time[train].max() == 3  # two stamps between them


def test_series_change_no_other_division() -> None:
    """One row for each stamp divides as it did without the word; other schemes never hear of series."""
    time = np.random.default_rng(1).permutation(np.arange(90.0))
    plain = table(90, time=time)
    series = dataclasses.replace(plain, series=np.arange(90) % 3)
    scheme = Scheme("forward", folds=4, rows=20, gap=3)
    for one, two in zip(folds(scheme, plain, 1), folds(scheme, series, 1), strict=True):
        assert (one.train.tolist(), one.test.tolist()) == (two.train.tolist(), two.test.tolist())
    assert split_fingerprint(scheme, plain) != split_fingerprint(scheme, series)
    shuffled = Scheme("cv", folds=5)
    assert split_fingerprint(shuffled, plain) == split_fingerprint(shuffled, series)
