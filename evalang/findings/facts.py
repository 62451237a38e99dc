"""Facts: what a rule may read, from the plan with its cards, the data, the ledger and the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..catalogue.tests import find_test
from ..data.profile_facts import Profile, TableFacts
from ..language.text import SourceText
from ..ledger.history import LedgerHistory
from ..plans.model import Claim, Comparison, Dataset, Family, Plan, PredictionsTable, ResultsTable, Suite
from .case import Case, PlannedTest, Traits, find_traits
from .misfit import Misfit, find_misfits

if TYPE_CHECKING:
    from ..results.run_result import RunResult


class NotApplicable(Exception):
    """Raised by a rule that cannot judge this script, with the reason: "no claim is made"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything a rule may read. Built once per script, in time linear in its statements."""

    plan: Plan
    cases: tuple[Case, ...]  # comparisons and estimates
    compared: tuple[Case, ...]  # comparisons alone
    by_name: Mapping[str, Case]
    datasets: Mapping[str, Dataset]
    suites: Mapping[str, Suite]
    learners: Mapping[str, Traits]
    sources: Mapping[str, SourceText]
    misfits: Mapping[str, tuple[Misfit, ...]]  # by comparison, only where there are any
    faulty: bool  # something of the script could not be planned, so that what is absent proves nothing
    profiles: Mapping[str, Profile] | None = None
    past: LedgerHistory | None = None  # None: no ledger is kept, or none was asked
    run: RunResult | None = None
    tables: Mapping[str, TableFacts] = field(default_factory=dict)  # results and predictions read, by comparison
    levels: dict[tuple[str, str], float] = field(default_factory=dict)  # by family and test, kept for other comparisons

    def profile(self, dataset: str) -> Profile | None:
        """Return what opening the data has shown, or None before that."""
        return self.profiles.get(dataset) if self.profiles is not None else None

    def evidence(self, claim: Claim) -> list[Case]:
        """Return the comparisons that bear on a claim."""
        return [self.by_name[name] for name in claim.evidence if name in self.by_name]


def each_case(facts: Facts) -> Iterator[tuple[Case]]:
    """Yield the comparisons and estimates."""
    return ((case,) for case in facts.cases)


def each_comparison(facts: Facts) -> Iterator[tuple[Case]]:
    """Yield the comparisons."""
    return ((case,) for case in facts.compared)


def each_claim(facts: Facts) -> Iterator[tuple[Claim]]:
    """Yield the claims of the script; a rule about claims cannot judge a script without any."""
    if not facts.plan.claims:
        raise NotApplicable("no claim is made")
    return ((claim,) for claim in facts.plan.claims)


def each_given_read(facts: Facts) -> Iterator[tuple[Case, ResultsTable | PredictionsTable, TableFacts]]:
    """Yield the comparisons on results and predictions that have been read."""
    if not facts.tables:
        raise NotApplicable("no table of results or predictions was read")
    for case in facts.cases:
        if case.table is not None and case.comparison.name in facts.tables:
            yield case, case.table, facts.tables[case.comparison.name]


def each_table_read(facts: Facts) -> Iterator[tuple[Case, ResultsTable, TableFacts]]:
    """Yield the comparisons on tables of results that have been read."""
    for case, table, found in each_given_read(facts) if facts.tables else ():
        if isinstance(table, ResultsTable):
            yield case, table, found


def each_dataset_read(facts: Facts) -> Iterator[tuple[Case, str, Profile]]:
    """Yield every comparison on every dataset that was opened."""
    if facts.profiles is None:
        raise NotApplicable("the data has not been opened")
    for case in facts.cases:
        for name in case.comparison.datasets if case.comparison.data == "datasets" else ():
            profile = facts.profile(name)
            if profile is not None:
                yield case, name, profile


def collect_facts(
    plan: Plan,
    sources: Mapping[str, SourceText],
    *,
    faulty: bool = False,
    profiles: Mapping[str, Profile] | None = None,
    past: LedgerHistory | None = None,
    run: RunResult | None = None,
    tables: Mapping[str, TableFacts] | None = None,
) -> Facts:
    """Return the facts of a plan, its cards looked up once."""
    learners = {learner.name: find_traits(learner) for learner in plan.learners}
    datasets = {dataset.name: dataset for dataset in plan.datasets}
    families: dict[str, list[Family]] = {}
    for family in plan.families:
        for name in family.comparisons:
            families.setdefault(name, []).append(family)
    claims: dict[str, list[Claim]] = {}
    for claim in plan.claims:
        for name in claim.evidence:
            claims.setdefault(name, []).append(claim)
    tabled: dict[tuple[str, str], ResultsTable | PredictionsTable] = {
        **{("results", table.name): table for table in plan.results},
        **{("predictions", table.name): table for table in plan.predictions},
    }
    cases = tuple(
        Case(
            comparison=comparison,
            scheme=comparison.scheme_card,
            learners=tuple([learners[name] for name in comparison.learners if name in learners]),
            datasets=tuple([datasets[name] for name in comparison.datasets if name in datasets]),
            metrics=tuple([card for m in comparison.metrics if (card := m.card) is not None]),
            tests=_judged(comparison),
            table=tabled.get((comparison.data, comparison.datasets[0])) if comparison.datasets else None,
            families=tuple(families.get(comparison.name, ())),
            claims=tuple(claims.get(comparison.name, ())),
        )
        for comparison in plan.comparisons
    )
    return Facts(
        plan=plan,
        cases=cases,
        compared=tuple([case for case in cases if not case.comparison.estimate]),
        by_name={case.comparison.name: case for case in cases},
        datasets=datasets,
        suites={suite.name: suite for suite in plan.suites},
        learners=learners,
        sources=sources,
        misfits={case.comparison.name: found for case in cases if (found := find_misfits(case))},
        faulty=faulty,
        profiles=profiles,
        past=past,
        run=run,
        tables=tables or {},
    )


def _judged(comparison: Comparison) -> tuple[PlannedTest, ...]:
    tests = [(test, False) for test in comparison.tests] + [(test, True) for test in comparison.over]
    return tuple([PlannedTest(test, card, over) for test, over in tests if (card := find_test(test.name)) is not None])
