"""From a script to its plan: includes read, names resolved, every default written out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..source.finding import Finding
from ..source.record import Record, replace
from ..source.text import Source
from ..syntax import nodes
from . import definitions, model
from .claim import Evidence, plan_claim, plan_output, plan_simulation
from .comparison import Drafter, Settings
from .families import families
from .includes import gather
from .names import Handed, Known, Names
from .problems import Problems

VERSION = 1
_MAKERS = {
    nodes.Dataset: definitions.dataset,
    nodes.Suite: definitions.suite,
    nodes.Learner: definitions.learner,
    nodes.Results: definitions.results,
    nodes.Predictions: definitions.predictions,
}


class Built(Record):
    """A plan with what was found while making it and the texts it came from."""

    plan: model.Plan
    findings: tuple[Finding, ...]
    sources: dict[str, Source]

    @property
    def readable(self) -> bool:
        """False when part of the script is no sentence of the language."""
        return not any(f.code == "EV001" for f in self.findings)


def build(
    source: Source, *, handed: Iterable[Handed] = (), known: Mapping[str, Known] | None = None, root: Path | None = None
) -> Built:
    """Plan a script.

    `handed` are names that Python gives; `known` is what opening the data has told; `root` is the folder that
    includes may not leave (the script's own by default).
    """
    problems = Problems()
    gathered = gather(source, root or Path(os.path.dirname(source.path) or "."), problems)
    names = Names(problems)
    _define(gathered.statements, names, problems)
    for one in handed:
        names.hand_over(one)
    drafter = Drafter(names, problems, dict(known or {}))
    comparisons, everywhere = _compare(gathered.statements, drafter, problems)
    by_name = {c.name: c for c in comparisons}
    claims = _claims(gathered.statements, names, gathered.sources, problems)
    evidence = Evidence(tuple(comparisons))
    claims = [replace(c, evidence=evidence.bearing(c)) for c in claims]
    _check_according(claims, by_name, problems)
    simulations, outputs = _others(gathered.statements, by_name, problems)
    plan = model.Plan(
        version=VERSION,
        script=source.path,
        **_defined(names),
        comparisons=tuple(comparisons),
        claims=tuple(claims),
        simulations=tuple(simulations),
        outputs=tuple(outputs),
        families=families(tuple(comparisons)),
        allow=tuple(everywhere),
    )
    return Built(plan, tuple(gathered.findings) + tuple(problems.findings), gathered.sources)


def _define(statements: tuple[tuple[nodes.Statement, bool], ...], names: Names, problems: Problems) -> None:
    """Definitions first: only `set` depends on order."""
    for statement, included in statements:
        maker = _MAKERS.get(type(statement))
        if maker is not None:
            names.define(statement.name, maker(statement, included, problems))  # type: ignore[operator, union-attr, arg-type]
    for statement, _ in statements:
        if isinstance(statement, nodes.Suite):
            for member in statement.members:
                found = names.data(member)
                if found is not None and not isinstance(found, model.Dataset):
                    problems.bad(member.span, f"{member.text} is not a dataset", "a suite holds datasets")
            names.used.discard(statement.name.text)


def _compare(
    statements: tuple[tuple[nodes.Statement, bool], ...], drafter: Drafter, problems: Problems
) -> tuple[list[model.Comparison], list[model.Allowance]]:
    found: list[model.Comparison] = []
    everywhere: list[model.Allowance] = []
    taken: dict[str, None] = {}
    settings: dict[str, Settings] = {}  # by file: a `set` holds for what stands below it in its own file
    number = 0
    for statement, _ in statements:
        path = statement.span.path
        if isinstance(statement, nodes.Set):
            everywhere += _set(statement, path, settings, problems)
        elif isinstance(statement, nodes.Compare | nodes.Estimate):
            number += 1
            name = f"{'compare' if isinstance(statement, nodes.Compare) else 'estimate'}-{number}"
            drafted = drafter.draft(statement, name, settings.get(path) or Settings())
            if drafted is None:
                continue
            if drafted.name in taken:
                problems.twice(drafted.span_of("as"), drafted.name, "as the name of a comparison")
                continue
            taken[drafted.name] = None
            found.append(drafted)
    return found, everywhere


def _set(statement: nodes.Set, path: str, settings: dict[str, Settings], problems: Problems) -> list[model.Allowance]:
    if isinstance(statement.clause, nodes.Allow):
        return [replace(a, everywhere=True) for a in definitions.allowances((statement.clause,), problems)]
    clauses = dict(settings[path].clauses) if path in settings else {}
    if isinstance(statement.clause, nodes.TuneOn | nodes.TuneUsing):
        clauses.pop(nodes.TuneOn, None)
        clauses.pop(nodes.TuneUsing, None)
    clauses[type(statement.clause)] = statement.clause
    settings[path] = Settings(clauses)
    return []


def _claims(
    statements: tuple[tuple[nodes.Statement, bool], ...], names: Names, sources: dict[str, Source], problems: Problems
) -> list[model.Claim]:
    found = []
    for statement, _ in statements:
        if isinstance(statement, nodes.Claim):
            claim = plan_claim(statement, len(found) + 1, names, sources[statement.span.path], problems)
            if claim is not None:
                found.append(claim)
    return found


def _check_according(claims: list[model.Claim], by_name: dict[str, model.Comparison], problems: Problems) -> None:
    for claim in claims:
        if claim.according_to and claim.according_to not in by_name:
            problems.unknown(claim.span, "comparison", claim.according_to, by_name, "name a comparison by its `as` name")


def _others(
    statements: tuple[tuple[nodes.Statement, bool], ...], by_name: dict[str, model.Comparison], problems: Problems
) -> tuple[list[model.Simulation], list[model.Output]]:
    simulations: list[model.Simulation] = []
    outputs: list[model.Output] = []
    for statement, _ in statements:
        if isinstance(statement, nodes.Simulate):
            simulations.append(plan_simulation(statement, len(simulations) + 1, by_name, problems))
        elif isinstance(statement, nodes.Report):
            outputs.append(plan_output(statement, by_name, problems))
    return simulations, outputs


def _defined(names: Names) -> dict[str, tuple[object, ...]]:
    """The definitions by kind, with whether anything uses them; bundled and catalogue names only when used."""
    groups: dict[type, str] = {
        model.Dataset: "datasets",
        model.Suite: "suites",
        model.Learner: "learners",
        model.ResultsTable: "results",
        model.PredictionsTable: "predictions",
    }
    found: dict[str, list[object]] = {word: [] for word in groups.values()}
    for name, record in names.definitions.items():
        found[groups[type(record)]].append(record if name in names.used else replace(record, used=False))
    for record in names.implicit.values():
        found[groups[type(record)]].append(record)
    return {word: tuple(records) for word, records in found.items()}
