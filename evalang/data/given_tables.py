"""The forms in which people keep scores, as one long table: a column for each learner, or a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import DataError
from ..language.nearest import nearest
from ..plans.model import Level
from .given_cells import coded_names, column_scores, mean_of_spread
from .long_table import LongTable, Standing
from .quoting import quoted, quoted_list
from .raw import find_column

SCORE, LEARNER = "score", "learner"
FORM = "score ~ learner | dataset, with / for what is nested: score ~ learner | dataset / fold"


def long_table(frame: pd.DataFrame, formula: Sequence[str], levels: Sequence[Level], where: str) -> LongTable:
    """Return a table with one row a score; the formula names the columns of score and learner, then the blocks."""
    columns = [str(c) for c in frame.columns]
    _check_formula([word.strip() for word in formula], columns, where)
    found: dict[Standing, str] = {"score": formula[0].strip(), "learner": formula[1].strip()}
    return LongTable(frame=frame, columns=found | _levels(levels, columns, where))


def wide_table(
    frame: pd.DataFrame, levels: Sequence[Level], learners_in: Sequence[str], where: str
) -> tuple[LongTable, int]:
    """Return a table with a column for each learner, melted, and the number of cells that were a mean with a spread.

    Without any level the only column of text names the datasets; without one, every row is a dataset.
    """
    columns = [str(c) for c in frame.columns]
    found = _levels(levels, columns, where)
    named = None if levels else _only_text(frame, learners_in, where)
    if named is not None:
        found["dataset"] = named
    learners = [find_column(learner, columns, where, "learners in") for learner in learners_in]
    learners = learners or [c for c in columns if c not in found.values()]
    check_learners(learners, where)
    places = [str(i + 1) for i in range(len(frame))]
    unit = found.get("dataset") or found.get("item")
    if unit is not None:
        codes, words = coded_names(frame[unit], unit, where)
        places = [words[code] for code in codes]
    if "dataset" in found and len(found) == 1:
        _refuse_repeated(places, where)

    def place(learner: str) -> Callable[[int], str]:
        return lambda i: f"{where}: the score of {quoted(learner)} on {quoted(places[i])}"

    cells = [column_scores(frame[c], place(c), outcomes="item" in found) for c in learners]
    melted = {
        SCORE: np.concatenate([c.values for c in cells]),
        LEARNER: np.repeat(np.array(learners, dtype=object), len(frame)),
    }
    values = {standing: frame[column].to_numpy(dtype=object) for standing, column in found.items()}
    values = values or {"dataset": np.array(places, dtype=object)}
    # A blank behind the name keeps these columns apart from score and learner.
    melted |= {f"{standing} ": np.tile(one, len(learners)) for standing, one in values.items()}
    roles: dict[Standing, str] = {"score": SCORE, "learner": LEARNER}
    roles |= {standing: f"{standing} " for standing in values}
    return LongTable(frame=pd.DataFrame(melted), columns=roles), sum(c.spreads for c in cells)


def check_learners(learners: Sequence[str], where: str) -> None:
    """Refuse fewer than two learners, and one that is named twice."""
    repeated = next((c for i, c in enumerate(learners) if c in learners[:i]), None)
    if repeated is not None:
        raise DataError(f"the learner {quoted(repeated)} is named twice", hint="name each learner once")
    if len(learners) < 2:
        found = f"only {quoted(learners[0])}" if learners else "none"
        raise DataError(f"{where} has scores of fewer than two learners: {found}", hint="one column for each learner")


def _levels(levels: Sequence[Level], columns: Sequence[str], where: str) -> dict[Standing, str]:
    found: dict[Standing, str] = {}
    for level in levels:
        assert level.standing is not None
        found[level.standing] = find_column(level.column, columns, where, f"{level.standing}s in")
    return found


def _check_formula(words: Sequence[str], columns: Sequence[str], where: str) -> None:
    """Refuse a formula that does not fit the columns: name every word that has none, and the nearest column."""
    if len(words) < 3 or not all(words):
        raise DataError("a formula needs a response, a treatment and a block", hint=f"write {FORM}")
    repeated = next((word for i, word in enumerate(words) if word in words[:i]), None)
    if repeated is not None:
        raise DataError(f"the formula names {quoted(repeated)} twice", hint=f"write {FORM}")
    strange = [word for word in words if word not in columns]
    if not strange:
        return
    near = {word: nearest(word, columns) for word in strange}
    hint = "; ".join(f"{quoted(word)} may be {quoted(found)}" for word, found in near.items() if found)
    raise DataError(
        f"the formula `{words[0]} ~ {words[1]} | {' / '.join(words[2:])}` names {' and '.join(map(quoted, strange))}, "
        f"and {where} has no such column" + ("s" if len(strange) > 1 else ""),
        hint=f"{hint + '; ' if hint else ''}its columns are {quoted_list(columns)}",
    )


def _refuse_repeated(datasets: Sequence[str], where: str) -> None:
    first: dict[str, int] = {}
    for i, dataset in enumerate(datasets):
        if dataset in first:
            raise DataError(
                f"{where} has the dataset {quoted(dataset)} twice, in rows {first[dataset] + 1} and {i + 1}",
                hint='keep one row a dataset, or say what tells them apart: folds in "fold", repeats in "run"',
            )
        first[dataset] = i


def _only_text(frame: pd.DataFrame, learners_in: Sequence[str], where: str) -> str | None:
    """Return the only column without numbers; a column with some number holds scores, whatever else is in it."""

    def is_numeric(column: pd.Series[Any]) -> bool:
        some = bool(pd.to_numeric(column, errors="coerce").notna().any())
        return some or any(mean_of_spread(value) is not None for value in column.tolist())

    words = [str(c) for c in frame.columns if str(c) not in learners_in and not is_numeric(frame[c])]
    if len(words) > 1 and not learners_in:
        hint = f'write `datasets in "{words[0]}"`'
        raise DataError(f"{where} has several columns of text: {quoted_list(words)}", hint=hint)
    return words[0] if words else None
