"""The documents an editor has open, and what has been read of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property

from ..language.decode import ENDINGS
from ..language.text import SourceText
from .lines import Lines, Units
from .open_text import OpenText, scripts
from .reading import Parsers, ScriptReading
from .reparse import Cancelled
from .whole_script import EmbeddedScript

MOST_FILES = 2_000  # scripts of a workspace that are looked through for includes
_SKIPPED = ("node_modules", "__pycache__", "runs")


class Page:
    """One version of one document, with its readings."""

    def __init__(self, document: OpenText, desk: Desk) -> None:
        self.document = document
        self.desk = desk
        self.lines = Lines(document.text, desk.units)

    @cached_property
    def readings(self) -> tuple[ScriptReading, ...]:
        """One for each script of the document."""
        found = []
        for number, script in enumerate(scripts(self.document)):
            parsers = self.desk.parsers(self.document.uri, number)
            parsers.check = self.check
            found.append(ScriptReading(script, opened=self.desk.opened, parsers=parsers))
        return tuple(found)

    @property
    def outdated(self) -> bool:
        """Whether the editor holds another text by now."""
        return self.desk.pages.get(self.document.uri) is not self

    def check(self) -> None:
        """Stop reading when nobody waits for it."""
        if self.outdated:
            raise Cancelled

    def at(self, offset: int) -> tuple[ScriptReading, int] | None:
        """The script at an offset of the document, and the offset in it."""
        for reading in self.readings:
            inner = reading.script.inward(offset)
            if inner is not None:
                return reading, inner
        return None


class Desk:
    """Every open document. Pages are put and taken by one thread, and read by another."""

    def __init__(self, units: Units = "utf-16", roots: Iterable[str] = ()) -> None:
        self.units = units
        self.roots = tuple(roots)
        self.pages: dict[str, Page] = {}
        self._parsers: dict[tuple[str, int], Parsers] = {}

    def put(self, document: OpenText) -> Page:
        """A document as it is now."""
        page = Page(document, self)
        self.pages[document.uri] = page
        return page

    def take(self, uri: str) -> None:
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

    def dependents(self, path: str) -> Iterator[Page]:
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
            source = self.opened(path) or _read(path)
            if source is not None:
                yield ScriptReading(EmbeddedScript(source), opened=self.opened)


def scripts_below(folder: str) -> Iterator[str]:
    """The scripts of a workspace, at most so many."""
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        for name in sorted(files):
            if name.endswith(ENDINGS):
                count += 1
                if count > MOST_FILES:
                    return
                yield os.path.join(place, name)


def _read(path: str) -> SourceText | None:
    from ..errors import EvalangError
    from ..language.decode import read_script

    try:
        return read_script(path)
    except EvalangError:
        return None
