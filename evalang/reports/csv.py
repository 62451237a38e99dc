"""Verdicts and scores as CSV, with a guard against cells that a spreadsheet would take for formulas."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from io import StringIO

from ..results.run_result import RunResult, SimulationOutcome
from ..results.trial_rows import ScoreRow
from .escape import csv_cell
from .sentences import short

VERDICTS = (
    "comparison",
    "dataset",
    "metric",
    "first",
    "second",
    "test",
    "statistic",
    "p",
    "adjusted_p",
    "alpha",
    "difference",
    "low",
    "high",
    "effect",
    "effect_size",
    "units",
    "verdict",
    "in_short",
)


# What the columns of scores.csv stand for, in the words of a `results` statement, so that the next tool need not guess.
ROLES = {
    "score": "score",
    "metric": "metric",
    "learner": "learner",
    "dataset": "datasets",
    "partition": "repeats",
    "fold": "folds",
    "training": "seeds",
}
SIMULATIONS = ("simulation", "kind", "of", "settings", "rate", "low", "high", "trials")


def tables(result: RunResult, subject: str | None = None) -> dict[str, str]:
    """File name -> CSV text."""
    names = {c.name for c in result.plan.comparisons if subject in (None, c.name)}
    rows: list[tuple[str | float | int | None, ...]] = []
    for v in result.verdicts:
        if v.comparison not in names:
            continue
        test, interval = v.test, v.interval
        rows.append(
            (
                v.comparison,
                v.dataset if v.dataset is not None else "over datasets",
                v.metric,
                v.learners[0],
                v.learners[1] if v.pair else f"all {len(v.learners)}",
                test.test if test else None,
                test.statistic if test else None,
                test.pvalue if test else None,
                v.adjusted_p,
                v.alpha,
                v.difference,
                interval.low if interval else None,
                interval.high if interval else None,
                test.effect.name if test and test.effect else None,
                test.effect.value if test and test.effect else None,
                test.n_units if test else None,
                v.decision,
                short(v),
            )
        )
    scores = [row for row in result.scores.rows() if row.comparison in names]
    made = {"verdicts.csv": _text(VERDICTS, rows)}
    if scores:
        made["scores.csv"] = _text(ScoreRow._fields, scores)
    if result.simulations and subject is None:
        made["simulations.csv"] = _text(SIMULATIONS, map(_simulated, result.simulations))
    return made


def _simulated(one: SimulationOutcome) -> tuple[str | float | int | None, ...]:
    interval = (one.interval.low, one.interval.high) if one.interval else (None, None)
    settings = ", ".join(f"{word} {value:g}" for word, value in one.settings)
    return one.name, one.kind, one.subject, settings, one.rate, *interval, one.trials


def about(result: RunResult) -> str:
    """When the run ended, with which versions, on which data, and what the columns of the scores stand for."""
    said = {
        "finished": result.finished,
        "trials": result.trials + result.reused,
        "environment": dict(result.environment),
        "roles": ROLES,
        "made": {c.name: c.scheme.text for c in result.plan.comparisons if c.scheme is not None},
        "datasets": {f.name: {"rows": f.rows, "hash": f.digest} for f in result.facts},
    }
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


def _text(heads: tuple[str, ...], rows: Iterable[tuple[str | float | int | None, ...]]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([csv_cell(value) for value in row] for row in rows)
    return out.getvalue()
