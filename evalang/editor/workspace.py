"""Parsing again after a key was pressed: statements whose words stayed the same are moved, not read.

A statement is read from its own words alone (language/parser.py cuts the text at statement words), so what was read
once holds wherever the same words stand; only the spans move.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Literal, NamedTuple

from ..codec import field_names, is_record
from ..errors import EvalangError, ScriptError
from ..findings.engine import lint
from ..findings.lint_report import LintReport
from ..language import nodes
from ..language.decode import ENDINGS, read_script
from ..language.nodes import Script, Statement
from ..language.parser import parse, split_statements
from ..language.text import Finding, SourceText, Span
from ..plans.build import Built, build
from ..plans.build import Reading as Files
from ..settings import Settings, settings_for
from .embedded import DocumentText, EmbeddedScript, scripts

Read = tuple[tuple[Statement, ...], tuple[Finding, ...]]
_put = object.__setattr__


class Cancelled(Exception):
    """Raised to stop reading a text that has changed."""


class Parser:
    """Parses one file again and again; `check` is asked between statements and may raise Cancelled."""

    def __init__(self, check: Callable[[], None] = lambda: None) -> None:
        self.check = check
        self._known: dict[str, tuple[int, Read]] = {}
        self._last: tuple[SourceText, tuple[Script, tuple[Finding, ...]]] | None = None

    def parse(self, source: SourceText) -> tuple[Script, tuple[Finding, ...]]:
        """What language.parser.parse gives."""
        if self._last is not None and self._last[0] is source:
            return self._last[1]
        statements: list[Statement] = []
        findings: list[Finding] = []
        known: dict[str, tuple[int, Read]] = {}
        for start, end in split_statements(source.text):
            words = source.text[start:end]
            read = self._piece(source.path, words, start)
            known[words] = (start, read)
            statements += read[0]
            findings += read[1]
        self._known = known
        found = Script(tuple(statements), span=Span(source.path, 0, len(source.text))), tuple(findings)
        self._last = (source, found)
        return found

    def _piece(self, path: str, words: str, start: int) -> Read:
        before = self._known.get(words)
        if before is None:
            self.check()
            script, findings = parse(SourceText(path, words))
            before = 0, (script.statements, findings)
        moved = start - before[0]
        return before[1] if not moved else (_moved(before[1][0], moved), _moved(before[1][1], moved))


def _moved(value: Any, by: int) -> Any:
    """The same value with every span moved."""
    kind = value.__class__
    if kind is Span:
        return Span(value[0], value[1] + by, value[2] + by)
    if kind is tuple:
        return tuple([_moved(item, by) for item in value])
    if is_record(value):
        new = kind.__new__(kind)
        for name in field_names(kind):
            inner = getattr(value, name)
            _put(new, name, inner if inner.__class__ in _PLAIN else _moved(inner, by))
        return new
    return value


_PLAIN = frozenset([str, int, float, bool, type(None)])


Units = Literal["utf-8", "utf-16", "utf-32"]
_END = re.compile(r"\r\n|\n|\r")


class EditorPosition(NamedTuple):
    """A place for editors: both numbers count from 0, `character` in the units that the editor counts in."""

    line: int
    character: int


class Lines:
    """One text; a place behind the end of a line or of the text is taken for that end."""

    __slots__ = ("ascii", "starts", "text", "units")

    def __init__(self, text: str, units: Units = "utf-16") -> None:
        self.text = text
        self.units = units
        self.ascii = text.isascii()
        self.starts = [0, *(found.end() for found in _END.finditer(text))]

    def at(self, offset: int) -> EditorPosition:
        """The place of an offset.

        >>> Lines("ab\\n😀c").at(4)
        EditorPosition(line=1, character=2)
        """
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        if self.ascii:
            return EditorPosition(line, offset - start)
        return EditorPosition(line, _count(self.text[start:offset], self.units))

    def offset(self, line: int, character: int) -> int:
        """The offset of a place.

        >>> Lines("ab\\n😀c").offset(1, 2)
        4
        """
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        stop = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        body = self.text[start:stop].rstrip("\r\n")
        if self.ascii or self.units == "utf-32" or body.isascii():
            return start + min(max(character, 0), len(body))
        seen = 0
        for index, letter in enumerate(body):
            if seen >= character:
                return start + index
            seen += _count(letter, self.units)
        return start + len(body)


def _count(text: str, units: Units) -> int:
    if units == "utf-32" or text.isascii():
        return len(text)
    if units == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(letter > "\uffff" for letter in text)


Open = Callable[[str], SourceText | None]
MAX_PARSERS = 200  # files remembered; the ones of a workspace that are edited are few


class Parsers:
    """One parser for each file, so that an edit costs the statements it touches."""

    def __init__(self, check: Callable[[], None] = lambda: None) -> None:
        self.check = check
        self._parsers: dict[str, Parser] = {}

    def parse(self, source: SourceText) -> tuple[nodes.Script, tuple[Finding, ...]]:
        """The tree of a source and what could not be read."""
        if len(self._parsers) > MAX_PARSERS:
            self._parsers.clear()
        return self._parsers.setdefault(source.path, Parser(lambda: self.check())).parse(source)


class ScriptReading:
    """One script. `opened` gives the text of a file that is open in the editor, which goes before the disk's."""

    def __init__(
        self, script: EmbeddedScript, *, opened: Open = lambda path: None, parsers: Parsers | None = None
    ) -> None:
        self.script = script
        self.source = script.source
        self.opened = opened
        self.parsers = parsers or Parsers()

    @cached_property
    def tree(self) -> nodes.Script:
        """The statements that could be read."""
        return self.parsers.parse(self.source)[0]

    @cached_property
    def built(self) -> Built:
        """The plan."""
        self.parsers.check()
        files = Files(read=lambda path: self.opened(path) or read_script(path), parse=self.parsers.parse)
        return build(self.source, passed=self.script.passed, reading=files)

    @cached_property
    def report(self) -> LintReport:
        """What lint says."""
        built = self.built
        self.parsers.check()
        try:
            found = settings_for(self.source.path)
        except ScriptError:  # a pyproject.toml that is being written
            found = Settings()
        return lint(built, select=found.select, ignore=found.ignore, strict=found.strict)

    @cached_property
    def files(self) -> tuple[SourceText, ...]:
        """The script and every file it includes."""
        return tuple(self.built.sources.values())

    @property
    def statements(self) -> tuple[nodes.Statement, ...]:
        """Those of this script alone."""
        return self.tree.statements

    def all_statements(self) -> tuple[nodes.Statement, ...]:
        """Those of included files too."""
        return tuple(one for source in self.files for one in self.parsers.parse(source)[0].statements)

    def statement_at(self, offset: int) -> nodes.Statement | None:
        """The statement that stands at an offset of this script."""
        number = bisect_right(self._starts, offset) - 1
        found = self.statements[number] if number >= 0 else None
        return found if found is not None and offset <= found.span.end else None

    @cached_property
    def _starts(self) -> list[int]:
        return [one.span.start for one in self.statements]

    def owns(self, span: Span) -> bool:
        """Whether a span stands in this script and not in an included file."""
        return span.path == self.source.path

    def folder(self) -> str:
        """The folder that paths in the script are relative to."""
        return os.path.dirname(self.source.path) or "."


def reading_of(text: str, path: str = "script.eval") -> ScriptReading:
    """The reading of a text alone, as the playground needs it.

    >>> [f.code for f in reading_of("compare tree vs knn on iris using 10cv").report.errors]
    ['EV002']
    """
    return ScriptReading(EmbeddedScript(SourceText(path, text)))


MAX_FILES = 2_000  # scripts of a workspace that are looked through for includes
_SKIPPED = ("node_modules", "__pycache__", "runs")


class OpenDocument:
    """One version of one document, with its readings."""

    def __init__(self, document: DocumentText, documents: OpenDocuments) -> None:
        self.document = document
        self.documents = documents
        self.lines = Lines(document.text, documents.units)

    @cached_property
    def readings(self) -> tuple[ScriptReading, ...]:
        """One for each script of the document."""
        found = []
        for number, script in enumerate(scripts(self.document)):
            parsers = self.documents.parsers(self.document.uri, number)
            parsers.check = self.check
            found.append(ScriptReading(script, opened=self.documents.opened, parsers=parsers))
        return tuple(found)

    @property
    def outdated(self) -> bool:
        """Whether the editor holds another text by now."""
        return self.documents.pages.get(self.document.uri) is not self

    def check(self) -> None:
        """Raise Cancelled when the text has changed."""
        if self.outdated:
            raise Cancelled

    def at(self, offset: int) -> tuple[ScriptReading, int] | None:
        """The script at an offset of the document, and the offset in it."""
        for reading in self.readings:
            inner = reading.script.inward(offset)
            if inner is not None:
                return reading, inner
        return None


class OpenDocuments:
    """Every open document. Pages are put and taken by one thread, and read by another."""

    def __init__(self, units: Units = "utf-16", roots: Iterable[str] = ()) -> None:
        self.units = units
        self.roots = tuple(roots)
        self.pages: dict[str, OpenDocument] = {}
        self._parsers: dict[tuple[str, int], Parsers] = {}

    def open(self, document: DocumentText) -> OpenDocument:
        """A document as it is now."""
        page = OpenDocument(document, self)
        self.pages[document.uri] = page
        return page

    def close(self, uri: str) -> None:
        """Forget a document that was closed."""
        self.pages.pop(uri, None)
        for key in [key for key in self._parsers if key[0] == uri]:
            del self._parsers[key]

    def parsers(self, uri: str, number: int) -> Parsers:
        """What was parsed of the script of that number in a document, and of its includes, before."""
        return self._parsers.setdefault((uri, number), Parsers())

    def opened(self, path: str) -> SourceText | None:
        """The text of an open file."""
        real = os.path.realpath(path)
        for page in tuple(self.pages.values()):
            document = page.document
            if document.path and os.path.realpath(document.path) == real and document.path.endswith(ENDINGS):
                return SourceText(path, document.text)
        return None

    def dependents(self, path: str) -> Iterator[OpenDocument]:
        """Other open documents that include a file, as far as they have been read."""
        real = os.path.realpath(path)
        for page in tuple(self.pages.values()):
            read = page.__dict__.get("readings", ())
            files = (s.path for r in read if "built" in r.__dict__ for s in r.files[1:])
            if page.document.path != path and any(os.path.realpath(file) == real for file in files):
                yield page

    def root_of(self, path: str) -> str:
        """The folder of the workspace that holds a file; the file's own folder when none does."""
        real = os.path.realpath(path)
        holding = [r for r in self.roots if real.startswith(os.path.join(os.path.realpath(r), ""))]
        return max(holding, key=len, default=os.path.dirname(path))

    def including(self, reading: ScriptReading) -> tuple[ScriptReading, ...]:
        """The reading itself, and those of every script of the workspace that includes its file."""
        path = reading.source.path
        real = os.path.realpath(path)
        found = [reading]
        for other in self._below(self.root_of(path)):
            if os.path.realpath(other.source.path) == real or "include" not in other.source.text:
                continue
            if any(os.path.realpath(file.path) == real for file in other.files):
                found.append(other)
        return tuple(found)

    def workspace(self) -> Iterator[ScriptReading]:
        """Every script of the workspace."""
        for root in self.roots:
            yield from self._below(root)

    def _below(self, folder: str) -> Iterator[ScriptReading]:
        for path in scripts_below(folder):
            try:
                source = self.opened(path) or read_script(path)
            except EvalangError:  # not a script
                continue
            yield ScriptReading(EmbeddedScript(source), opened=self.opened)


def scripts_below(folder: str) -> Iterator[str]:
    """The scripts of a workspace, at most so many."""
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        for name in sorted(files):
            if name.endswith(ENDINGS):
                count += 1
                if count > MAX_FILES:
                    return
                yield os.path.join(place, name)
