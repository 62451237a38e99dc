"""What is shown about a script: cards of the word under the cursor, inline hints, and lenses with commands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ..catalogue.cards import card
from ..catalogue.learners import stage_parameters
from ..catalogue.sources import find_bundled
from ..findings.lint_report import count_levels
from ..findings.page import page
from ..language import nodes
from ..language.grammar import Word, grammar_text, words, words_of_language
from ..language.text import Span, counted
from ..plans.default_tests import question_text
from ..plans.description import describe
from ..plans.families import describe_factors
from ..plans.model import Comparison, Family
from .completion import values_of
from .navigation import definition, mention_at
from .workspace import ScriptReading

_ROWS = {
    "using": ("scheme", "fits"), "by": ("test", "over sets"), "measuring": ("metric",), "tune": ("tuning", "fits"),
    "calibrate": ("calibrated",), "correct": ("family", "level"), "at": ("level",), "seed": ("seed",),
    "rope": ("rope",), "expecting": ("expected", "test"), "control": ("family",), "pairs": ("family",),
}  # fmt: skip
_ROW = re.compile(r"  (\w[\w ]{0,9}?) {2,}(.*)")


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown about the words of `span`."""

    span: Span
    text: str


def hover(reading: ScriptReading, offset: int) -> Hover | None:
    """Return what there is to say about the word at an offset."""
    word = _word_at(reading, offset)
    if word is None or word.comment:
        return None
    parts = [part for part in _parts(reading, word) if part]
    if not parts:
        return None
    return Hover(Span(reading.source.path, word.start, word.end), "\n\n---\n\n".join(dict.fromkeys(parts)))


def _word_at(reading: ScriptReading, offset: int) -> Word | None:
    text = reading.source.text
    line = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    found = list(words(text, line, len(text) if end < 0 else end))
    touching = [word for word in found if word.start <= offset <= word.end]
    # Between two words that touch, the one that begins here, unless it is a sign.
    return max(touching, key=lambda word: (word.text[0].isalnum() or word.text[0] == '"', word.start), default=None)


def _parts(reading: ScriptReading, word: Word) -> Iterator[str]:
    comparison = comparison_at(reading, word.start)
    mention = mention_at(reading, word.start)
    if mention is not None and mention.span.start == word.start:
        found = definition(reading, mention.text, mention.space)
        if found is not None:
            yield _defined(reading, found.statement)
            return
        yield _bundled(mention.text) or _fitting(mention.text)
        return
    statement = reading.statement_at(word.start)
    if comparison is not None and statement is not None and word.start == statement.span.start:
        yield _plan(reading, comparison)
        return
    if word.text[0].isalpha():
        yield page(word.text) or ""
        yield _parameter(reading, word) or _two_words(reading, word) or _fitting(word.text) or usage(word.text)
    elif comparison is not None and comparison.scheme and _inside(comparison.span_of("using"), word.start):
        yield _fitting(comparison.scheme.kind)
    if comparison is not None:
        yield _clause(reading, comparison, word.start)


def _inside(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end


def _bundled(name: str) -> str:
    found = find_bundled(name)
    if found is None:
        return ""
    classes = f", {found.classes} classes" if found.classes else ""
    return f"**{found.name}**: bundled, {found.rows:,} rows, {found.task}{classes}"


def _parameter(reading: ScriptReading, word: Word) -> str:
    """Return what to say about `kernel` of `svm(kernel = "rbf")` and `C` of `tune C in {1, 2}`; "" elsewhere."""
    statement = reading.statement_at(word.start)
    if not isinstance(statement, nodes.LearnerStatement) or isinstance(statement.pipeline, nodes.Described):
        return ""
    for call in statement.pipeline:
        inside = _inside(call.span, word.start) and call.name.span.start != word.start
        tuned = any(
            word.start == one.name.span.start
            for clause in statement.clauses
            if isinstance(clause, nodes.Tune)
            for one in clause.parameters
        )
        name = word.text.removeprefix(f"{call.name.text}.")
        if (inside or tuned) and name in stage_parameters(call.name.text):
            values = ", ".join(f"`{value}`" for value in values_of(call.name.text, name))
            return f"**{name}** of {call.name.text}" + (f": {values}" if values else "")
    return ""


def _fitting(word: str) -> str:
    found = card(word)
    return found.strip() if found else ""


def _two_words(reading: ScriptReading, word: Word) -> str:
    """Return what to say about two words that have a meaning together, such as `tune on`; "" for others."""
    after = re.match(r"[ \t]+([a-z]+)", reading.source.text[word.end : word.end + 40])
    return _fitting(f"{word.text} {after[1]}") if after else ""


def _defined(reading: ScriptReading, statement: nodes.Statement) -> str:
    source = reading.built.sources.get(statement.span.path)
    shown = source.cut(statement.span).rstrip() if source else ""
    plan = reading.built.plan
    more = ""
    if isinstance(statement, nodes.LearnerStatement) and (learner := plan.learner(statement.name.text)):
        more = f"{counted(learner.candidates, 'setting')} to choose from" if learner.grids else ""
    elif isinstance(statement, nodes.CompareStatement | nodes.EstimateStatement):
        comparison = next((c for c in plan.comparisons if c.span == statement.span), None)
        more = _plan(reading, comparison) if comparison else ""
    return f"```eval\n{shown}\n```" + (f"\n\n{more}" if more else "")


def comparison_at(reading: ScriptReading, offset: int) -> Comparison | None:
    """Return the comparison or estimate that stands at an offset."""
    return next(
        (c for c in reading.built.plan.comparisons if reading.owns(c.span) and c.span.start <= offset <= c.span.end),
        None,
    )


def plan_rows(reading: ScriptReading, comparison: Comparison) -> tuple[tuple[str, str], ...]:
    """Return what `evalang plan` says about one comparison: ("scheme", "5x2cv …"), ("fits", "40 (…)"), …"""
    plan = reading.built.plan
    alone = replace(plan, comparisons=(comparison,), claims=(), simulations=(), outputs=())
    found = (_ROW.fullmatch(line) for line in describe(alone).splitlines())
    return tuple((row[1], row[2]) for row in found if row)


def _plan(reading: ScriptReading, comparison: Comparison) -> str:
    rows = "\n".join(f"- **{head}:** {text}" for head, text in plan_rows(reading, comparison))
    return f"**{comparison.name}**\n\n{rows}"


def _clause(reading: ScriptReading, comparison: Comparison, offset: int) -> str:
    """Return the rows of the plan that a clause decides."""
    inside = [word for word, span in comparison.spans if _inside(span, offset)]
    wanted = [head for word in inside for head in _ROWS.get(word, ())]
    shown = [f"- **{head}:** {text}" for head, text in plan_rows(reading, comparison) if head in wanted]
    return "\n".join(shown)


_EXAMPLE = re.compile(r"(?m)^// (.*)\n[?!]?\w+:")


@lru_cache(maxsize=1)
def _examples() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for above in _EXAMPLE.findall(grammar_text()):
        for example in re.sub(r" {2,}\(.*\)$", "", above).split(" · "):
            word = example.strip().partition(" ")[0]
            if word in words_of_language() and word.isidentifier():
                found.setdefault(word, []).append(example)
    return {word: tuple(examples) for word, examples in found.items()}


def usage(word: str) -> str:
    """Return the examples of a word as a block of Markdown; "" when the grammar shows none.

    >>> print(usage("target"))
    ```eval-fragment
    target "class"
    ```
    """
    shown = "\n".join(_examples().get(word, ()))
    return f"```eval-fragment\n{shown}\n```" if shown else ""


@dataclass(frozen=True, slots=True)
class Hint:
    """Words shown at an offset, and what they mean."""

    offset: int
    text: str
    more: str


def hints(reading: ScriptReading) -> Iterator[Hint]:
    """Yield the hints of a script, in reading order."""
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
        fits = counted(c.fits, "fit") if c.fits >= 0 else "fits: only the data can tell"
        yield Hint(using, fits, c.fits_reason)
    corrected = _end(c, "correct", end)
    for family in families:
        yield Hint(corrected, family_words(family), _family_reason(family))


def _end(c: Comparison, clause: str, otherwise: int) -> int:
    return next((span.end for word, span in c.spans if word == clause), otherwise)


def family_words(family: Family) -> str:
    """Return `3 tests, level 0.0167`: how many tests are corrected together, and what the smallest p has to meet."""
    size = family.size if family.method != "uncorrected" else family.size * family.count
    over = " over datasets" if family.scope == "over-datasets" else ""
    several = f" in each of {family.count} families" if family.count > 1 and family.method != "uncorrected" else ""
    return f"{size} test{'s' * (size != 1)}{over}{several}, level {family.first_level:.3g}"


def _family_reason(family: Family) -> str:
    size = describe_factors(family)
    how = "not corrected" if family.method == "uncorrected" else f"corrected by {family.method}"
    return f"{size}, {how}" + (f"; {family.reason}" if family.reason else "")


LINT, PLAN, RUN, REPORT = "evalang.lint", "evalang.plan", "evalang.run", "evalang.openReport"
COMMANDS = (LINT, PLAN, RUN, REPORT)


def lenses(reading: ScriptReading) -> Iterator[tuple[Span, str, str]]:
    """Yield a place, a title and a command: lint, plan, run and the report on the first comparison or simulation."""
    asking = (nodes.CompareStatement, nodes.EstimateStatement, nodes.SimulateStatement)
    first = next((s for s in reading.statements if isinstance(s, asking)), None)
    if first is None:
        return
    at = Span(first.span.path, first.span.start, first.span.start)
    yield at, lint_summary(reading), LINT
    fits = reading.built.plan.fits
    yield at, f"plan: {counted(fits, 'fit')}" if fits else "plan", PLAN
    if reading.script.quoted or not os.path.isfile(reading.source.path):
        return  # a text of the editor alone: nothing to run yet
    if not reading.report.errors:
        yield at, "run", RUN
    if report_of(reading.source.path):
        yield at, "open the report", REPORT


def lint_summary(reading: ScriptReading) -> str:
    """Return `lint: 1 error, 2 warnings`."""
    return f"lint: {count_levels(reading.report.findings) or 'nothing found'}"


def report_of(path: str) -> str:
    """Return the report of a script's last run; "" when there is none."""
    folder = os.path.join(os.path.dirname(path), "runs", os.path.splitext(os.path.basename(path))[0])
    places = (os.path.join(folder, name) for name in ("report.html", "report.md"))
    return next(filter(os.path.isfile, places), "")
