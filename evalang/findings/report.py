"""The outcome of lint: what was found, what passed, what could not be judged, what the author allows."""

from __future__ import annotations

from collections.abc import Mapping

from ..plans.model import Plan
from ..source.finding import LEVELS, Finding, Level, Stage
from ..source.record import Record, replace
from ..source.text import Source
from .unjudged import Unjudged


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


class Answer(Record):
    """What one rule said: its findings, or the reason why it could not judge."""

    findings: tuple[Finding, ...] = ()
    reason: str | None = None


class Asked(Record):
    """The answers of the rules by code, the plan they are about and the stages it had reached."""

    plan: Plan
    stages: frozenset[Stage]
    answers: Mapping[str, Answer]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all rules, in the order of the rules."""
        return tuple(finding for answer in self.answers.values() for finding in answer.findings)

    @property
    def silent(self) -> tuple[str, ...]:
        """Codes of the rules that judged and found nothing."""
        return tuple(code for code, a in self.answers.items() if a.reason is None and not a.findings)

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        """Codes and reasons of the rules that could not judge."""
        return tuple((code, a.reason) for code, a in self.answers.items() if a.reason is not None)


class LintReport(Record):
    """Everything lint can say about a script."""

    findings: tuple[Finding, ...]
    passed: tuple[Passed, ...]
    not_applicable: tuple[Skipped, ...]
    allowed: tuple[Allowed, ...]
    sources: Mapping[str, Source]
    conditions: tuple[Finding, ...] = ()  # what a run did not meet, once for everything it is about
    asked: Asked | None = None  # for the lint of the next stage
    unjudged: tuple[Unjudged, ...] = ()  # what a mistake in the script has taken from the rules

    def at_least(self, level: Level) -> tuple[Finding, ...]:
        """Findings of this level or a graver one."""
        reach = LEVELS.index(level)
        return tuple(f for f in self.findings if LEVELS.index(f.level) <= reach)

    def without(self, told: tuple[Finding, ...]) -> LintReport:
        """The report without findings that were told before."""
        return replace(self, findings=tuple(f for f in self.findings if f not in told))

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What stops a run."""
        return self.at_least("error")

    @property
    def crashed(self) -> bool:
        """Whether a rule failed: our own fault."""
        return any(f.code == "EV901" for f in self.findings)
