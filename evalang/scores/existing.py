"""Scores that somebody already has: a wide table with a column for each learner, or a long one with a formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..catalogue.metrics import find_metric
from ..data.access import Access
from ..data.names import find_column
from ..data.read import read
from ..data.shown import shown, shown_list
from ..errors import DataError
from ..plans.model import ResultsTable
from .cells import cell_number, names_of, without_missing
from .formula import Formula, check_formula, formula_of

Floats = NDArray[np.float64]

LARGEST, SMALLEST = 1e100, 1e-100  # squares and their sums have to fit into a number
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Results:
    """A complete table of scores; `fold_scores[d]` is [learner, partition, fold] of dataset d, if there are folds."""

    name: str
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    metric: str
    higher_is_better: bool
    scores: Floats  # [dataset, learner]; with folds, their means
    fold_scores: tuple[Floats, ...] = ()
    left_out: tuple[str, ...] = ()  # datasets without a complete row, under `complete cases`

    def column(self, learner: str) -> Floats:
        """The scores of one learner over the datasets."""
        return np.asarray(self.scores[:, self.learners.index(learner)])


def load_results(planned: ResultsTable, access: Access, *, complete_cases: bool = False) -> Results:
    """The table behind a `results` statement."""
    frame = without_missing(read(planned.source, access).frame, planned.missing)
    where = f"{planned.source.kind} {planned.source.locator}"
    if planned.formula:
        return long_results(
            frame,
            formula_of(planned.formula),
            name=planned.name,
            where=where,
            metric=planned.metric,
            learners_in=planned.learners_in,
            complete_cases=complete_cases,
        )
    return wide_results(
        frame,
        name=planned.name,
        where=where,
        datasets_in=planned.datasets_in,
        learners_in=planned.learners_in,
        metric=planned.metric,
        complete_cases=complete_cases,
    )


def wide_results(
    frame: pd.DataFrame,
    *,
    metric: str | None,
    name: str = "results",
    where: str = "the table",
    datasets_in: str | None = None,
    learners_in: Sequence[str] = (),
    complete_cases: bool = False,
) -> Results:
    """One row a dataset, one column a learner."""
    columns = [str(c) for c in frame.columns]
    blocks = _dataset_column(frame, datasets_in, learners_in, where)
    if learners_in:
        learners = [find_column(learner, columns, where, "learners in") for learner in learners_in]
    else:
        learners = [c for c in columns if c != blocks]
    _check_learners(learners, where)
    datasets = [str(i + 1) for i in range(len(frame))] if blocks is None else names_of(frame[blocks], blocks, where)
    _refuse_repeated(datasets, where)
    scores = np.array(
        [
            [cell_number(frame[c].iloc[i], f"{where}: the score of {shown(c)} on {shown(d)}") for c in learners]
            for i, d in enumerate(datasets)
        ],
        dtype=np.float64,
    ).reshape(len(datasets), len(learners))
    gaps = [(d, d, c) for i, d in enumerate(datasets) for j, c in enumerate(learners) if math.isnan(scores[i, j])]
    kept = _complete(datasets, gaps, where, complete_cases)
    chosen, higher = _direction(metric, None, where)
    found = Results(
        name=name,
        learners=tuple(learners),
        datasets=tuple(datasets[i] for i in kept),
        metric=chosen,
        higher_is_better=higher,
        scores=scores[kept],
        left_out=tuple(d for i, d in enumerate(datasets) if i not in set(kept)),
    )
    _check_scores(found, where)
    return found


def long_results(
    frame: pd.DataFrame,
    formula: Formula,
    *,
    metric: str | None = None,
    name: str = "results",
    where: str = "the table",
    learners_in: Sequence[str] = (),
    complete_cases: bool = False,
) -> Results:
    """One row a score; the formula says which column holds score, learner, dataset and what is nested in it."""
    columns = [str(c) for c in frame.columns]
    check_formula(formula, columns, where)
    chosen, higher = _direction(metric, formula.response, where)
    if len(formula.blocks) > 3:
        raise DataError(
            f"the formula `{formula}` nests {len(formula.blocks)} blocks", hint="at most dataset / partition / fold"
        )
    treatment = names_of(frame[formula.treatment], formula.treatment, where)
    blocks = [names_of(frame[block], block, where) for block in formula.blocks]
    values = frame[formula.response].tolist()
    cells: dict[tuple[str, ...], float] = {}
    row_of: dict[tuple[str, ...], int] = {}
    for i, (learner, *place) in enumerate(zip(treatment, *blocks, strict=True)):
        key = (learner, *place)
        if key in cells:
            raise _twice(frame, formula, (row_of[key], i), key, where)
        row_of[key] = i
        cells[key] = cell_number(values[i], f"{where}: row {i + 1}, {shown(formula.response)}")
    learners = list(dict.fromkeys(treatment)) if not learners_in else list(learners_in)
    for learner in learners_in:
        if learner not in treatment:
            raise DataError(
                f"{where} has no score of {shown(learner)}",
                hint=f"its learners are {shown_list(dict.fromkeys(treatment))}",
            )
    _check_learners(learners, where)
    places = list(dict.fromkeys(zip(*blocks, strict=True)))
    gaps = [(p[0], " / ".join(p), c) for p in places for c in learners if math.isnan(cells.get((c, *p), math.nan))]
    datasets = list(dict.fromkeys(blocks[0]))
    kept = _complete(datasets, gaps, where, complete_cases)
    fold_scores = tuple(_by_fold(cells, learners, datasets[i], places, where) for i in kept)
    found = Results(
        name=name,
        learners=tuple(learners),
        datasets=tuple(datasets[i] for i in kept),
        metric=chosen,
        higher_is_better=higher,
        scores=np.array([[math.fsum(row.ravel()) / row.size for row in table] for table in fold_scores]),
        fold_scores=fold_scores if len(formula.blocks) > 1 else (),
        left_out=tuple(d for i, d in enumerate(datasets) if i not in set(kept)),
    )
    _check_scores(found, where)
    return found


def _check_scores(found: Results, where: str) -> None:
    """Refuse what the metric cannot be (shares may be written in per cent) and what squares cannot hold."""
    entry = find_metric(found.metric)
    assert entry is not None
    share = (entry.low, entry.high) == (0.0, 1.0)
    low = -math.inf if entry.low is None else entry.low
    high = math.inf if entry.high is None else 100.0 if share else entry.high
    for place, part in enumerate(found.fold_scores or (found.scores,)):
        size = np.abs(part)
        outside = (part < low - ROUNDING) | (part > high + ROUNDING)
        wrong = np.argwhere(outside | (size > LARGEST) | ((size > 0.0) & (size < SMALLEST)))
        if not len(wrong):
            continue
        at = tuple(int(n) for n in wrong[0])
        learner, dataset = (at[0], place) if found.fold_scores else (at[1], at[0])
        what = f"the score {part[at]:.4g} of {shown(found.learners[learner])} on {shown(found.datasets[dataset])}"
        if outside[at]:
            runs = " ".join(
                f"{word} {end:g}" for word, end in (("from", entry.low), ("to", entry.high)) if end is not None
            )
            raise DataError(f"{where}: {what} cannot be: {entry.name} runs {runs}", hint="is it another metric?")
        raise DataError(f"{where}: {what} is beyond what can be reckoned with", hint="write it in another unit")


def _by_fold(
    cells: dict[tuple[str, ...], float], learners: list[str], dataset: str, places: list[tuple[str, ...]], where: str
) -> Floats:
    """[learner, partition, fold] of one dataset."""
    inside = [place[1:] for place in places if place[0] == dataset]
    if len(inside[0]) < 2:
        table = [[cells[(learner, dataset, *rest)] for rest in inside] for learner in learners]
        return np.array(table)[:, None, :]
    partitions = list(dict.fromkeys(rest[0] for rest in inside))
    sizes = {p: sum(rest[0] == p for rest in inside) for p in partitions}
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{shown(p)} has {n}" for p, n in list(sizes.items())[:4])
        raise DataError(
            f"{where}: the partitions of {shown(dataset)} differ in their number of folds ({said})",
            hint="every partition needs the same number of folds",
        )
    return np.array([[cells[(learner, dataset, *rest)] for rest in inside] for learner in learners]).reshape(
        len(learners), len(partitions), -1
    )


def _dataset_column(frame: pd.DataFrame, datasets_in: str | None, learners_in: Sequence[str], where: str) -> str | None:
    columns = [str(c) for c in frame.columns]
    if datasets_in is not None:
        return find_column(datasets_in, columns, where, "datasets in")
    words = [c for c in columns if c not in learners_in and not _numeric(frame[c])]
    if len(words) > 1 and not learners_in:
        raise DataError(
            f"{where} has several columns of text: {shown_list(words)}", hint=f'write `datasets in "{words[0]}"`'
        )
    return words[0] if words else None


def _numeric(column: pd.Series[Any]) -> bool:
    """Some cell is a number, so it is a column of scores, whatever else it holds."""
    return bool(pd.to_numeric(column, errors="coerce").notna().any())


def _check_learners(learners: list[str], where: str) -> None:
    repeated = next((c for i, c in enumerate(learners) if c in learners[:i]), None)
    if repeated is not None:
        raise DataError(f"the learner {shown(repeated)} is named twice", hint="name each learner once")
    if len(learners) < 2:
        found = f"only {shown(learners[0])}" if learners else "none"
        raise DataError(f"{where} has scores of fewer than two learners: {found}", hint="one column for each learner")


def _refuse_repeated(datasets: list[str], where: str) -> None:
    first: dict[str, int] = {}
    for i, dataset in enumerate(datasets):
        if dataset in first:
            raise DataError(
                f"{where} has the dataset {shown(dataset)} twice, in rows {first[dataset] + 1} and {i + 1}",
                hint="keep one row a dataset, or give the long form with a formula",
            )
        first[dataset] = i


def _twice(frame: pd.DataFrame, formula: Formula, rows: tuple[int, int], key: tuple[str, ...], where: str) -> DataError:
    """Two scores of one cell, and which column would tell them apart."""
    first, second = rows
    apart = [
        str(c) for c in frame.columns if str(c) not in formula.words and frame[c].iloc[first] != frame[c].iloc[second]
    ]
    hint = f"nest what tells them apart: `{formula} / {apart[0]}`" if apart else "keep one of them"
    place = " / ".join(key[1:])
    return DataError(
        f"{where} has two scores of {shown(key[0])} on {shown(place)}, in rows {first + 1} and {second + 1}", hint=hint
    )


def _complete(datasets: list[str], gaps: list[tuple[str, str, str]], where: str, complete_cases: bool) -> list[int]:
    """The datasets to keep. Gaps (dataset, place, learner) are named and refused unless `complete cases`."""
    if not gaps:
        return list(range(len(datasets)))
    bad = {dataset for dataset, _, _ in gaps}
    if not complete_cases:
        named = ", ".join(f"{shown(learner)} on {shown(place)}" for _, place, learner in gaps[:3])
        more = f" and {len(gaps) - 3} more" if len(gaps) > 3 else ""
        raise DataError(
            f"{where} has no score of {named}{more}",
            hint=f"write `complete cases` to leave out {len(bad)} of {len(datasets)} datasets",
        )
    kept = [i for i, d in enumerate(datasets) if d not in bad]
    if not kept:
        raise DataError(f"{where} has no dataset with a score of every learner", hint="compare fewer learners")
    return kept


def _direction(metric: str | None, response: str | None, where: str) -> tuple[str, bool]:
    """The metric and whether higher is better: from `measuring`, or from the name of the score column."""
    for word in (metric, response):
        entry = find_metric(word) or find_metric(word.lower().replace("_", "-")) if word else None
        if entry is not None:
            return entry.name, entry.higher_is_better
        if word and word is metric:
            raise DataError(f"unknown metric {shown(word)} for {where}", hint="see `evalang explain --all`")
    what = f"the score column {shown(response)} is not named after a metric" if response else f"{where} names no metric"
    raise DataError(f"{what}, so nobody knows whether higher is better", hint="write `measuring accuracy`")
