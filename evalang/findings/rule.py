"""Rules: the decorator that makes one, where in the script its findings point, and the repairs they offer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Literal

from ..catalogue.tests import find_test
from ..language.text import NOWHERE, Edit, Finding, Fix, Level, SourceText, Span, Stage, Subject
from ..plans.model import Claim, Comparison, Simulation, Test
from .case import Case, Place, Traits
from .facts import Facts

_QUOTES_AND_COMMENTS = re.compile(r'"(?:[^"\n]|"")*"|#[^\n]*')
_NAME = re.compile(r'\s*(?:dataset|suite|learner|results|predictions)\s+("(?:[^"\n]|"")*"|[^\s,]+)')


def mask_quoted(text: str) -> str:
    """Return the text with quoted text and comments blanked out, every character at its place.

    >>> mask_quoted('on "by" # by')
    'on          '
    """
    return _QUOTES_AND_COMMENTS.sub(lambda found: " " * len(found.group()), text)


def find_defined_name(facts: Facts, statement: Span) -> Span:
    """Return the span of the name in a defining statement: `tree` of `learner tree is decision-tree`."""
    source = facts.sources.get(statement.path)
    found = _NAME.match(source.text, statement.start, statement.end) if source else None
    if found is None:
        return statement
    return Span(statement.path, found.start(1), found.end(1))


def find_word(facts: Facts, statement: Span, word: str) -> Span:
    """Return the span of a clause word in a statement; that of the statement's name when it is not there."""
    source = facts.sources.get(statement.path)
    if source is not None:
        found = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", mask_quoted(source.cut(statement)))
        if found:
            return Span(statement.path, statement.start + found.start(), statement.start + found.end())
    return find_defined_name(facts, statement)


def find_dataset(facts: Facts, comparison: Comparison, name: str) -> Span:
    """Return the span by which a comparison names a dataset, itself or through a suite."""
    for span in comparison.dataset_spans:
        source = facts.sources.get(span.path)
        word = unquote(source.cut(span)) if source else ""
        suite = facts.suites.get(word)
        if word == name or (suite is not None and name in suite.members):
            return span
    return comparison.dataset_spans[0] if comparison.dataset_spans else comparison.span


def unquote(word: str) -> str:
    """Return a name without its quotes.

    >>> unquote('"C4.5"'), unquote("tree")
    ('C4.5', 'tree')
    """
    if len(word) >= 2 and word[0] == word[-1] == '"':
        return word[1:-1].replace('""', '"')
    return word


def find_source(facts: Facts, span: Span) -> SourceText | None:
    """Return the file a span stands in."""
    return facts.sources.get(span.path) if span != NOWHERE else None


def replace_words(title: str, span: Span, text: str, *, safe: bool = True) -> Fix:
    """Return the repair that writes other words at a span."""
    return Fix(title=title, edits=(Edit(span, text),), safe=safe)


def add_clause(facts: Facts, statement: Span, clause: str, *, safe: bool = True) -> Fix | None:
    """Return the repair that adds a clause to a statement; in a statement of several lines on a new line."""
    source = find_source(facts, statement)
    if source is None:
        return None
    return Fix(title=f"add `{clause}`", edits=(append_edit(source, statement, clause),), safe=safe)


def advise_for_learner(traits: Traits, clause: str) -> str:
    """Return advice to add a clause to a learner; a name of the catalogue has no statement yet and gets one."""
    if not traits.learner.implicit:
        return f"add `{clause}` to learner `{traits.name}`"
    name = traits.name if re.fullmatch(r"[\w-]+", traits.name) else "own"
    return f"define `learner {name} is {traits.name}, {clause}`"


def append_edit(source: SourceText, statement: Span, clause: str) -> Edit:
    """Return the insertion of a clause at the end of a statement, before a comment that may follow it."""
    text = source.cut(statement)
    end = statement.start + len(text.rstrip())
    at = Span(statement.path, end, end)
    if "\n" not in text.rstrip():
        return Edit(at, f", {clause}")
    last = text.rstrip().rpartition("\n")[2]
    indent = last[: len(last) - len(last.lstrip())] or "  "
    return Edit(at, f"\n{indent}{clause}")


def removal_edit(source: SourceText, span: Span) -> Edit:
    """Return the removal of a clause with the comma and blanks before it; of its line when nothing else is there."""
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


def comma_edit(source: SourceText, statement: Span, span: Span) -> Edit | None:
    """Return the removal of a comma that `removal_edit` would leave at the end of the statement."""
    before = mask_quoted(source.text[statement.start : span.start]).rstrip()
    after = mask_quoted(source.text[span.end : statement.end]).strip(" \t\r\n,")
    if after or not before.endswith(","):
        return None
    at = statement.start + len(before) - 1
    return Edit(Span(span.path, at, at + 1), "")


def remove_clause(facts: Facts, title: str, statement: Span, span: Span, *, safe: bool = True) -> Fix | None:
    """Return the repair that removes a clause from a statement."""
    source = find_source(facts, span)
    if source is None:
        return None
    edit = removal_edit(source, span)
    comma = comma_edit(source, statement, span)
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
    strict: Level
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
    code: str, name: str, level: Level, *, strict: Level | None = None,
    stage: Stage | tuple[Stage, ...] = "design", needs: tuple[Need, ...] = (),
    each: Callable[[Facts], Iterable[tuple[object, ...]]] = lambda facts: ((),),
) -> Callable[[Callable[..., Iterator[Finding]]], Rule]:  # fmt: skip
    """Turn a function of the facts into a rule.

    `level` is its level by default, `strict` the one under --strict where that is another. `needs` are the parts of a
    study without which it cannot judge. With `each` the function is called for each comparison, claim or table, which
    it takes beside the facts.
    """

    def attach(function: Callable[..., Iterator[Finding]]) -> Rule:
        @wraps(function)
        def check(facts: Facts) -> Iterator[Finding]:
            for parts in each(facts):
                yield from function(facts, *parts)

        stages: tuple[Stage, ...] = (stage,) if isinstance(stage, str) else stage
        return Rule(code, name, level, strict or level, stages, needs, check)

    return attach


def swap_test(case: Case, test: Test, name: str) -> Fix | None:
    """Return the repair that names another test; None when that does not fit the scheme or the metrics either."""
    card = find_test(name)
    if card is None or not test.span.path or len(case.tests) != 1:
        return None
    if case.kind not in card.schemes:
        return None
    if card.metrics == "accuracy" and any(metric.name not in ("accuracy", "error") for metric in case.metrics):
        return None
    return replace_words(f"use {name}", test.span, name)
