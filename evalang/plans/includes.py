"""A script with the files that it includes."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import ScriptError
from ..language import nodes
from ..language.decode import LARGEST, read_script
from ..language.parser import parse
from ..language.recovery import lost_names, lost_statements
from ..language.text import Finding, SourceText
from .values import PlanErrors

MOST_FILES = 1_000  # included in all; more is a mistake or an attack
MOST_NESTED = 50  # files that include one another in a chain


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read and parsed: from the disk; an editor has unsaved texts, and trees that it knows already."""

    read: Callable[[str], SourceText] = read_script
    parse: Callable[[SourceText], tuple[nodes.Script, tuple[Finding, ...]]] = parse


class GatheredScript:
    """A script with its includes: every statement in reading order, with whether it came by `include`.

    No include leads out of the folder `root`, and no file includes itself.
    """

    def __init__(
        self, source: SourceText, root: str | os.PathLike[str], errors: PlanErrors, reading: Reading | None = None
    ) -> None:
        self.statements: list[tuple[nodes.Statement, bool]] = []
        self.findings: list[Finding] = []
        self.sources = {source.path: source}
        self.unread: list[str] = []  # comparisons and claims of which nothing could be read
        self._root, self._errors, self._reading = os.path.realpath(root), errors, reading or Reading()
        self._done: set[str] = set()
        self._read(source, included=False, chain=(os.path.realpath(source.path),))

    def _read(self, source: SourceText, included: bool, chain: tuple[str, ...]) -> None:
        script, findings = self._reading.parse(source)
        self.findings += findings
        if findings:
            self._errors.lost |= lost_names(source, script)
            self.unread += lost_statements(source, script)
        for statement in script.statements:
            self.statements.append((statement, included))
            if isinstance(statement, nodes.IncludeStatement):
                self._include(statement, source, chain)

    def _include(self, statement: nodes.IncludeStatement, source: SourceText, chain: tuple[str, ...]) -> None:
        written = statement.path.value
        span = statement.path.span
        shown = os.path.join(os.path.dirname(source.path), written)
        if "\0" in written or os.path.commonpath((self._root, real := os.path.realpath(shown))) != self._root:
            help = "keep included files beside the script or below it"
            self._errors.syntax(span, f'"{written}" leads out of the folder of the script', help)
        elif real in chain:
            self._errors.syntax(span, f'"{written}" includes itself', "take the include out of one of the files")
        elif len(chain) > MOST_NESTED:
            self._errors.syntax(
                span, f"more than {MOST_NESTED} files include one another in a chain", "join some of them"
            )
        elif len(self.sources) >= MOST_FILES:
            self._errors.syntax(span, f"more than {MOST_FILES:,} files are included", "join some of them")
        elif real not in self._done:  # a file included twice is read once
            self._done.add(real)
            try:
                found = self._reading.read(shown)
            except ScriptError as error:
                self._errors.syntax(span, error.message, error.hint or "correct the path")
                return
            if sum(len(one.text) for one in self.sources.values()) + len(found.text) > LARGEST:
                message = f"the script and what it includes have more than {LARGEST:,} characters"
                self._errors.syntax(span, message, "split the script in two")
                return
            self.sources[shown] = found
            self._read(found, included=True, chain=(*chain, real))
