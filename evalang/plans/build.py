"""From a script to its plan: includes read, names resolved, every default written out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from ..catalogue.formats import FORMATS
from ..errors import ScriptError
from ..language import nodes
from ..language.decode import LARGEST, read_script
from ..language.parser import parse
from ..language.recovery import lost_names, lost_statements
from ..language.text import Finding, SourceText
from . import definitions
from .claims import ClaimEvidence, plan_claim
from .clauses import Clauses, SetClauses
from .comparison import Drafter
from .families import families
from .learners import learner
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
from .names import Definition, Names, PassedValue
from .simulation import plan_simulation, rows_known
from .values import PlanErrors

MOST_FILES = 1_000  # included in all; more is a mistake or an attack
MOST_NESTED = 50  # files that include one another in a chain


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read and parsed: from the disk; an editor has unsaved texts, and trees that it knows already."""

    read: Callable[[str], SourceText] = read_script
    parse: Callable[[SourceText], tuple[nodes.Script, tuple[Finding, ...]]] = parse


@dataclass(frozen=True, slots=True)
class GatheredScript:
    """Every statement in reading order, with whether it came by `include`; a `set` holds only in its own file."""

    statements: tuple[tuple[nodes.Statement, bool], ...]
    findings: tuple[Finding, ...]
    sources: dict[str, SourceText]
    unread: tuple[str, ...] = ()  # comparisons and claims of which nothing could be read


def gather(
    source: SourceText, root: str | os.PathLike[str], errors: PlanErrors, reading: Reading | None = None
) -> GatheredScript:
    """Read a script with its includes; none leads out of `root`, none includes itself."""
    reader = _IncludeReader(root, errors, reading or Reading())
    reader.sources[source.path] = source
    reader.read(source, included=False, chain=(_real(source.path),))
    return GatheredScript(tuple(reader.statements), tuple(reader.findings), reader.sources, tuple(reader.unread))


def _real(path: str | os.PathLike[str]) -> str:
    return os.path.realpath(os.fspath(path))


class _IncludeReader:
    def __init__(self, root: str | os.PathLike[str], errors: PlanErrors, reading: Reading) -> None:
        self.root = _real(root)
        self.errors = errors
        self.reading = reading
        self.sources: dict[str, SourceText] = {}
        self.statements: list[tuple[nodes.Statement, bool]] = []
        self.findings: list[Finding] = []
        self.done: set[str] = set()
        self.unread: list[str] = []

    def read(self, source: SourceText, included: bool, chain: tuple[str, ...]) -> None:
        script, findings = self.reading.parse(source)
        self.findings += findings
        if findings:
            self.errors.lost |= lost_names(source, script)
            self.unread += lost_statements(source, script)
        for statement in script.statements:
            self.statements.append((statement, included))
            if isinstance(statement, nodes.IncludeStatement):
                self.include(statement, source, chain)

    def include(self, statement: nodes.IncludeStatement, source: SourceText, chain: tuple[str, ...]) -> None:
        written = statement.path.value
        span = statement.path.span
        shown = os.path.join(os.path.dirname(source.path), written)
        if "\0" in written or not self._inside(real := _real(shown)):
            help = "keep included files beside the script or below it"
            self.errors.syntax(span, f'"{written}" leads out of the folder of the script', help)
        elif real in chain:
            self.errors.syntax(span, f'"{written}" includes itself', "take the include out of one of the files")
        elif len(chain) > MOST_NESTED:
            self.errors.syntax(
                span, f"more than {MOST_NESTED} files include one another in a chain", "join some of them"
            )
        elif len(self.sources) >= MOST_FILES:
            self.errors.syntax(span, f"more than {MOST_FILES:,} files are included", "join some of them")
        elif real not in self.done:  # a file included twice is read once
            self.done.add(real)
            try:
                found = self.reading.read(shown)
            except ScriptError as error:
                self.errors.syntax(span, error.message, error.hint or "correct the path")
                return
            if sum(len(one.text) for one in self.sources.values()) + len(found.text) > LARGEST:
                message = f"the script and what it includes have more than {LARGEST:,} characters"
                self.errors.syntax(span, message, "split the script in two")
                return
            self.sources[shown] = found
            self.read(found, included=True, chain=(*chain, real))

    def _inside(self, real: str) -> bool:
        return os.path.commonpath((self.root, real)) == self.root


Statements = tuple[tuple[nodes.Statement, bool], ...]
D = TypeVar("D", Dataset, Suite, Learner, ResultsTable, PredictionsTable)


@dataclass(frozen=True, slots=True)
class Built:
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
        """What `evalang plan` prints."""
        from .description import describe

        return describe(self.plan)


def build(
    source: SourceText,
    *,
    passed: Iterable[PassedValue] = (),
    root: str | os.PathLike[str] | None = None,
    reading: Reading | None = None,
) -> Built:
    """Plan a script.

    `handed` are names that Python gives; `root` is the folder that includes may not leave (the script's own by
    default); `reading` is how files are read (from the disk by default).
    """
    errors = PlanErrors()
    gathered = gather(source, root or os.path.dirname(source.path) or ".", errors, reading)
    names = Names(errors)
    _define(gathered.statements, tuple(passed), names, errors)
    drafted = _Draft(Drafter(names, errors))
    drafted.read(gathered.statements)
    comparisons = tuple(drafted.comparisons.values())
    claims = tuple(_claims(gathered.statements, names, ClaimEvidence(comparisons), errors))
    plan = Plan(
        version=VERSION,
        script=source.path,
        datasets=(*_of_kind(names, Dataset), *_unopened(names), *names.bundled.values()),
        suites=_of_kind(names, Suite),
        learners=(*_of_kind(names, Learner), *names.catalogue.values()),
        results=_of_kind(names, ResultsTable),
        predictions=_of_kind(names, PredictionsTable),
        comparisons=comparisons,
        claims=claims,
        simulations=tuple(drafted.simulations),
        outputs=tuple(drafted.outputs),
        families=families(comparisons),
        allow=tuple(drafted.allow),
    )
    asked = sum(isinstance(statement, nodes.ClaimStatement) for statement, _ in gathered.statements)
    unclaimed = {f"claim-{number}" for number in range(1, asked + 1)} - {claim.name for claim in claims}
    unplanned = (*gathered.unread, *drafted.unplanned, *sorted(unclaimed))
    return Built(plan, gathered.findings + tuple(errors.findings), gathered.sources, unplanned)


def _define(statements: Statements, passed: tuple[PassedValue, ...], names: Names, errors: PlanErrors) -> None:
    """Definitions first: only `set` depends on order."""
    estimators = {one.name: one.target for one in passed if one.kind == "learner"}
    for statement, included in statements:
        record: Definition
        if isinstance(statement, nodes.DatasetStatement):
            record = definitions.dataset(statement, included, errors)
        elif isinstance(statement, nodes.SuiteStatement):
            record = definitions.suite(statement, included, errors)
        elif isinstance(statement, nodes.LearnerStatement):
            record = learner(statement, included, errors, estimators)
        elif isinstance(statement, nodes.ResultsStatement):
            record = definitions.results(statement, included, errors)
        elif isinstance(statement, nodes.PredictionsStatement):
            record = definitions.predictions(statement, included, errors)
        else:
            continue
        names.define(statement.name, record)
    for one in passed:
        names.add_passed(one)
    for statement, _ in statements:
        for member in statement.members if isinstance(statement, nodes.SuiteStatement) else ():
            found = names.data(member)
            if found is not None and not isinstance(found, Dataset):
                errors.invalid(member.span, f"{member.text} is not a dataset", "a suite holds datasets")


_Later = tuple[nodes.SimulateStatement, Clauses] | tuple[nodes.ReportStatement, None]


class _Draft:
    """Comparisons, simulations and outputs in the order of the script, each under the `set` above it in its file."""

    def __init__(self, drafter: Drafter) -> None:
        self.drafter = drafter
        self.errors = drafter.errors
        self.kept: dict[str, SetClauses] = {}  # by file
        self.comparisons: dict[str, Comparison] = {}
        self.unplanned: list[str] = []
        self.whole: Comparison | None = None  # the first that is corrected over everything
        self.simulations: list[Simulation] = []
        self.outputs: list[Output] = []
        self.allow: list[Allowance] = []

    def read(self, statements: Statements) -> None:
        number = 0
        later: list[_Later] = []
        for statement, _ in statements:
            kept = self.kept.get(statement.span.path, {})
            if isinstance(statement, nodes.SetStatement):
                self._set(statement, kept)
            elif isinstance(statement, nodes.IncludeStatement):
                self.allow += Clauses(statement.clauses).allowances(self.errors, everywhere=True)
            elif isinstance(statement, nodes.CompareStatement | nodes.EstimateStatement):
                number += 1
                word = "compare" if isinstance(statement, nodes.CompareStatement) else "estimate"
                name = f"{word}-{number}"
                self._keep(name, self.drafter.draft(statement, name, Clauses(statement.clauses, kept)))
            elif isinstance(statement, nodes.SimulateStatement):
                later.append((statement, Clauses(statement.clauses, kept)))
            elif isinstance(statement, nodes.ReportStatement):
                later.append((statement, None))
        self._finish(later)

    def _finish(
        self, later: list[tuple[nodes.SimulateStatement, Clauses] | tuple[nodes.ReportStatement, None]]
    ) -> None:
        """What names comparisons, which may stand below it."""
        simulated = any(isinstance(statement, nodes.SimulateStatement) for statement, _ in later)
        rows = rows_known(self.drafter.names) if simulated else {}
        for statement, clauses in later:
            if isinstance(statement, nodes.SimulateStatement) and clauses is not None:
                name = f"simulate-{len(self.simulations) + 1}"
                planned = plan_simulation(statement, name, clauses, self.comparisons, rows, self.errors)
                self.simulations.append(planned)
            elif isinstance(statement, nodes.ReportStatement):
                self.outputs.append(plan_output(statement, self.comparisons, self.errors))

    def _set(self, statement: nodes.SetStatement, kept: SetClauses) -> None:
        clause = statement.clause
        self.allow += Clauses((clause, *statement.clauses)).allowances(self.errors, everywhere=True)
        tuning = (nodes.TuneOn, nodes.TuneUsing)
        replaced = tuning if isinstance(clause, tuning) else ()
        others = {kind: one for kind, one in kept.items() if kind not in replaced}
        self.kept[statement.span.path] = {**others, type(clause): clause}

    def _keep(self, name: str, drafted: Comparison | None) -> None:
        if drafted is None:
            self.unplanned.append(name)
            return
        if drafted.name in self.comparisons:
            self.errors.defined_twice(drafted.span_of("as"), drafted.name, "as the name of a comparison")
            return
        self._agree(drafted)
        self.comparisons[drafted.name] = drafted

    def _agree(self, drafted: Comparison) -> None:
        """`over everything` makes one family, which is corrected in one way."""
        mine = drafted.correction
        if mine is None or "everything" not in mine.over:
            return
        if self.whole is None:
            self.whole = drafted
        theirs = self.whole.correction
        if theirs is not None and theirs.method != mine.method:
            message = f"everything is already corrected by {theirs.method} in {self.whole.name}"
            self.errors.conflict(mine.span, message, f"write {theirs.method} over everything here too")


def _claims(statements: Statements, names: Names, evidence: ClaimEvidence, errors: PlanErrors) -> Iterator[Claim]:
    number = 0
    for statement, _ in statements:
        if isinstance(statement, nodes.ClaimStatement):
            number += 1
            found = plan_claim(statement, number, names, evidence, errors)
            if found is not None:
                yield found


def _unopened(names: Names) -> tuple[Dataset, ...]:
    """What stands for the datasets of suites until these are opened."""
    return tuple([replace(one, used=suite.used) for suite in _of_kind(names, Suite) for one in suite.each])


def _of_kind(names: Names, kind: type[D]) -> tuple[D, ...]:
    """The definitions of a kind, with whether anything uses them."""
    return tuple(
        [
            record if name in names.used else replace(record, used=False)
            for name, record in names.definitions.items()
            if isinstance(record, kind)
        ]
    )


_ENDINGS = (*(ending for one in FORMATS if one.asked != "command" for ending in one.endings), "/")
LONGEST_PATH, LONGEST_NAME = 1000, 230  # a name of 255 bytes is the most, and the report is written beside it first
_BY_NAME = "name a comparison by its `as` name, or compare-1 for the first"


def plan_output(statement: nodes.ReportStatement, comparisons: Mapping[str, Comparison], errors: PlanErrors) -> Output:
    """A report statement."""
    subject, path = statement.subject, statement.to.value
    if subject is not None and subject.text not in comparisons:
        errors.unknown_name(subject.span, "comparison", subject.text, comparisons, _BY_NAME)
    if len(path) > LONGEST_PATH or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in path.split("/")):
        errors.invalid(
            statement.to.span, "no file system takes a name of this length", "shorten the name of the report"
        )
    if statement.format is None and not path.endswith(_ENDINGS):
        help = "end it in .html, .md, .tex or .json, or add as html"
        errors.invalid(statement.to.span, f'"{path}" does not say which format to write', help)
    return Output(
        subject=subject.text if subject else None,
        path=path,
        format=statement.format,
        allow=Clauses(statement.clauses).allowances(errors),
        span=statement.span,
    )
