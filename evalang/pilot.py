"""A few trials of a plan, to tell what the whole of it costs; and what the columns of each dataset are prepared by.

The trials are those of the plan, under their own keys, in the folder of the run, which uses them. Nothing is scored
and nothing shown but times and memory: a pilot is no look at test rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from dataclasses import replace as with_

from .data.table import Table
from .findings.engine import lint
from .language.text import SourceText
from .pipeline import Interrupted, Opened, Planned, Request, look, open_data, placed, plan_script, trust_of
from .plans.build import Built
from .plans.canonical import fingerprint
from .plans.cost import NAME, PlanCost, dumps
from .plans.model import Plan
from .plans.preparation import WORDS
from .scores.metrics.score import score_candidate
from .trials.capture import resident
from .trials.files import write_whole
from .trials.fit import check_code
from .trials.folder import FailedTrial
from .trials.options import compares_times
from .trials.pipeline import prepared_of
from .trials.schedule import run as run_trials
from .trials.workers import wanted
from .verdicts.tested import shuffled

NOTHING = "nothing is added, columns go in as they are"


def opened_plan(source: SourceText, request: Request) -> Opened:
    """As before a run: what lint or the data refuse is refused, and the code that is trusted is made once."""
    planned = plan_script(source, request)
    placed(planned.built, lambda: check_code(planned.built.plan, trust_of(source, request)))
    return open_data(planned, request)


def informed_plan(source: SourceText, written: Built, request: Request) -> tuple[Built, dict[str, Table]]:
    """The plan with what its data say, and these; no code runs and nothing is refused for its design."""
    built, tables, *_ = look(Planned(source, written, lint(written)), request)
    return with_rows(built, tables), tables


def with_rows(built: Built, tables: Mapping[str, Table]) -> Built:
    """The plan with the rows that were counted, for sizes and power."""
    counted = tuple(
        with_(d, rows=tables[d.name].rows) if d.name in tables and d.rows is None else d for d in built.plan.datasets
    )
    return Built(with_(built.plan, datasets=counted), built.findings, built.sources)


def prepared(plan: Plan, tables: Mapping[str, Table]) -> Iterator[tuple[str, str]]:
    """(dataset, sentence) for each way in which columns are prepared without being told to."""
    alike: dict[tuple[str, str], list[str]] = {}
    for dataset, learner, added in prepared_of(plan, tables):
        alike.setdefault((dataset, "; ".join(WORDS[one] for one in added) or NOTHING), []).append(learner)
    yield from ((dataset, f"{', '.join(names)}: {said}") for (dataset, said), names in alike.items())


def pilot(opened: Opened, request: Request, written: Plan) -> tuple[PlanCost, tuple[FailedTrial, ...]]:
    """Run a few trials of each learner on each dataset; what they cost is kept in the run folder too."""
    plan, tables = shuffled(opened.plan, opened.tables)
    before = resident() or 0
    options = replace(request.options, handed=request.values, local=trust_of(opened.source, request).local)
    outcome = placed(opened.built, lambda: run_trials(plan, tables, options, score_candidate, request.progress))
    request.note(outcome.notes)
    if outcome.interrupted:
        raise Interrupted("the pilot was stopped", hint="what was finished is kept, and used by the run")
    assert outcome.pace is not None
    jobs = 1 if options.jobs is None and compares_times(plan) else max(1, wanted(options))
    cost = PlanCost(
        fingerprint=fingerprint(written),
        jobs=jobs,
        resident=before,
        cells=outcome.pace.costs(),
        places=tuple((comparison, place) for (comparison, _, _), place in outcome.layout.places.items()),
        beside=outcome.pace.beside(jobs),
    )
    if options.folder is not None:
        write_whole(options.folder / NAME, dumps(cost))
    return cost, outcome.failed
