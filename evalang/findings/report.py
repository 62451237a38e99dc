"""The outcome of lint: what was found, what passed, what could not be judged, what the author allows."""

from __future__ import annotations

from collections.abc import Mapping

from ..source.finding import LEVELS, Finding, Level
from ..source.record import Record
from ..source.text import Source


class Passed(Record):
    """A rule that was asked and found nothing."""

    code: str
    name: str


class Skipped(Record):
    """A rule that could not judge this script, and why."""

    code: str
    name: str
    reason: str


class Allowed(Record):
    """A finding that the author keeps on purpose, and the author's reason."""

    finding: Finding
    reason: str


class LintReport(Record):
    """Everything lint can say about a script."""

    findings: tuple[Finding, ...]
    passed: tuple[Passed, ...]
    not_applicable: tuple[Skipped, ...]
    allowed: tuple[Allowed, ...]
    sources: Mapping[str, Source]
    conditions: tuple[Finding, ...] = ()  # what a run did not meet, once for everything it is about

    def at_least(self, level: Level) -> tuple[Finding, ...]:
        """Findings of this level or a graver one."""
        reach = LEVELS.index(level)
        return tuple(f for f in self.findings if LEVELS.index(f.level) <= reach)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What stops a run."""
        return self.at_least("error")

    @property
    def crashed(self) -> bool:
        """Whether a rule failed: our own fault."""
        return any(f.code == "EV901" for f in self.findings)
