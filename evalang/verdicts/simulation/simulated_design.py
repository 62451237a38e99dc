"""What a comparison gives a test to work with, as far as its power depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...errors import ScriptError
from ...plans.cost import level_of
from ...plans.model import Comparison, Plan, Scheme, Simulation
from ...plans.simulation import Evidence, no_power, on_datasets, over_datasets, place
from .settings import DATASETS, Settings
from .units import NOTHING_OPENED, Units


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
    rows_stated: bool = False  # over datasets: rows that the script names stand beside the rate

    @property
    def subject(self) -> str:
        """What it is about, for people."""
        if self.evidence == "datasets":
            return f"{self.comparison}: {self.test} over datasets"
        return f"{self.comparison}: {self.test}" + (f" on {self.dataset}" if self.dataset else "")


def designs(
    plan: Plan, simulation: Simulation, name: str, said: Settings, units: Units = NOTHING_OPENED
) -> tuple[Design, ...]:
    """The tests of a comparison whose power can be simulated; ScriptError when there is none, saying why."""
    comparison = plan.comparison(name)
    if comparison is None:
        raise ScriptError(f"there is no comparison named {name}", span=simulation.span)
    rows = _rows(plan, comparison, units)
    refused = no_power(comparison, rows, _stated(said))
    if refused is not None:
        raise ScriptError(refused[0], hint=refused[1], span=simulation.span)
    found = (*_on_datasets(plan, comparison, said, rows), *_over(plan, comparison, said, rows, units))
    if not found:
        raise ScriptError(
            f"the power of {name} cannot be simulated: its rows are not known",
            hint="state the rows: with rows 500",
            span=simulation.span,
        )
    few = next((d for d in found if d.evidence == "datasets" and d.datasets < 2), None)
    if few is not None:
        raise ScriptError(
            f"the power of {name} cannot be simulated: {few.test} needs two datasets, and there is {few.datasets}",
            hint="state them: with datasets 10",
            span=simulation.span,
        )
    return found


def _stated(said: Settings) -> tuple[int, ...]:
    return tuple(int(v) for v in said.values("rows") or said.values("n"))


def _rows(plan: Plan, comparison: Comparison, units: Units) -> dict[str, int | None]:
    """Rows of the data of a comparison: as opened, else as the plan knows them."""
    if comparison.data == "predictions":
        return {name: units.predicted.get(comparison.name) for name in comparison.datasets}
    by_name = {d.name: d.rows for d in plan.datasets}
    return {name: units.rows.get(name) or by_name.get(name) for name in comparison.datasets}


def _on_datasets(
    plan: Plan, comparison: Comparison, said: Settings, rows_of: Mapping[str, int | None]
) -> Iterator[Design]:
    level, sides = level_of(plan, comparison, "dataset"), 1 if comparison.expecting else 2
    places: list[tuple[str | None, int]] = [(None, rows) for rows in _stated(said)]
    if not places:
        places = [(name, rows) for name, rows in rows_of.items() if rows is not None]
    for test in on_datasets(comparison):
        for dataset, rows in places:
            made = place(comparison.scheme, test, rows)
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


def _over(
    plan: Plan, comparison: Comparison, said: Settings, rows_of: Mapping[str, int | None], units: Units
) -> Iterator[Design]:
    known = len(comparison.datasets) if comparison.data == "datasets" else units.datasets.get(comparison.name, DATASETS)
    sizes = sorted(rows for rows in rows_of.values() if rows)
    middling = (sizes[len(sizes) // 2],) if sizes else (0,)
    for test in over_datasets(comparison):
        for datasets in said.values("datasets", known):
            for rows in _stated(said) or middling:
                yield Design(
                    comparison=comparison.name,
                    test=test,
                    dataset=None,
                    evidence="datasets",
                    level=level_of(plan, comparison, "over-datasets"),
                    sides=1 if comparison.expecting else 2,
                    rows=rows,
                    tested=_tested(comparison.scheme, rows),
                    datasets=int(datasets),
                    rows_stated=bool(_stated(said)),
                )


def _tested(scheme: Scheme | None, rows: int) -> int:
    """Rows behind the score of one dataset."""
    return int(scheme.test_rows(rows) or 0) if scheme is not None and scheme.card.part == "tested" else rows
