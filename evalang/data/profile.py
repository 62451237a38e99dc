"""The profile of a table: facts about its columns and rows, and what in them looks suspicious."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ..plans.opened_data import OpenedDataset
from ..results.records import DatasetFacts
from .columns import looks_numeric
from .hashes import cell_hashes
from .profile_facts import AnswerColumn, NumbersAsText, Profile, Sentinel
from .table import Array, Table

FOLDS = 5
CELLS = 20_000_000  # of the table value x class; beyond it a column is nearly unique and a lookup knows nothing
FEWER_ERRORS = 0.2  # ours: the lookup must save four in five of the errors of always guessing the largest class
NANOSECONDS = 86_400e9  # of a day
STRAIGHT = 1e-6  # ours: of the target's range; a line this close is the target in other units


def answer_share(table: Table, column: pd.Series[Any], codes: Array, distinct: int) -> float:
    """Return the share of the rows for which a lookup of the column's values, learnt on the other folds, is right.

    Of numbers and two classes one threshold may do better.

    0 when the column says no more than a guess. For regression: rows on one straight line, or rows whose value
    always comes with the same target.
    """
    if table.task == "regression":
        return _regression_share(table, column, codes, distinct)
    nominal = isinstance(column.dtype, pd.CategoricalDtype)
    share = 0.0 if nominal else _threshold_share(column.to_numpy(dtype=np.float64), table.y)
    if distinct * 2 <= table.rows and distinct * len(table.classes) <= CELLS:
        share = max(share, _lookup(codes, distinct, table.y, len(table.classes)))
    guess = np.bincount(table.y).max() / table.rows
    return share if (1 - share) <= FEWER_ERRORS * (1 - guess) else 0.0


def _threshold_share(values: Array, y: Array) -> float:
    """Return the share of the rows of two classes on the right side of the best threshold; 0 for more classes."""
    if y.max() != 1:
        return 0.0
    order = np.argsort(values, kind="stable")
    ones, number = np.cumsum(y[order]), len(y)
    right = np.arange(1, number + 1) - ones + ones[-1] - ones  # up to here all are of the first class, then none
    right = right[np.append(np.diff(values[order]) != 0, True)]
    return float(max(right.max(), number - right.min()) / number)


def _lookup(codes: Array, distinct: int, y: Array, classes: int) -> float:
    """Return the cross-validated accuracy of a lookup; unseen values get the largest class, missing is a value."""
    values = np.where(codes < 0, distinct, codes).astype(np.int64)
    cells = values * classes + y
    shape = (distinct + 1, classes)
    whole = np.bincount(cells, minlength=shape[0] * classes).reshape(shape)
    fold = np.random.default_rng(0).permutation(len(y)) % FOLDS
    right = 0
    for k in range(FOLDS):
        tested = fold == k
        rest = whole - np.bincount(cells[tested], minlength=shape[0] * classes).reshape(shape)
        answer = rest.argmax(axis=1)
        answer[rest.sum(axis=1) == 0] = rest.sum(axis=0).argmax()
        right += int((answer[values[tested]] == y[tested]).sum())
    return right / len(y)


def _regression_share(table: Table, column: pd.Series[Any], codes: Array, distinct: int) -> float:
    y = table.y
    spread = float(y.max() - y.min())
    if not isinstance(column.dtype, pd.CategoricalDtype):
        x = column.to_numpy()
        known = ~np.isnan(x)
        if known.sum() > 2 and np.ptp(x[known]) > 0:
            centred = x[known] - x[known].mean()
            slope = float((centred * (y[known] - y[known].mean())).sum() / (centred**2).sum())
            off = np.abs(y[known] - y[known].mean() - slope * centred)
            share = float((off <= STRAIGHT * spread).sum() / len(y))
            if share > 0.5:
                return share
    if distinct * 2 > table.rows:
        return 0.0
    values = np.where(codes < 0, distinct, codes)
    low = np.full(distinct + 1, np.inf)
    high = np.full(distinct + 1, -np.inf)
    np.minimum.at(low, values, y)
    np.maximum.at(high, values, y)
    constant = (low == high) & (np.bincount(values, minlength=distinct + 1) > 1)
    return float(constant[values].sum() / len(y)) if len(np.unique(y)) > 2 else 0.0


MOSTLY = 0.5  # ours: a text column most of whose cells are numbers was meant as numbers
FEWEST_NUMBERS = 10  # ours: with fewer different numbers they may well be codes of categories
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


FAR_FROM_CHANCE = 3  # ours: so many times the rows that two independent tables would share
TELLING = 0.9  # ours: share of the rows that a category predicts, such as the hospital of a scan
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


def _coincidence(table: Table) -> float:
    """Return the chance that two rows are equal: as in the table itself, or as if its columns were independent."""
    columns = [_codes(column)[0] for _, column in table.X.items()] + [np.unique(table.y, return_inverse=True)[1]]
    shares = [np.bincount(codes + 1) / table.rows for codes in columns]
    independent = float(np.exp(sum(np.log((share**2).sum()) for share in shares)))
    _, counts = np.unique(_content(table), return_counts=True)
    return max(independent, float((counts * (counts - 1)).sum()) / max(1, table.rows * (table.rows - 1)))


def profile(table: Table) -> Profile:
    """Return what the data-stage rules may know; a second for 50,000 rows and 50 columns."""
    columns = {str(name): column for name, column in table.X.items()}
    codes = {name: _codes(column) for name, column in columns.items()}
    every = codes | ({} if table.dropped is None else {str(n): _codes(c) for n, c in table.dropped.items()})
    dates = date_columns(table)
    named = group_like(table, every)
    constant = dict.fromkeys(n for n, (c, _) in codes.items() if len(c) and c.min() == c.max())
    identifiers = dict.fromkeys(
        n for n, (_, distinct) in codes.items() if distinct == table.rows and _numbers_rows(columns[n], distinct)
    )
    missing = {n: int((c < 0).sum()) for n, (c, _) in codes.items()}
    gaps = np.zeros(table.rows, dtype=bool)
    for name, count in missing.items():
        if count:
            gaps |= codes[name][0] < 0
    unnumbered = replace(table, X=table.X.drop(columns=list(identifiers))) if identifiers else table
    twins, contradicting = _twins(unnumbered)
    shares = {
        n: answer_share(table, columns[n], *code)
        for n, code in codes.items()
        if n not in constant and n not in identifiers
    }
    nominal = table.categorical if table.task == "classification" else ()
    return Profile(
        name=table.name,
        rows=table.rows,
        features=table.features,
        task=table.task,
        task_reason=table.task_reason,
        target=table.target,
        classes=_class_counts(table, table.y),
        positive=table.positive,
        numeric_columns=len(table.numeric),
        categorical_columns=len(table.categorical),
        duplicate_rows=twins,
        contradicting_rows=contradicting,
        copies_unavoidable=_copies_are_unavoidable(table, codes, identifiers),
        missing_cells=sum(missing.values()),
        rows_with_missing=int(gaps.sum()),
        missing_by_column=tuple((n, m) for n, m in missing.items() if m),
        sentinels=sentinels(table),
        numbers_as_text=numbers_as_text(table),
        left_out=table.left_out,
        identifier_columns=tuple(identifiers),
        answer_columns=tuple(AnswerColumn(n, share) for n, share in shares.items() if share >= ANSWER_SHARE),
        telling_columns=tuple(
            AnswerColumn(n, share) for n, share in shares.items() if n in nominal and TELLING <= share < ANSWER_SHARE
        ),
        constant_columns=tuple(constant),
        group_like=named,
        entity_like=entity_like(table, every, frozenset((*dates, *(name for name, _ in named)))),
        date_columns=dates,
        text_twins=_text_twins(table, codes),
        series_like=series_like(table, codes),
        columns_scaled=_is_scaled(table, codes),
        early_test_dates=tuple(_early_test_dates(table, dates)),
        **_row_facts(unnumbered),
        content_hash=table.content_hash,
        rows_hash=_rows_hash(table),
        source=table.source,
    )


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


def _copies_are_unavoidable(table: Table, codes: Codes, without: Collection[str]) -> bool:
    """Return whether the values of the columns and of the target make fewer different rows than there are."""
    values = [distinct + bool((c < 0).any()) for name, (c, distinct) in codes.items() if name not in without]
    return math.prod(values) * len(np.unique(table.y)) < table.rows


def _rows_hash(table: Table) -> str:
    hashes = table.row_hashes
    return "" if hashes is None or not len(hashes) else hashlib.sha256(np.sort(hashes).tobytes()).hexdigest()


def _hashed(table: Table) -> tuple[Array, Array]:
    """Return a hash of every row's features, and one of its features and target."""
    features = pd.util.hash_pandas_object(table.X, index=False).to_numpy()
    return features, features * np.uint64(0x9E3779B97F4A7C15) ^ pd.util.hash_array(table.y)


def _text_twins(table: Table, codes: dict[str, tuple[Array, int]]) -> tuple[str, int]:
    """Return the column of long texts with most rows whose text another row has too, and those rows; ("", 0) for none.

    A column of texts has a text of its own in most rows.
    """
    found = ("", 0)
    for name in table.categorical:
        values, distinct = codes[name]
        if 2 * distinct > table.rows > distinct:
            counts = np.bincount(values[values >= 0], minlength=distinct)
            long = np.array([len(str(word)) >= LONG_TEXT for word in pd.factorize(table.X[name])[1]])
            if long.mean() > MOSTLY:
                found = max(found, (name, int(counts[(counts > 1) & long].sum())), key=lambda one: one[1])
    return found


def _twins(table: Table) -> tuple[int, int]:
    """Count rows with a twin in features and target, and rows with a twin in the features alone; by 64-bit hashes."""
    features, both = _hashed(table)
    _, place, same = np.unique(features, return_inverse=True, return_counts=True)
    _, place_both, same_both = np.unique(both, return_inverse=True, return_counts=True)
    return int((same_both[place_both] > 1).sum()), int((same[place] > same_both[place_both]).sum())


def _class_counts(table: Table, y: Array) -> tuple[tuple[str, int], ...]:
    if table.task == "regression":
        return ()
    counts = np.bincount(y, minlength=len(table.classes))
    return tuple(zip(table.classes, (int(c) for c in counts), strict=True))


SENTINEL_CELLS = 3  # ours: a single extreme number may be an outlier
FEWEST_MEASURED = 10  # ours: other values of a column of measurements
_NINES = re.compile(r"-?9+(\.9+)?")


def sentinels(table: Table) -> tuple[Sentinel, ...]:
    """Return numbers that may stand for missing values: at the end of a column of numbers, repeated, far from the rest.

    Only 0, negative numbers among others that are not, and numbers of nines are looked at.
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
    """Return the smallest or largest value of a column that stands alone: value, cells, range of the other values."""
    values, counts = np.unique(known, return_counts=True)
    for end in (0, -1) if len(values) > FEWEST_MEASURED else ():
        value, cells, rest = float(values[end]), int(counts[end]), np.delete(values, end)
        odd = value < 0 <= rest[0]
        if cells < SENTINEL_CELLS or not (odd or value == 0 or _NINES.fullmatch(f"{value:.15g}")):
            continue
        others = known[known != value]
        far = min(abs(value - rest[end]), abs(value - others.mean()) / 3) >= others.std()
        # A negative number that is not far off, as -1, has to be more frequent than the values next to it.
        if far or (odd and cells > 2 * counts[1:6].max()):
            return value, cells, float(rest[0]), float(rest[-1])
    return None


def _row_facts(table: Table) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if table.groups is not None:
        sizes = np.bincount(table.groups)
        facts |= {"groups": len(sizes), "smallest_group": int(sizes.min()), "largest_group": int(sizes.max())}
    if table.series is not None:
        facts["series"] = int(table.series.max()) + 1
    if table.time is not None:
        _, place, same = np.unique(table.time, return_inverse=True, return_counts=True)
        facts |= {"time_ordered": bool(np.all(np.diff(table.time) >= 0)), "time_ties": int((same[place] > 1).sum())}
        days = float(np.ptp(table.time)) / NANOSECONDS if table.time.dtype.kind == "i" else 0.0
        per_stamp = 1.0 if table.series is not None else table.rows / len(same)
        facts["rows_per_day"] = (len(same) - 1) / days * per_stamp if days else None
    if table.weights is not None:
        facts |= {"weighted": True, "zero_weights": int((table.weights == 0).sum())}
    if table.folds is not None:
        sizes = np.bincount(table.folds, minlength=len(table.fold_names))
        facts["folds"] = tuple(zip(table.fold_names, (int(s) for s in sizes), strict=True))
    if table.test_from is not None:
        facts["test_rows"] = table.rows - table.test_from
        both = _hashed(table)[1]
        facts["test_twins"] = int(np.isin(both[table.test_from :], both[: table.test_from]).sum())
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
    """Return whether every column of more than two numbers has a standard deviation near 1."""
    several = [name for name in table.numeric if codes[name][1] > 2]
    return bool(several) and all(SPREADS[0] <= float(table.X[name].std()) <= SPREADS[1] for name in several)


def _early_test_dates(table: Table, dates: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Yield columns of dates by which rows of the official test part are earlier than every training row."""
    for name in dates if table.test_from else ():
        series = _series(table, name)
        numeric = pd.api.types.is_numeric_dtype(series)
        values = series if numeric else pd.to_datetime(series.astype(str), errors="coerce", format="mixed", utc=True)
        early = int((values.iloc[table.test_from :] < values.iloc[: table.test_from].min()).sum())
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


def known(table: Table) -> OpenedDataset:
    """Return what a plan needs to know of opened data."""
    classes, folds = len(table.classes) or None, len(table.fold_names) or None
    return OpenedDataset(task=table.task, rows=table.rows, classes=classes, folds=folds)


# ---------------------------------------------------------------------- columns that look like groups, series or times

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
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?:[ T].*)?|"
    r"(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])|(?:19|20)\d\d[- ]?Q[1-4]"
)
_PERIOD = re.compile(r"(?:.*[ _.-])?(?:year|quarter|month|week|day|season)", re.IGNORECASE)
_STAMP = re.compile(r"(?:.*[ _.-])?(?:timestamp|datetime|unix[ _.-]?time|epoch[ _.-]?seconds)|[a-z]+_at", re.IGNORECASE)
_BIRTH = re.compile(r"birth|\bdob\b|born", re.IGNORECASE)


def group_like(table: Table, codes: Codes) -> tuple[tuple[str, int], ...]:
    """Return columns named like an entity whose values are repeated, with their number of values."""
    if table.groups is not None:
        return ()
    return tuple((name, values) for name, (_, values) in codes.items() if is_group_like(name, values, table.rows))


def is_group_like(name: str, values: int, rows: int) -> bool:
    """Return whether a column is named like an entity and its values are repeated."""
    return _fewest(name) <= values <= rows / 2


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
        alike = sum(share >= ALIKE for share in shares)
        if alike >= FEWEST_ALIKE and 2 * alike >= len(shares):
            found.append((name, values, alike, len(shares)))
    return tuple(found)


def _compared_columns(table: Table, codes: Codes) -> dict[str, tuple[Array, bool]]:
    """Return up to COMPARED columns and the target as `_comparable` gives them."""
    chosen = list(table.X)[:: max(1, table.features // COMPARED)]
    columns = {str(name): _comparable(table.X[name], codes[str(name)][0]) for name in chosen}
    columns[table.target] = (table.y.astype(np.float64), table.task == "classification")
    return columns


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
    texts = {*table.categorical, *dropped}
    return tuple(
        name
        for name in (*map(str, table.X.columns), *dropped)
        if not _BIRTH.search(name)
        and (name in table.dates or (name in texts and is_date(_series(table, name))) or _is_stamp(table, name))
    )


def _is_stamp(table: Table, name: str) -> bool:
    """Whether a column holds time stamps, or years and the like in the order of the rows."""
    period, stamp = _PERIOD.fullmatch(name), _STAMP.fullmatch(name)
    if not (period or stamp) or not pd.api.types.is_numeric_dtype(series := _series(table, name)):
        return False
    return stamp is not None or bool(series.is_monotonic_increasing and series.nunique() >= FEWEST_DATES)


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
