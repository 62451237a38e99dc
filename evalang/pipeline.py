"""A script from text to result, step by step; the command line and Python both start here.

    plan_script        parse, build, lint the design
    open_data          open datasets and tables, lint the data
    run_fits           train what is not in the store yet
    score              predictions to scores
    judge (verdicts)   test, correct, decide
    lint_result        lint the result

docs/architecture.md follows one sentence through these steps.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from . import __version__
from .data.access import Access, OnRead
from .data.given_predictions import GivenPredictions
from .data.given_results import GivenResults
from .data.load import load, open_suites
from .data.profile import dataset_facts, opened_dataset, profiles
from .data.profile_facts import Profile, TableFacts
from .data.table import Table
from .errors import EvalangError, RunError, ScriptError
from .findings.engine import lint, refuse
from .findings.lint_report import LintReport
from .language.text import SourceText
from .ledger.entries import RunLedger
from .ledger.guarded import check_guarded, record_answer
from .ledger.history import Project
from .plans.build import Built, build
from .plans.cost import NAME as COST_FILE
from .plans.cost import PlanCost
from .plans.cost import dumps as dumps_cost
from .plans.description import dumps, fingerprint
from .plans.model import Comparison, Plan
from .plans.names import PassedValue
from .plans.opened_data import refuse_unbuilt, with_opened_data, with_suite_members
from .plans.passwords import mask_passwords
from .results.records import Estimate, SimulationOutcome, Stopped
from .results.run_result import RunResult
from .scores.evidence import Evidence
from .scores.export import StoredTrials, export
from .scores.metrics import score_candidate
from .scores.records import add_score_records
from .scores.score_table import ScoreTable
from .trials.capture import resident
from .trials.check import inspect_code
from .trials.files import write_whole
from .trials.folder import FailedTrial, Outcome, keep_cells
from .trials.identity import versions
from .trials.learners import Trust, check_trust
from .trials.options import Progress, RunOptions, compares_times
from .trials.own_code import LocalCode, lies_beside, read_local
from .trials.pool import worker_count
from .trials.prepare import prepare_whole, prepared_of
from .trials.run import run as run_trials
from .trials.splits import folds
from .verdicts.estimates import with_shuffled
from .verdicts.feasibility import refuse_infeasible
from .verdicts.given_evidence import existing_evidence, facts_of, load_existing, opened_table
from .verdicts.judge import judge, slow_steps, with_conditions
from .verdicts.planned_tests import TestId
from .verdicts.records import add_evidence_records
from .verdicts.simulation import Units, simulate
from .verdicts.thresholdout import ROWS_AN_OPENING, guarded_estimates, rows_needed

T = TypeVar("T")
Given = GivenResults | GivenPredictions


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the caller allows and wants; a script cannot set any of it."""

    options: RunOptions = field(default_factory=RunOptions)
    data_root: Path | None = None
    allow_net: tuple[str, ...] = ()
    passed: tuple[PassedValue, ...] = ()  # names that Python passes
    values: Mapping[str, object] = field(default_factory=dict, repr=False)  # the objects behind these names
    progress: Callable[[Progress], None] | None = None
    reading: OnRead | None = None  # called while a file is read
    tables: dict[Any, Any] = field(default_factory=dict, repr=False)  # tables of other tools that are read already
    on_plan: Callable[[Built], None] | None = None  # called with the plan before it is linted
    on_findings: Callable[[LintReport], None] | None = None  # of the design, then of the data, before any fit
    on_trials: Callable[[Outcome], None] | None = None  # called when all trials are done
    on_note: Callable[[str], None] | None = None
    ledger: Project | None = None  # None: no ledger is kept
    ledger_off: str = ""  # why not, where the user switched it off
    ledger_read_only: bool = False  # the ledger is read for the rules and the levels, and nothing is added
    strict: bool = False  # the rules' strict levels, also without `set strict`
    beside: bool = False  # a Python file beside the script is trusted if the script names its class
    export: bool = False  # scores, splits and predictions as Parquet (CSV without pyarrow) into the run folder

    def note(self, texts: Iterable[str]) -> None:
        """Forward notes to the callback."""
        for text in texts if self.on_note is not None else ():
            self.on_note(text)  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class PlannedScript:
    """The plan with every default written out, and the findings of the design."""

    source: SourceText
    built: Built
    report: LintReport


@dataclass(frozen=True, slots=True)
class LoadedData:
    """The plan completed from its data, the datasets with their profiles, and given results and predictions."""

    built: Built
    tables: Mapping[str, Table]
    profiles: Mapping[str, Profile]
    given: Mapping[str, Given]  # by comparison

    @property
    def facts(self) -> Mapping[str, TableFacts]:
        """What the rules may know of given results and predictions."""
        return facts_of(self.given)


@dataclass(frozen=True, slots=True)
class OpenedScript:
    """The plan with its data, the findings about both, and the ledger of this run."""

    source: SourceText
    data: LoadedData
    built: Built
    report: LintReport
    existing: Mapping[str, Evidence]  # from given results and predictions
    ledger: RunLedger
    rows: Mapping[str, Any]  # hashes by which the ledger recognises the rows
    options: RunOptions  # with what is known of own code

    @property
    def plan(self) -> Plan:
        """The plan that is run and judged, at the levels that earlier tests of the same rows leave."""
        return self.built.plan

    @property
    def tables(self) -> Mapping[str, Table]:
        """The datasets."""
        return self.data.tables


@dataclass(frozen=True, slots=True)
class FittedScript:
    """The plan that was run, and its trials in their store (None: nothing is trained).

    The plan has one comparison more for each repeat of `estimate … by randomization` on shuffled labels.
    """

    plan: Plan
    outcome: Outcome | None
    stops: Mapping[TestId, Stopped] = field(default_factory=dict)  # verdicts that `until settled` ended early


@dataclass(frozen=True, slots=True)
class ScoredScript:
    """The score tables of the script's comparisons, and all evidence: theirs, on shuffled labels, of given tables."""

    tables: Mapping[str, ScoreTable]
    evidence: Mapping[str, Evidence]


class Interrupted(RunError):
    """The user pressed Ctrl-C; finished trials are kept."""

    exit_code = 130


def run_script(source: SourceText, request: Request) -> RunResult:
    """Return the result of a script. Raises Refused for findings that are errors, RunError when the run was stopped."""
    started = _now()
    opened = open_script(source, request)
    with error_positions(opened.built):
        refuse_infeasible(opened.plan, opened.tables)
    simulations = simulate_all(opened)  # before any training: what cannot be simulated stops here
    opened.ledger.record_start(opened.plan, ((a.finding.code, a.reason) for a in opened.report.allowed))
    check_guarded_holdouts(opened)
    fitted = run_fits(opened, request)
    scored = score(opened, fitted, request)
    answers = answer_guarded(opened, scored)
    scored = _without_guarded(opened.plan, scored)
    opened = record_looks(opened)
    request.note(slow_steps(opened.plan, scored.evidence))
    judged = judge(opened.plan, scored.evidence, fitted.stops)
    result = RunResult(
        plan=opened.plan,
        verdicts=judged.verdicts,
        estimates=(*judged.estimates, *answers),
        claims=judged.claims,
        rankings=judged.rankings,
        simulations=simulations,
        prepared=prepared_of(opened.plan, opened.tables),
        facts=tuple(dataset_facts(found) for found in opened.data.profiles.values()),
        environment=(*versions(__version__), *_other_kernels(fitted.outcome)),
        sources=tuple((path, mask_passwords(found.text)) for path, found in opened.built.sources.items()),
        started=started,
        trials=fitted.outcome.ran if fitted.outcome else 0,
        reused=fitted.outcome.reused if fitted.outcome else 0,
        ledger=opened.ledger.status,
        head=opened.ledger.head,
        looks=opened.ledger.look_counts(opened.plan),
        frozen=opened.ledger.frozen_as,
    )
    result = add_score_records(result, scored.tables)
    result = add_evidence_records(result, scored.evidence)
    return lint_result(opened, result, request.strict)


def plan_script(source: SourceText, request: Request) -> PlannedScript:
    """Parse, build and lint a script; errors and code that is not trusted stop here, before any data is read."""
    built = build(source, passed=request.passed)
    if request.on_plan is not None:
        request.on_plan(built)
    report = lint(built, strict=request.strict)
    refuse(report)
    if request.on_findings is not None:
        request.on_findings(report)
    if not built.plan.comparisons and not built.plan.simulations:
        raise ScriptError(
            "this script has no `compare` or `estimate` statement",
            hint="add one, such as `compare decision-tree vs naive-bayes on breast-cancer`",
        )
    used = {name for c in built.plan.comparisons for name in c.learners}
    trusted = trusted_packages(built.plan, source, request)
    for package in sorted(trusted - request.options.trusted):
        request.note([f"uses `{package}`, a Python file beside the script that the script names"])
    with error_positions(built):
        for step in (step for x in built.plan.learners if x.name in used for step in x.steps):
            check_trust(step, trusted, os.path.dirname(source.path) or ".")
    return PlannedScript(source, built, report)


def open_script(source: SourceText, request: Request) -> OpenedScript:
    """Plan a script, construct trusted learners once, and open its data."""
    planned = plan_script(source, request)
    with error_positions(planned.built):
        trust = trust_of(planned.built.plan, source, request)
        code = inspect_code(planned.built.plan, trust, request.options)
    options = replace(request.options, objects=trust.objects, local=trust.local, code=code, trusted=trust.packages)
    return open_data(planned, replace(request, options=options))


def open_data(planned: PlannedScript, request: Request) -> OpenedScript:
    """Open every dataset and table that a comparison uses, read the ledger, and lint the data."""
    data = load_data(planned, request)
    rows = _row_hashes(data)
    ledger = RunLedger(
        request.ledger, request.ledger_off, lambda text: request.note([text]), read_only=request.ledger_read_only
    )
    with error_positions(data.built):
        built = replace(data.built, plan=ledger.open(data.built.plan, rows))
    report = lint(
        built,
        profiles=data.profiles,
        past=ledger.past,
        before=planned.report,
        tables=data.facts,
        strict=request.strict,
    )
    refuse(report)
    if request.on_findings is not None:  # a leak is reported before the first fit
        request.on_findings(report.without(planned.report.findings))
    # What was left out of given files; differences between them are findings.
    tables = dict.fromkeys(t.facts for t in data.given.values() if isinstance(t, GivenResults) and t.facts is not None)
    request.note(f"{one.name}: {text}" for one in tables for text in one.omitted)
    with error_positions(built):
        existing = existing_evidence(built.plan, data.given)
    return OpenedScript(planned.source, data, built, report, existing, ledger, rows, request.options)


def load_data(planned: PlannedScript, request: Request) -> LoadedData:
    """Load the data of a plan and complete the plan from it; `lint --data` needs no more."""
    access = _access(planned.source, request)
    with error_positions(planned.built):
        refuse_unbuilt(planned.built.plan)
        built = planned.built
        if any(s.each for s in built.plan.suites):
            suites = open_suites(built.plan, access)
            request.note(suites.notes)
            built = with_suite_members(built, suites.members)
        used = {name for c in built.plan.comparisons if c.data == "datasets" for name in c.datasets}
        tables = {
            d.name: prepare_whole(load(d, access=access), d.prepared_by) for d in built.plan.datasets if d.name in used
        }
        given = load_existing(built.plan, access)
    request.note(dict.fromkeys(access.notes))
    datasets = {name: opened_dataset(table) for name, table in tables.items()}
    built = with_opened_data(built, datasets, {name: opened_table(table) for name, table in given.items()})
    found = profiles(tables)
    tables = {name: replace(table, dropped=None) for name, table in tables.items()}  # only profiles need them
    return LoadedData(built, tables, found, given)


def simulate_all(opened: OpenedScript) -> tuple[SimulationOutcome, ...]:
    """Run the `simulate` statements."""
    plan = opened.plan
    existing_by_comparison = {
        c.name: (c.data, opened.existing[c.name]) for c in plan.comparisons if c.name in opened.existing
    }
    units = Units(
        rows={name: table.rows for name, table in opened.tables.items()},
        predicted={
            name: int(e.sizes("")[1]) for name, (data, e) in existing_by_comparison.items() if data == "predictions"
        },
        datasets={name: len(e.datasets) for name, (data, e) in existing_by_comparison.items() if data == "results"},
    )
    with error_positions(opened.built):
        return tuple(outcome for one in plan.simulations for outcome in simulate(plan, one, units))


def run_fits(opened: OpenedScript, request: Request) -> FittedScript:
    """Run every trial that is not in the store yet."""
    plan, tables = with_shuffled(opened.plan, opened.tables)
    if not tables:
        return FittedScript(plan, None)
    options = opened.options
    if options.folder is not None:
        files = {"script.eval": mask_passwords(opened.source.text), "plan.json": dumps(opened.plan)}
        options = replace(options, files=files)

    def trials(now: Plan, folder: Path | None = None) -> Outcome:
        resumed = options if folder is None else replace(options, fresh=False, folder=folder)
        with error_positions(opened.built):
            return run_trials(now, tables, resumed, score_candidate, request.progress)

    stops: Mapping[TestId, Stopped] = {}
    if any(c.until_settled for c in plan.comparisons):
        from .verdicts.until_settled import run_until_settled

        plan, outcome, stops = run_until_settled(plan, trials, request.note)
    else:
        outcome = trials(plan)
    request.note(outcome.notes)
    keep_cells(outcome.layout, outcome.folder, durable=options.folder is not None)
    if request.on_trials is not None:
        request.on_trials(outcome)
    if not outcome.complete:
        raise (Interrupted if outcome.interrupted else RunError)("the run was stopped", hint=outcome.resume)
    return FittedScript(plan, outcome, stops)


def score(opened: OpenedScript, fitted: FittedScript, request: Request) -> ScoredScript:
    """Score the predictions of the trials, and export them where that is asked for."""
    if fitted.outcome is None:
        return ScoredScript({}, opened.existing)
    all_tables = {c.name: ScoreTable(c, fitted.outcome) for c in fitted.plan.comparisons if c.data == "datasets"}
    tables = {c.name: all_tables[c.name] for c in opened.plan.comparisons if c.name in all_tables}
    seen = {c.name: all_tables[c.name] for c in opened.plan.comparisons if c.name in all_tables and not c.guarded}
    if seen and request.export and request.options.folder is not None:
        export(seen, StoredTrials(request.options.folder, opened.plan), request.options.folder)
    return ScoredScript(tables, {**opened.existing, **all_tables})


def record_looks(opened: OpenedScript) -> OpenedScript:
    """Record the use of the test rows before verdicts are made; another run may have changed the levels meanwhile."""
    with error_positions(opened.built):
        plan = opened.ledger.record_looks(opened.data.built.plan, opened.rows)
    return opened if plan is None else replace(opened, built=replace(opened.built, plan=plan))


def check_guarded_holdouts(opened: OpenedScript) -> None:
    """Refuse guarded holdouts that have too few rows or no budget left, before anything is trained."""
    for c in _guarded(opened.plan):
        needed = rows_needed(c.scheme.looks or 0) if c.scheme else None
        sizes = _guarded_sizes(opened, c)
        check_guarded(opened.plan, c, opened.ledger.writable, opened.rows, sizes, needed, ROWS_AN_OPENING)


def _guarded_sizes(opened: OpenedScript, c: Comparison) -> dict[str, tuple[int, int]]:
    """Return the training and test rows of each dataset of a guarded holdout."""
    assert c.scheme is not None
    last = {d: folds(c.scheme, opened.tables[d], c.seed.value if c.seed else 0)[-1] for d in c.datasets}
    return {name: (len(fold.train), len(fold.test)) for name, fold in last.items()}


def answer_guarded(opened: OpenedScript, scored: ScoredScript) -> tuple[Estimate, ...]:
    """Return the estimates of guarded holdouts; a question that was asked before gets the same answer."""
    project = opened.ledger.writable
    if project is None:
        return ()
    answers: list[Estimate] = []
    for c in _guarded(opened.plan):
        most = {name: test // ROWS_AN_OPENING for name, (_, test) in _guarded_sizes(opened, c).items()}
        record = partial(record_answer, opened.plan, c, project, opened.rows, most)
        answers += guarded_estimates(c, scored.evidence[c.name], record)
    return tuple(answers)


def lint_result(opened: OpenedScript, result: RunResult, strict: bool = False) -> RunResult:
    """Return the result with its findings, and with conditions under the verdicts that depend on them."""
    report = lint(
        opened.built,
        profiles=opened.data.profiles,
        past=opened.ledger.past,
        run=result,
        before=opened.report,
        tables=opened.data.facts,
        strict=strict,
    )
    return replace(
        result,
        verdicts=with_conditions(result.verdicts, report.conditions),
        estimates=with_conditions(result.estimates, report.conditions),
        findings=report.findings,
        passed=tuple(p.code for p in report.passed),
        not_applicable=tuple((s.code, s.reason) for s in report.not_applicable),
        allowed=tuple((a.finding, a.reason) for a in report.allowed),
        finished=_now(),
    )


def run_pilot(opened: OpenedScript, request: Request, written: Plan) -> tuple[PlanCost, tuple[FailedTrial, ...]]:
    """Run a few trials of each learner on each dataset; return their cost, also stored in the run folder, and failures.

    The run uses these trials, which have the keys of the plan. Nothing is scored, so a pilot does not count as a test.
    """
    plan, tables = with_shuffled(opened.plan, opened.tables)
    before = resident() or 0
    options = opened.options
    with error_positions(opened.built):
        outcome = run_trials(plan, tables, options, score_candidate, request.progress)
    request.note(outcome.notes)
    if outcome.interrupted:
        raise Interrupted("the pilot was stopped", hint="finished fits are kept, and the run uses them")
    assert outcome.pace is not None
    jobs = 1 if options.jobs is None and compares_times(plan) else max(1, worker_count(options))
    cost = PlanCost(
        fingerprint=fingerprint(written),
        jobs=jobs,
        resident=before,
        cells=outcome.pace.costs(),
        places=tuple((comparison, place) for (comparison, _, _), place in outcome.layout.places.items()),
    )
    if options.folder is not None:
        write_whole(options.folder / COST_FILE, dumps_cost(cost))
    return cost, outcome.failed


def with_counted_rows(built: Built, tables: Mapping[str, Table]) -> Built:
    """Return the plan with the rows that were counted, for sizes and power."""
    datasets = tuple(
        replace(d, rows=tables[d.name].rows) if d.name in tables and d.rows is None else d for d in built.plan.datasets
    )
    return replace(built, plan=replace(built.plan, datasets=datasets))


def trusted_packages(plan: Plan, source: SourceText, request: Request) -> frozenset[str]:
    """Return the packages that may run: those named by the caller, and files beside the script that it names."""
    folder = LocalCode(folder=os.path.dirname(source.path) or ".")
    own = request.beside and os.path.isfile(source.path)
    steps = [step for learner in plan.learners for step in learner.steps if own and step.kind == "code"]
    named = {step.name.partition(":")[0].partition(".")[0] for step in steps}
    return request.options.trusted | {package for package in named if lies_beside(folder, package)}


def trust_of(plan: Plan, source: SourceText, request: Request) -> Trust:
    """Return the code that may run: packages, files beside the script, objects handed over from Python."""
    folder, trusted = Path(os.path.dirname(source.path) or "."), trusted_packages(plan, source, request)
    return Trust(packages=trusted, objects=request.values, local=read_local(folder, trusted))


@contextmanager
def error_positions(built: Built) -> Iterator[None]:
    """Add line and column to errors that have a span."""
    try:
        yield
    except EvalangError as error:
        found = built.sources.get(error.span.path)
        if found is not None and error.position is None:
            error.position = found.position(error.span.start)
        raise


def _other_kernels(outcome: Outcome | None) -> tuple[tuple[str, str], ...]:
    """Return workers whose last digits may differ, for the environment of the report."""
    return tuple((f"linear algebra on {worker}", name) for worker, name in (outcome.kernels if outcome else ()))


def _guarded(plan: Plan) -> tuple[Comparison, ...]:
    return tuple(c for c in plan.comparisons if c.guarded)


def _without_guarded(plan: Plan, scored: ScoredScript) -> ScoredScript:
    """Return the scores and evidence that may be shown: none of guarded holdouts."""
    hidden = {c.name for c in _guarded(plan)}

    def visible(found: Mapping[str, T]) -> dict[str, T]:
        return {name: one for name, one in found.items() if name not in hidden}

    return ScoredScript(visible(scored.tables), visible(scored.evidence))


def _row_hashes(data: LoadedData) -> dict[str, Any]:
    """Return the hashes of the rows of every dataset and given table, by name."""
    named = {c.name: c.datasets[0] for c in data.built.plan.comparisons if c.name in data.given}
    found = {name: table.row_hashes for name, table in data.tables.items()}
    found |= {named[name]: table.row_hashes for name, table in data.given.items() if name in named}
    return {name: hashes for name, hashes in found.items() if hashes is not None}


def _access(source: SourceText, request: Request) -> Access:
    return Access(
        root=Path(os.path.dirname(source.path) or "."),
        data_root=request.data_root,
        allow_net=request.allow_net,
        values=request.values,
        on_read=request.reading,
        tables=request.tables,
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
