"""Where in the script a finding points: names and clause words inside a statement."""

from __future__ import annotations

import re

from ..plans.model import Comparison
from ..source.span import NOWHERE, Span
from ..source.text import Source
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


def learner_at(comparison: Comparison, name: str) -> Span:
    """Where a comparison names a learner."""
    for learner, span in zip(comparison.learners, comparison.learner_spans, strict=False):
        if learner == name:
            return span
    return comparison.span


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


def source_of(facts: Facts, span: Span) -> Source | None:
    """The file a span stands in."""
    return facts.sources.get(span.path) if span != NOWHERE else None
