"""The result as JSON that other programs may rely on: version 1, docs/schema/run.schema.json."""

from __future__ import annotations

import dataclasses
import json
from math import isfinite
from typing import Any

from ..language.text import Finding, SourceText
from ..results.numbers import sides
from ..results.records import TRIAL_FRAMES, Estimate, Interval, OnThese, Power, Runs, ScoreRow, TestResult, Verdict
from ..results.run_result import RunResult
from .escape import json_text
from .frames import HEADS as PARAMETERS
from .frames import Tidy, tidy
from .headline import headlines
from .sentences import estimate_words, question_of, short, words

VERSION = 1
MOST_ROWS = 10_000  # of a frame whose values are written
MOST_SENTENCES = 2000  # verdicts; beyond it they are left to be read from the numbers, and lines are not indented


def record(result: RunResult, subject: str | None = None) -> dict[str, Any]:
    """A plain dictionary of lists, words and finite numbers."""
    plan = result.plan
    names = {c.name for c in plan.comparisons if subject in (None, c.name)}
    written = {c.name: c.text for c in plan.claims}
    sources = {path: SourceText(path, text) for path, text in result.sources}
    told = len(result.verdicts) <= MOST_SENTENCES
    found: dict[str, Any] = {
        "version": VERSION,
        "script": plan.script,
        "started": result.started,
        "finished": result.finished,
        "trials": result.trials,
        "reused": result.reused,
        "headlines": [
            {
                "comparison": h.comparison,
                "metric": h.metric,
                "sentences": list(h.sentences),
                "leader": h.leader,
                "better": [list(pair) for pair in h.better],
                "open": [list(pair) for pair in h.open],
            }
            for h in headlines(result, subject)
        ],
        "comparisons": [_verdict(v, told) for v in result.verdicts if v.comparison in names],
        "estimates": [_estimate(e) for e in result.estimates if e.comparison in names],
        "rankings": [
            {
                "comparison": r.comparison,
                "metric": r.metric,
                "test": r.test,
                "datasets": r.n_datasets,
                "ranks": [{"learner": n, "rank": k} for n, k in zip(r.learners, r.ranks, strict=True)],
                "critical_difference": r.critical_difference,
                "joined": [list(pair) for pair in r.joined],
                "untested": [list(pair) for pair in r.untested],
            }
            for r in result.rankings
            if r.comparison in names
        ],
        "runs": [_runs(one) for one in result.runs if one.comparison in names],
        "claims": [
            {"name": c.claim, "text": written.get(c.claim, ""), "status": c.status, "reason": c.reason}
            for c in result.claims
        ],
        "simulations": [
            {
                "name": s.name,
                "kind": s.kind,
                "test": s.subject,
                "settings": dict(s.settings),
                "rate": s.rate,
                "interval": _interval(s.interval),
                "trials": s.trials,
            }
            for s in result.simulations
        ],
        "findings": [_finding(f, sources) for f in result.findings],
        "passed": list(result.passed),
        "not_applicable": [{"code": code, "reason": why} for code, why in result.not_applicable],
        "allowed": [{**_finding(f, sources), "because": why} for f, why in result.allowed],
        "failures": [
            {
                "comparison": f.comparison,
                "learner": f.learner,
                "dataset": f.dataset,
                "partition": f.partition,
                "fold": f.fold,
                "kind": f.kind,
                "message": f.message,
            }
            for f in result.failures
            if f.comparison in names
        ],
        "environment": dict(result.environment),
        "frames": _frames(result, subject),
        "ledger": {
            "said": result.ledger,
            "looks": [
                {
                    "comparison": one.comparison,
                    "number": one.number,
                    "declared": one.declared,
                    "before": [{"at": at, "script": study, "comparison": name} for at, study, name in one.before],
                }
                for one in result.looks
                if one.comparison in names
            ],
            "frozen": result.frozen[0] if result.frozen else None,
        },
    }
    cleaned: dict[str, Any] = _clean(found)
    return cleaned


def render(result: RunResult, subject: str | None = None) -> str:
    """JSON text; a number that is none (infinite, not a number) is null."""
    indent = 2 if len(result.verdicts) <= MOST_SENTENCES else None
    return json.dumps(record(result, subject), indent=indent, allow_nan=False, ensure_ascii=False) + "\n"


def _frames(result: RunResult, subject: str | None) -> dict[str, Any]:
    """The frames of `result` in Python: columns, rows, where a table of each is, and its values where they are few.

    Those of the trials are named only: they are made of what is stored beside the result.
    """
    empty: dict[str, Tidy] = {"scores": (ScoreRow._fields, []), "parameters": (PARAMETERS, [])}
    made = empty | {name: found for name, found in tidy(result, subject).items() if name != "simulations"}
    frames: dict[str, Any] = {}
    for name, (heads, rows) in made.items():
        values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in heads]
        frames[name] = {"columns": heads, "rows": len(rows), "values": values if len(rows) <= MOST_ROWS else None}
    if any(c.data == "datasets" for c in result.plan.comparisons):
        frames |= {name: {"columns": heads, "rows": None, "values": None} for name, heads in TRIAL_FRAMES.items()}
    return {name: {**found, "files": [f"{name}.csv", f"{name}.parquet"]} for name, found in frames.items()}


def _verdict(verdict: Verdict, told: bool) -> dict[str, Any]:
    test = verdict.test
    return {
        "comparison": verdict.comparison,
        "dataset": verdict.dataset,
        "datasets": list(verdict.datasets),
        "metric": verdict.metric,
        "learners": list(verdict.learners),
        "scores": [{"learner": s.learner, "mean": s.mean, "spread": s.spread, "n": s.n} for s in verdict.scores],
        **_test(test, verdict.metric),
        "interval": _interval(verdict.interval),
        "adjusted_p": verdict.adjusted_p,
        "stopped": dataclasses.asdict(verdict.stopped) if verdict.stopped is not None else None,
        "alpha": verdict.alpha,
        "correction": verdict.correction,
        "family": verdict.family,
        "family_size": verdict.family_size,
        "family_missing": verdict.family_missing,
        "family_blocks": verdict.family_blocks,
        "difference": verdict.difference,
        "rope": verdict.rope,
        "matters": verdict.matters,
        "verdict": verdict.decision,
        "in_short": short(verdict),
        "question": question_of(verdict),
        "post_hoc": verdict.posthoc,
        "power": _power(verdict.power),
        **_on_these(verdict.on_these),
        "unmet": list(verdict.unmet),
        "undecided_because": verdict.undecided_because,
        "sentence": words(verdict).text() if told else None,
    }


def _test(test: TestResult | None, metric: str) -> dict[str, Any]:
    if test is None:
        empty: dict[str, Any] = dict.fromkeys(("test", "statistic", "p", "interval", "effect", "posterior", "method"))
        return {**empty, "df": [], "units": 0, "unit": "", "wins": 0, "ties": 0, "losses": 0, "notes": []}
    posterior = (
        dict(zip(("first", "rope", "second"), sides(test.posterior, metric), strict=True)) if test.posterior else None
    )
    return {
        "test": test.test,
        "statistic": test.statistic,
        "df": list(test.df),
        "p": test.pvalue,
        "interval": _interval(test.interval),
        "effect": {"name": test.effect.name, "value": test.effect.value} if test.effect else None,
        "units": test.n_units,
        "unit": test.unit,
        "wins": test.wins,
        "ties": test.ties,
        "losses": test.losses,
        "posterior": posterior,
        "method": test.method,
        "notes": list(test.notes),
    }


def _runs(found: Runs) -> dict[str, Any]:
    """Seeds as runs on tasks."""
    return {
        "comparison": found.comparison,
        "metric": found.metric,
        "runs": found.runs,
        "tasks": found.tasks,
        "runs_needed": found.needed,
        "aggregates": [
            {"learner": a.learner, "aggregate": a.name, "value": a.value, "interval": _interval(a.interval)}
            for a in found.aggregates
        ],
        "improvements": [
            {
                "learners": [i.first, i.second],
                "probability": i.probability,
                "interval": _interval(i.interval),
                "in_three_of_four": i.mostly,
                "almost_stochastic_order": i.order,
            }
            for i in found.improvements
        ],
        "profiles": [
            {
                "learner": p.learner,
                "scores": list(p.scores),
                "shares": list(p.shares),
                "low": list(p.low),
                "high": list(p.high),
            }
            for p in found.profiles
        ],
    }


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "kind": interval.kind,
        "members": interval.members,
        "method": f"{interval.way}: {interval.method}" if interval.way else interval.method,
    }


def _on_these(these: OnThese | None) -> dict[str, Any]:
    if these is None:
        return {}
    places = {"difference": these.difference, "interval": _interval(these.interval), "places": these.places}
    return {"on_these": {**places, "unit": these.unit}}


def _power(power: Power | None) -> dict[str, Any] | None:
    if power is None:
        return None
    reach = {"smallest": power.smallest, "needed": power.needed} if power.smallest is not None else {}
    return {"difference": power.difference, "power": power.power, **reach}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "comparison": estimate.comparison,
        "learner": estimate.learner,
        "dataset": estimate.dataset,
        "metric": estimate.metric,
        "score": estimate.score,
        "spread": estimate.spread,
        "interval": _interval(estimate.interval),
        "method": estimate.method,
        "units": estimate.n_units,
        "unit": estimate.unit,
        "question": estimate.question,
        "unmet": list(estimate.unmet),
        "sentence": estimate_words(estimate),
    }


def _finding(finding: Finding, sources: dict[str, SourceText]) -> dict[str, Any]:
    source = sources.get(finding.span.path)
    start = source.position(finding.span.start) if source is not None else None
    end = source.position(finding.span.end) if source is not None else None
    return {
        "code": finding.code,
        "name": finding.name,
        "level": finding.level,
        "stage": finding.stage,
        "message": finding.message,
        "help": finding.help,
        "subject": finding.subject.name,
        "line": start.line if start else None,
        "column": start.column if start else None,
        "end_line": end.line if end else None,
        "end_column": end.column if end else None,
    }


def _clean(value: Any) -> Any:
    """Only what JSON can say: no infinity, no half surrogate pair, lists for tuples."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, str):
        return json_text(value)
    if isinstance(value, dict):
        return {json_text(str(k)): _clean(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(v) for v in value]
    return value
