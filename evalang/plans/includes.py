"""A script and the files it includes, as one sequence of statements."""

from __future__ import annotations

import os
from collections.abc import Callable

from ..errors import ScriptError
from ..source.decode import LARGEST, read_script
from ..source.finding import Finding
from ..source.record import Record
from ..source.text import Source
from ..syntax import nodes
from ..syntax.lost import lost_names
from ..syntax.parser import parse
from .problems import Problems

MOST_FILES = 1_000  # included in all; more is a mistake or an attack
MOST_NESTED = 50  # files that include one another in a chain


class Reading(Record):
    """How files are read and parsed: from the disk; an editor has unsaved texts, and trees that it knows already."""

    read: Callable[[str], Source] = read_script
    parse: Callable[[Source], tuple[nodes.Script, tuple[Finding, ...]]] = parse


class Gathered(Record):
    """Every statement in reading order, with whether it came by `include`; a `set` holds only in its own file."""

    statements: tuple[tuple[nodes.Statement, bool], ...]
    findings: tuple[Finding, ...]
    sources: dict[str, Source]


def gather(
    source: Source, root: str | os.PathLike[str], problems: Problems, reading: Reading | None = None
) -> Gathered:
    """Read a script with its includes; none leads out of `root`, none includes itself."""
    reader = _Reader(root, problems, reading or Reading())
    reader.sources[source.path] = source
    reader.read(source, included=False, chain=(_real(source.path),))
    return Gathered(tuple(reader.statements), tuple(reader.findings), reader.sources)


def _real(path: str | os.PathLike[str]) -> str:
    return os.path.realpath(os.fspath(path))


class _Reader:
    def __init__(self, root: str | os.PathLike[str], problems: Problems, reading: Reading) -> None:
        self.root = _real(root)
        self.problems = problems
        self.reading = reading
        self.sources: dict[str, Source] = {}
        self.statements: list[tuple[nodes.Statement, bool]] = []
        self.findings: list[Finding] = []
        self.done: set[str] = set()

    def read(self, source: Source, included: bool, chain: tuple[str, ...]) -> None:
        script, findings = self.reading.parse(source)
        self.findings += findings
        if findings:
            self.problems.lost |= lost_names(source, script)
        for statement in script.statements:
            self.statements.append((statement, included))
            if isinstance(statement, nodes.Include):
                self.include(statement, source, chain)

    def include(self, statement: nodes.Include, source: Source, chain: tuple[str, ...]) -> None:
        written = statement.path.value
        span = statement.path.span
        shown = os.path.join(os.path.dirname(source.path), written)
        if "\0" in written or not self._inside(real := _real(shown)):
            help = "keep included files beside the script or below it"
            self.problems.syntax(span, f'"{written}" leads out of the folder of the script', help)
        elif real in chain:
            self.problems.syntax(span, f'"{written}" includes itself', "take the include out of one of the files")
        elif len(chain) > MOST_NESTED:
            self.problems.syntax(
                span, f"more than {MOST_NESTED} files include one another in a chain", "join some of them"
            )
        elif len(self.sources) >= MOST_FILES:
            self.problems.syntax(span, f"more than {MOST_FILES:,} files are included", "join some of them")
        elif real not in self.done:  # a file included twice is read once
            self.done.add(real)
            try:
                found = self.reading.read(shown)
            except ScriptError as error:
                self.problems.syntax(span, error.message, error.hint or "correct the path")
                return
            if sum(len(one.text) for one in self.sources.values()) + len(found.text) > LARGEST:
                message = f"the script and what it includes have more than {LARGEST:,} characters"
                self.problems.syntax(span, message, "split the script in two")
                return
            self.sources[shown] = found
            self.read(found, included=True, chain=(*chain, real))

    def _inside(self, real: str) -> bool:
        return os.path.commonpath((self.root, real)) == self.root
