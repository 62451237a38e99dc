"""What a lint rule is: a function from facts to findings; where in the script a finding points, and the repair it
offers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from ..catalogue.tests import find_test
from ..language.text import NOWHERE, Edit, Finding, Fix, Level, SourceText, Span, Stage, Subject
from ..plans.model import Claim, Comparison, Simulation, Test
from .case import Case, Place
from .facts import Facts

_QUIET = re.compile(r'"(?:[^"\n]|"")*"|#[^\n]*')
_NAME = re.compile(r'\s*(?:dataset|suite|learner|results|predictions)\s+("(?:[^"\n]|"")*"|[^\s,]+)')


def masked(text: str) -> str:
    """The text with quoted text and comments blanked out, every character at its place.

    >>> masked('on "by" # by')
    'on          '
    """
    return _QUIET.sub(lambda found: " " * len(found.group()), text)


def defined_name(facts: Facts, statement: Span) -> Span:
    """The name in a defining statement: `tree` of `learner tree is decision-tree`."""
    source = facts.sources.get(statement.path)
    found = _NAME.match(source.text, statement.start, statement.end) if source else None
    if found is None:
        return statement
    return Span(statement.path, found.start(1), found.end(1))


def word_at(facts: Facts, statement: Span, word: str) -> Span:
    """Where a clause word stands in a statement; the statement's name when it is not there."""
    source = facts.sources.get(statement.path)
    if source is not None:
        found = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", masked(source.cut(statement)))
        if found:
            return Span(statement.path, statement.start + found.start(), statement.start + found.end())
    return defined_name(facts, statement)


def dataset_at(facts: Facts, comparison: Comparison, name: str) -> Span:
    """Where a comparison names a dataset, by itself or through a suite."""
    for span in comparison.dataset_spans:
        source = facts.sources.get(span.path)
        word = unquoted(source.cut(span)) if source else ""
        suite = facts.suites.get(word)
        if word == name or (suite is not None and name in suite.members):
            return span
    return comparison.dataset_spans[0] if comparison.dataset_spans else comparison.span


def unquoted(word: str) -> str:
    """A name as written, without its quotes.

    >>> unquoted('"C4.5"'), unquoted("tree")
    ('C4.5', 'tree')
    """
    if len(word) >= 2 and word[0] == word[-1] == '"':
        return word[1:-1].replace('""', '"')
    return word


def source_of(facts: Facts, span: Span) -> SourceText | None:
    """The file a span stands in."""
    return facts.sources.get(span.path) if span != NOWHERE else None


def replaced(title: str, span: Span, text: str, *, safe: bool = True) -> Fix:
    """Other words in the place of these."""
    return Fix(title=title, edits=(Edit(span, text),), safe=safe)


def with_clause(facts: Facts, statement: Span, clause: str, *, safe: bool = True) -> Fix | None:
    """The statement with one more clause at its end; in a statement of several lines it gets a line of its own."""
    source = source_of(facts, statement)
    if source is None:
        return None
    return Fix(title=f"add `{clause}`", edits=(appended(source, statement, clause),), safe=safe)


def appended(source: SourceText, statement: Span, clause: str) -> Edit:
    """The insertion of a clause at the end of a statement, before a comment that may follow it."""
    text = source.cut(statement)
    end = statement.start + len(text.rstrip())
    at = Span(statement.path, end, end)
    if "\n" not in text.rstrip():
        return Edit(at, f", {clause}")
    last = text.rstrip().rpartition("\n")[2]
    indent = last[: len(last) - len(last.lstrip())] or "  "
    return Edit(at, f"\n{indent}{clause}")


def without(source: SourceText, span: Span) -> Edit:
    """The removal of a clause with the comma and the blanks before it; of its line when nothing else stands there."""
    text = source.text
    start, end = span.start, span.end
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    line = text.rfind("\n", 0, span.start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if start == line and not text[end:stop].strip(" \t,\r"):
        # The comma that stood before the clause ends the line above; it would now end the statement.
        return Edit(Span(span.path, line - 1 if line else 0, stop), "")
    if start > line and text[start - 1] == ",":
        start -= 1
    elif start == line:
        start = span.start
        while end < len(text) and text[end] in " \t,":
            end += 1
    return Edit(Span(span.path, start, end), "")


def trailing_comma(source: SourceText, statement: Span, span: Span) -> Edit | None:
    """The removal of a comma that `without` would leave at the end of the statement."""
    before = masked(source.text[statement.start : span.start]).rstrip()
    after = masked(source.text[span.end : statement.end]).strip(" \t\r\n,")
    if after or not before.endswith(","):
        return None
    at = statement.start + len(before) - 1
    return Edit(Span(span.path, at, at + 1), "")


def removed(facts: Facts, title: str, statement: Span, span: Span, *, safe: bool = True) -> Fix | None:
    """The statement without one of its clauses."""
    source = source_of(facts, span)
    if source is None:
        return None
    edit = without(source, span)
    comma = trailing_comma(source, statement, span)
    if comma is None or comma.span.start >= edit.span.start:
        return Fix(title=title, edits=(edit,), safe=safe)
    return Fix(title=title, edits=(comma, edit), safe=safe)


def place_of(statement: Claim | Simulation) -> Place:
    """Return the place of a finding about a whole statement."""
    return Place(statement.span, Subject(statement=statement.name))


Check = Callable[[Facts], Iterator[Finding]]
# Parts of a statement that may be unknown or unreadable, clauses by their word, and what is read besides the script.
Need = Literal[
    "test", "scheme", "metric", "learner", "dataset", "claim",
    "tune", "seed", "calibrate", "correct", "at", "expecting", "rope", "control",
    "ledger", "results",
]  # fmt: skip
_NO_PLACE = Place(NOWHERE, Subject())


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. `page` is its documentation: the docstring of its function, with fixed headings."""

    code: str
    name: str
    level: Level
    stages: tuple[Stage, ...]
    needs: tuple[Need, ...]
    function: Check

    @property
    def page(self) -> str:
        """The docstring of the function, as it stands in the source."""
        return self.function.__doc__ or ""

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.strip().partition("\n")[0]

    def finding(
        self,
        message: str,
        help: str,
        at: Place = _NO_PLACE,
        fix: Fix | None = None,
        level: Level | None = None,
        stage: Stage | None = None,
    ) -> Finding:
        """Return a finding of this rule."""
        return Finding(
            code=self.code,
            name=self.name,
            level=level or self.level,
            message=message,
            help=help,
            span=at.span,
            stage=stage or self.stages[0],
            subject=at.subject,
            fix=fix,
        )


def rule(
    code: str, name: str, level: Level, *, stage: Stage | tuple[Stage, ...] = "design", needs: tuple[Need, ...] = ()
) -> Callable[[Check], Rule]:
    """Turn a function into a rule; `needs` are the parts of a study without which it cannot judge."""

    def attach(function: Check) -> Rule:
        stages: tuple[Stage, ...] = (stage,) if isinstance(stage, str) else stage
        return Rule(code=code, name=name, level=level, stages=stages, needs=needs, function=function)

    return attach


def swap(case: Case, test: Test, name: str) -> Fix | None:
    """Another test for the named one; None when it does not fit the scheme or the metrics either."""
    card = find_test(name)
    if card is None or not test.span.path or len(case.tests) != 1:
        return None
    if case.kind not in card.schemes:
        return None
    if card.metrics == "accuracy" and any(metric.name not in ("accuracy", "error") for metric in case.metrics):
        return None
    return replaced(f"use {name}", test.span, name)
