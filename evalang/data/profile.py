"""A table's facts, reckoned once."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pandas as pd

from ..plans.informed import Known
from ..results.run_result import DatasetFacts
from .answers import answer_share
from .columns import MISSING_AMONG_NUMBERS, Array
from .facts import AnswerColumn, MissingWord, Profile
from .suspects import date_columns, group_like, numbers_as_text
from .table import Table

ANSWER_SHARE = 0.995  # PITFALLS EV108
FEWEST_IDENTIFIED = 10  # ours: in fewer rows a measured whole number differs from row to row by chance


def profile(table: Table) -> Profile:
    """What the data-stage rules may know; a second for 50,000 rows and 50 columns."""
    codes = {name: _codes(table.X[name]) for name in table.X.columns}
    constant = tuple(n for n, (c, _) in codes.items() if len(c) and c.min() == c.max())
    identifiers = tuple(n for n in codes if n not in constant and _identifies(table, n, codes[n]))
    missing = {n: int((c < 0).sum()) for n, (c, _) in codes.items()}
    gaps = np.zeros(table.rows, dtype=bool)
    for name, count in missing.items():
        if count:
            gaps |= codes[name][0] < 0
    twins, contradicting = _twins(table)
    answers = []
    for name, (values, distinct) in codes.items():
        if name not in constant and name not in identifiers:
            share = answer_share(table, name, values, distinct)
            if share >= ANSWER_SHARE:
                answers.append(AnswerColumn(column=name, share=share))
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
        missing_cells=sum(missing.values()),
        rows_with_missing=int(gaps.sum()),
        missing_by_column=tuple((n, m) for n, m in missing.items() if m),
        missing_words=_missing_words(table),
        numbers_as_text=numbers_as_text(table),
        left_out=table.left_out,
        identifier_columns=identifiers,
        answer_columns=tuple(answers),
        constant_columns=constant,
        group_like=group_like(table, codes),
        date_columns=date_columns(table),
        **_row_facts(table),
        content_hash=table.content_hash,
        rows_hash=_rows_hash(table),
        source=table.source,
    )


def _codes(series: pd.Series[Any]) -> tuple[Array, int]:
    """A number for every distinct value (-1: missing), and how many there are."""
    codes, found = pd.factorize(series, use_na_sentinel=True)
    return codes, len(found)


def _identifies(table: Table, name: str, found: tuple[Array, int]) -> bool:
    """Unique text or a unique whole number in every row."""
    _, distinct = found
    if distinct < table.rows or table.rows < FEWEST_IDENTIFIED:
        return False
    series = table.X[name]
    if isinstance(series.dtype, pd.CategoricalDtype):
        return True
    values = series.to_numpy()
    return bool(np.all(values == np.floor(values)))


def _rows_hash(table: Table) -> str:
    hashes = table.row_hashes
    return "" if hashes is None or not len(hashes) else hashlib.sha256(np.sort(hashes).tobytes()).hexdigest()


def _hashed(table: Table) -> tuple[Array, Array]:
    """A hash of every row's features, and one of its features and target."""
    features = pd.util.hash_pandas_object(table.X, index=False).to_numpy()
    return features, features * np.uint64(0x9E3779B97F4A7C15) ^ pd.util.hash_array(table.y)


def _twins(table: Table) -> tuple[int, int]:
    """Rows with a twin in features and target, and rows with a twin in the features alone; by 64-bit hashes."""
    features, both = _hashed(table)
    _, place, same = np.unique(features, return_inverse=True, return_counts=True)
    _, place_both, same_both = np.unique(both, return_inverse=True, return_counts=True)
    return int((same_both[place_both] > 1).sum()), int((same[place] > same_both[place_both]).sum())


def _class_counts(table: Table, y: Array) -> tuple[tuple[str, int], ...]:
    if table.task == "regression":
        return ()
    counts = np.bincount(y, minlength=len(table.classes))
    return tuple(zip(table.classes, (int(c) for c in counts), strict=True))


def _missing_words(table: Table) -> tuple[MissingWord, ...]:
    found = []
    for name in table.categorical:
        column = table.X[name].cat
        for place, word in enumerate(column.categories):
            if word in MISSING_AMONG_NUMBERS:
                cells = int((column.codes == place).sum())
                found.append(MissingWord(column=name, word=str(word), cells=cells))
    return tuple(found)


def _row_facts(table: Table) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if table.groups is not None:
        sizes = np.bincount(table.groups)
        facts |= {"groups": len(sizes), "smallest_group": int(sizes.min()), "largest_group": int(sizes.max())}
    if table.time is not None:
        _, place, same = np.unique(table.time, return_inverse=True, return_counts=True)
        facts |= {"time_ordered": bool(np.all(np.diff(table.time) >= 0)), "time_ties": int((same[place] > 1).sum())}
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
    if table.task == "regression":
        facts["target_range"] = (float(table.y.min()), float(table.y.max()))
    return facts


def dataset_facts(found: Profile) -> DatasetFacts:
    """What a report says about the data that was really read."""
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
        digest=found.content_hash,
        left_out=found.left_out,
    )


def known(table: Table) -> Known:
    """What a plan wants to know of opened data."""
    classes, folds = len(table.classes) or None, len(table.fold_names) or None
    return Known(task=table.task, rows=table.rows, classes=classes, folds=folds)
