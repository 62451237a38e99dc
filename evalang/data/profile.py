"""The profile of a table: facts about its columns and rows, and what in them looks suspicious."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ..plans.opened_data import OpenedDataset
from ..results.records import DatasetFacts
from .column_words import PROVENANCE, plain_text
from .columns import looks_numeric
from .hashes import cell_hashes
from .leaks import (
    FAR_FROM_CHANCE,
    FEWEST_NUMBERS,
    MOSTLY,
    TELLING,
    answer_share,
    generated_rows,
    measurements,
    near_copies,
    sums_to_target,
    target_means,
    windows_of_target,
)
from .profile_facts import AnswerColumn, NumbersAsText, Profile, Sentinel
from .table import Array, Table
from .undeclared import (
    Codes,
    are_dates,
    date_columns,
    entity_like,
    group_like,
    numbered_parts,
    parted_columns,
    series_like,
    series_of,
)

NANOSECONDS = 86_400e9  # of a day
_WORDS_SHOWN = 3
LONG_TEXT = 30  # characters; ours: shorter text may be equal by chance


def numbers_as_text(table: Table) -> tuple[NumbersAsText, ...]:
    """Return text columns in which more cells are numbers than not (with nine of ten the data is refused when read)."""
    found = []
    for name in table.categorical:
        if name in table.named:
            continue
        column = table.X[name].cat
        counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.categories))
        cells = [(str(word), int(count)) for word, count in zip(column.categories, counts, strict=True) if count]
        numbers = [(word, count) for word, count in cells if looks_numeric(word)]
        total, read = sum(count for _, count in cells), sum(count for _, count in numbers)
        if len(numbers) >= FEWEST_NUMBERS and read > MOSTLY * total and not are_dates(column.categories):
            words = sorted(set(cells) - set(numbers), key=lambda cell: (-cell[1], cell[0]))[:_WORDS_SHOWN]
            found.append(NumbersAsText(column=name, numbers=read, cells=total, words=tuple(words)))
    return tuple(found)


ANSWER_SHARE = 0.995  # PITFALLS EV108
_IDENTIFIER = re.compile(  # the name of whole numbers that differ in every row
    r"(?i:(?:.*[ _.-])?(?:ids?|no|nr|num|number|key|code|ref|index|idx|row|u?uid|guid))|.*[a-z](?:Id|ID|No|Nr)"
)
FEWEST_IDENTIFIED = 10  # ours: in fewer rows a measured whole number differs from row to row by chance


def profiles(tables: Mapping[str, Table]) -> dict[str, Profile]:
    """Return the profile of every table, with the rows that it shares with others."""
    shared = shared_rows(tables)
    return {name: replace(profile(table), shared=tuple(shared.get(name, ()))) for name, table in tables.items()}


def shared_rows(tables: Mapping[str, Table]) -> dict[str, list[tuple[str, int]]]:
    """Return for each table the others that hold rows of it, and how many, where that is more than chance.

    Rows are compared by their hashes, without columns that number them.
    """
    hashed = {name: table for name, table in tables.items() if table.row_hashes is not None}
    if len(hashed) < 2:
        return {}
    hashes = {name: np.unique(_content(table)) for name, table in hashed.items()}
    found, counts = np.unique(np.concatenate(list(hashes.values())), return_counts=True)
    common = {name: own[np.isin(own, found[counts > 1])] for name, own in hashes.items()}
    shared: dict[str, list[tuple[str, int]]] = {}
    for one, own in common.items():
        for other, theirs in common.items():
            rows = int(np.isin(own, theirs).sum()) if one != other else 0
            if rows and rows > FAR_FROM_CHANCE * tables[one].rows * tables[other].rows * _coincidence(tables[one]):
                shared.setdefault(one, []).append((other, rows))
    return shared


def _content(table: Table) -> Array:
    """Return a hash of every row without the columns that number the rows."""
    assert table.row_hashes is not None
    total = table.row_hashes.copy()
    parts = [table.X] if table.dropped is None else [table.X, table.dropped]
    for column in (part[name] for part in parts for name in part):
        if _numbers_rows(column, _codes(column)[1]):
            total -= cell_hashes(column)
    return total


def _independent_twins(table: Table) -> float:
    """Return the chance that two rows are equal, as if the columns were independent."""
    columns = [_codes(column)[0] for _, column in table.X.items()] + [np.unique(table.y, return_inverse=True)[1]]
    shares = [np.bincount(codes + 1) / table.rows for codes in columns]
    return float(np.exp(sum(np.log((share**2).sum()) for share in shares)))


def _coincidence(table: Table) -> float:
    """Return the chance that two rows are equal: as in the table itself, or as if its columns were independent."""
    _, counts = np.unique(_content(table), return_counts=True)
    return max(_independent_twins(table), float((counts * (counts - 1)).sum()) / max(1, table.rows * (table.rows - 1)))


def profile(table: Table) -> Profile:
    """Return what the data-stage rules may know; a second for 50,000 rows and 50 columns."""
    columns = {str(name): column for name, column in table.X.items()}
    codes = {name: _codes(column) for name, column in columns.items()}
    every = codes | ({} if table.dropped is None else {str(n): _codes(c) for n, c in table.dropped.items()})
    dates = date_columns(table)
    named = group_like(table, every)
    entities = entity_like(table, every, frozenset((*dates, *(name for name, _ in named))))
    constant = dict.fromkeys(n for n, (c, _) in codes.items() if len(c) and c.min() == c.max())
    identifiers = dict.fromkeys(
        n for n, (_, distinct) in codes.items() if distinct == table.rows and _numbers_rows(columns[n], distinct)
    )
    kinds = tuple(kind for name, kind in zip(columns, table.kinds, strict=True) if name not in identifiers)
    unnumbered = replace(table, X=table.X.drop(columns=list(identifiers)), kinds=kinds) if identifiers else table
    shares = {
        n: answer_share(table, columns[n], *code)
        for n, code in codes.items()
        if n not in constant and n not in identifiers
    }
    nominal = table.categorical if table.task == "classification" else ()
    for name in sorted(every.keys() - codes.keys()) if table.task == "classification" else ():
        if PROVENANCE.fullmatch(name) and every[name][1] > 1:  # dropped, but the other columns may still tell it
            shares[name] = answer_share(table, series_of(table, name).astype("category"), *every[name])
            nominal = (*nominal, name)
    measured = measurements(unnumbered, codes)
    return Profile(
        name=table.name,
        rows=table.rows,
        features=table.features,
        task=table.task,
        task_reason=table.task_reason,
        target=table.target,
        classes=_class_counts(table, table.y),
        positive=table.positive,
        duplicate_rows=(twins := _twins(unnumbered)),
        copies_unavoidable=0 < twins <= FAR_FROM_CHANCE * table.rows**2 * _independent_twins(unnumbered),
        missing_cells=sum(int((c < 0).sum()) for c, _ in codes.values()),
        sentinels=sentinels(table),
        numbers_as_text=numbers_as_text(table),
        left_out=table.left_out,
        identifier_columns=tuple(identifiers),
        answer_columns=tuple(
            AnswerColumn(n, share) for n, share in shares.items() if share >= ANSWER_SHARE and n in codes
        ),
        telling_columns=tuple(
            AnswerColumn(n, share)
            for n, share in shares.items()
            if n in nominal and share >= TELLING and (share < ANSWER_SHARE or n not in codes)
        ),
        group_like=named,
        entity_like=entities,
        date_columns=dates,
        id_parts=numbered_parts(table, every),
        target_means=target_means(table, codes),
        sums_to_target=sums_to_target(table),
        windows_of_target=windows_of_target(table, _in_time(table, dates)),
        generated=generated_rows(table, measured),
        near_copies=near_copies(unnumbered, measured),
        text_twins=_text_twins(table, codes),
        series_like=series_like(table, codes),
        columns_scaled=_is_scaled(table, codes),
        early_test_dates=tuple(_early_test_dates(table, dates)),
        **_row_facts(unnumbered),
        parted_columns=parted_columns(table, [n for n, _ in named] + [n for n, *_ in entities]),
        content_hash=table.content_hash,
        rows_hash=_rows_hash(table),
        source=table.source,
    )


def _in_time(table: Table, dates: tuple[str, ...]) -> Array | None:
    """Return the rows in order of time, of each series by itself; None when rows share a time, or none is known."""
    time = table.time if table.time is not None else _as_times(series_of(table, dates[0])) if dates else None
    if time is None:
        return None
    parts = np.zeros(table.rows) if table.series is None else table.series
    if len(np.unique(np.column_stack((parts, time)), axis=0)) < table.rows:
        return None
    return np.lexsort((time, parts))


def _as_times(series: pd.Series[Any]) -> Array:
    if pd.api.types.is_numeric_dtype(series):
        return series.to_numpy()
    return pd.to_datetime(series.astype(str), errors="coerce", format="mixed", utc=True).astype(np.int64).to_numpy()


def _codes(series: pd.Series[Any]) -> tuple[Array, int]:
    """Return a number for every distinct value (-1: missing), and how many there are."""
    plain = isinstance(series.dtype, np.dtype)
    codes, found = pd.factorize(series.to_numpy() if plain else series, use_na_sentinel=True)
    return codes, len(found)


def _numbers_rows(series: pd.Series[Any], distinct: int) -> bool:
    """Return whether every row has a text of its own, or a whole number that is an id by its name or by counting rows.

    An income in whole numbers may differ from row to row too.
    """
    if distinct < len(series) or distinct < FEWEST_IDENTIFIED:
        return False
    if not pd.api.types.is_numeric_dtype(series):
        return True
    values = series.to_numpy(dtype=np.float64)
    if not np.all(values == np.floor(values)):
        return False
    return bool(np.ptp(values) == len(values) - 1) or _IDENTIFIER.fullmatch(str(series.name)) is not None


def _rows_hash(table: Table) -> str:
    hashes = table.row_hashes
    return "" if hashes is None or not len(hashes) else hashlib.sha256(np.sort(hashes).tobytes()).hexdigest()


def _hashed(table: Table) -> Array:
    """Return a hash of every row's features and target."""
    features = pd.util.hash_pandas_object(table.X, index=False).to_numpy()
    return features * np.uint64(0x9E3779B97F4A7C15) ^ pd.util.hash_array(table.y)


def _text_twins(table: Table, codes: dict[str, tuple[Array, int]]) -> tuple[str, int]:
    """Return the column of long texts with most rows whose text another row has too, and those rows; ("", 0) for none.

    A column of texts has a text of its own in most rows. Capitals and punctuation make no difference.
    """
    found = ("", 0)
    for name in table.categorical:
        if 2 * codes[name][1] > table.rows and are_long(words := pd.factorize(table.X[name])[1]):
            plain = pd.Series([plain_text(str(word)) for word in words])
            twins = plain.iloc[codes[name][0][codes[name][0] >= 0]].duplicated(keep=False)
            found = max(found, (name, int(twins.sum())), key=lambda one: one[1])
    return found if found[1] else ("", 0)


def are_long(words: Any) -> bool:
    """Whether most texts are so long that they are not equal by chance."""
    return bool(np.mean([len(str(word)) >= LONG_TEXT for word in words]) > MOSTLY)


def _twins(table: Table) -> int:
    """Count rows with a twin in features and target; by 64-bit hashes."""
    counts = np.unique(_hashed(table), return_counts=True)[1]
    return int(counts[counts > 1].sum())


def _class_counts(table: Table, y: Array) -> tuple[tuple[str, int], ...]:
    if table.task == "regression":
        return ()
    counts = np.bincount(y, minlength=len(table.classes))
    return tuple(zip(table.classes, (int(c) for c in counts), strict=True))


SENTINEL_CELLS = 3  # ours: a single extreme number may be an outlier
FEWEST_MEASURED = 10  # ours: other values of a column of measurements
OVERFLOWN = 1e6  # ours: so many times the largest of the other values
_CODES = re.compile(r"-?(?:9+(?:\.9+)?|([78])\1+)")  # -999, 99.9, 88


def sentinels(table: Table) -> tuple[Sentinel, ...]:
    """Return numbers that may stand for missing values: at the end of a column of numbers, repeated, far from the rest.

    Only 0, negative numbers among others that are not, repeated digits such as 999, and numbers that are a million
    times as large as the others are looked at.
    """
    numeric = zip(table.X.items(), table.kinds, strict=True)
    columns = {str(name): one.to_numpy(dtype=np.float64) for (name, one), kind in numeric if kind == "numeric"}
    if table.task == "regression":
        columns[table.target] = table.y
    found = {name: one for name, values in columns.items() if (one := _sentinel(values[~np.isnan(values)])) is not None}
    return tuple(
        Sentinel(
            name,
            *one,
            elsewhere=any(one[0] in values for n, values in columns.items() if n not in found or found[n][0] != one[0]),
        )
        for name, one in found.items()
    )


def _sentinel(known: Array) -> tuple[float, int, float, float] | None:
    """Return the smallest or largest value of a column that stands alone: value, cells, range of the other values.

    Of several codes such as 888 and 999 at one end the last one.
    """
    values, counts = np.unique(known, return_counts=True)
    for end in (0, -1) if len(values) > FEWEST_MEASURED else ():
        rest, own = values, []
        while len(rest) > FEWEST_MEASURED and _may_be_code(rest, end):
            own.append(float(rest[end]))
            rest = np.delete(rest, end)
        value = own[0] if own else 0.0
        cells = int(counts[end])
        if not own or cells < SENTINEL_CELLS:
            continue
        others = known[np.isin(known, own, invert=True)]
        far = min(abs(own[-1] - rest[end]), abs(own[-1] - others.mean()) / 3) >= others.std()
        # A negative number that is not far off, as -1, has to be more frequent than the values next to it.
        if far or (value < 0 <= rest[0] and cells > 2 * counts[1:6].max()):
            return value, cells, float(rest[0]), float(rest[-1])
    return None


def _may_be_code(values: Array, end: int) -> bool:
    """Return whether the smallest (0) or largest (-1) of sorted values may be no measurement."""
    value, rest = float(values[end]), np.delete(values, end)
    shown = f"{value:.15g}"
    repeated = _CODES.fullmatch(shown) is not None
    huge = abs(value) > OVERFLOWN * max(abs(rest[0]), abs(rest[-1]))
    return value == 0 or value < 0 <= rest[0] or repeated or huge


def _row_facts(table: Table) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if table.groups is not None:
        facts["groups"] = int(table.groups.max()) + 1
    if table.series is not None:
        facts["series"] = int(table.series.max()) + 1
    if table.time is not None:
        stamps = len(np.unique(table.time))
        days = float(np.ptp(table.time)) / NANOSECONDS if table.time.dtype.kind == "i" else 0.0
        per_stamp = 1.0 if table.series is not None else table.rows / stamps
        facts["rows_per_day"] = (stamps - 1) / days * per_stamp if days else None
    if table.folds is not None:
        sizes = np.bincount(table.folds, minlength=len(table.fold_names))
        facts["folds"] = tuple(zip(table.fold_names, (int(s) for s in sizes), strict=True))
    if table.test_from is not None:
        facts["test_rows"] = table.rows - table.test_from
        both = _hashed(table)
        tuned_from = table.test_from if table.tune_from is None else table.tune_from
        facts["test_twins"] = int(np.isin(both[table.test_from :], both[:tuned_from]).sum())
        facts["tuned_twins"] = int(np.isin(both[table.test_from :], both[tuned_from : table.test_from]).sum())
        facts["test_classes"] = _class_counts(table, table.y[table.test_from :])
        if table.time is not None and 0 < table.test_from < table.rows:
            facts["early_test_rows"] = int((table.time[table.test_from :] < table.time[: table.test_from].max()).sum())
    if table.groups is not None:
        facts["parted_groups"] = _parted_groups(table)
    if table.task == "regression":
        facts["target_range"] = (float(table.y.min()), float(table.y.max()))
    return facts


SPREADS = (0.5, 2.0)  # ours: standard deviations of columns that share a scale


def _is_scaled(table: Table, codes: Codes) -> bool:
    """Return whether each column of more than two numbers has a standard deviation near 1."""
    several = [name for name in table.numeric if codes[name][1] > 2]
    return all(SPREADS[0] <= float(table.X[name].std()) <= SPREADS[1] for name in several)


def _early_test_dates(table: Table, dates: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Yield columns of dates by which rows of the official test part are earlier than every training row."""
    for name in dates if table.test_from else ():
        values = _as_times(series_of(table, name))
        early = int((values[table.test_from :] < values[: table.test_from].min()).sum())
        if early:
            yield name, early


def _parted_groups(table: Table) -> int:
    """Return how many groups are in several given folds, or in both the training and the test file."""
    assert table.groups is not None
    part = table.folds
    if part is None and table.test_from is not None:
        part = (np.arange(table.rows) >= table.test_from).astype(np.int64)
    if part is None:
        return 0
    pairs = np.unique(np.column_stack((table.groups, part)), axis=0)
    return int((np.bincount(pairs[:, 0]) > 1).sum())


def dataset_facts(found: Profile) -> DatasetFacts:
    """Return what a report says about the data that was read."""
    rarest = found.smallest_class
    return DatasetFacts(
        name=found.name,
        rows=found.rows,
        features=found.features,
        task=found.task,
        classes=len(found.classes) or None,
        smallest_class=rarest[1] / found.rows if rarest and found.rows else None,
        missing=found.missing_cells / (found.rows * found.features) if found.rows and found.features else None,
        groups=found.groups,
        series=found.series,
        digest=found.content_hash,
        left_out=found.left_out,
    )


def opened_dataset(table: Table) -> OpenedDataset:
    """Return what a plan needs to know of an opened dataset."""
    classes, folds = len(table.classes) or None, len(table.fold_names) or None
    return OpenedDataset(task=table.task, rows=table.rows, classes=classes, folds=folds)
