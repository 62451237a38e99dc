"""Tables in the forms people keep them, as one long table: a column for each learner, or a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..data.long_table import LongTable, Standing
from ..data.quoting import quoted as shown
from ..data.quoting import quoted_list as shown_list
from ..data.raw import find_column
from ..errors import DataError
from ..plans.levels import Level
from .cells import coded_names, column_scores, mean_of_spread
from .formula import Formula, check_formula

SCORE, LEARNER = "score", "learner"


def long_table(frame: pd.DataFrame, formula: Formula, levels: Sequence[Level], where: str) -> LongTable:
    """One row a score; the formula says which column holds score and learner, the levels what the others are."""
    columns = [str(c) for c in frame.columns]
    check_formula(formula, columns, where)
    found: dict[Standing, str] = {"score": formula.response, "learner": formula.treatment}
    for level in levels:
        assert level.standing is not None
        found[level.standing] = find_column(level.column, columns, where, f"{level.standing}s in")
    return LongTable(frame=frame, columns=found)


def wide_table(
    frame: pd.DataFrame, levels: Sequence[Level], learners_in: Sequence[str], where: str
) -> tuple[LongTable, int]:
    """A column for each learner, melted, with the cells that were a mean with a spread.

    Without any level the only column of text names the datasets; without one, every row is a dataset.
    """
    columns = [str(c) for c in frame.columns]
    found: dict[Standing, str] = {}
    for level in levels:
        assert level.standing is not None
        found[level.standing] = find_column(level.column, columns, where, f"{level.standing}s in")
    if not levels:
        named = _only_text(frame, learners_in, where)
        if named is not None:
            found["dataset"] = named
    if learners_in:
        learners = [find_column(learner, columns, where, "learners in") for learner in learners_in]
    else:
        learners = [c for c in columns if c not in found.values()]
    check_learners(learners, where)
    rows = len(frame)
    places = [str(i + 1) for i in range(rows)]
    unit = found.get("dataset") or found.get("item")
    if unit is not None:
        codes, words = coded_names(frame[unit], unit, where)
        places = [words[code] for code in codes]
    if "dataset" in found and len(found) == 1:
        refuse_repeated(places, where)
    kept = {
        standing: np.tile(frame[column].to_numpy(dtype=object), len(learners)) for standing, column in found.items()
    }
    if not found:
        kept["dataset"] = np.tile(np.array(places, dtype=object), len(learners))
    cells = [column_scores(frame[c], _place(where, c, places), outcomes="item" in found) for c in learners]
    melted = pd.DataFrame(
        {SCORE: np.concatenate([c.values for c in cells]), LEARNER: np.repeat(np.array(learners, dtype=object), rows)}
        | {f"{standing} ": values for standing, values in kept.items()}
    )
    said: dict[Standing, str] = {"score": SCORE, "learner": LEARNER}
    said |= {standing: f"{standing} " for standing in kept}
    return LongTable(frame=melted, columns=said), sum(c.spreads for c in cells)


def _place(where: str, learner: str, places: Sequence[str]) -> Callable[[int], str]:
    return lambda i: f"{where}: the score of {shown(learner)} on {shown(places[i])}"


def check_learners(learners: Sequence[str], where: str) -> None:
    """Two of them, each once."""
    repeated = next((c for i, c in enumerate(learners) if c in learners[:i]), None)
    if repeated is not None:
        raise DataError(f"the learner {shown(repeated)} is named twice", hint="name each learner once")
    if len(learners) < 2:
        found = f"only {shown(learners[0])}" if learners else "none"
        raise DataError(f"{where} has scores of fewer than two learners: {found}", hint="one column for each learner")


def refuse_repeated(datasets: Sequence[str], where: str) -> None:
    """One row a dataset."""
    first: dict[str, int] = {}
    for i, dataset in enumerate(datasets):
        if dataset in first:
            raise DataError(
                f"{where} has the dataset {shown(dataset)} twice, in rows {first[dataset] + 1} and {i + 1}",
                hint='keep one row a dataset, or say what tells them apart: folds in "fold", repeats in "run"',
            )
        first[dataset] = i


def _only_text(frame: pd.DataFrame, learners_in: Sequence[str], where: str) -> str | None:
    columns = [str(c) for c in frame.columns]
    words = [c for c in columns if c not in learners_in and not _numeric(frame[c])]
    if len(words) > 1 and not learners_in:
        raise DataError(
            f"{where} has several columns of text: {shown_list(words)}", hint=f'write `datasets in "{words[0]}"`'
        )
    return words[0] if words else None


def _numeric(column: pd.Series[Any]) -> bool:
    """Some cell is a number, so it is a column of scores, whatever else it holds."""
    some = bool(pd.to_numeric(column, errors="coerce").notna().any())
    return some or any(mean_of_spread(value) is not None for value in column.tolist())
