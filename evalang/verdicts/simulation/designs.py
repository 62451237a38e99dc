"""The settings of a simulate statement, the designs whose power it asks for, and its outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ...errors import ScriptError
from ...plans.cost import level_of
from ...plans.model import Comparison, Plan, Scheme, Simulation
from ...plans.simulation import Evidence, on_datasets, over_datasets, place
from ...results.records import SimulationOutcome
from ..tests.intervals import wilson

ROWS = 300  # Dietterich 1998, 4.2, as are the trials and the number of resamples
TRIALS = 1000
RESAMPLES = 30
FOLDS = 10
ERROR = 0.10
ALPHA = 0.05
DATASETS = 10  # ours: datasets behind one result of a test over datasets


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of a statement by word; a word that was not written has no values."""

    given: dict[str, tuple[float, ...]]

    def values(self, word: str, *default: float) -> tuple[float, ...]:
        """Return all values of a word in the order they were written, each once."""
        return tuple(dict.fromkeys(self.given.get(word, ()))) or default

    def one(self, word: str, default: float) -> float:
        """Return the first value of a word."""
        return self.values(word, default)[0]

    @property
    def trials(self) -> int:
        """How often everything is repeated."""
        return int(self.one("trials", TRIALS))

    @property
    def seed(self) -> int:
        """The root of all random numbers; 0 where none is given (EV310 says so)."""
        return int(self.one("seed", 0))

    @property
    def shared(self) -> float:
        """Standard deviation of what a training set does to each learner's error rates."""
        return self.one("shared", 0.0)

    @property
    def alpha(self) -> float:
        """The level of the tests."""
        return self.one("alpha", ALPHA)


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Rows of opened datasets by their names; rows of predictions and datasets of results by comparison."""

    rows: Mapping[str, int] = field(default_factory=dict)
    predicted: Mapping[str, int] = field(default_factory=dict)
    datasets: Mapping[str, int] = field(default_factory=dict)


NOTHING_OPENED = Units()


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
    plan: Plan, simulation: Simulation, name: str, settings: Settings, units: Units = NOTHING_OPENED
) -> tuple[Design, ...]:
    """Return the tests of a comparison whose power can be simulated; ScriptError when there is none, saying why."""
    comparison = plan.comparison(name)
    assert comparison is not None
    rows = _rows(plan, comparison, units)
    found = (*_on_datasets(plan, comparison, settings, rows), *_over(plan, comparison, settings, rows, units))
    if not found:
        raise ScriptError(
            f"the power of {name} cannot be simulated: its rows are not known",
            hint="add the number of rows: `with rows 500`",
            span=simulation.span,
        )
    few = next((d for d in found if d.evidence == "datasets" and d.datasets < 2), None)
    if few is not None:
        raise ScriptError(
            f"the power of {name} cannot be simulated: {few.test} needs two datasets, but there is {few.datasets}",
            hint="add the number of datasets: `with datasets 10`",
            span=simulation.span,
        )
    return found


def _stated(settings: Settings) -> tuple[int, ...]:
    return tuple(int(v) for v in settings.values("rows") or settings.values("n"))


def _rows(plan: Plan, comparison: Comparison, units: Units) -> dict[str, int | None]:
    """Return the rows of the data of a comparison: as opened, else as the plan knows them."""
    if comparison.data == "predictions":
        return {name: units.predicted.get(comparison.name) for name in comparison.datasets}
    by_name = {d.name: d.rows for d in plan.datasets}
    return {name: units.rows.get(name) or by_name.get(name) for name in comparison.datasets}


def _on_datasets(
    plan: Plan, comparison: Comparison, settings: Settings, rows_of: Mapping[str, int | None]
) -> Iterator[Design]:
    level, sides = level_of(plan, comparison, "dataset"), 1 if comparison.expecting else 2
    places: list[tuple[str | None, int]] = [(None, rows) for rows in _stated(settings)]
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
    plan: Plan, comparison: Comparison, settings: Settings, rows_of: Mapping[str, int | None], units: Units
) -> Iterator[Design]:
    known = len(comparison.datasets) if comparison.data == "datasets" else units.datasets.get(comparison.name, DATASETS)
    sizes = sorted(rows for rows in rows_of.values() if rows)
    middling = (sizes[len(sizes) // 2],) if sizes else (0,)
    for test in over_datasets(comparison):
        for datasets in settings.values("datasets", known):
            for rows in _stated(settings) or middling:
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
                    rows_stated=bool(_stated(settings)),
                )


def _tested(scheme: Scheme | None, rows: int) -> int:
    """Return the rows behind the score of one dataset."""
    return int(scheme.test_rows(rows) or 0) if scheme is not None and scheme.card.part == "tested" else rows


def outcome(
    name: str,
    kind: Literal["type-I", "power"],
    subject: str,
    settings: tuple[tuple[str, float], ...],
    rejected: int,
    trials: int,
) -> SimulationOutcome:
    """Return one cell of a simulation with its 95% Wilson interval."""
    return SimulationOutcome(
        name=name,
        kind=kind,
        subject=subject,
        settings=settings,
        rate=rejected / trials,
        interval=wilson(rejected, trials).interval,
        trials=trials,
    )
