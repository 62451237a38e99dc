"""What a comparison gives a test to work with, as far as its power depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ...errors import ScriptError
from ...plans.model import Comparison, Dataset, Plan, Scheme, Simulation
from ...plans.power import first_level
from . import pvalues
from .settings import DATASETS, Settings

MEASURED = ("accuracy", "error")
Evidence = Literal["rows", "folds", "resamples", "datasets"]
_FOLDED = ("cv", "repeated-cv", "partitions-cv", "5x2cv", "partitions-5x2cv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One test of a comparison on one dataset (or over datasets), with the level that it has to meet."""

    comparison: str
    test: str
    dataset: str | None  # None: over datasets, or rows that are stated and not a dataset's
    evidence: Evidence
    level: float
    sides: int
    rows: int  # of the dataset; 0 when they are not known, over datasets only
    tested: int  # rows of one test part
    partitions: int = 1
    folds: int = 1
    datasets: int = 1

    @property
    def subject(self) -> str:
        """What it is about, for people."""
        if self.evidence == "datasets":
            return f"{self.comparison}: {self.test} over datasets"
        return f"{self.comparison}: {self.test}" + (f" on {self.dataset}" if self.dataset else "")


def designs(plan: Plan, simulation: Simulation, name: str, said: Settings) -> tuple[Design, ...]:
    """The tests of a comparison whose power can be simulated; ScriptError when there is none, saying why."""
    comparison = plan.comparison(name)
    if comparison is None:
        raise ScriptError(f"there is no comparison named {name}", span=simulation.span)
    if not any(m.name in MEASURED for m in comparison.metrics):
        raise ScriptError(
            f"the power of {name} cannot be simulated: simulated learners are right or wrong, and it measures neither",
            hint="measure accuracy or error as well",
            span=simulation.span,
        )
    found = (*_on_datasets(plan, comparison, said), *_over(plan, comparison, said))
    if not found:
        raise ScriptError(
            f"the power of {name} cannot be simulated: its rows are not known, or its test works on something else "
            "than right and wrong answers, fold scores or dataset scores",
            hint="state the rows: with rows 500",
            span=simulation.span,
        )
    return found


def _on_datasets(plan: Plan, comparison: Comparison, said: Settings) -> Iterator[Design]:
    by_name = {d.name: d for d in plan.datasets}
    stated = said.values("rows") or said.values("n")
    level, sides = first_level(plan, comparison, "dataset"), 1 if comparison.expecting else 2
    tests = [t.name for t in comparison.tests if t.name in (*pvalues.OUTCOMES, *pvalues.FOLDS)]
    places: list[tuple[str | None, int]] = [(None, int(rows)) for rows in stated]
    if not places:
        places = [(d, rows) for d in comparison.datasets if (rows := _rows(by_name.get(d))) is not None]
    for test in tests:
        for dataset, rows in places:
            made = _place(comparison.scheme, test, rows)
            if made is None:
                continue
            evidence, tested, partitions, folds = made
            yield Design(
                comparison=comparison.name,
                test=test,
                dataset=dataset,
                evidence=evidence,
                level=level,
                sides=1 if sides == 1 and test != "5x2cv-f" else 2,
                rows=rows,
                tested=tested,
                partitions=partitions,
                folds=folds,
            )


def _rows(dataset: Dataset | None) -> int | None:
    return dataset.rows if dataset is not None else None


def _place(scheme: Scheme | None, test: str, rows: int) -> tuple[Evidence, int, int, int] | None:
    """(evidence, rows of a test part, partitions, folds); None where this scheme gives the test nothing."""
    if scheme is None or scheme.kind == "given-test":
        return ("rows", rows, 1, 1) if test in pvalues.OUTCOMES else None
    size = 0 if scheme.part is None else scheme.part.rows or round(rows * (scheme.part.fraction or 0.0))
    if test in pvalues.OUTCOMES:
        tested = size if scheme.kind == "holdout" else rows if scheme.kind in ("cv", "leave-one-out") else 0
        return ("rows", tested, 1, 1) if 0 < tested <= rows else None
    if scheme.kind in _FOLDED and rows >= 2 * scheme.folds:
        return "folds", rows // scheme.folds, scheme.partitions, scheme.folds
    if scheme.kind == "resamples" and 0 < size < rows:
        return "resamples", rows - size, scheme.partitions, 1
    return None


def _over(plan: Plan, comparison: Comparison, said: Settings) -> Iterator[Design]:
    known = len(comparison.datasets) if comparison.data == "datasets" else 0
    sizes = [d.rows for d in plan.datasets if d.name in comparison.datasets and d.rows]
    stated = [int(v) for v in said.values("rows") or said.values("n")] or sizes
    rows = sorted(stated)[len(stated) // 2] if stated else 0
    for test in comparison.over:
        if test.name not in pvalues.DATASETS:
            continue
        for datasets in said.values("datasets", known or DATASETS):
            yield Design(
                comparison=comparison.name,
                test=test.name,
                dataset=None,
                evidence="datasets",
                level=first_level(plan, comparison, "over-datasets"),
                sides=1 if comparison.expecting else 2,
                rows=rows,
                tested=_tested(comparison.scheme, rows),
                datasets=int(datasets),
            )


def _tested(scheme: Scheme | None, rows: int) -> int:
    """Rows behind the score of one dataset."""
    if scheme is not None and scheme.kind == "holdout" and scheme.part is not None:
        return scheme.part.rows or round(rows * (scheme.part.fraction or 0.0))
    return rows
