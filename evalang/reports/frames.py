"""Tidy pandas frames of a result: one row a score, a verdict, a finding, a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..results.records import ScoreRow, Verdict
from ..results.run_result import RunResult
from .chosen_rows import BESIDE, HEADS, chosen_rows
from .sentences import short, words

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """The frames by name."""

    scores: DataFrame
    halves: DataFrame
    verdicts: DataFrame
    estimates: DataFrame
    findings: DataFrame
    claims: DataFrame


def frames(result: RunResult) -> Frames:
    """All frames; an empty one keeps its columns."""
    import pandas

    scores, halves = (
        pandas.DataFrame({name: list(getattr(found, name)) for name in ScoreRow._fields})
        for found in (result.scores, result.halves)
    )
    verdicts = [_verdict(v) for v in result.verdicts]
    estimates = [
        {
            "comparison": e.comparison,
            "learner": e.learner,
            "dataset": e.dataset,
            "metric": e.metric,
            "score": e.score,
            "low": e.interval.low if e.interval else None,
            "high": e.interval.high if e.interval else None,
            "method": e.method,
        }
        for e in result.estimates
    ]
    findings = [
        {
            "code": f.code,
            "name": f.name,
            "level": f.level,
            "message": f.message,
            "subject": f.subject.name,
            "allowed": why,
        }
        for f, why in (*((f, None) for f in result.findings), *result.allowed)
    ]
    claims = [{"claim": c.claim, "status": c.status, "reason": c.reason} for c in result.claims]
    return Frames(
        scores=scores,
        halves=halves,
        verdicts=pandas.DataFrame(verdicts, columns=list(VERDICTS)),
        estimates=pandas.DataFrame(estimates, columns=list(ESTIMATES)),
        findings=pandas.DataFrame(findings, columns=["code", "name", "level", "message", "subject", "allowed"]),
        claims=pandas.DataFrame(claims, columns=["claim", "status", "reason"]),
    )


def parameters(result: RunResult) -> DataFrame:
    """Every candidate of tuning: a column for each parameter that was tuned, empty for learners without it.

    Where thresholds were chosen or training ended early, every training has a row that says at which threshold and
    after how many rounds.
    """
    import pandas

    heads = [name for name in HEADS if name != "setting"] + (list(BESIDE) if result.choices else [])
    found = list(chosen_rows(result))
    rows = [{**{name: getattr(c, name) for name in heads}, **dict(c.setting)} for c in found]
    tuned = dict.fromkeys(name for c in found for name, _ in c.setting)
    return pandas.DataFrame(rows, columns=[*heads, *tuned])


ESTIMATES = ("comparison", "learner", "dataset", "metric", "score", "low", "high", "method")
VERDICTS = (
    "comparison",
    "dataset",
    "metric",
    "learners",
    "test",
    "statistic",
    "p",
    "adjusted_p",
    "stopped_after",
    "alpha",
    "difference",
    "low",
    "high",
    "effect",
    "effect_size",
    "units",
    "decision",
    "matters",
    "verdict",
    "sentence",
)


def _verdict(verdict: Verdict) -> dict[str, Any]:
    test, interval = verdict.test, verdict.interval
    effect = test.effect if test is not None else None
    return {
        "comparison": verdict.comparison,
        "dataset": verdict.dataset,
        "metric": verdict.metric,
        "learners": verdict.learners,
        "test": test.test if test else None,
        "statistic": test.statistic if test else None,
        "p": test.pvalue if test else None,
        "adjusted_p": verdict.adjusted_p,
        "stopped_after": verdict.stopped.partitions if verdict.stopped else None,
        "alpha": verdict.alpha,
        "difference": verdict.difference,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "effect": effect.name if effect else None,
        "effect_size": effect.value if effect else None,
        "units": test.n_units if test else 0,
        "decision": verdict.decision,
        "matters": verdict.matters,
        "verdict": short(verdict),
        "sentence": words(verdict).text(),
    }
