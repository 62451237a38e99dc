"""The result of one test for people and for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ..results.numbers import percent
from ..results.records import Interval, PostHoc, TestResult
from ..verdicts.tests.score_intervals import ScoreInterval

Result = TestResult | PostHoc | ScoreInterval


def plain(found: Result) -> Any:
    """The result as JSON: an open end of an interval is null."""
    return _plain(asdict(found))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def text(found: Result, title: str) -> str:
    """The result in lines."""
    name = found.method_name if isinstance(found, ScoreInterval) else found.test
    lines = (
        _estimate(found)
        if isinstance(found, ScoreInterval)
        else _post_hoc(found)
        if isinstance(found, PostHoc)
        else _test(found)
    )
    return "\n".join([f"{name}: {title}", *(f"  {head:14} {words}" for head, words in lines)]) + "\n"


def _post_hoc(found: PostHoc) -> Iterator[tuple[str, str]]:
    yield "mean ranks", ", ".join(f"{r:.4g}" for r in found.ranks) + " (1 is best)"
    if found.critical_difference is not None:
        yield "critical", f"difference of mean ranks {found.critical_difference:.4g}"
    for (i, j), result in zip(found.pairs, found.results, strict=True):
        adjusted = ", corrected for all pairs" if found.adjusted else ""
        yield f"{i + 1} against {j + 1}", f"p {_number(result.pvalue)}{adjusted}"


def _estimate(found: ScoreInterval) -> Iterator[tuple[str, str]]:
    yield "estimate", f"{found.value:.6g}"
    yield "interval", _interval(found.interval)
    if found.standard_error is not None:
        yield "standard error", f"{found.standard_error:.6g}"
    yield from _tail(found)


def _test(found: TestResult) -> Iterator[tuple[str, str]]:
    if found.statistic is not None:
        df = f" on {', '.join(f'{d:.6g}' for d in found.df)} degrees of freedom" if found.df else ""
        yield "statistic", f"{found.statistic_name} = {found.statistic:.6g}{df}"
    if found.pvalue is not None:
        yield "p", f"{_number(found.pvalue)} ({found.alternative})"
    if found.posterior is not None:
        x = found.posterior
        rope = f"difference below {x.rope:g} {x.p_rope:.4f}"
        yield "posterior", f"first better {x.p_right:.4f}, {rope}, second better {x.p_left:.4f}"
    if found.difference is not None:
        yield "difference", f"{found.difference:.6g} (first minus second)"
    if found.interval is not None:
        yield "interval", _interval(found.interval)
    if found.effect is not None:
        yield "effect", f"{found.effect.name} {found.effect.value:.4g}"
    if found.ranks:
        yield "mean ranks", ", ".join(f"{r:.4g}" for r in found.ranks) + " (1 is best)"
    if found.wins or found.ties or found.losses:
        yield "first", f"higher {found.wins} times, equal {found.ties}, lower {found.losses}"
    yield from _tail(found)


def _tail(found: TestResult | ScoreInterval) -> Iterator[tuple[str, str]]:
    yield "units", f"{found.n_units} ({found.unit})"
    yield "method", found.method
    yield from ((name.replace("_", " "), f"{value:.6g}") for name, value in found.details)
    yield from (("note", note) for note in found.notes)


def _interval(found: Interval) -> str:
    low = "below" if found.low == -math.inf else f"{found.low:.6g}"
    high = "above" if found.high == math.inf else f"{found.high:.6g}"
    ends = f"{high} and {low}" if low == "below" else f"{low} and {high}" if high == "above" else f"{low} to {high}"
    return f"{ends} ({percent(found.level)}, {found.method})"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}"
