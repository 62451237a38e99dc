"""Tables passed in Python with roles of their rows and folds, and the scheme that the folds follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..plans.model import Dataset, Source
from .access import Access
from .python_tables import PassedTable, Splits, read_value
from .roles import find_target

Rows = NDArray[np.int64]
_HINT = "hand over a splitter of scikit-learn, or a list of (training rows, test rows)"
_GROUPS = "hand over groups as well: a value for each row, or the name of a column"


def with_roles(name: str, value: object, *, cv: Any = None, **roles: Any) -> tuple[PassedTable, str]:
    """Return the table with the roles of its rows, and the scheme of its folds ("" without `cv`).

    A role (groups, time, series, weights) is the name of a column, or a value for each row.
    """
    plain = PassedTable(value=value, **roles)
    raw = read_value(Source("python", name), Access(root=Path("."), values={name: plain}))
    if cv is None:
        return plain, ""
    n = len(raw.frame)
    y = raw.frame[find_target(Dataset(name, Source("python", name)), raw)].to_numpy()
    column = plain.column("groups")
    groups = raw.frame[column].to_numpy() if column is not None else None
    splits = _splits(name, cv, (n, y, groups))
    text = _scheme(name, splits, n)
    time: Any = plain.time
    if text.startswith("forward") and time is None:
        time = np.arange(n)  # the order of the rows is the order of time, as the folds take it
    word = "grouped " if groups is not None and not text.startswith("forward") else ""
    return replace(plain, time=time, splits=splits, divided_by=_splitter_name(cv, len(splits))), word + text


def _splits(name: str, cv: Any, rows: tuple[int, NDArray[Any], NDArray[Any] | None]) -> Splits:
    n, y, groups = rows
    if isinstance(cv, int) or (not hasattr(cv, "split") and not isinstance(cv, Iterable)):
        hint = f"write using {cv}cv in the sentence" if isinstance(cv, int) else _HINT
        raise DataError(f"cv is {cv!r}, which is no splitter and no list of folds", hint=hint)
    try:
        found = list(cv.split(np.zeros((n, 1)), y, groups)) if hasattr(cv, "split") else list(cv)
    except Exception as error:  # a splitter may raise anything
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        hint = _GROUPS if groups is None and "groups" in text else _HINT
        raise DataError(f"cv cannot divide {name}: {text}", hint=hint) from None
    if not found:
        raise DataError(f"cv gives no fold of {name}", hint=_HINT)
    return tuple(_fold(name, number, one, n) for number, one in enumerate(found, start=1))


def _fold(name: str, number: int, one: Any, n: int) -> tuple[Rows, Rows]:
    where = f"fold {number} of {name}"
    if not isinstance(one, (tuple, list)) or len(one) != 2:
        raise DataError(f"{where} is no pair of training rows and test rows", hint=_HINT)
    train, test = (_rows(where, part, n) for part in one)
    both = np.intersect1d(train, test)
    if len(both):
        raise DataError(f"row {int(both[0])} is trained on and tested in {where}", hint="every row has one part")
    return train, test


def _rows(where: str, part: Any, n: int) -> Rows:
    array = np.asarray(part)
    if array.dtype == bool and array.shape == (n,):
        array = np.flatnonzero(array)
    if array.ndim != 1 or not len(array) or array.dtype.kind not in "iu":
        raise DataError(f"{where} has a part that holds no rows", hint="rows are numbers from 0, or true and false")
    rows = np.sort(array.astype(np.int64))
    if rows[0] < 0 or rows[-1] >= n:
        raise DataError(f"{where} names row {int(rows[-1])}, and there are {n} rows", hint="rows count from 0")
    if np.any(np.diff(rows) == 0):
        raise DataError(f"{where} holds a row twice", hint="name every row once")
    return rows


def _scheme(name: str, splits: Splits, n: int) -> str:
    """Return the scheme of these folds, as their rows prove it: the tests that may follow depend on it."""
    whole = all(len(train) + len(test) == n for train, test in splits)
    tested = np.bincount(np.concatenate([test for _, test in splits]), minlength=n)
    if whole and len(splits) == 1:
        return f"holdout {len(splits[0][1])} rows"
    if whole and tested.min() == tested.max() == 1:
        return "given folds"
    repeats = int(tested.max())
    folds, rest = divmod(len(splits), repeats)
    if whole and not rest and folds > 1 and all(_once(splits[k * folds : (k + 1) * folds], n) for k in range(repeats)):
        return f"{repeats}x{folds}cv"
    ahead = all(train[-1] < test[0] for train, test in splits)
    if ahead and all(a[1][-1] < b[1][0] for a, b in pairwise(splits)):
        return f"forward {len(splits)} splits"
    sizes = {len(train) for train, _ in splits}
    if whole and len(sizes) == 1:
        return f"{len(splits)} resamples of {sizes.pop()} rows"
    raise DataError(
        f"the folds of {name} are of no scheme: no cross-validation, no resamples of one size, not one after another",
        hint="every row that is not tested is trained on, and each row is tested equally often",
    )


def _once(splits: Splits, n: int) -> bool:
    found = np.bincount(np.concatenate([test for _, test in splits]), minlength=n)
    return bool(np.all(found == 1))


def _splitter_name(cv: Any, count: int) -> str:
    """Return the splitter as it prints itself, or how many folds were listed."""
    return " ".join(repr(cv).split())[:200] if hasattr(cv, "split") else f"a list of {count} folds"
