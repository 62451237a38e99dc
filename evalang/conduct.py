"""A script from text to result: planned, linted, run, judged. The command line and Python both come through here."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from . import __version__
from .data.access import Access
from .data.facts import Profile
from .data.load import load
from .data.profile import profile
from .data.table import Table
from .errors import EvalangError, Refused, RunError, ScriptError
from .findings.engine import lint
from .findings.report import LintReport
from .plans.address import starred
from .plans.build import Built, build
from .plans.canonical import dumps
from .plans.model import Dataset, Plan, Step
from .plans.names import Handed, Known
from .results.run_result import DatasetFacts, RunResult, SimulationOutcome
from .scores.export import export
from .scores.judge import judge as judge_candidate
from .scores.table import ScoreTable
from .source.text import Source
from .trials.environment import environment
from .trials.options import Progress, RunOptions
from .trials.outcome import Outcome
from .trials.prepare_whole import prepare_whole
from .trials.schedule import run as run_trials
from .verdicts.conditions import with_conditions
from .verdicts.evidence import Evidence
from .verdicts.existing import existing_evidence
from .verdicts.judge import judge
from .verdicts.partition_results import partition_results
from .verdicts.shuffled_labels import shuffled
from .verdicts.simulation import Units, simulate
from .verdicts.trial_records import baselines_of, candidates_of, curves_of, failures_of, scores_of, warnings_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the caller allows and wants; none of it can come from the script."""

    options: RunOptions = field(default_factory=RunOptions)
    data_root: Path | None = None
    allow_net: bool = False
    handed: tuple[Handed, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict, repr=False)  # what the handed names stand for
    progress: Callable[[Progress], None] | None = None
    told: Callable[[LintReport], None] | None = None  # hears the design-stage findings before anything is loaded
    noted: Callable[[str], None] | None = None  # hears what the run has to say besides its result
    export: bool = False  # scores, splits and predictions as Parquet (CSV without pyarrow) into the run folder


def conduct(source: Source, request: Request) -> RunResult:
    """The result of a script. Raises Refused when lint says no, RunError when the run was stopped."""
    started = _now()
    built = build(source, handed=request.handed)
    report = lint(built)
    refuse(report)
    if request.told is not None:
        request.told(report)
    _runnable(built.plan)
    _trusted(built, request)
    access = access_of(source, request)
    tables = load_tables(built, access)
    profiles = {name: profile(table) for name, table in tables.items()}
    built = build(source, handed=request.handed, known={name: known(table) for name, table in tables.items()})
    report = lint(built, profiles=profiles)
    refuse(report)
    evidence: dict[str, Evidence] = _placed(built, partial(existing_evidence, built.plan, access))
    simulations = _simulations(built, tables, evidence)  # before any training: what cannot be simulated stops here
    plan, every = shuffled(built.plan, tables)
    outcome = _run(plan, built, source, every, request)
    repeated = score_tables(plan, outcome)
    evidence.update(repeated)
    scores = {c.name: repeated[c.name] for c in built.plan.comparisons if c.name in repeated}
    if request.export and outcome is not None and request.options.folder is not None:
        export(scores, outcome, request.options.folder)
    judged = judge(built.plan, evidence)
    found = RunResult(
        plan=built.plan,
        verdicts=judged.verdicts,
        estimates=judged.estimates,
        claims=judged.claims,
        rankings=judged.rankings,
        failures=failures_of(scores),
        scores=scores_of(scores),
        partitions=partition_results(built.plan, evidence),
        curves=curves_of(scores),
        candidates=candidates_of(scores),
        baselines=baselines_of(scores),
        facts=tuple(_facts(found) for found in profiles.values()),
        simulations=simulations,
        warnings=warnings_of(scores),
        environment=_environment(),
        sources=tuple((path, starred(found.text)) for path, found in built.sources.items()),
        started=started,
        trials=outcome.ran if outcome else 0,
        reused=outcome.reused if outcome else 0,
    )
    report = lint(built, profiles=profiles, run=found)
    return dataclasses.replace(
        found,
        verdicts=with_conditions(judged.verdicts, report.conditions),
        estimates=with_conditions(judged.estimates, report.conditions),
        findings=report.findings,
        passed=tuple(p.code for p in report.passed),
        not_applicable=tuple((s.code, s.reason) for s in report.not_applicable),
        allowed=tuple((a.finding, a.reason) for a in report.allowed),
        finished=_now(),
    )


def _simulations(
    built: Built, tables: Mapping[str, Table], evidence: Mapping[str, Evidence]
) -> tuple[SimulationOutcome, ...]:
    plan = built.plan
    if not plan.simulations:
        return ()
    there = {c.name: (c.data, evidence[c.name]) for c in plan.comparisons if c.name in evidence}
    units = Units(
        rows={name: table.rows for name, table in tables.items()},
        predicted={name: int(e.sizes("")[1]) for name, (data, e) in there.items() if data == "predictions"},
        datasets={name: len(e.datasets) for name, (data, e) in there.items() if data == "results"},
    )
    return tuple(o for asked in plan.simulations for o in _placed(built, partial(simulate, plan, asked, units)))


def score_tables(plan: Plan, outcome: Outcome | None) -> dict[str, ScoreTable]:
    """The scores of every comparison that was run."""
    if outcome is None:
        return {}
    return {c.name: ScoreTable(c, outcome) for c in plan.comparisons if c.data == "datasets"}


def refuse(report: LintReport) -> None:
    """Stop before anything is spent when lint found errors."""
    errors = report.errors
    if not errors:
        return
    message = f"lint found {len(errors)} error{'s' * (len(errors) != 1)}, so nothing was run"
    hint = 'repair them, or keep one on purpose with allow CODE because "…"'
    if any(f.code == "EV001" for f in errors):
        raise ScriptError(message, hint="correct what cannot be read", findings=report.findings)
    raise Refused(message, hint=hint, findings=report.findings)


def _runnable(plan: Plan) -> None:
    if not plan.comparisons and not plan.simulations:
        raise ScriptError("this script compares and estimates nothing", hint="add a compare statement")


def _trusted(built: Built, request: Request) -> None:
    """Code of its own is refused before anything is loaded, not once for every trial."""
    used = {name for c in built.plan.comparisons for name in c.learners}
    for learner in built.plan.learners:
        for step in learner.steps:
            if learner.name in used and step.kind == "code":
                _placed(built, partial(_check_trust, step, request.options.trusted))


def _check_trust(step: Step, trusted: frozenset[str]) -> None:
    module = step.name.partition(":")[0]
    if not any(module == package or module.startswith(f"{package}.") for package in trusted):
        raise ScriptError(
            f"{step.name} is code of its own, which is not trusted",
            hint=f"add --trust {module.partition('.')[0]} to the command if you trust that package",
            span=step.span,
        )


def access_of(source: Source, request: Request) -> Access:
    """What the data layer may reach for this script."""
    return Access(
        root=Path(os.path.dirname(source.path) or "."),
        data_root=request.data_root,
        allow_net=request.allow_net,
        handed=request.values,
    )


def load_tables(built: Built, access: Access) -> dict[str, Table]:
    """Every dataset that a comparison uses, opened."""
    wanted = {name for c in built.plan.comparisons if c.data == "datasets" for name in c.datasets}
    return {d.name: _placed(built, partial(_open, d, access)) for d in built.plan.datasets if d.name in wanted}


def _open(dataset: Dataset, access: Access) -> Table:
    return prepare_whole(load(dataset, access=access), dataset.prepared_by)


def _placed(built: Built, work: Callable[[], T]) -> T:
    """Do it, and give an error that knows its span the line and column too."""
    try:
        return work()
    except EvalangError as error:
        found = built.sources.get(error.span.path)
        if found is not None and error.position is None:
            error.position = found.position(error.span.start)
        raise


def known(table: Table) -> Known:
    """What the plan wants to know of opened data."""
    return Known(
        task=table.task,
        rows=table.rows,
        classes=len(table.classes) or None,
        folds=len(table.fold_names) or None,
    )


def profiles_of(built: Built, source: Source, request: Request) -> tuple[Built, dict[str, Profile]]:
    """For `lint --data`: the data opened, the plan made anew with what it told."""
    tables = load_tables(built, access_of(source, request))
    again = build(source, handed=request.handed, known={name: known(table) for name, table in tables.items()})
    return again, {name: profile(table) for name, table in tables.items()}


def _run(plan: Plan, built: Built, source: Source, tables: Mapping[str, Table], request: Request) -> Outcome | None:
    if not tables:
        return None
    files = {"script.eval": starred(source.text), "plan.json": dumps(built.plan)}
    options = dataclasses.replace(request.options, files=files, handed=request.values)
    outcome = _placed(built, partial(run_trials, plan, tables, options, judge_candidate, request.progress))
    if request.noted is not None:
        for note in outcome.notes:
            request.noted(note)
    if not outcome.complete:
        raise (Interrupted if outcome.interrupted else RunError)("the run was stopped", hint=outcome.resume)
    return outcome


class Interrupted(RunError):
    """Somebody pressed Ctrl-C; what was finished is kept."""

    exit_code = 130


def _facts(found: Profile) -> DatasetFacts:
    rarest = found.smallest_class
    return DatasetFacts(
        name=found.name,
        rows=found.rows,
        features=found.features,
        task=found.task,
        classes=len(found.classes) or None,
        smallest_class=rarest[1] / found.rows if rarest and found.rows else None,
        missing=found.missing_cells / (found.rows * found.features) if found.rows and found.features else None,
        groups=found.groups,
        digest=found.content_hash,
    )


def _environment() -> tuple[tuple[str, str], ...]:
    """The versions behind the numbers, by name."""
    found = environment()
    packages = {name: version for name, version in found["packages"].items() if version}
    pools = {pool["internal_api"]: str(pool["version"]) for pool in found["threads"] if pool["user_api"] == "blas"}
    plain = {"python": found["python"], "system": found["system"], "evalang": __version__}
    return tuple({**packages, **pools, **plain}.items())


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
