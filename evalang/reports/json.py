"""The result as JSON that other programs may rely on: version 1, docs/schema/run.schema.json."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any

from ..codec import field_names, is_record
from ..language.text import Finding, SourceText
from ..results.numbers import sides
from ..results.records import TRIAL_FRAMES, Estimate, Interval, OnThese, Power, Runs, ScoreRow, TestResult, Verdict
from ..results.run_result import RunResult
from .escape import json_text
from .frames import PARAMETERS, Tidy, tidy
from .headline import headlines
from .sentences import STATUS_LABELS, say_estimate, short, words

VERSION = 1
MOST_ROWS = 10_000  # of a frame whose values are written
MOST_SENTENCES = 2000  # verdicts; beyond it they are left to be read from the numbers, and lines are not indented


def record(result: RunResult, subject: str | None = None) -> dict[str, Any]:
    """Return a plain dictionary of lists, words and finite numbers."""
    plan = result.plan
    names = {c.name for c in plan.comparisons if subject in (None, c.name)}
    written = {c.name: c.text for c in plan.claims}
    sources = {path: SourceText(path, text) for path, text in result.sources}
    with_sentences = len(result.verdicts) <= MOST_SENTENCES

    def chosen(records: Iterable[Any]) -> list[Any]:
        return [one for one in records if one.comparison in names]

    found: dict[str, Any] = {
        "version": VERSION,
        "script": plan.script,
        **_fields(result, "started finished trials reused"),
        "headlines": [_fields(h, "comparison metric sentences leader better open") for h in headlines(result, subject)],
        "comparisons": [_verdict(v, with_sentences) for v in chosen(result.verdicts)],
        "estimates": [_estimate(e) for e in chosen(result.estimates)],
        "rankings": [
            {
                **_fields(r, "comparison metric test datasets=n_datasets"),
                "ranks": [{"learner": n, "rank": k} for n, k in zip(r.learners, r.ranks, strict=True)],
                **_fields(r, "critical_difference joined untested"),
            }
            for r in chosen(result.rankings)
        ],
        "runs": [_runs(one) for one in chosen(result.runs)],
        "claims": [
            {
                "name": c.claim,
                "text": written.get(c.claim, ""),
                **_fields(c, "status reason"),
                "label": STATUS_LABELS.get(c.status, c.status),
            }
            for c in result.claims
        ],
        "simulations": [
            _fields(s, "name kind test=subject") | {"settings": dict(s.settings)} | _fields(s, "rate interval trials")
            for s in result.simulations
        ],
        "findings": [_finding(f, sources) for f in result.findings],
        "passed": result.passed,
        "not_applicable": [{"code": code, "reason": why} for code, why in result.not_applicable],
        "allowed": [_finding(f, sources) | {"because": why} for f, why in result.allowed],
        "failures": [
            _fields(f, "comparison learner dataset partition fold kind message") for f in chosen(result.failures)
        ],
        "environment": dict(result.environment),
        "frames": _frames(result, subject),
        "ledger": {
            "said": result.ledger,
            "looks": [
                _fields(one, "comparison number declared")
                | {"before": [{"at": at, "script": study, "comparison": name} for at, study, name in one.before]}
                for one in chosen(result.looks)
            ],
            "frozen": result.frozen[0] if result.frozen else None,
        },
    }
    cleaned: dict[str, Any] = _plain(found)
    return cleaned


def render(result: RunResult, subject: str | None = None) -> str:
    """Return JSON text; a number that is infinite or not a number is null."""
    indent = 2 if len(result.verdicts) <= MOST_SENTENCES else None
    return json.dumps(record(result, subject), indent=indent, allow_nan=False, ensure_ascii=False) + "\n"


def _fields(record: Any, names: str) -> dict[str, Any]:
    """Return fields of a record by name; `units=n_units` is the field n_units under the name units."""
    pairs = (name.split("=") for name in names.split())
    return {pair[0]: getattr(record, pair[-1]) for pair in pairs}


def _plain(value: Any) -> Any:
    """Return what JSON can hold: no infinity, no half surrogate pair, lists for tuples, dictionaries for records."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, str):
        return json_text(value)
    if isinstance(value, dict):
        return {json_text(str(k)): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Interval):
        method = f"{value.way}: {value.method}" if value.way else value.method
        return _plain(_fields(value, "low high level kind members") | {"method": method})
    if is_record(value):
        return {name: _plain(getattr(value, name)) for name in field_names(type(value))}
    return value


def _frames(result: RunResult, subject: str | None) -> dict[str, Any]:
    """Return columns, rows and files of the frames of `result` in Python, and the values where they are few.

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


def _verdict(verdict: Verdict, with_sentences: bool) -> dict[str, Any]:
    return {
        **_fields(verdict, "comparison dataset datasets metric learners"),
        "scores": [_fields(one, "learner mean spread n") for one in verdict.scores],
        **_test(verdict.test, verdict.metric),
        **_fields(verdict, "interval equivalence_interval adjusted_p stopped alpha correction"),
        **_fields(verdict, "family family_size family_missing family_blocks difference rope matters verdict=decision"),
        "in_short": short(verdict) if verdict.pair and verdict.settled else verdict.decision.replace("-", " "),
        "label": short(verdict),
        "question": verdict.question,
        "post_hoc": verdict.posthoc,
        "power": _power(verdict.power),
        **_on_these(verdict.on_these),
        **_fields(verdict, "unmet undecided_because"),
        "sentence": words(verdict).text() if with_sentences else None,
    }


def _test(test: TestResult | None, metric: str) -> dict[str, Any]:
    if test is None:
        empty: dict[str, Any] = dict.fromkeys(("test", "statistic", "p", "interval", "effect", "posterior", "method"))
        return {**empty, "df": [], "units": 0, "unit": "", "wins": 0, "ties": 0, "losses": 0, "notes": []}
    shares = sides(test.posterior, metric) if test.posterior else ()
    return {
        **_fields(test, "test statistic df p=pvalue interval effect units=n_units unit wins ties losses"),
        "posterior": dict(zip(("first", "rope", "second"), shares, strict=True)) if shares else None,
        **_fields(test, "method notes"),
    }


def _runs(found: Runs) -> dict[str, Any]:
    """Return seeds as runs on tasks."""
    return {
        **_fields(found, "comparison metric runs tasks runs_needed=needed"),
        "aggregates": [_fields(one, "learner aggregate=name value interval") for one in found.aggregates],
        "improvements": [
            {
                "learners": [one.first, one.second],
                **_fields(one, "probability interval in_three_of_four=mostly almost_stochastic_order=order"),
            }
            for one in found.improvements
        ],
        "profiles": found.profiles,
    }


def _on_these(these: OnThese | None) -> dict[str, Any]:
    return {} if these is None else {"on_these": these}


def _power(power: Power | None) -> dict[str, Any] | None:
    if power is None:
        return None
    return _fields(power, f"difference power level{' smallest needed' if power.smallest is not None else ''}")


def _estimate(estimate: Estimate) -> dict[str, Any]:
    names = "comparison learner dataset metric score spread interval method units=n_units unit question unmet"
    return _fields(estimate, names) | {"sentence": say_estimate(estimate, full=True)}


def _finding(finding: Finding, sources: dict[str, SourceText]) -> dict[str, Any]:
    source = sources.get(finding.span.path)
    ends = {"": finding.span.start, "end_": finding.span.end}
    places = {word: source.position(at) if source is not None else None for word, at in ends.items()}
    return {
        **_fields(finding, "code name level stage message help"),
        "subject": finding.subject.name,
        **{
            f"{word}{name}": getattr(place, name) if place is not None else None
            for word, place in places.items()
            for name in ("line", "column")
        },
    }
