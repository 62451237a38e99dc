"""The scripts of open documents with what was read of them, and where an editor finds an offset."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple

from ..errors import EvalangError, ScriptError
from ..findings.engine import lint
from ..findings.lint_report import LintReport
from ..language import nodes
from ..language.files import ENDINGS, files_below, read_script
from ..language.parser import parse
from ..language.text import Finding, SourceText, Span
from ..plans.build import Built, build
from ..plans.build import Reading as Files
from ..settings import Settings, settings_for
from .embedded import DocumentText, EmbeddedScript, scripts

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
        """Return the place of an offset.

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
        """Return the offset of a place.

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


class ScriptReading:
    """One script. `opened` gives the text of a file that is open in the editor, which goes before the disk's."""

    def __init__(self, script: EmbeddedScript, opened: Callable[[str], SourceText | None] = lambda path: None) -> None:
        self.script = script
        self.source = script.source
        self.opened = opened
        self._trees: dict[SourceText, tuple[nodes.Script, tuple[Finding, ...]]] = {}

    def parse(self, source: SourceText) -> tuple[nodes.Script, tuple[Finding, ...]]:
        """Return the tree of the script or of a file it includes, and what could not be read."""
        if source not in self._trees:
            self._trees[source] = parse(source)
        return self._trees[source]

    @cached_property
    def built(self) -> Built:
        """The plan."""
        files = Files(read=lambda path: self.opened(path) or read_script(path), parse=self.parse)
        return build(self.source, passed=self.script.passed, reading=files)

    @cached_property
    def report(self) -> LintReport:
        """What lint says."""
        try:
            found = settings_for(self.source.path)
        except ScriptError:  # a pyproject.toml that is being written
            found = Settings()
        return lint(self.built, select=found.select, ignore=found.ignore, strict=found.strict)

    @cached_property
    def files(self) -> tuple[SourceText, ...]:
        """The script and every file it includes."""
        return tuple(self.built.sources.values())

    @property
    def statements(self) -> tuple[nodes.Statement, ...]:
        """Those of this script alone."""
        return self.parse(self.source)[0].statements

    def all_statements(self) -> tuple[nodes.Statement, ...]:
        """Return the statements, those of included files too."""
        return tuple(one for source in self.files for one in self.parse(source)[0].statements)

    def statement_at(self, offset: int) -> nodes.Statement | None:
        """Return the statement that stands at an offset of this script."""
        number = bisect_right(self._starts, offset) - 1
        found = self.statements[number] if number >= 0 else None
        return found if found is not None and offset <= found.span.end else None

    @cached_property
    def _starts(self) -> list[int]:
        return [one.span.start for one in self.statements]

    def owns(self, span: Span) -> bool:
        """Return whether a span stands in this script and not in an included file."""
        return span.path == self.source.path

    def folder(self) -> str:
        """Return the folder that paths in the script are relative to."""
        return os.path.dirname(self.source.path) or "."


def reading_of(text: str, path: str = "script.eval") -> ScriptReading:
    """Return the reading of a text alone, for the playground.

    >>> [f.code for f in reading_of("compare tree vs knn on iris using 10cv").report.errors]
    ['EV002']
    """
    return ScriptReading(EmbeddedScript(SourceText(path, text)))


MAX_FILES = 2_000  # scripts of a workspace that are looked through for includes


class OpenDocument:
    """One version of one document, with its readings."""

    def __init__(self, document: DocumentText, documents: OpenDocuments) -> None:
        self.document = document
        self.documents = documents
        self.lines = Lines(document.text, documents.units)

    @cached_property
    def readings(self) -> tuple[ScriptReading, ...]:
        """One for each script of the document."""
        return tuple(ScriptReading(script, self.documents.opened) for script in scripts(self.document))

    @property
    def outdated(self) -> bool:
        """Whether the editor holds another text by now."""
        return self.documents.pages.get(self.document.uri) is not self

    def at(self, offset: int) -> tuple[ScriptReading, int] | None:
        """Return the script at an offset of the document, and the offset in it."""
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

    def open(self, document: DocumentText) -> OpenDocument:
        """Store a document as it is now, and return it."""
        page = OpenDocument(document, self)
        self.pages[document.uri] = page
        return page

    def close(self, uri: str) -> None:
        """Forget a document that was closed."""
        self.pages.pop(uri, None)

    def opened(self, path: str) -> SourceText | None:
        """Return the text of an open file."""
        real = os.path.realpath(path)
        for page in tuple(self.pages.values()):
            document = page.document
            if document.path and os.path.realpath(document.path) == real and document.path.endswith(ENDINGS):
                return SourceText(path, document.text)
        return None

    def dependents(self, path: str) -> Iterator[OpenDocument]:
        """Yield other open documents that include a file, as far as they have been read."""
        real = os.path.realpath(path)
        for page in tuple(self.pages.values()):
            read = page.__dict__.get("readings", ())
            files = (s.path for r in read if "built" in r.__dict__ for s in r.files[1:])
            if page.document.path != path and any(os.path.realpath(file) == real for file in files):
                yield page

    def root_of(self, path: str) -> str:
        """Return the folder of the workspace that holds a file; the file's own folder when none does."""
        real = os.path.realpath(path)
        holding = [r for r in self.roots if real.startswith(os.path.join(os.path.realpath(r), ""))]
        return max(holding, key=len, default=os.path.dirname(path))

    def including(self, reading: ScriptReading) -> tuple[ScriptReading, ...]:
        """Return the reading itself, and those of every script of the workspace that includes its file."""
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
        """Yield every script of the workspace."""
        for root in self.roots:
            yield from self._below(root)

    def _below(self, folder: str) -> Iterator[ScriptReading]:
        for path in islice(files_below(folder), MAX_FILES):
            try:
                source = self.opened(path) or read_script(path)
            except EvalangError:  # not a script
                continue
            yield ScriptReading(EmbeddedScript(source), self.opened)
