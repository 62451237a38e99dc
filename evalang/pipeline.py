"""A script from text to result, one frozen value after the other. The command line and Python both come through here.

planned -> opened -> ran -> scored -> judged -> RunResult; docs/design/data-flow.md draws the same line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from . import __version__
from .data.access import Access, OnRead
from .data.load import load
from .data.profile import dataset_facts, known, profile
from .data.profile_facts import Profile, TableFacts
from .data.suites import open_suites
from .data.table import Table
from .errors import EvalangError, RunError, ScriptError
from .findings.engine import lint, refuse
from .findings.lint_report import LintReport
from .guard import admit, ask
from .language.text import SourceText
from .ledger.past import Past
from .plans.build import Built, build
from .plans.canonical import dumps, starred
from .plans.informed import informed, refuse_unbuilt, with_members
from .plans.model import Dataset, Plan
from .plans.names import Handed
from .remember import Project, Rows, begin, end, look_counts, recall, rows_of, spend
from .results.records import Stopped
from .results.run_result import KEPT, RunResult, SimulationOutcome
from .scores.export import KeptTrials, export
from .scores.given_predictions import GivenPredictions
from .scores.metrics.score import score_candidate
from .scores.results import GivenResults
from .scores.score_table import ScoreTable
from .trials.fit import check_code
from .trials.folder import Outcome, keep_cells
from .trials.identity import versions
from .trials.options import Progress, RunOptions
from .trials.pipeline import Trust, prepare_whole, prepared_of
from .trials.resolve import check_trust, read_local
from .trials.schedule import run as run_trials
from .verdicts import trial_records
from .verdicts.evidence import Evidence
from .verdicts.existing import existing_evidence, facts_of, known_table, load_existing
from .verdicts.judge import Judged, judge, waits, with_conditions
from .verdicts.simulation import Units, simulate
from .verdicts.tested import Member, refuse_foreseen, shuffled

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the caller allows and wants; none of it can come from the script."""

    options: RunOptions = field(default_factory=RunOptions)
    data_root: Path | None = None
    allow_net: tuple[str, ...] = ()
    handed: tuple[Handed, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict, repr=False)  # what the handed names stand for
    progress: Callable[[Progress], None] | None = None
    reading: OnRead | None = None  # hears how far a file is read
    tables: dict[Any, Any] = field(default_factory=dict, repr=False)  # scores of other tools that are read already
    planned: Callable[[Built], None] | None = None  # hears the plan before it is linted
    told: Callable[[LintReport], None] | None = None  # hears findings of the design, then of the data, before any fit
    kept: Callable[[Outcome], None] | None = None  # hears where the trials are
    noted: Callable[[str], None] | None = None  # hears what the run has to say besides its result
    ledger: Project | None = None  # None: none is kept
    uncounted: str = ""  # why not, where somebody switched it off
    export: bool = False  # scores, splits and predictions as Parquet (CSV without pyarrow) into the run folder

    def note(self, texts: Iterable[str]) -> None:
        """Say it to who listens."""
        for text in texts if self.noted is not None else ():
            self.noted(text)  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class Planned:
    """The script with every default written out, and what lint says of the design."""

    source: SourceText
    built: Built
    report: LintReport


@dataclass(frozen=True, slots=True)
class Opened:
    """The plan with what the data say, the tables, and what lint says of both."""

    source: SourceText
    built: Built
    report: LintReport
    tables: Mapping[str, Table]
    profiles: Mapping[str, Profile]
    existing: Mapping[str, Evidence]  # results and predictions that were already there
    past: Past | None  # what the ledger says
    read: Mapping[str, TableFacts]  # what results and predictions say of themselves
    rows: Rows  # what the ledger knows the rows again by
    unspent: Plan  # the plan before earlier looks took their part of the level

    @property
    def plan(self) -> Plan:
        """The plan that is run and judged."""
        return self.built.plan


@dataclass(frozen=True, slots=True)
class Ran:
    """The trials in their store (None when nothing is trained), and the plan with the shuffles they belong to."""

    plan: Plan
    outcome: Outcome | None
    stops: Mapping[Member, Stopped] = field(default_factory=dict)  # verdicts that `until settled` ended early


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of the script's comparisons, and all evidence: theirs, that of shuffles, what was already there."""

    tables: Mapping[str, ScoreTable]
    evidence: Mapping[str, Evidence]


def conduct(source: SourceText, request: Request) -> RunResult:
    """The result of a script. Raises Refused when lint says no, RunError when the run was stopped."""
    started = _now()
    planned = plan_script(source, request)
    placed(planned.built, partial(check_code, planned.built.plan, trust_of(source, request)))
    opened = open_data(planned, request)
    placed(opened.built, partial(refuse_foreseen, opened.plan, opened.tables))
    simulations = simulate_all(opened)  # before any training: what cannot be simulated stops here
    guarded = {c.name for c in opened.plan.comparisons if c.guarded}
    ledger, line = note_start(opened, request)
    if guarded:  # a ledger that cannot be written keeps no budget
        admit(opened.plan, opened.tables, opened.rows, request.ledger if line else None)
    ran = run_plan(opened, request)
    scored = score(opened, ran, request)
    asked = ask(opened.plan, scored.evidence, opened.rows, request.ledger) if guarded and request.ledger else ()
    scored = Scored(_without(guarded, scored.tables), _without(guarded, scored.evidence))
    opened, head = note_look(opened, request, line)
    request.note(waits(opened.plan, scored.evidence))
    judged = judge(opened.plan, scored.evidence, ran.stops)
    found = gather(opened, ran, scored, replace(judged, estimates=(*judged.estimates, *asked)))
    found = replace(found, simulations=simulations, started=started, ledger=ledger, head=head)
    return lint_run(opened, found)


def plan_script(source: SourceText, request: Request) -> Planned:
    """Parsed, built and linted; errors and code that is not trusted stop here, before anything is loaded."""
    built = build(source, handed=request.handed)
    if request.planned is not None:
        request.planned(built)
    report = lint(built)
    refuse(report)
    if request.told is not None:
        request.told(report)
    if not built.plan.comparisons and not built.plan.simulations:
        raise ScriptError("this script compares and estimates nothing", hint="add a compare statement")
    used = {name for c in built.plan.comparisons for name in c.learners}
    for step in (step for x in built.plan.learners if x.name in used for step in x.steps):
        placed(built, partial(check_trust, step, request.options.trusted))
    return Planned(source, built, report)


def open_data(planned: Planned, request: Request) -> Opened:
    """Every dataset that a comparison uses, opened; the plan and lint hear what it says."""
    built, tables, profiles, given = look(planned, request)
    rows = rows_of(tables, given, built.plan)
    past = recall(request.ledger, built.plan, rows)
    unspent = built.plan
    built = Built(placed(built, partial(spend, unspent, past)), built.findings, built.sources)
    report = lint(built, profiles=profiles, past=past, before=planned.report, tables=facts_of(given))
    refuse(report)
    if request.told is not None:  # a leak is heard of before the first fit
        request.told(report.without(planned.report.findings))
    _note_tables(given, request)
    existing: dict[str, Evidence] = placed(built, partial(existing_evidence, built.plan, given))
    return Opened(planned.source, built, report, tables, profiles, existing, past, facts_of(given), rows, unspent)


def look(
    planned: Planned, request: Request
) -> tuple[Built, dict[str, Table], dict[str, Profile], dict[str, GivenResults | GivenPredictions]]:
    """The plan with what its data say, the data, and the tables of results; `lint --data` goes no further."""
    access = _access(planned.source, request)
    placed(planned.built, partial(refuse_unbuilt, planned.built.plan))
    if any(s.each for s in planned.built.plan.suites):
        planned = replace(planned, built=_with_suites(planned.built, access, request))
    plan = planned.built.plan
    wanted = {name for c in plan.comparisons if c.data == "datasets" for name in c.datasets}
    tables = {d.name: placed(planned.built, partial(_open, d, access)) for d in plan.datasets if d.name in wanted}
    given = placed(planned.built, partial(load_existing, plan, access))
    told = {name: known(table) for name, table in tables.items()}
    built = informed(planned.built, told, {name: known_table(table) for name, table in given.items()})
    return built, tables, {name: profile(table) for name, table in tables.items()}, given


def _with_suites(built: Built, access: Access, request: Request) -> Built:
    """The plan with the datasets of folders and of OpenML's suites; files that are none are named."""
    suites = placed(built, partial(open_suites, built.plan, access))
    request.note(suites.notes)
    return with_members(built, suites.members)


def _note_tables(given: Mapping[str, GivenResults | GivenPredictions], request: Request) -> None:
    """What was not taken from the files of a table, or not as it stood; what they differ in is a finding."""
    facts = dict.fromkeys(t.facts for t in given.values() if isinstance(t, GivenResults) and t.facts is not None)
    request.note(f"{one.name}: {text}" for one in facts for text in one.omitted)


def simulate_all(opened: Opened) -> tuple[SimulationOutcome, ...]:
    """What the `simulate` statements ask for."""
    plan = opened.plan
    there = {c.name: (c.data, opened.existing[c.name]) for c in plan.comparisons if c.name in opened.existing}
    units = Units(
        rows={name: table.rows for name, table in opened.tables.items()},
        predicted={name: int(e.sizes("")[1]) for name, (data, e) in there.items() if data == "predictions"},
        datasets={name: len(e.datasets) for name, (data, e) in there.items() if data == "results"},
    )
    asked = (placed(opened.built, partial(simulate, plan, one, units)) for one in plan.simulations)
    return tuple(outcome for outcomes in asked for outcome in outcomes)


def note_start(opened: Opened, request: Request) -> tuple[str, str]:
    """Put the run into the ledger; what is said of it in the result, and the hash of its line ("": in no ledger)."""
    if request.ledger is None:
        return request.uncounted, ""
    try:
        return KEPT, begin(request.ledger, opened.plan, opened.report)
    except RunError as error:  # a folder that may not be written: the run can be had, and says that nobody counts it
        request.note([f"this run is in no ledger: {error.message}"])
        return error.message, ""


def note_look(opened: Opened, request: Request, line: str) -> tuple[Opened, str]:
    """Scores are about to be seen: the ledger counts it, and its place there says which look it is; the newest line.

    Written before the verdict, so that two runs at once are two looks, the later of them with the level that is left.
    """
    if request.ledger is None or not line or not opened.rows:
        return opened, ""
    head, past = end(request.ledger, opened.unspent, opened.rows, line)
    if past is None or opened.past is None or past.looks == opened.past.looks:
        return opened, head
    request.note(["another run has looked at these rows meanwhile: its look is counted before this one"])
    plan = placed(opened.built, partial(spend, opened.unspent, past))
    built = Built(plan, opened.built.findings, opened.built.sources)
    return replace(opened, built=built, past=past), head


def run_plan(opened: Opened, request: Request) -> Ran:
    """Every trial that is not in the store yet."""
    plan, tables = shuffled(opened.plan, opened.tables)
    if not tables:
        return Ran(plan, None)
    files = {"script.eval": starred(opened.source.text), "plan.json": dumps(opened.plan)}
    options = replace(request.options, files=files, handed=request.values, local=trust_of(opened.source, request).local)

    def trials(now: Plan, folder: Path | None = None) -> Outcome:
        kept = options if folder is None else replace(options, fresh=False, folder=folder)
        return placed(opened.built, partial(run_trials, now, tables, kept, score_candidate, request.progress))

    stops: Mapping[Member, Stopped] = {}
    if any(c.until_settled for c in plan.comparisons):
        from .verdicts.until_settled import run_looks

        plan, outcome, stops = run_looks(plan, trials, request.note)
    else:
        outcome = trials(plan)
    request.note(outcome.notes)
    keep_cells(outcome.layout, outcome.folder)
    if request.kept is not None:
        request.kept(outcome)
    if not outcome.complete:
        raise (Interrupted if outcome.interrupted else RunError)("the run was stopped", hint=outcome.resume)
    return Ran(plan, outcome, stops)


def score(opened: Opened, ran: Ran, request: Request) -> Scored:
    """Predictions become scores."""
    if ran.outcome is None:
        return Scored({}, opened.existing)
    every = {c.name: ScoreTable(c, ran.outcome) for c in ran.plan.comparisons if c.data == "datasets"}
    tables = {c.name: every[c.name] for c in opened.plan.comparisons if c.name in every}
    seen = _without({c.name for c in opened.plan.comparisons if c.guarded}, tables)
    if seen and request.export and request.options.folder is not None:
        export(seen, KeptTrials(request.options.folder, opened.plan), request.options.folder)
    return Scored(tables, {**opened.existing, **every})


def _without(hidden: set[str], found: Mapping[str, T]) -> dict[str, T]:
    """What may be seen: nothing of a guarded test part but its answers."""
    return {name: one for name, one in found.items() if name not in hidden}


def gather(opened: Opened, ran: Ran, scored: Scored, judged: Judged) -> RunResult:
    """Everything a report says, in one value."""
    tables = scored.tables
    return RunResult(
        plan=opened.plan,
        verdicts=judged.verdicts,
        estimates=judged.estimates,
        claims=judged.claims,
        rankings=judged.rankings,
        failures=trial_records.failures_of(tables),
        **trial_records.scores_of(tables, opened.plan, scored.evidence),
        items=trial_records.items_of(opened.plan, scored.evidence),
        runs=trial_records.runs_of_seeds(opened.plan, scored.evidence),
        partitions=trial_records.partition_results(opened.plan, scored.evidence),
        curves=trial_records.curves_of(tables),
        candidates=trial_records.candidates_of(tables),
        choices=trial_records.choices_of(tables),
        costs=trial_records.costs_of(tables),
        prepared=prepared_of(opened.plan, opened.tables),
        baselines=trial_records.baselines_of(tables),
        facts=tuple(dataset_facts(found) for found in opened.profiles.values()),
        warnings=trial_records.warnings_of(tables),
        environment=versions(__version__),
        sources=tuple((path, starred(found.text)) for path, found in opened.built.sources.items()),
        trials=ran.outcome.ran if ran.outcome else 0,
        reused=ran.outcome.reused if ran.outcome else 0,
        looks=look_counts(opened.plan, opened.past),
        frozen=opened.past.frozen_as if opened.past is not None else (),
    )


def lint_run(opened: Opened, found: RunResult) -> RunResult:
    """The result with what lint says of it: findings, and conditions under the verdicts that rest on them."""
    report = lint(
        opened.built,
        profiles=opened.profiles,
        past=opened.past,
        run=found,
        before=opened.report,
        tables=opened.read,
    )
    return replace(
        found,
        verdicts=with_conditions(found.verdicts, report.conditions),
        estimates=with_conditions(found.estimates, report.conditions),
        findings=report.findings,
        passed=tuple(p.code for p in report.passed),
        not_applicable=tuple((s.code, s.reason) for s in report.not_applicable),
        allowed=tuple((a.finding, a.reason) for a in report.allowed),
        finished=_now(),
    )


class Interrupted(RunError):
    """Somebody pressed Ctrl-C; what was finished is kept."""

    exit_code = 130


def trust_of(source: SourceText, request: Request) -> Trust:
    """The code that may run: packages, files beside the script, what Python hands over."""
    folder, trusted = Path(os.path.dirname(source.path) or "."), request.options.trusted
    return Trust(packages=trusted, handed=request.values, local=read_local(folder, trusted))


def _access(source: SourceText, request: Request) -> Access:
    """What the data layer may reach for this script."""
    return Access(
        root=Path(os.path.dirname(source.path) or "."),
        data_root=request.data_root,
        allow_net=request.allow_net,
        values=request.values,
        on_read=request.reading,
        tables=request.tables,
    )


def _open(dataset: Dataset, access: Access) -> Table:
    return prepare_whole(load(dataset, access=access), dataset.prepared_by)


def placed(built: Built, work: Callable[[], T]) -> T:
    """Do it, and give an error that knows its span the line and column too."""
    try:
        return work()
    except EvalangError as error:
        found = built.sources.get(error.span.path)
        if found is not None and error.position is None:
            error.position = found.position(error.span.start)
        raise


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
