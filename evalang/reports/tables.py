"""The tables behind a comparison: every verdict with its numbers, mean ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite

from ..results.test_result import Effect, Interval
from ..results.verdict import Ranking, Verdict
from . import numbers
from .document import Cell, Column, Table
from .intervals import interval_name, touches_zero
from .sentences import family_of, short
from .view import View

MOST_ROWS = 1000  # of one table; ours: what a browser sorts at once and a reader can still search
LONGEST_KEY = 80


def key(*words: str) -> str:
    """A name for a file and an anchor; a long one is cut, and what was cut still tells it from others.

    >>> key("trees-or-bayes", "f-score(average = \\"macro\\")")
    'trees-or-bayes-f-score-average-macro'
    >>> key("x" * 100, "roc") == key("x" * 100, "wins")
    False
    """
    joined = "-".join(words)
    plain = re.sub(r"[^a-z0-9]+", "-", joined.lower()).strip("-")
    if len(plain) > LONGEST_KEY:
        plain = f"{plain[: LONGEST_KEY - 9]}-{sha256(plain.encode()).hexdigest()[:8]}"
    return plain or "table"


def text(shown: str) -> Cell:
    """A cell of words."""
    return Cell(text=shown)


def number(shown: str, value: float | None) -> Cell:
    """A cell of a number; the open end of an interval is none to sort by."""
    return Cell(text=shown, value=value if value is None or isfinite(value) else None)


def verdict_table(view: View, metric: str, over: bool = False) -> Table | None:
    """Every tested pair: where, who, difference with interval, p, adjusted p, effect, verdict."""
    source = view.over_datasets if over else view.on_datasets
    verdicts = [v for v in source if v.metric == metric and v.pair]
    if not verdicts:
        return None
    shown, notes = _shown(verdicts)
    one_pair = len({v.learners for v in verdicts}) == 1
    first, second = verdicts[0].learners if one_pair else ("first", "second")
    heads = [] if over else [Column(title="dataset")]
    heads += [] if one_pair else [Column(title="first"), Column(title="second")]
    common = _common(shown)
    kinds = list(dict.fromkeys(interval_name(v.interval) for v in shown if v.interval is not None))
    heads += [
        Column(title=f"{first} minus {second}", align="right"),
        Column(title=kinds[0] if len(kinds) == 1 and kinds[0].endswith("% interval") else "interval", align="right"),
        *([] if common.test else [Column(title="test")]),
        Column(title="p", align="right"),
        Column(title="adjusted p", align="right"),
        *([Column(title=common.effect or "effect", align="right")] if common.effect is not None else []),
        Column(title="verdict"),
    ]
    rows = tuple(_verdict_row(v, over=over, one_pair=one_pair, common=common) for v in shown)
    notes += [f"Test: {common.test}."] if common.test else []
    where = "over datasets" if over else "on each dataset"
    families = {
        (v.family, v.correction, v.family_size, v.family_missing, v.alpha) for v in shown if v.adjusted_p is not None
    }
    notes += [_family_note(*family) for family in sorted(families)]
    if kinds and not (len(kinds) == 1 and kinds[0].endswith("% interval")):
        notes.append(f"Intervals: {'; '.join(kinds)}.")
    name = key("verdicts", view.name, metric, "over" if over else "")
    return Table(key=name, title=f"Verdicts in {metric} {where}", columns=tuple(heads), rows=rows, notes=tuple(notes))


def _shown(verdicts: list[Verdict]) -> tuple[list[Verdict], list[str]]:
    if len(verdicts) <= MOST_ROWS:
        return verdicts, []
    ordered = sorted(verdicts, key=lambda v: 2.0 if v.adjusted_p is None else v.adjusted_p)
    note = (
        f"The {numbers.count(MOST_ROWS)} smallest adjusted p of {numbers.count(len(verdicts))} are shown; "
        "all of them are in the JSON."
    )
    return ordered[:MOST_ROWS], [note]


def _family_note(family: str, correction: str, size: int, missing: int, alpha: float) -> str:
    how = "not corrected" if correction == "uncorrected" else f"corrected by {correction}"
    # A post-hoc of all pairs is one member of its family: its p covers them all already.
    many = "all pairs of learners at once" if size == 1 and correction == "nemenyi" else family_of(size, missing)
    return f"Family {family}: {many}, {how}, level {numbers.alpha_text(alpha)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Common:
    """What all rows share and is said once: the test; the effect ("" several kinds, None no effect at all)."""

    test: str
    effect: str | None


def _common(verdicts: list[Verdict]) -> _Common:
    tests = {v.test.test for v in verdicts if v.test is not None}
    effects = {v.test.effect.name for v in verdicts if v.test is not None and v.test.effect is not None}
    one = next(iter(effects)) if len(effects) == 1 else "" if effects else None
    return _Common(test=next(iter(tests)) if len(tests) == 1 else "", effect=one)


def _verdict_row(verdict: Verdict, *, over: bool, one_pair: bool, common: _Common) -> tuple[Cell, ...]:
    test, metric = verdict.test, verdict.metric
    row = [] if over else [text(verdict.dataset or "")]
    row += [] if one_pair else [text(name) for name in verdict.learners]
    raw = test.pvalue if test is not None else None
    effect = test.effect if test is not None else None
    difference = verdict.difference
    interval = verdict.interval
    return (
        *row,
        number(numbers.signed(difference, metric), difference),
        number(_ends(interval, metric), interval.low if interval is not None else None),
        *([] if common.test else [text(test.test if test is not None else "none")]),
        number(numbers.p(raw, verdict.alpha), raw),
        number(numbers.p(verdict.adjusted_p, verdict.alpha), verdict.adjusted_p),
        *([] if common.effect is None else [_effect(effect, common.effect == "")]),
        text(short(verdict)),
    )


def _ends(interval: Interval | None, metric: str) -> str:
    return numbers.interval(interval, metric) + (", touches 0" if touches_zero(interval) else "")


def _effect(effect: Effect | None, named: bool) -> Cell:
    if effect is None:
        return text("")
    shown = numbers.decimal(effect.value, 2)
    return number(f"{effect.name} {shown}" if named else shown, effect.value)


def ranking_table(view: View, ranking: Ranking) -> Table:
    """Mean ranks over datasets, best first, with who is not told apart from each."""
    joined, untested = _others(ranking.joined), _others(ranking.untested)
    order = sorted(zip(ranking.ranks, ranking.learners, strict=True))
    rows = tuple(
        (
            text(name),
            number(numbers.decimal(rank, 2), rank),
            text(_names(joined.get(name, []))),
            *([text(_names(untested.get(name, [])))] if ranking.untested else []),
        )
        for rank, name in order
    )
    notes = [f"Mean over {numbers.plural(ranking.n_datasets, 'dataset')}; rank 1 is best."]
    if ranking.critical_difference is not None:
        notes.append(f"Critical difference of {ranking.test}: {numbers.decimal(ranking.critical_difference, 2)} ranks.")
    elif ranking.test:
        notes.append(f"Pairs are joined by {ranking.test} after correction; a critical difference needs nemenyi.")
    return Table(
        key=key("ranks", view.name, ranking.metric),
        title=f"Mean ranks in {ranking.metric}",
        columns=(
            Column(title="learner"),
            Column(title="mean rank", align="right"),
            Column(title="not told apart from"),
            *([Column(title="not tested against")] if ranking.untested else []),
        ),
        rows=rows,
        notes=tuple(notes),
    )


def _others(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """With whom each learner is paired."""
    found: dict[str, list[str]] = {}
    for first, second in pairs:
        found.setdefault(first, []).append(second)
        found.setdefault(second, []).append(first)
    return found


def _names(found: Iterable[str]) -> str:
    return numbers.listing(sorted(found), most=6) or "nobody"
