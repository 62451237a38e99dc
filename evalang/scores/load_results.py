"""Scores that somebody already has: the table behind a `results` statement, in any of its forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..catalogue.metrics import MetricEntry, find_metric
from ..data.access import Access
from ..data.hashes import score_hashes
from ..data.load import read
from ..data.long_table import LongTable
from ..data.quoting import quoted as shown
from ..errors import DataError
from ..plans.levels import Level, levels_of, problem_of, told_levels
from ..plans.model import Metric, ResultsTable
from .block import TableAsked
from .cells import without_missing
from .formula import formula_of
from .long_tables import long_table, wide_table
from .results import GivenResults
from .results_of import results_of

LARGEST, SMALLEST = 1e100, 1e-100  # squares and their sums have to fit into a number
ROUNDING = 1e-9
TABLES = (
    "csv",
    "parquet",
    "feather",
    "excel",
    "arff",
    "openml",
    "sql",
    "builtin",
    "python",
    "synthetic",
)  # readers of plain frames


def load_results(
    planned: ResultsTable,
    access: Access,
    *,
    learners: Sequence[str] = (),
    metric: Metric | None = None,
    complete_cases: bool = False,
) -> GivenResults:
    """The results of the learners that are compared (all: ()), as the metric that is measured."""
    where = f"{planned.source.kind} {planned.source.locator}"
    spreads, levels = 0, levels_of(planned)
    wrong = problem_of(levels, planned.made, planned.trainings)
    if wrong is not None:
        raise DataError(f"{where}: {wrong[0]}", hint=wrong[1], span=planned.span)
    if planned.source.kind not in TABLES:
        from ..data.tools import read_scores

        table = _with_roles(read_scores(planned.source, access), told_levels(planned), where)
        known = table.frame[list(dict.fromkeys(table.columns.values()))]
        levels = ()
    else:
        frame = known = without_missing(read(planned.source, access).frame, planned.missing)
        if planned.formula:
            table = long_table(frame, formula_of(planned.formula), levels, where)
        else:
            table, spreads = wide_table(frame, levels, planned.learners_in, where)
    chosen, higher = _direction(metric or planned.measured or planned.metric, table, planned.formula, where)
    asked = TableAsked(
        name=planned.name,
        where=where,
        learners=tuple(learners) or planned.learners_in,
        metric=chosen,
        higher_is_better=higher,
        made=planned.made,
        trainings=planned.trainings,
        complete_cases=complete_cases,
        spreads=spreads,
    )
    found = results_of(table, asked, levels)
    _check_scores(found, where)
    return replace(found, row_hashes=score_hashes(known))


def _with_roles(table: LongTable, levels: Sequence[Level], where: str) -> LongTable:
    """What a reader found, with the roles that the script gives to columns of it."""
    columns = dict(table.columns)
    for level in levels:
        if level.column not in table.frame.columns:
            known = ", ".join(map(str, table.frame.columns))
            raise DataError(f"{where} has no column {shown(level.column)}", hint=f"its columns are {known}")
        assert level.standing is not None
        columns = {s: c for s, c in columns.items() if c != level.column or s in ("score", "learner")}
        columns[level.standing] = level.column
    return replace(table, columns=columns)


def _card(metric: str) -> MetricEntry | None:
    return find_metric(metric) or find_metric(metric.lower().replace("_", "-"))


def _direction(metric: Metric | str | None, table: LongTable, formula: Sequence[str], where: str) -> tuple[str, bool]:
    """The metric and whether higher is better: from the script, from the tool, or from the name of the column."""
    if isinstance(metric, Metric) and metric.better is not None:
        return metric.name, metric.better == "higher"
    named = metric.name if isinstance(metric, Metric) else metric
    response = formula[0] if formula else None
    for word in (named, table.metric, response):
        entry = _card(word) if word else None
        if entry is not None:
            return entry.name, entry.higher_is_better
        if word and word is named:
            raise DataError(f"unknown metric {shown(word)} for {where}", hint="see `evalang explain --all`")
    if table.metric and table.higher_is_better is not None:
        return table.metric, table.higher_is_better
    what = f"the score column {shown(response)} is not named after a metric" if response else f"{where} names no metric"
    raise DataError(f"{what}, so nobody knows whether higher is better", hint="write `measuring accuracy`")


def _check_scores(found: GivenResults, where: str) -> None:
    """Refuse what the metric cannot be (shares may be written in per cent) and what squares cannot hold."""
    entry = find_metric(found.metric)
    share = entry is not None and (entry.low, entry.high) == (0.0, 1.0)
    low = -math.inf if entry is None or entry.low is None else entry.low
    high = math.inf if entry is None or entry.high is None else 100.0 if share else entry.high
    parts = [t.values for t in found.items] or list(found.fold_scores) or [found.scores.T]
    for place, part in enumerate(parts):
        size = np.abs(part)
        outside = (part < low - ROUNDING) | (part > high + ROUNDING)
        wrong = np.argwhere(outside | (size > LARGEST) | ((size > 0.0) & (size < SMALLEST)))
        if not len(wrong):
            continue
        at = tuple(int(n) for n in wrong[0])
        dataset = found.datasets[at[1] if part.ndim == 2 else place]
        what = f"the score {part[at]:.4g} of {shown(found.learners[at[0]])} on {shown(dataset)}"
        if outside[at] and entry is not None:
            runs = " ".join(
                f"{word} {end:g}" for word, end in (("from", entry.low), ("to", entry.high)) if end is not None
            )
            raise DataError(f"{where}: {what} cannot be: {entry.name} runs {runs}", hint="is it another metric?")
        raise DataError(f"{where}: {what} is beyond what can be reckoned with", hint="write it in another unit")
