"""Predictions that the user already has: one row a test example, the truth and a column for each learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import DataError
from ..plans.model import PredictionsTable
from .access import Access
from .column_words import plain_text
from .given_tables import gaps_in, training_rows, without_missing
from .hashes import truth_hashes
from .load import read
from .profile import are_long
from .quoting import quoted, quoted_list
from .raw import find_column
from .undeclared import is_group_like

Kind = Literal["labels", "numbers"]
MANY_ROWS = 50  # ours: in fewer rows good learners agree with each other and with the truth by chance


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenPredictions:
    """The truth of every row and the predictions of each learner: labels, or numbers (scores, probabilities)."""

    name: str
    truth: NDArray[Any]
    learners: tuple[str, ...]
    predictions: tuple[NDArray[Any], ...]
    kinds: tuple[Kind, ...]
    groups: NDArray[Any] | None = None
    group_columns: tuple[tuple[str, int], ...] = ()  # (column, values): named like an entity, values repeated
    training: tuple[str, int] = ("", 0)  # (column, rows): rows that a column such as `split` calls training rows
    equal: tuple[tuple[str, str], ...] = ()  # columns with the same value in every row; "": the truth
    text_twins: tuple[str, int] = ("", 0)  # (column, rows): rows whose long text another row has too
    left_out: int = 0  # rows with a gap, under `complete cases`
    row_hashes: NDArray[np.uint64] | None = None  # by which the ledger recognises the test rows

    @property
    def numeric(self) -> bool:
        """Whether numbers are predicted; one column without classes decides, since exact numbers look like labels.

        A truth of 0 and 1 is two classes, and numbers are scores of the second.
        """
        classes = set(self.truth.tolist()) == {0.0, 1.0}
        return self.truth.dtype == np.float64 and "numbers" in self.kinds and not classes

    @property
    def default_metric(self) -> str:
        """What such predictions are measured by: numbers for two classes by their area, for numbers by rmse."""
        if "numbers" not in self.kinds:
            return "accuracy"
        return "roc-area" if len(set(self.truth.tolist())) == 2 else "rmse" if self.numeric else "accuracy"


def load_predictions(
    planned: PredictionsTable, access: Access, *, complete_cases: bool = False, compared: tuple[str, ...] = ()
) -> GivenPredictions:
    """Return the table behind a `predictions` statement; only gaps of learners that are compared remove rows."""
    if planned.truth is None:
        what = f"the predictions {quoted(planned.name)} do not say which column is the truth"
        raise DataError(what, hint='write `truth "COLUMN"` in the statement `predictions`')
    return predictions_from(
        without_missing(read(planned.source, access).frame, planned.missing),
        truth=planned.truth,
        learners_in=planned.learners_in,
        groups=planned.groups,
        name=planned.name,
        where=f"{planned.source.kind} {planned.source.locator}",
        complete_cases=complete_cases,
        compared=compared,
    )


def predictions_from(
    frame: pd.DataFrame,
    *,
    truth: str,
    learners_in: Sequence[str] = (),
    groups: str | None = None,
    name: str = "predictions",
    where: str = "the table",
    complete_cases: bool = False,
    compared: tuple[str, ...] = (),
) -> GivenPredictions:
    """Return checked predictions: gaps are named, labels are compared as labels and numbers as numbers."""
    columns = [str(c) for c in frame.columns]
    true = find_column(truth, columns, where, "truth")
    group = None if groups is None else find_column(groups, columns, where, "groups")
    learners = [find_column(learner, columns, where, "learners in") for learner in learners_in]
    learners = learners or [c for c in columns if c not in (true, group)]
    if len(set(learners)) < len(learners) or true in learners or not learners:
        what = f"{where} needs a column of predictions for each learner besides the truth {quoted(true)}"
        raise DataError(what, hint=f"its columns are {quoted_list(columns)}")
    if set(compared) <= set(learners):  # an unknown learner is reported elsewhere
        learners = [c for c in learners if c in compared] or learners
    kept = _complete_rows(frame, [true, *learners], where, complete_cases)
    answers = _values(frame[true].iloc[kept])
    said = tuple(_values(frame[c].iloc[kept]) for c in learners)
    kinds = tuple(_kind(values, answers, c, true, where) for c, values in zip(learners, said, strict=True))
    return GivenPredictions(
        name=name,
        truth=answers,
        learners=tuple(learners),
        predictions=said,
        kinds=kinds,
        groups=None if group is None else frame[group].iloc[kept].to_numpy(),
        group_columns=() if group is not None else _group_columns(frame.iloc[kept], (true, *learners)),
        training=training_rows(frame.iloc[kept], (true, *learners)),
        equal=_equal_columns(answers, dict(zip(learners, said, strict=True))),
        text_twins=_text_twins(frame.iloc[kept], (true, *learners)),
        left_out=len(frame) - len(kept),
        row_hashes=truth_hashes(frame[true]),
    )


def _group_columns(frame: pd.DataFrame, others: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the columns that look like groups of rows, with their number of values."""
    counts = {str(c): frame[c].nunique() for c in frame.columns if str(c) not in others and frame[c].notna().all()}
    return tuple((name, values) for name, values in counts.items() if is_group_like(name, values, len(frame)))


def _equal_columns(truth: NDArray[Any], said: dict[str, NDArray[Any]]) -> tuple[tuple[str, str], ...]:
    """Return pairs of columns that are equal in every row, the truth ("") among them."""
    if len(truth) < MANY_ROWS:
        return ()
    return tuple(
        (one, other)
        for (one, first), (other, second) in combinations({"": truth, **said}.items(), 2)
        if first.dtype == second.dtype and np.array_equal(first, second)
    )


def _text_twins(frame: pd.DataFrame, others: tuple[str, ...]) -> tuple[str, int]:
    """Return the first column of long texts that rows share, and how many rows; ("", 0) for none."""
    for column in frame.columns:
        if str(column) not in others and not pd.api.types.is_numeric_dtype(frame[column]) and are_long(frame[column]):
            plain = frame[column].astype(str).map(plain_text)
            if 2 * plain.nunique() >= len(plain) and (twins := int(plain.duplicated(keep=False).sum())):
                return str(column), twins
    return "", 0


def _complete_rows(frame: pd.DataFrame, columns: list[str], where: str, complete_cases: bool) -> NDArray[np.intp]:
    if len(frame) == 0:
        raise DataError(f"{where} has no rows", hint="write one row for each test example")
    gaps = pd.DataFrame({c: gaps_in(frame[c]) for c in columns})
    bad = gaps.any(axis=1).to_numpy()
    if bad.any() and not complete_cases:
        row = int(np.argmax(bad))
        what = f"{where}: row {row + 1} has no value in column {quoted(gaps.columns[gaps.iloc[row]][0])}"
        others = int(bad.sum()) - 1
        more = f", and {others} more row{'s have' if others > 1 else ' has'} gaps" if others else ""
        raise DataError(what + more, hint="write `complete cases` to leave such rows out")
    if bad.all():
        what = f"every row of {where} lacks a value"
        raise DataError(what, hint="a row needs the truth and the prediction of each learner")
    return np.flatnonzero(~bad)


def _values(column: pd.Series[Any]) -> NDArray[Any]:
    """Return numbers as floats, everything else as text."""
    numbers = pd.to_numeric(column, errors="coerce")
    if column.dtype != bool and numbers.notna().all():
        return numbers.to_numpy(dtype=np.float64)
    return np.array([str(v).strip() for v in column.tolist()], dtype=object)


def _kind(values: NDArray[Any], truth: NDArray[Any], learner: str, true: str, where: str) -> Kind:
    classes = set(truth.tolist())
    if set(values.tolist()) <= classes:
        return "labels"
    if values.dtype == np.float64:
        # Two classes 0 and 1 and numbers between them are probabilities; anything else numeric is a score.
        return "numbers"
    strange = next(v for v in values.tolist() if v not in classes)
    if truth.dtype != object or not classes & set(values.tolist()):
        what = f"{where}: {quoted(learner)} predicts {quoted(strange)}, which is not a class of {quoted(true)}"
        raise DataError(what, hint=f"the classes in {quoted(true)} are {quoted_list(sorted(map(str, classes)))}")
    return "labels"
