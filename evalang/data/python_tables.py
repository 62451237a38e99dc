"""Values passed in Python: datasets in their many forms, with roles of rows and folds; scores in a dict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import DataError
from ..plans.model import Dataset, Source
from ..plans.python_scores import (
    LEARNER,
    SCORE,
    GivenScores,
    folds_of,
    is_arrays,
    is_cross_validated,
    levels_in,
    metric_of,
    scorer_of,
)
from .access import Access
from .limits import CELLS
from .quoting import quoted
from .raw import Raw, checked_names
from .roles import find_target

_FORMS = "pass (X, y), a pandas frame with its target, or a dict of several"
_BUNCH = frozenset({"data", "target"})

Splits = tuple[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]], ...]
_ROLES = ("groups", "time", "series", "weights")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PassedTable:
    """A table with the roles of its rows (each the name of a column, or a value for each row) and its folds."""

    value: object
    groups: Any = None
    time: Any = None
    series: Any = None
    weights: Any = None
    splits: Splits | None = None
    divided_by: str = ""  # the splitter, for messages
    positive: Any = None  # the positive class

    def column(self, role: str) -> str | None:
        """Return the name of the column that has the role; a column that is added to the table is named in brackets."""
        given = getattr(self, role)
        return given if given is None or isinstance(given, str) else f"({role})"

    @property
    def one_partition(self) -> bool:
        """Whether every row is tested once, so that a column can hold the folds."""
        if self.splits is None or len(self.splits) < 2:
            return False
        train, test = self.splits[0]
        return sum(len(tested) for _, tested in self.splits) == len(train) + len(test)


def members(value: object) -> tuple[str, ...] | None:
    """Return the names of the datasets in a dict of several; None when the value is one dataset."""
    if isinstance(value, Mapping) and not set(value) >= _BUNCH:
        return tuple(str(k) for k in value)
    return None


def find_value(locator: str, passed: Mapping[str, object]) -> object:
    """Return the value of a name: at the top, or inside a dict of several, alone or as `D.iris`."""
    if locator in passed:
        return passed[locator]
    head, _, rest = locator.partition(".")
    inner = passed.get(head)
    if rest and isinstance(inner, Mapping) and rest in inner:
        return inner[rest]
    for value in passed.values():
        if members(value) is not None and isinstance(value, Mapping) and locator in value:
            return value[locator]
    raise DataError(f"no value was passed from Python for the name {quoted(locator)}", hint=_FORMS)


def read_value(source: Source, access: Access) -> Raw:
    """Return the frame of the value that was passed under the source's name."""
    value = find_value(source.locator, access.values)
    name = f"python {source.locator}"
    if isinstance(value, PassedTable):
        plain = read_value(source, replace(access, values={source.locator: value.value}))
        return _with_roles(plain, value, name)
    besides: tuple[str, ...] = ()
    if isinstance(value, GivenScores):
        value, besides = value.value, value.besides
    if isinstance(value, pd.DataFrame):
        return _raw(value, name, None)
    if isinstance(value, Mapping) and set(value) >= _BUNCH:
        return _bunch(value, name)
    if isinstance(value, tuple) and len(value) == 2:
        return _pair(value[0], value[1], name)
    if hasattr(value, "to_pandas"):
        return _raw(value.to_pandas(), name, None)
    scores = score_frame(value, name, besides)
    if scores is not None:
        return _raw(scores, name, None)
    if isinstance(value, Mapping):
        names = ", ".join(quoted(k) for k in value)
        raise DataError(f"{name} holds several datasets", hint=f"name one of {names}")
    raise DataError(f"{name} is a {type(value).__name__}, which is not a dataset", hint=_FORMS)


def _with_roles(raw: Raw, table: PassedTable, name: str) -> Raw:
    frame = raw.frame.copy(deep=False)
    for role in _ROLES:
        given, column = getattr(table, role), table.column(role)
        if column is None or isinstance(given, str):
            continue
        values = np.asarray(given)
        if values.ndim != 1 or len(values) != len(frame):
            what = f"{role} of {name} has the shape {values.shape}, and there are {len(frame)} rows"
            raise DataError(what, hint="pass one value for each row, or the name of a column")
        frame[column] = given.reset_index(drop=True) if isinstance(given, pd.Series) else values
    if table.one_partition and table.splits is not None:
        tested_in = np.empty(len(frame), dtype=np.int64)
        for number, (_, test) in enumerate(table.splits):
            tested_in[test] = number + 1
        frame["(folds)"] = tested_in
    return replace(raw, frame=frame, splits=table.splits)


def _bunch(bunch: Mapping[str, Any], name: str) -> Raw:
    target = bunch["target"]
    names = bunch.get("target_names")
    if names is not None and np.ndim(target) == 1 and len(names) > 1 and np.asarray(target).dtype.kind in "iu":
        target = np.asarray(names)[np.asarray(target)]
    features = bunch["data"]
    titles = bunch.get("feature_names")
    if not isinstance(features, pd.DataFrame) and titles is not None:
        features = pd.DataFrame(_dense(features, name), columns=list(titles))
    return _pair(features, target, name)


def _pair(features: Any, target: Any, name: str) -> Raw:
    frame = _features(features, name)
    if not isinstance(target, pd.Series):
        columns = pd.DataFrame(np.asarray(target))
        if columns.shape[1] != 1:
            raise DataError(f"the target of {name} has {columns.shape[1]} columns", hint="pass one value per row")
        target = target.iloc[:, 0] if isinstance(target, pd.DataFrame) else columns[0].rename(None)
    series = target.reset_index(drop=True)
    if len(series) != len(frame):
        what = f"{name} has {len(frame)} rows of features and {len(series)} of target"
        raise DataError(what, hint="pass the same rows for both")
    title = "target" if series.name is None or str(series.name) in frame.columns else str(series.name)
    if title in frame.columns:
        title = "the target"
    joined = frame.copy(deep=False)
    joined[title] = series
    return _raw(joined, name, title)


def _features(features: Any, name: str) -> pd.DataFrame:
    if hasattr(features, "to_pandas"):
        features = features.to_pandas()
    if isinstance(features, pd.DataFrame):
        frame = features.reset_index(drop=True)
        frame.columns = pd.Index(checked_names(frame.columns, name))
        return frame
    array = _dense(features, name)
    if array.ndim != 2:
        raise DataError(f"the features of {name} have {array.ndim} dimensions", hint="pass rows and columns")
    return pd.DataFrame(array, columns=[f"x{j}" for j in range(1, array.shape[1] + 1)])


def _dense(features: Any, name: str) -> np.ndarray[Any, Any]:
    if hasattr(features, "toarray") and hasattr(features, "shape"):
        if features.shape[0] * features.shape[1] > CELLS:
            raise DataError(f"{name} is sparse, and too large as a dense array", hint="choose fewer columns")
        features = features.toarray()
    try:
        array = np.asarray(features)
    except ValueError:
        raise DataError(f"the rows of {name} differ in length", hint=_FORMS) from None
    if array.dtype.kind in "US":
        array = array.astype(object)
    return array


def _raw(frame: pd.DataFrame, name: str, target: str | None) -> Raw:
    plain = frame.reset_index(drop=True)
    if isinstance(plain.columns, pd.MultiIndex):
        raise DataError(f"{name} has a MultiIndex as columns", hint="give every column one name")
    plain.columns = pd.Index(checked_names(plain.columns, name))
    return Raw(frame=plain, source=name, target=target)


def score_frame(value: object, name: str, besides: Sequence[str] = ()) -> pd.DataFrame | None:
    """Return a row for each score of a dict of arrays or of cross-validations; None when it is neither.

    `besides` are arrays that are no learners: what the clauses beside the scores name.
    """
    if not isinstance(value, Mapping):
        return None
    if is_cross_validated(value):
        return _cross_validated(value, name)
    return _arrays(value, name, besides) if is_arrays(value) else None


def _arrays(value: Mapping[Any, Any], name: str, besides: Sequence[str]) -> pd.DataFrame:
    lengths = {str(key): len(one) for key, one in value.items()}
    if len(set(lengths.values())) > 1:
        texts = ", ".join(f"{quoted(key)} {length}" for key, length in lengths.items())
        what = f"the arrays of {name} differ in length: {texts}"
        raise DataError(what, hint="pass arrays of one length: a score of each learner for each unit")
    indexes = [one.index for one in value.values() if isinstance(one, pd.Series)]
    if any(not index.equals(indexes[0]) for index in indexes):
        what = f"the series of {name} have different indexes"
        raise DataError(what, hint="bring them into the same order, and reset their indexes")
    wide = pd.DataFrame({str(key): np.asarray(one) for key, one in value.items()})
    columns = list(wide.columns)
    about = [c for c in columns if c in {*levels_in(columns), *besides}]
    return wide.melt(about, var_name=LEARNER, value_name=SCORE)


def _cross_validated(value: Mapping[Any, Any], name: str) -> pd.DataFrame:
    repeats, folds = folds_of(name, value)
    scorer = scorer_of(name, value)
    sign = -1.0 if scorer.startswith("neg_") else 1.0
    parts = [
        pd.DataFrame(
            {
                LEARNER: str(learner),
                "repeat": np.repeat(np.arange(repeats), folds),
                "fold": np.tile(np.arange(folds), repeats),
                metric_of(scorer): sign * np.asarray(one[f"test_{scorer}"], dtype=float),
            }
        )
        for learner, one in value.items()
    ]
    return pd.concat(parts, ignore_index=True)


Rows = NDArray[np.int64]
_HINT = "pass a splitter of scikit-learn, or a list of (training rows, test rows)"
_GROUPS = "pass groups as well: a value for each row, or the name of a column"


def with_roles(name: str, value: object, *, cv: Any = None, **roles: Any) -> tuple[PassedTable, str]:
    """Return the table with the roles of its rows, and the scheme of its folds ("" without `cv`).

    A role (groups, time, series, weights) is the name of a column, or a value for each row; `positive` is a class.
    """
    plain = PassedTable(value=value, **roles)
    raw = read_value(Source("python", name), Access(root=Path("."), values={name: plain}))
    if cv is None:
        return plain, ""
    n = len(raw.frame)
    y = raw.frame[find_target(Dataset(name, Source("python", name)), raw)].to_numpy()
    column = plain.column("groups")
    groups = raw.frame[column].to_numpy() if column is not None else None
    splits = _splits(name, cv, n, y, groups)
    text = _scheme(name, splits, n)
    time: Any = plain.time
    if text.startswith("forward") and time is None:
        time = np.arange(n)  # the order of the rows is the order of time, as the folds take it
    word = "grouped " if groups is not None and not text.startswith("forward") else ""
    divided_by = " ".join(repr(cv).split())[:200] if hasattr(cv, "split") else f"a list of {len(splits)} folds"
    return replace(plain, time=time, splits=splits, divided_by=divided_by), word + text


def _splits(name: str, cv: Any, n: int, y: NDArray[Any], groups: NDArray[Any] | None) -> Splits:
    if isinstance(cv, int) or (not hasattr(cv, "split") and not isinstance(cv, Iterable)):
        hint = f"write using {cv}cv in the sentence" if isinstance(cv, int) else _HINT
        raise DataError(f"cv is {cv!r}, which is neither a splitter nor a list of folds", hint=hint)
    try:
        found = list(cv.split(np.zeros((n, 1)), y, groups)) if hasattr(cv, "split") else list(cv)
    except Exception as error:  # a splitter may raise anything
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        hint = _GROUPS if groups is None and "groups" in text else _HINT
        raise DataError(f"cv= cannot split {name}: {text}", hint=hint) from None
    if not found:
        raise DataError(f"cv= gives no fold of {name}", hint=_HINT)
    return tuple(_fold(name, number, one, n) for number, one in enumerate(found, start=1))


def _fold(name: str, number: int, one: Any, n: int) -> tuple[Rows, Rows]:
    where = f"fold {number} of {name}"
    if not isinstance(one, (tuple, list)) or len(one) != 2:
        raise DataError(f"{where} is not a pair of training rows and test rows", hint=_HINT)
    train, test = (_rows(where, part, n) for part in one)
    both = np.intersect1d(train, test)
    if len(both):
        what = f"row {int(both[0])} is in the training rows and the test rows of {where}"
        raise DataError(what, hint="put each row in one of them")
    return train, test


def _rows(where: str, part: Any, n: int) -> Rows:
    array = np.asarray(part)
    if array.dtype == bool and array.shape == (n,):
        array = np.flatnonzero(array)
    rows = np.unique(array) if array.ndim == 1 and array.dtype.kind in "iu" else np.empty(0)
    if not 0 < len(rows) == len(array) or rows[0] < 0 or rows[-1] >= n:
        what = f"{where} has a part that is not a list of different row numbers from 0 to {n - 1}"
        raise DataError(what, hint="pass row numbers from 0, or one truth value for each row")
    return np.asarray(rows, dtype=np.int64)


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
    what = f"the folds of {name} are neither a cross-validation, nor resamples of one size, nor splits by time"
    raise DataError(what, hint="train on every row that is not tested, and test each row equally often")


def _once(splits: Splits, n: int) -> bool:
    found = np.bincount(np.concatenate([test for _, test in splits]), minlength=n)
    return bool(np.all(found == 1))
