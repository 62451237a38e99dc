"""What a statement leaves unsaid, shown in the line: the question, the cost, the test, the size of its family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..plans.default_tests import question_text
from ..plans.families import factor_words
from ..plans.model import Comparison, Family
from .workspace import ScriptReading


@dataclass(frozen=True, slots=True)
class Hint:
    """Words shown at an offset, and what they mean."""

    offset: int
    text: str
    more: str


def hints(reading: ScriptReading) -> Iterator[Hint]:
    """In reading order."""
    plan = reading.built.plan
    for comparison in plan.comparisons:
        if reading.owns(comparison.span):
            families = [f for f in plan.families if comparison.name in f.comparisons]
            yield from sorted(_hints(reading, comparison, families), key=lambda hint: hint.offset)


def _hints(reading: ScriptReading, c: Comparison, families: list[Family]) -> Iterator[Hint]:
    head = max((span.end for span in c.dataset_spans), default=c.span.end)
    end = c.span.start + len(reading.source.cut(c.span).rstrip())
    yield Hint(head, f"question {c.question}", f"{question_text(c)} ({c.question_reason})")
    using = _end(c, "using", head)
    if c.metrics_origin == "default" and c.metrics:
        yield Hint(using, f"measuring {', '.join(m.name for m in c.metrics)}", "by default, for this kind of target")
    for test in (*c.tests, *c.over):
        if test.origin == "default":
            over = " over datasets" if test in c.over else ""
            yield Hint(using, f"by {test.name}{over}", test.reason)
    if c.data == "datasets":
        fits = f"{c.fits:,} fit{'s' * (c.fits != 1)}" if c.fits >= 0 else "fits: only the data can tell"
        yield Hint(using, fits, c.fits_reason)
    corrected = _end(c, "correct", end)
    for family in families:
        yield Hint(corrected, family_words(family), _family_reason(family))


def _end(c: Comparison, clause: str, otherwise: int) -> int:
    return next((span.end for word, span in c.spans if word == clause), otherwise)


def family_words(family: Family) -> str:
    """`3 tests, level 0.0167`: how many tests are corrected together, and what the smallest p has to meet."""
    size = family.size if family.method != "uncorrected" else family.size * family.count
    over = " over datasets" if family.scope == "over-datasets" else ""
    several = f" in each of {family.count} families" if family.count > 1 and family.method != "uncorrected" else ""
    return f"{size} test{'s' * (size != 1)}{over}{several}, level {family.first_level:.3g}"


def _family_reason(family: Family) -> str:
    counted = " x ".join(factor_words(word, n) for word, n in family.factors)
    how = "not corrected" if family.method == "uncorrected" else f"corrected by {family.method}"
    return f"{counted}, {how}" + (f"; {family.reason}" if family.reason else "")
