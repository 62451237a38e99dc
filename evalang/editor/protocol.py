"""From readings to the records of the language server protocol: findings, coloured words, places as offsets."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from lsprotocol import types

from ..findings.rule import unquote
from ..findings.rules import find_rule
from ..language import nodes
from ..language.grammar import words, words_of_language
from ..language.parser import split_statements
from ..language.text import NOWHERE, Edit, Finding, SourceText, Span
from .completion import Completion
from .embedded import EmbeddedScript
from .navigation import Mention, definitions, mentions
from .workspace import Lines, OpenDocument, OpenDocuments, ScriptReading

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
# The protocol's name of what a statement word, and of what an offer is.
_SYMBOLS = {
    "dataset": "Array", "suite": "Package", "learner": "Class", "results": "Array", "predictions": "Array",
    "compare": "Method", "estimate": "Method", "claim": "Event", "simulate": "Function", "report": "File",
    "set": "Constant", "include": "Module",
}  # fmt: skip
_ITEMS = {
    "keyword": "Keyword", "learner": "Class", "step": "Function", "dataset": "Variable", "comparison": "Reference",
    "test": "Function", "metric": "Unit", "scheme": "Value", "parameter": "Property", "value": "Value",
    "column": "Field", "file": "File", "rule": "EnumMember",
}  # fmt: skip


def symbol_kind(statement: str) -> types.SymbolKind:
    """Return how an outline shows a statement, by its word."""
    return types.SymbolKind[_SYMBOLS.get(statement, "String")]


def uri_of(path: str) -> str:
    """Return the address of a file."""
    return Path(os.path.abspath(path)).as_uri()


def range_at(lines: Lines, start: int, end: int) -> types.Range:
    """Return the range of two offsets of the document."""
    return types.Range(types.Position(*lines.at(start)), types.Position(*lines.at(end)))


def range_of(page: OpenDocument, script: EmbeddedScript, span: Span) -> types.Range:
    """Return the range of a span of a script of the document."""
    return range_at(page.lines, script.outward(span.start), script.outward(span.end))


def offset_of(page: OpenDocument, position: types.Position) -> int:
    """Return the offset of a position of the document."""
    return page.lines.offset(position.line, position.character)


def location(page: OpenDocument, reading: ScriptReading, span: Span) -> types.Location | None:
    """Return the location of a span in any of the files of a script; None where the file is unknown."""
    if reading.owns(span):
        return types.Location(page.document.uri, range_of(page, reading.script, span))
    source = reading.built.sources.get(span.path)
    return _elsewhere(page.documents, source, span) if source else None


def _elsewhere(documents: OpenDocuments, source: SourceText, span: Span) -> types.Location:
    return types.Location(uri_of(span.path), range_at(Lines(source.text, documents.units), span.start, span.end))


def locations(documents: OpenDocuments, reading: ScriptReading, spans: Iterable[Span]) -> Iterator[types.Location]:
    """Yield the locations of spans, each once."""
    seen: set[Span] = set()
    sources = {source.path: source for source in reading.files}
    for span in spans:
        if span not in seen and span.path in sources:
            seen.add(span)
            yield _elsewhere(documents, sources[span.path], span)


def link(code: str, pages: str) -> types.CodeDescription | None:
    """Return the address of a rule's page."""
    rule = find_rule(code) if pages else None
    return types.CodeDescription(pages.format(page=f"{rule.code}-{rule.name}", code=code)) if rule else None


def diagnostics(page: OpenDocument, pages: str) -> list[types.Diagnostic]:
    """Return every finding of every script of a document; `pages` is the address of a rule's page."""
    return [
        types.Diagnostic(
            range=range_of(page, reading.script, span),
            message=f"{finding.message}\n{finding.help}" if finding.help else finding.message,
            severity=_SEVERITY[finding.level],
            code=finding.code,
            code_description=link(finding.code, pages),
            source="evalang",
            related_information=[
                types.DiagnosticRelatedInformation(where, text)
                for place, text in related
                if (where := location(page, reading, place)) is not None
            ]
            or None,
        )
        for reading in page.readings
        for finding, span, related in diagnoses(reading)
    ]


def text_edits(page: OpenDocument, script: EmbeddedScript, edits: Iterable[Edit]) -> list[types.TextEdit] | None:
    """Return edits of a script in its document; None when they cannot be written there as they are."""
    found = []
    for edit in edits:
        if script.quoted and (set(edit.text) & set("\"'\\\n")):
            return None  # it would end the string it stands in
        found.append(types.TextEdit(range_of(page, script, edit.span), edit.text))
    return found


def completion_list(page: OpenDocument, script: EmbeddedScript, found: Completion) -> types.CompletionList:
    """Return offers as items that replace the word begun."""
    where = range_of(page, script, Span("", found.start, found.end))
    items = [
        types.CompletionItem(
            label=offer.label,
            kind=types.CompletionItemKind[_ITEMS[offer.kind]],
            detail=offer.detail or None,
            sort_text=f"{number:04}",
            filter_text=offer.insert or offer.label,
            text_edit=types.TextEdit(where, offer.insert or offer.label),
        )
        for number, offer in enumerate(found.offers)
        if not (script.quoted and '"' in (offer.insert or offer.label))
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def token_numbers(page: OpenDocument, inside: Callable[[int], bool] = lambda offset: True) -> list[int]:
    """Return semantic tokens as five numbers each, relative to the one before."""
    data: list[int] = []
    line = character = 0
    for reading in page.readings:
        for begin, close, kind, declares in tokens(reading):
            start, end = reading.script.outward(begin), reading.script.outward(close)
            if not inside(start):
                continue
            at, stop = page.lines.at(start), page.lines.at(end)
            if stop.line != at.line or stop.character <= at.character:
                continue
            data += [
                at.line - line,
                at.character - character if at.line == line else at.character,
                stop.character - at.character,
                KINDS.index(kind),
                int(declares),
            ]
            line, character = at
    return data


def about(finding: Finding, given: Iterable[types.Diagnostic]) -> list[types.Diagnostic] | None:
    """Return the diagnostics of the editor that a finding is shown as."""
    return [one for one in given if one.code == finding.code and one.message.startswith(finding.message)] or None


Known = dict[tuple[str, str], Mention]
Related = list[tuple[Span, str]]


def diagnoses(reading: ScriptReading) -> Iterator[tuple[Finding, Span, Related]]:
    """Yield every finding with its place in the script and related places, each with what stands there.

    One about an included file is shown where that file is included.
    """
    report = reading.report
    known: Known = {(one.space, one.text): one for one in reversed(definitions(reading))} if report.findings else {}
    for finding in report.findings:
        if reading.owns(finding.span):
            yield finding, finding.span, _related(reading, finding, known)
        else:
            place = [(finding.span, finding.message)] if finding.span != NOWHERE else []
            yield finding, _include(reading, finding.span), place


def _include(reading: ScriptReading, span: Span) -> Span:
    """Return the span of the `include` that brings in a file, or the first line for a finding without a place."""
    found = [s for s in reading.statements if isinstance(s, nodes.IncludeStatement)]
    direct = [s for s in found if span.path.endswith(s.path.value.lstrip("./"))]
    for statement in (*direct, *found):
        return statement.path.span
    first = reading.source.text.partition("\n")[0]
    return Span(reading.source.path, 0, len(first.rstrip("\r")))


def _related(reading: ScriptReading, finding: Finding, known: Known) -> Related:
    """Return where the names that are meant are defined, unless in the statement of the finding."""
    statement, subject = reading.statement_at(finding.span.start), finding.subject
    word = unquote(reading.source.cut(finding.span))
    names = (word, subject.statement, subject.comparison, subject.dataset or "", *subject.learners)
    found = [known.get((space, text)) for text in names for space in ("definition", "comparison")]
    elsewhere = [one for one in found if one and not (statement and one.statement.span == statement.span)]
    places = {one.span: f"{one.text} is defined here" for one in elsewhere if one.span != finding.span}
    return list(places.items())


# The protocol's own names, in the order in which the server announces them.
KINDS = ("keyword", "variable", "class", "function", "method", "parameter", "string", "number", "operator", "comment",
         "enumMember", "namespace")  # fmt: skip
_OF_MENTION = {
    "learner": "class", "dataset": "variable", "suite": "variable", "results": "variable", "predictions": "variable",
    "data": "variable", "comparison": "namespace",
}  # fmt: skip


def tokens(reading: ScriptReading) -> Iterator[tuple[int, int, str, bool]]:
    """Yield where every token begins and ends, its kind, and whether it defines a name.

    Signs other than operators are left to the editor.
    """
    text = reading.source.text
    named: dict[int, tuple[str, bool]] = {}
    for statement in reading.statements:
        for _, node in nodes.walk(statement):
            for kind, field, colour in _OF_NODE:
                if isinstance(node, kind):
                    named[getattr(node, field).span.start] = (colour, False)
        for one in mentions(statement):
            named[one.span.start] = (_OF_MENTION[one.kind], one.defines)
    starts = [start for start, _ in split_statements(text)]
    for start, end in pairwise([0, *starts, len(text)]):  # each is read alone, as the parser does
        for word in words(text, start, end):
            kind, declares = named.get(word.start, (_plain(word.text, word.comment), False))
            if kind:
                yield word.start, word.start + len(word.text), kind, declares


def _plain(word: str, comment: bool) -> str:
    if comment:
        return "comment"
    if word[0] == '"':
        return "string"
    if word[0].isdigit() or word[0] == "-":
        return "number"
    if word[0].isalpha() and word in words_of_language():
        return "keyword"
    if word[0].isalpha():
        return "variable"
    return "operator" if word in ("|", "~", "=", "^", "..", "/") else ""


# What a name is coloured as by the node that holds it: names of the catalogue, and parameters.
_OF_NODE: tuple[tuple[Any, str, str], ...] = (
    (nodes.Call, "name", "function"),
    (nodes.Argument | nodes.TunedParameter | nodes.Setting, "name", "parameter"),
    (nodes.Allow, "code", "enumMember"),
    (nodes.Correct, "method", "method"),
)
