"""Build the plan of a script: read its includes, resolve names, write out every default."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..catalogue.formats import FORMATS
from ..errors import ScriptError
from ..language import nodes
from ..language.files import LARGEST, read_script
from ..language.parser import lost_names, lost_statements, parse
from ..language.text import Finding, Shown, SourceText
from . import definitions
from .claims import ClaimEvidence, plan_claim
from .comparison import plan_comparison
from .families import with_families
from .learners import plan_learner
from .model import (
    VERSION,
    Allowance,
    Claim,
    Comparison,
    Dataset,
    Learner,
    Output,
    Plan,
    PredictionsTable,
    ResultsTable,
    Simulation,
    Suite,
)
from .names import Definition, Names, PassedValue, learner_renames, with_renamed_learners
from .simulation import plan_simulation
from .values import BY_NAME, Clauses, DefinitionStatement, PlanErrors

Statements = Sequence[tuple[nodes.Statement, bool]]
WithClauses = list[tuple[nodes.Statement, Clauses]]
D = TypeVar("D", Dataset, Suite, Learner, ResultsTable, PredictionsTable)


MOST_FILES = 1_000  # included in all; more is a mistake or an attack
MOST_NESTED = 50  # files that include one another in a chain


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read and parsed: from the disk; an editor has unsaved texts and keeps trees."""

    read: Callable[[str], SourceText] = read_script
    parse: Callable[[SourceText], tuple[nodes.Script, tuple[Finding, ...]]] = parse


class GatheredScript:
    """A script with its includes: every statement in reading order, with whether it comes from an included file.

    No include leads out of the folder `root`, and no file includes itself.
    """

    def __init__(
        self, source: SourceText, root: str | os.PathLike[str], errors: PlanErrors, reading: Reading | None = None
    ) -> None:
        self.statements: list[tuple[nodes.Statement, bool]] = []
        self.findings: list[Finding] = []
        self.sources = {source.path: source}
        self.unread: list[str] = []  # comparisons and claims of which nothing could be read
        self._root, self._errors, self._reading = os.path.realpath(root), errors, reading or Reading()
        self._done: set[str] = set()
        self._read(source, included=False, chain=(os.path.realpath(source.path),))

    def _read(self, source: SourceText, included: bool, chain: tuple[str, ...]) -> None:
        script, findings = self._reading.parse(source)
        self.findings += findings
        if findings:
            self._errors.lost |= lost_names(source, script)
            self.unread += lost_statements(source, script)
        for statement in script.statements:
            self.statements.append((statement, included))
            if isinstance(statement, nodes.IncludeStatement):
                self._include(statement, source, chain)

    def _include(self, statement: nodes.IncludeStatement, source: SourceText, chain: tuple[str, ...]) -> None:
        written, span = statement.path.value, statement.path.span
        shown = os.path.join(os.path.dirname(source.path), written)
        if "\0" in written or os.path.commonpath((self._root, real := os.path.realpath(shown))) != self._root:
            help = "keep included files beside the script or below it"
            self._errors.syntax(span, f'"{written}" leads out of the folder of the script', help)
        elif real in chain:
            self._errors.syntax(span, f'"{written}" includes itself', "remove the `include` from one of the files")
        elif len(chain) > MOST_NESTED or len(self.sources) >= MOST_FILES:
            message = f"more than {MOST_FILES:,} files are included, or more than {MOST_NESTED} include one another"
            self._errors.syntax(span, message, "merge some of them")
        elif real not in self._done:  # a file included twice is read once
            self._done.add(real)
            try:
                included_source = self._reading.read(shown)
            except ScriptError as error:
                self._errors.syntax(span, error.message, error.hint or "correct the path")
                return
            if sum(len(one.text) for one in self.sources.values()) + len(included_source.text) > LARGEST:
                message = f"the script and what it includes have more than {LARGEST:,} characters"
                self._errors.syntax(span, message, "split the script in two")
                return
            self.sources[shown] = included_source
            self._read(included_source, included=True, chain=(*chain, real))


@dataclass(frozen=True, slots=True, repr=False)
class Built(Shown):
    """A plan with what was found while making it and the texts it came from."""

    plan: Plan
    findings: tuple[Finding, ...]
    sources: dict[str, SourceText]
    unplanned: tuple[str, ...] = ()  # comparisons and claims that are not in the plan; the findings say why

    @property
    def readable(self) -> bool:
        """False when part of the script is no sentence of the language."""
        return not any(f.code == "EV001" for f in self.findings)

    def __str__(self) -> str:
        """Return what `evalang plan` prints, and the errors of the script."""
        errors = [f"{f.code} {f.message}" for f in self.findings if f.level == "error"]
        return "\n".join([str(self.plan).rstrip(), *errors])


def build(
    source: SourceText,
    *,
    passed: Iterable[PassedValue] = (),
    root: str | os.PathLike[str] | None = None,
    reading: Reading | None = None,
) -> Built:
    """Plan a script.

    `passed` are values that Python gives; `root` is the folder that includes may not leave (the script's own by
    default); `reading` is how files are read (from the disk by default).
    """
    errors = PlanErrors()
    gathered = GatheredScript(source, root or os.path.dirname(source.path) or ".", errors, reading)
    names = Names(errors)
    _define(gathered.statements, tuple(passed), names, errors)
    statements, allow = _with_set_clauses(_with_canonical_learners(gathered.statements, names), errors)
    comparisons, unplanned = _comparisons(statements, names, errors)
    claims, unclaimed = _claims(statements, names, ClaimEvidence(tuple(comparisons.values())), errors)
    suites = _of_kind(names, Suite)
    plan = Plan(
        version=VERSION,
        script=source.path,
        # A suite that is not opened yet has stand-ins.
        datasets=(
            *_of_kind(names, Dataset),
            *[replace(one, used=suite.used) for suite in suites for one in suite.each],
            *names.bundled.values(),
        ),
        suites=suites,
        learners=(*_of_kind(names, Learner), *names.catalogue.values()),
        results=_of_kind(names, ResultsTable),
        predictions=_of_kind(names, PredictionsTable),
        comparisons=tuple(comparisons.values()),
        claims=tuple(claims),
        simulations=tuple(_simulations(statements, comparisons, names, errors)),
        outputs=tuple(
            [plan_output(one, comparisons, errors) for one, _ in statements if isinstance(one, nodes.ReportStatement)]
        ),
        allow=allow,
        strict=any(
            isinstance(one, nodes.SetStatement) and isinstance(one.clause, nodes.Strict)
            for one, _ in gathered.statements
        ),
    )
    findings = (*gathered.findings, *errors.findings)
    return Built(with_families(plan), findings, gathered.sources, (*gathered.unread, *unplanned, *unclaimed))


def _define(statements: Statements, passed: tuple[PassedValue, ...], names: Names, errors: PlanErrors) -> None:
    """Define every dataset, suite, learner and table before anything uses it: only `set` depends on order."""
    estimators = {one.name: one.target for one in passed if one.kind == "learner"}
    for statement, included in statements:
        if isinstance(statement, nodes.LearnerStatement):
            names.define(statement.name, plan_learner(statement, included, errors, estimators))
        elif isinstance(statement, DefinitionStatement):
            names.define(statement.name, _PLANNERS[type(statement)](statement, included, errors))
    for one in passed:
        names.add_passed(one)
    for statement, _ in statements:
        for member in statement.members if isinstance(statement, nodes.SuiteStatement) else ():
            if not isinstance(names.data(member), Dataset):
                errors.invalid(member.span, f"`{member.text}` is not a dataset", "a suite can hold only datasets")


_PLANNERS: dict[type[nodes.Node], Callable[[Any, bool, PlanErrors], Definition]] = {
    nodes.DatasetStatement: definitions.plan_dataset,
    nodes.SuiteStatement: definitions.plan_suite,
    nodes.ResultsStatement: definitions.plan_results,
    nodes.PredictionsStatement: definitions.plan_predictions,
}


def _with_canonical_learners(statements: Statements, names: Names) -> Statements:
    """Return the statements with one name for each learner: `rf` and `random-forest` are the same."""
    own = {name for name, one in names.definitions.items() if isinstance(one, Learner)}
    tables = [name for name, one in names.definitions.items() if isinstance(one, ResultsTable | PredictionsTable)]
    renames = learner_renames([one for one, _ in statements], tables, own)
    return [(with_renamed_learners(one, renames), included) for one, included in statements] if renames else statements


def _with_set_clauses(statements: Statements, errors: PlanErrors) -> tuple[WithClauses, tuple[Allowance, ...]]:
    """Return each statement with its clauses and those that `set` gives above it in its file; and what is allowed."""
    with_clauses: WithClauses = []
    allow: list[Allowance] = []
    by_file: dict[str, dict[type[nodes.Clause], nodes.Clause]] = {}
    for statement, _ in statements:
        by_set = by_file.setdefault(statement.span.path, {})
        if isinstance(statement, nodes.SetStatement):
            clause = statement.clause
            allow += Clauses((clause, *statement.clauses)).allowances(errors, everywhere=True)
            for kind in (nodes.TuneOn, nodes.TuneUsing) if isinstance(clause, nodes.TuneOn | nodes.TuneUsing) else ():
                by_set.pop(kind, None)
            by_set[type(clause)] = clause
            continue
        clauses = Clauses(statement.clauses, dict(by_set))
        if isinstance(statement, nodes.IncludeStatement):
            allow += clauses.allowances(errors, everywhere=True)
        with_clauses.append((statement, clauses))
    return with_clauses, tuple(allow)


def _comparisons(statements: WithClauses, names: Names, errors: PlanErrors) -> tuple[dict[str, Comparison], list[str]]:
    """Return comparisons and estimates by name, and the names of those that cannot be planned."""
    comparisons: dict[str, Comparison] = {}
    unplanned: list[str] = []
    number = 0
    for statement, clauses in statements:
        if not isinstance(statement, nodes.CompareStatement | nodes.EstimateStatement):
            continue
        number += 1
        name = f"{'compare' if isinstance(statement, nodes.CompareStatement) else 'estimate'}-{number}"
        planned = plan_comparison(statement, name, clauses, names, errors)
        if planned is None:
            unplanned.append(name)
        elif planned.name in comparisons:
            errors.defined_twice(planned.span_of("as"), planned.name, "as the name of a comparison")
        else:
            _check_family(planned, comparisons, errors)
            comparisons[planned.name] = planned
    return comparisons, unplanned


def _check_family(planned: Comparison, others: Mapping[str, Comparison], errors: PlanErrors) -> None:
    """Report two corrections `over everything` with different methods: they make one family."""
    correction = planned.correction
    if correction is None or "everything" not in correction.over:
        return
    for other in others.values():
        if other.correction is not None and "everything" in other.correction.over:
            method = other.correction.method
            if method != correction.method:
                message = f"`{other.name}` already corrects everything in the script by {method}"
                errors.conflict(correction.span, message, f"write `{method} over everything` here too")
            return


def _claims(
    statements: WithClauses, names: Names, evidence: ClaimEvidence, errors: PlanErrors
) -> tuple[list[Claim], list[str]]:
    """Return the claims, and the names of those that cannot be planned."""
    asked = [one for one, _ in statements if isinstance(one, nodes.ClaimStatement)]
    claims = [plan_claim(statement, i, names, evidence, errors) for i, statement in enumerate(asked, start=1)]
    unclaimed = [f"claim-{i}" for i, claim in enumerate(claims, start=1) if claim is None]
    return [claim for claim in claims if claim is not None], sorted(unclaimed)


def _simulations(
    statements: WithClauses, comparisons: Mapping[str, Comparison], names: Names, errors: PlanErrors
) -> Iterator[Simulation]:
    datasets = (*_of_kind(names, Dataset), *names.bundled.values())
    rows = {d.name: d.rows for d in datasets}  # as the catalogue knows them
    asked = [(one, clauses) for one, clauses in statements if isinstance(one, nodes.SimulateStatement)]
    for i, (statement, clauses) in enumerate(asked, start=1):
        yield plan_simulation(statement, f"simulate-{i}", clauses, comparisons, rows, errors)


def _of_kind(names: Names, kind: type[D]) -> tuple[D, ...]:
    """Return the definitions of a kind, each with whether anything uses it."""
    return tuple(
        [
            record if name in names.used else replace(record, used=False)
            for name, record in names.definitions.items()
            if isinstance(record, kind)
        ]
    )


LONGEST_PATH, LONGEST_NAME = 1000, 230  # file systems allow 255 bytes; the rest is for the temporary file
_ENDINGS = (*(ending for one in FORMATS if one.asked != "command" for ending in one.endings), "/")


def plan_output(statement: nodes.ReportStatement, comparisons: Mapping[str, Comparison], errors: PlanErrors) -> Output:
    """Return the output that a report statement asks for."""
    subject, path = statement.subject, statement.to.value
    if subject is not None and subject.text not in comparisons:
        errors.unknown_name(subject.span, "comparison", subject.text, comparisons, BY_NAME)
    if len(path) > LONGEST_PATH or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in path.split("/")):
        message = "this file name is too long for a file system"
        errors.invalid(statement.to.span, message, "shorten the name of the report")
    if statement.format is None and not path.endswith(_ENDINGS):
        help = "end the name in .html, .md, .tex or .json, or add `as html`"
        errors.invalid(statement.to.span, f'the format of report "{path}" is unknown', help)
    return Output(
        subject=subject.text if subject else None,
        path=path,
        format=statement.format,
        allow=Clauses(statement.clauses).allowances(errors),
        span=statement.span,
    )
