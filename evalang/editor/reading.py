"""What is known about a script that an editor shows: its tree, plan and findings, each made when first asked for."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property

from ..findings.engine import lint
from ..findings.lint_report import LintReport
from ..language import nodes
from ..language.decode import read_script
from ..language.text import Finding, SourceText, Span
from ..plans.build import Built, build
from ..plans.build import Reading as Files
from .reparse import Parser
from .whole_script import EmbeddedScript

Open = Callable[[str], SourceText | None]
MOST_PARSERS = 200  # files remembered; the ones of a workspace that are edited are few


class Parsers:
    """One parser for each file, so that an edit costs the statements it touches."""

    def __init__(self, check: Callable[[], None] = lambda: None) -> None:
        self.check = check
        self._parsers: dict[str, Parser] = {}

    def parse(self, source: SourceText) -> tuple[nodes.Script, tuple[Finding, ...]]:
        """The tree of a source and what could not be read."""
        if len(self._parsers) > MOST_PARSERS:
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
        return build(self.source, handed=self.script.handed, reading=Files(read=self._read, parse=self.parsers.parse))

    @cached_property
    def report(self) -> LintReport:
        """What lint says."""
        built = self.built
        self.parsers.check()
        return lint(built)

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

    def _read(self, path: str) -> SourceText:
        return self.opened(path) or read_script(path)


def reading_of(text: str, path: str = "script.eval") -> ScriptReading:
    """The reading of a text alone, as the playground needs it.

    >>> [f.code for f in reading_of("compare tree vs knn on iris using 10cv").report.errors]
    ['EV002']
    """
    return ScriptReading(EmbeddedScript(SourceText(path, text)))
