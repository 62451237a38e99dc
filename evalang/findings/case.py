"""A comparison together with the cards of everything it names."""

from __future__ import annotations

from ..catalogue.entry import MetricEntry, SchemeEntry, TestEntry
from ..plans.model import Claim, Comparison, Dataset, Family, PredictionsTable, ResultsTable, Test
from ..source.record import Record
from .traits import Traits


class PlannedTest(Record):
    """A test of the plan together with its card."""

    test: Test
    card: TestEntry
    over: bool  # over datasets

    @property
    def written(self) -> bool:
        """Whether the script names it."""
        return self.test.origin == "written"


class Case(Record):
    """A comparison or estimate together with everything its rules look up."""

    comparison: Comparison
    scheme: SchemeEntry | None  # None: a dataset without `using`, which is EV007
    learners: tuple[Traits, ...]
    datasets: tuple[Dataset, ...]
    metrics: tuple[MetricEntry, ...]
    tests: tuple[PlannedTest, ...]
    table: ResultsTable | PredictionsTable | None  # what stands in place of datasets
    families: tuple[Family, ...]
    claims: tuple[Claim, ...]

    def says(self, clause: str) -> bool:
        """Whether the statement has the clause, even one that makes no sense (EV006) or cannot be read (EV001)."""
        return any(word == clause for word, _ in self.comparison.spans)

    @property
    def kind(self) -> str:
        """The kind of scheme, "results" and "predictions" included."""
        return self.scheme.kind if self.scheme else ""
