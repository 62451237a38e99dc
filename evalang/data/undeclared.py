"""Columns that look like groups, series or times, and that the script does not declare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from .table import Array, Table

Codes = Mapping[str, tuple[Array, int]]  # of each column: a number for every distinct value (-1: missing), their count

FEWEST_GROUPS = 5  # ours: fewer repeated values are a category
FEWEST_THINGS = 10  # ours: a handful of drugs or prompts are the arms of an experiment
FEWEST_ENTITIES = 20  # ours: recognised by behaviour alone, without a name to go by
LARGEST_ENTITY = 0.25  # ours: of the rows; a value that is more frequent is a category
ALIKE = 0.3  # ours: rows of one value differ by so much less than rows of others; an intraclass correlation of 0.5
FEWEST_ALIKE = 2  # columns; one may be the same fact in other words
PAIRS = 2000
COMPARED = 30  # columns
CANDIDATES = 100  # columns of whole numbers
FEWEST_DATES = 5
_WHO = (
    "patient|subject|person|participant|user|customer|client|speaker|author|writer|household|family|animal|donor|"
    "respondent|student|pupil|teacher|player|athlete|driver|employee|worker|annotator|account|device|session|group|"
    "cluster|case|hospital|clinic|ward|site|cent(?:er|re)|store|shop|branch|school|classroom|farm|plot|village|company|firm|"
    "machine|engine|turbine|sensor|station|vehicle|truck|robot|document|doc|article|book|video|clip|recording|movie|film|"
    "scene|slide|scan|specimen|tissue|repo|repository|project|conversation|dialogue|thread|episode|trajectory"
)
_WHAT = "drug|compound|molecule|scaffold|protein|gene|sequence|ligand|cell[ _.-]?line|strain|batch|product|item|prompt"
_SUFFIX = "(?:[ _.-]?(?:id|ids|no|nr|num|number|name|key|code|ref|hash|uuid|index|idx))?"
_GROUP = re.compile(rf"(?:{_WHO}){_SUFFIX}|.*[ _.-]id", re.IGNORECASE)
_GROUP_CAMEL = re.compile(r".*[a-z](?:Id|ID)")
_THING = re.compile(rf"(?:{_WHAT}){_SUFFIX}", re.IGNORECASE)
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?:[ T].*)?")
_STAMP = re.compile(r"(?:.*[ _.-])?(?:timestamp|datetime|unix[ _.-]?time|epoch[ _.-]?seconds)|[a-z]+_at", re.IGNORECASE)
_BIRTH = re.compile(r"birth|\bdob\b|born", re.IGNORECASE)


def group_like(table: Table, codes: Codes) -> tuple[tuple[str, int], ...]:
    """Return columns named like an entity whose values are repeated, with their number of values."""
    if table.groups is not None:
        return ()
    found = [(name, values) for name, (_, values) in codes.items() if values >= _fewest(name)]
    return tuple((name, values) for name, values in found if 2 * values <= table.rows)


def _fewest(name: str) -> float:
    if _GROUP.fullmatch(name) or _GROUP_CAMEL.fullmatch(name):
        return FEWEST_GROUPS
    return FEWEST_THINGS if _THING.fullmatch(name) else float("inf")


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
    chosen = list(table.X)[:: max(1, table.features // COMPARED)]
    columns = {str(other): _comparable(table.X[other], codes[str(other)][0]) for other in chosen}
    columns[table.target] = (table.y.astype(np.float64), table.task == "classification")
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
        compared = [column for other, column in columns.items() if other != name]
        shares = list(_alike(own, compared, follow=ordered is not None))
        alike = sum(share >= ALIKE for share in shares)
        if alike >= FEWEST_ALIKE and 2 * alike >= len(shares):
            found.append((name, values, alike, len(shares)))
    return tuple(found)


def _series(table: Table, name: str) -> pd.Series[Any]:
    return table.X[name] if name in table.X else table.dropped[name]  # type: ignore[index]


def _is_text(table: Table, name: str) -> bool:
    return not pd.api.types.is_numeric_dtype(_series(table, name)) and not is_date(_series(table, name))


def _wholes(table: Table, name: str) -> Array | None:
    """Return the values of a column of whole numbers; None of any other."""
    series = _series(table, name)
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
    names = (*map(str, table.X.columns), *dropped)
    return tuple(
        name
        for name in names
        if not _BIRTH.search(name) and (name in table.dates or is_date(_series(table, name)) or _is_stamp(table, name))
    )


def _is_stamp(table: Table, name: str) -> bool:
    return bool(_STAMP.fullmatch(name)) and pd.api.types.is_numeric_dtype(_series(table, name))


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
    return len(words) >= FEWEST_DATES and all(_DATE.fullmatch(str(word)) for word in words)
