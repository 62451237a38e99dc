"""What a lint rule is: a function from facts to findings, with its code, name, level and stage beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..source.finding import Finding, Fix, Level, Stage, Subject
from ..source.record import Record
from ..source.span import NOWHERE, Span
from .facts import Facts

Check = Callable[[Facts], Iterator[Finding]]


class NotApplicable(Exception):
    """Raised by a rule that cannot judge this script, with the reason: "no claim is made"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Rule(Record):
    """A rule. `page` is its documentation: the docstring of its function, with fixed headings."""

    code: str
    name: str
    level: Level
    stages: tuple[Stage, ...]
    references: tuple[str, ...]
    function: Check

    @property
    def page(self) -> str:
        """The docstring of the function, as it stands in the source."""
        return self.function.__doc__ or ""

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.strip().partition("\n")[0]

    def finding(
        self,
        message: str,
        help: str,
        span: Span = NOWHERE,
        subject: Subject = Subject(),  # noqa: B008
        fix: Fix | None = None,
        level: Level | None = None,
        stage: Stage | None = None,
    ) -> Finding:
        """A finding of this rule."""
        return Finding(
            code=self.code,
            name=self.name,
            level=level or self.level,
            message=message,
            help=help,
            span=span,
            stage=stage or self.stages[0],
            subject=subject,
            fix=fix,
        )


def rule(
    *, code: str, name: str, level: Level, stage: Stage | tuple[Stage, ...] = "design", references: tuple[str, ...] = ()
) -> Callable[[Check], Rule]:
    """Puts the metadata beside a rule's function; it registers nothing (rules/__init__.py lists the rules)."""

    def attach(function: Check) -> Rule:
        stages: tuple[Stage, ...] = (stage,) if isinstance(stage, str) else stage
        return Rule(code=code, name=name, level=level, stages=stages, references=references, function=function)

    return attach
