"""Columns that look like groups, series or times, by their names or by how their values behave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from .column_words import BEING, BIRTH, DATE, GROUP, GROUP_CAMEL, PERIOD, STAMP, THING, first_parts
from .table import Array, Table

Codes = Mapping[str, tuple[Array, int]]  # of each column: a number for every distinct value (-1: missing), their count

FEWEST_GROUPS = 5  # ours: fewer repeated values are a category
FEWESTTHINGS = 10  # ours: a handful of drugs or prompts are the arms of an experiment
FEWEST_ENTITIES = 20  # ours: recognised by behaviour alone, without a name to go by
LARGEST_ENTITY = 0.25  # ours: of the rows; a value that is more frequent is a category
ALIKE = 0.3  # ours: rows of one value differ by so much less than rows of others; an intraclass correlation of 0.5
FEWEST_ALIKE = 2  # columns; one may be the same fact in other words
SAME_TARGET = 0.9  # ours: of the target alone, without other columns that are alike
PAIRS = 2000
COMPARED = 30  # columns
CANDIDATES = 100  # columns of whole numbers
FEWEST_DATES = 5
SECONDS = (6e8, 2.2e9)  # since 1970: years 1989 to 2039


def group_like(table: Table, codes: Codes) -> tuple[tuple[str, int], ...]:
    """Return columns named like an entity whose values are repeated, with their number of values.

    With groups: only persons or animals that have several of the groups each, such as the patients of stays.
    """
    named = [(name, values) for name, (_, values) in codes.items() if is_group_like(name, values, table.rows)]
    if table.groups is None:
        return tuple(named)
    groups = int(table.groups.max()) + 1
    return tuple(
        (name, values)
        for name, values in named
        if values < groups
        and BEING.fullmatch(name)
        and len(np.unique(table.groups * (values + 1) + codes[name][0])) == groups
    )


def is_group_like(name: str, values: int, rows: int) -> bool:
    """Return whether a column is named like an entity and its values are repeated."""
    return _fewest(name) <= values <= rows / 2


def _fewest(name: str) -> float:
    if GROUP.fullmatch(name) or GROUP_CAMEL.fullmatch(name):
        return FEWEST_GROUPS
    return FEWESTTHINGS if THING.fullmatch(name) else float("inf")


def entity_like(table: Table, codes: Codes, others: frozenset[str]) -> tuple[tuple[str, int, int, int], ...]:
    """Return columns whose values behave like entities: rows of one value are alike in most other columns.

    Each with its number of values, the columns in which its rows are alike, and the columns compared (the target is one
    of them). `others` are columns that are known to be something else. Whole numbers are compared with the next value,
    so that a measurement, whose neighbours are as much alike, is not found.
    """
    if table.groups is not None:
        return ()
    wholes = 0
    found = []
    columns: dict[str, tuple[Array, bool]] = {}
    for name, (own, values) in codes.items():
        if name in others or not FEWEST_ENTITIES <= values <= table.rows / 2 or own.min() < 0:
            continue
        if np.bincount(own).max() > LARGEST_ENTITY * table.rows:
            continue
        ordered = _wholes(table, name)
        wholes += ordered is not None
        if (ordered is None and not _is_text(table, name)) or wholes > CANDIDATES:
            continue
        own = own if ordered is None else np.unique(ordered, return_inverse=True)[1]
        columns = columns or _compared_columns(table, codes)
        compared = [column for other, column in columns.items() if other != name]
        shares = list(_alike(own, compared, follow=ordered is not None))
        if _is_entity(shares):
            found.append((name, values, sum(share >= ALIKE for share in shares), len(shares)))
    return tuple(found)


def _is_entity(shares: list[float]) -> bool:
    """Return whether rows of one value are alike in half of the columns, or have the same target (the last column)."""
    alike = sum(share >= ALIKE for share in shares)
    return (alike >= FEWEST_ALIKE and 2 * alike >= len(shares)) or (bool(shares) and shares[-1] >= SAME_TARGET)


def numbered_parts(table: Table, every: Codes) -> tuple[str, str, int]:
    """Return a column of ids whose first parts join rows that are alike: column, such a part, how many there are.

    `image_12_copy_3` is a copy of `image_12`.
    """
    for name, (own, values) in every.items() if table.groups is None else ():
        if 2 * values <= table.rows or own.min() < 0 or not _is_text(table, name):
            continue
        parts = first_parts(series_of(table, name).astype(str).tolist())
        found, heads = pd.factorize(np.array(parts, dtype=object))
        if FEWEST_ENTITIES <= len(heads) <= table.rows / 2:
            columns = _compared_columns(table, {n: every[n] for n in map(str, table.X)})
            if _is_entity(list(_alike(found, [c for other, c in columns.items() if other != name], follow=False))):
                return name, str(heads[0]), len(heads)
    return "", "", 0


def parted_columns(table: Table, columns: list[str]) -> tuple[tuple[str, int], ...]:
    """Return the columns with values that are in both the training and the test file, and how many there are."""
    found = []
    for name in columns if table.test_from is not None else ():
        values = series_of(table, name)
        common = set(values.iloc[: table.test_from]).intersection(values.iloc[table.test_from :])
        found += [(name, len(common))] if common else []
    return tuple(found)


def _compared_columns(table: Table, codes: Codes) -> dict[str, tuple[Array, bool]]:
    """Return up to COMPARED columns and the target as `_comparable` gives them."""
    chosen = list(table.X)[:: max(1, table.features // COMPARED)]
    columns = {str(name): _comparable(table.X[name], codes[str(name)][0]) for name in chosen}
    columns[table.target] = (table.y.astype(np.float64), table.task == "classification")
    return columns


def series_of(table: Table, name: str) -> pd.Series[Any]:
    """Return a column, a dropped one included."""
    return table.X[name] if name in table.X else table.dropped[name]  # type: ignore[index]


def _is_text(table: Table, name: str) -> bool:
    return not pd.api.types.is_numeric_dtype(series_of(table, name)) and not is_date(series_of(table, name))


def _wholes(table: Table, name: str) -> Array | None:
    """Return the values of a column of whole numbers; None of any other."""
    series = series_of(table, name)
    if not pd.api.types.is_numeric_dtype(series) or pd.api.types.is_bool_dtype(series):
        return None
    values = series.to_numpy(dtype=np.float64)
    return values if np.all(values == np.floor(values)) else None


def _alike(own: Array, columns: list[tuple[Array, bool]], *, follow: bool) -> Iterator[float]:
    """Yield for each column by what share rows of one value differ less than rows of another (`follow`: the next)."""
    rng = np.random.default_rng(0)
    order = np.lexsort((rng.random(len(own)), own))
    counts = np.bincount(own)
    starts = np.cumsum(counts) - counts
    place = np.empty(len(own), dtype=np.int64)
    place[order] = np.arange(len(own))
    rows, anyone = rng.permutation(len(own))[:PAIRS], rng.permutation(len(own))[:PAIRS]
    value = own[rows]
    partner = order[starts[value] + (place[rows] - starts[value] + 1) % counts[value]]
    following = (value + (1 if follow else rng.integers(1, len(counts), len(rows)))) % len(counts)
    apart = order[starts[following] + rng.integers(0, counts[following])]
    equal = np.all([values[rows] == values[partner] for values, _ in columns], axis=0)  # twins are EV105
    kept = (partner != rows) & ~equal
    for values, nominal in columns if kept.any() else ():
        usual = _difference(values[rows], values[anyone], nominal)
        if usual > 0:
            near = _difference(values[rows][kept], values[partner][kept], nominal)
            yield (_difference(values[rows], values[apart], nominal) - near) / usual


def _comparable(series: pd.Series[Any], codes: Array) -> tuple[Array, bool]:
    """Return the values of a column as numbers, by rank where they have an order, and whether they have none."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        return codes.astype(np.float64), True
    return series.rank().fillna(0.0).to_numpy(), False


def _difference(first: Array, second: Array, nominal: bool) -> float:
    return float(np.mean(first != second) if nominal else np.mean(np.abs(first - second)))


def series_like(table: Table, codes: Codes) -> tuple[tuple[str, int], ...]:
    """Return columns that separate the rows of every time stamp and whose values repeat, those of fewest values first.

    A measurement may do so by chance: most rows share their stamp, and no column has more values than twice the rows of
    the fullest one.
    """
    if table.time is None or table.series is not None:
        return ()
    _, moment, rows = np.unique(table.time, return_inverse=True, return_counts=True)
    most = int(rows.max())
    if 2 * rows[rows > 1].sum() < table.rows:
        return ()
    named = [n for n in map(str, table.X) if most <= codes[n][1] <= min(2 * most, table.rows // 2)]
    apart = [n for n in named if len(np.unique(moment * (codes[n][1] + 1) + codes[n][0])) == table.rows]
    return tuple(sorted(((n, codes[n][1]) for n in apart if codes[n][0].min() >= 0), key=lambda one: one[1]))


def date_columns(table: Table) -> tuple[str, ...]:
    """Return columns of dates, dropped ones included, unless the script declares a time; dates of birth are none."""
    if table.time is not None:
        return ()
    dropped = () if table.dropped is None else tuple(map(str, table.dropped.columns))
    texts = {*table.categorical, *dropped}
    return tuple(
        name
        for name in (*map(str, table.X.columns), *dropped)
        if not BIRTH.search(name)
        and (name in table.dates or (name in texts and is_date(series_of(table, name))) or _is_stamp(table, name))
    )


def _is_stamp(table: Table, name: str) -> bool:
    """Whether a column holds numbers that are days or seconds, or years and the like in the order of the rows."""
    series = series_of(table, name)
    if not pd.api.types.is_numeric_dtype(series) or pd.api.types.is_bool_dtype(series):
        return False
    values = series.to_numpy(dtype=np.float64, na_value=np.nan)
    values = values[~np.isnan(values)]
    if len(values) == 0 or not np.all(values == np.floor(values)) or len(np.unique(values)) < FEWEST_DATES:
        return False
    named = STAMP.fullmatch(name) is not None
    rising = bool(np.all(np.diff(values) >= 0))
    if _are_days(values) or (rising and (named or PERIOD.fullmatch(name) is not None)):
        return True
    return any(
        np.all((values >= unit * SECONDS[0]) & (values <= unit * SECONDS[1]) & (named or values % (60 * unit) == 0))
        for unit in (1, 1000)
    )


def _are_days(values: Array) -> bool:
    """Whether whole numbers are written like 20240131 or 202401."""
    values = values * 100 + 1 if values.max() < 1_000_000 else values
    days, months, years = values % 100, values // 100 % 100, values // 10_000
    valid = (days >= 1) & (days <= 31) & (months >= 1) & (months <= 12) & (years >= 1900) & (years < 2100)
    return bool(np.all(valid))


def is_date(series: pd.Series[Any]) -> bool:
    """Whether a column holds dates, or text that is written like them."""
    if pd.api.types.is_datetime64_any_dtype(series):
        return True
    if pd.api.types.is_numeric_dtype(series):
        return False
    words = series.cat.categories if isinstance(series.dtype, pd.CategoricalDtype) else series.dropna().unique()
    return are_dates(words)


def are_dates(words: Any) -> bool:
    """Whether there are several words, all of them written like dates."""
    return len(words) >= FEWEST_DATES and all(DATE.fullmatch(str(word)) for word in words)
