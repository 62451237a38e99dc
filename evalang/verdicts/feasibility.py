"""Checks before the first fit: scores, tests and calibrations that no learner could have on the divided rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..catalogue.tests import find_test
from ..data.table import Table
from ..errors import DataError
from ..language.text import counted
from ..plans.model import Comparison, Learner, Metric, Plan
from ..scores.answer import Answer
from ..scores.metrics import score
from ..trials.calibrate import fit
from ..trials.expand import make_recipe, tuned_for
from ..trials.splits import WHOLE, Fold, Partition, shape

# They exist on every part that has a row.
ALWAYS_THERE = frozenset((
    "accuracy", "error", "balanced-accuracy", "precision", "f-score", "kappa", "mcc", "brier", "root-brier",
    "cross-entropy", "rmse", "mae", "fit-time", "predict-time", "size",
))  # fmt: skip
_BY_UNIT = ("grouped-rows", "timed-rows", "row-scores", "training-losses")  # evidence that a test part may lack


def may_lack(metric: Metric, table: Table) -> bool:
    """Return whether some part of a table may have no such score."""
    return metric.card is not None and (metric.card.name not in ALWAYS_THERE or table.weights is not None)


def refuse_infeasible(plan: Plan, tables: Mapping[str, Table]) -> None:
    """Raise DataError where the divided rows already show that a score or a test cannot be computed."""
    learners = {learner.name: learner for learner in plan.learners}
    for comparison in plan.comparisons:
        if comparison.data != "datasets" or comparison.scheme is None or comparison.guarded:
            continue
        judged = any((card := find_test(t.name)) and card.evidence in _BY_UNIT for t in comparison.tests)
        tuned_for = comparison.tuning is not None and comparison.tuning.value.metric is not None
        asked = judged or tuned_for or comparison.calibration is not None
        for table in (tables[name] for name in comparison.datasets):
            if asked or any(may_lack(m, table) for m in comparison.metrics):
                DividedRows(comparison, table).check(learners[x] for x in comparison.learners if x in learners)


_PER_ROW = {"grouped-rows": "groups", "timed-rows": "time"}  # evidence of a test -> the column that makes its units
FEWEST_UNITS = 2  # quasi-f has a variance over the rows or groups
FEWEST_OF_A_CLASS = 2  # delong has a variance within each of the two classes


@dataclass(frozen=True, slots=True)
class DividedRows:
    """The parts of one comparison on one table."""

    comparison: Comparison
    table: Table

    def check(self, learners: Iterable[Learner]) -> None:
        """Raise DataError at the first part on which a score or a test cannot exist, whatever the learner."""
        self._units()
        if self.comparison.failures != "undecided":
            return  # the script says what becomes of a fold without a score
        for learner in learners:
            self._inner(learner)
        asked = [m for m in self.comparison.metrics if may_lack(m, self.table)]
        if asked:
            self._measured(asked)

    def _folds(self, learner: Learner | None = None) -> Iterator[Fold]:
        comparison, scheme = self.comparison, self.comparison.scheme
        assert scheme is not None
        cuts = make_recipe(comparison, learner).cuts if learner is not None else WHOLE
        partitions, folds = shape(scheme, self.table)
        seed = comparison.seed.value if comparison.seed is not None else 0
        for number in range(partitions):
            partition = Partition(scheme, self.table, seed, number)
            yield from (partition.fold(fold, cuts) for fold in range(folds))

    def _measured(self, metrics: list[Metric]) -> None:
        """Try every metric on every test part; of leave-one-out, whose rows are scored together, on all rows."""
        assert self.comparison.scheme is not None
        if self.comparison.scheme.card.pooled:
            for metric in metrics:
                self._score(metric, np.arange(self.table.rows), "the rows")
            return
        seen: set[bytes] = set()
        for one in self._folds():
            key = self._composition(one.test)
            if key in seen:
                continue
            seen.add(key)
            for metric in metrics:
                self._score(metric, one.test, f"the test part of fold {one.fold + 1}, partition {one.partition + 1},")

    def _composition(self, rows: NDArray[np.int64]) -> bytes:
        """Return a key that parts with the same metrics share: the number of rows of each class."""
        if self.table.task == "regression" or self.table.weights is not None:
            return rows.tobytes()
        return np.bincount(self.table.y[rows], minlength=len(self.table.classes)).tobytes()

    def _score(self, metric: Metric, rows: NDArray[np.int64], where: str) -> None:
        """Try a metric with perfect predictions, which have every score that exists."""
        inner = "tuning part" in where or "threshold" in where
        parts = "a larger part" if inner else "fewer or larger test parts"
        try:
            score(metric.name, self._right(rows), metric.options)
        except DataError as error:
            raise DataError(
                f"{metric.label} cannot be measured on {where} of {self.table.name}: {error.message}",
                hint=f"use {parts}, a different metric, or `failures leave out the fold`",
                span=self.comparison.span_of("measuring"),
            ) from None

    def _right(self, rows: NDArray[np.int64]) -> Answer:
        table = self.table
        truth = table.y[rows]
        weights = None if table.weights is None else table.weights[rows]
        if table.task == "regression":
            return Answer(truth=truth, labels=truth, weights=weights)
        chances = np.zeros((len(rows), len(table.classes)))
        chances[np.arange(len(rows)), truth] = 1.0
        return Answer(
            truth=truth,
            labels=truth,
            scores=chances[:, 1] if len(table.classes) == 2 else chances,
            classes=table.classes,
            positive=table.positive_code,
            weights=weights,
        )

    def _inner(self, learner: Learner) -> None:
        """Try the parts that calibrate, and those on which candidates are compared."""
        comparison, table = self.comparison, self.table
        calibrates = learner.calibrate != "none" and comparison.calibration is not None and bool(table.classes)
        tuning = comparison.tuning.value if comparison.tuning is not None and learner.grids else None
        tunes = tuning is not None and tuning.where in ("part", "given")
        judged = [m for m in tuned_for(comparison, table.task)[0] if may_lack(m, table)] if tunes else []
        chosen = comparison.threshold.metric if comparison.threshold is not None and learner.threshold is None else None
        if chosen is not None and not may_lack(chosen, table):
            chosen = None
        if not calibrates and not judged and chosen is None:
            return
        for one in self._folds(learner):
            where = f"of fold {one.fold + 1}, partition {one.partition + 1},"
            if one.tuning is not None:
                for metric in judged:
                    self._score(metric, one.tuning, f"the tuning part {where}")
            looked_at = one.threshold if one.threshold is not None else one.tuning
            if chosen is not None and looked_at is not None:
                self._score(chosen, looked_at, f"the part that chooses the threshold, {where}")
            part = one.calibration if one.calibration is not None else one.tuning
            if calibrates and part is not None:
                self._calibrated(learner, part, where)

    def _calibrated(self, learner: Learner, rows: NDArray[np.int64], where: str) -> None:
        perfect = self._right(rows)
        assert perfect.scores is not None
        try:
            fit("isotonic", perfect.scores, perfect.truth)  # asks the same of its rows as Platt's method, in less time
        except DataError as error:
            raise DataError(
                f"{learner.name} cannot be calibrated on the part {where} of {self.table.name}: {error.message}",
                hint=error.hint,
                span=self.comparison.span_of("calibrate"),
            ) from None

    def _units(self) -> None:
        """Refuse a test of rows whose test part has too few groups, time stamps or rows of a class."""
        table = self.table
        for test in self.comparison.tests:
            card = find_test(test.name)
            kind = card.evidence if card is not None else "count"
            if card is None or kind not in _BY_UNIT or (kind == "row-scores" and not table.classes):
                continue  # numbers are drawn again with their rows, however few
            parts = [one.test for one in self._folds()]
            rows = parts[0] if kind == "training-losses" else np.concatenate(parts)
            column, unit, needed = getattr(table, _PER_ROW.get(kind, ""), None), card.unit, card.min_units
            if kind == "row-scores":
                units = int(np.bincount(table.y[rows], minlength=len(table.classes)).min())
                enough, there = units >= FEWEST_OF_A_CLASS, f"{counted(units, 'row')} of its rarer class"
                needs = f"{FEWEST_OF_A_CLASS} test rows of either class"
            else:
                if kind == "training-losses":
                    column, unit, needed = table.groups, "group" if table.groups is not None else "row", FEWEST_UNITS
                    column = np.arange(table.rows) if column is None else column
                units = 0 if column is None else len(np.unique(column[rows]))
                enough, there = units >= needed, counted(units, unit)
                needs = counted(needed, f"test {unit}" if kind == "training-losses" else unit)
            if not enough:
                raise DataError(
                    f"{test.name} needs at least {needs}, but the test part of {table.name} has {there}",
                    hint="use a larger test part or a different test",
                    span=test.span if test.span.path else self.comparison.span_of("using"),
                )
