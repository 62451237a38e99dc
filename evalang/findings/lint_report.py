"""The report of lint: findings, the rules that passed or could not judge, and what the author allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..language.text import LEVELS, Finding, Level, Shown, SourceText, Stage, counted
from ..plans.model import Plan


def count_levels(findings: Iterable[Finding]) -> str:
    """Return `1 error, 2 warnings`; "" where there is no finding."""
    levels = [found.level for found in findings]
    return ", ".join(counted(levels.count(level), level) for level in LEVELS if level in levels)


@dataclass(frozen=True, slots=True)
class Passed:
    """A rule that was asked and found nothing."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rule that could not judge this script, and why."""

    code: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Rules that could not judge part of a script, because something in it is unknown or cannot be read."""

    codes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """A finding that the author keeps on purpose, and the author's reason."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """The findings of one rule, or the reason why it could not judge."""

    findings: tuple[Finding, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class RulesAsked:
    """The answers of the rules by code, with the plan they are about and the stages it had reached."""

    plan: Plan
    stages: frozenset[Stage]
    answers: Mapping[str, RuleAnswer]

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


@dataclass(frozen=True, slots=True, repr=False)
class LintReport(Shown):
    """Everything lint reports about a script."""

    findings: tuple[Finding, ...]
    passed: tuple[Passed, ...]
    not_applicable: tuple[Skipped, ...]
    allowed: tuple[Allowed, ...]
    sources: Mapping[str, SourceText]
    conditions: tuple[Finding, ...] = ()  # what a run did not meet, once for everything it is about
    asked: RulesAsked | None = None  # for the lint of the next stage
    unjudged: tuple[Unjudged, ...] = ()

    def __repr__(self) -> str:
        """Return a line for each finding; `print` shows all of it."""
        return "\n".join(f"{f.level}[{f.code}] {f.name}" for f in self.findings) or "Nothing was found."

    def __str__(self) -> str:
        """Return the findings with their lines."""
        from .render_text import render_finding

        found = [render_finding(f, self.sources.get(f.span.path), colour=False) for f in self.findings]
        return "\n\n".join(found) if found else "Nothing was found."

    def at_least(self, level: Level) -> tuple[Finding, ...]:
        """Return the findings of this level or a graver one."""
        reach = LEVELS.index(level)
        return tuple(f for f in self.findings if LEVELS.index(f.level) <= reach)

    def without(self, reported: tuple[Finding, ...]) -> LintReport:
        """Return the report without findings that were reported before, in whichever stage."""
        before = {(f.code, f.level, f.message, f.help, f.span) for f in reported}
        fresh = (f for f in self.findings if (f.code, f.level, f.message, f.help, f.span) not in before)
        return replace(self, findings=tuple(fresh))

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What stops a run."""
        return self.at_least("error")

    @property
    def crashed(self) -> bool:
        """Whether a rule failed, which is a fault of evalang."""
        return any(f.code == "EV901" for f in self.findings)
