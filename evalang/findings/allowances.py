"""Allowances: `allow CODE because "..."` takes findings out of the report, and is itself a finding when it does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..language.text import NOWHERE, Finding, Span, Subject, nearest
from ..plans.model import Allowance, Plan
from .case import Place
from .facts import Facts
from .lint_report import Allowed
from .rule import Rule, remove_clause
from .rules.script import needless_allow

# Nothing can be planned, or evalang itself failed: no reason makes these go away.
NEVER = frozenset({"EV001", "EV002", "EV003", "EV005", "EV006", "EV007", "EV008", "EV901"})


@dataclass(frozen=True, slots=True)
class _Scope:
    """An allowance and the statement it belongs to; a `set allow` belongs to the rest of its file."""

    allowance: Allowance
    statement: Span
    subject: str = ""

    def covers(self, finding: Finding) -> bool:
        """Return whether the finding stands in the statement, or is about what it defines."""
        at = finding.span
        if self.allowance.everywhere:
            return at == NOWHERE or (at.path == self.statement.path and at.start >= self.allowance.span.end)
        inside = at.path == self.statement.path and self.statement.start <= at.start < self.statement.end
        return inside or (self.subject != "" and finding.subject.name == self.subject)


@dataclass(frozen=True, slots=True)
class Split:
    """Findings divided by the allowances, and findings about allowances that are not needed."""

    kept: tuple[Finding, ...]
    allowed: tuple[Allowed, ...] = ()
    needless: tuple[Finding, ...] = ()


def apply_allowances(
    facts: Facts, findings: Iterable[Finding], judged: frozenset[str], known: Mapping[str, Rule]
) -> Split:
    """Divide findings by the allowances; `judged` are the codes of rules that were fully asked, `known` all rules."""
    scopes = tuple(_scopes(facts.plan))
    if not scopes:
        return Split(kept=tuple(findings))
    by_code: dict[str, list[_Scope]] = {}
    for scope in scopes:
        by_code.setdefault(scope.allowance.code, []).append(scope)
    kept: list[Finding] = []
    allowed: list[Allowed] = []
    needed: set[Span] = set()
    for finding in findings:
        covering = [scope for scope in by_code.get(finding.code, ()) if scope.covers(finding)]
        if covering and finding.code not in NEVER:
            allowed.append(Allowed(finding=finding, reason=covering[0].allowance.reason))
            needed.update(s.allowance.span for s in covering)
        else:
            kept.append(finding)
    idle = [s for s in scopes if s.allowance.span not in needed]
    return Split(tuple(kept), tuple(allowed), tuple(_needless(facts, idle, judged, known)))


def _scopes(plan: Plan) -> Iterator[_Scope]:
    statements: tuple[Any, ...] = (
        *plan.datasets, *plan.suites, *plan.learners, *plan.results, *plan.predictions,
        *plan.comparisons, *plan.claims, *plan.simulations, *plan.outputs,
    )  # fmt: skip
    for statement in statements:
        name = getattr(statement, "name", "")  # an output has none
        yield from (_Scope(allowance, statement.span, name) for allowance in statement.allow)
    yield from (_Scope(allowance, allowance.span) for allowance in plan.allow)


def _needless(facts: Facts, idle: list[_Scope], judged: frozenset[str], known: Mapping[str, Rule]) -> Iterator[Finding]:
    for scope in idle:
        code, span, everywhere = scope.allowance.code, scope.allowance.span, scope.allowance.everywhere
        if code in known and code not in judged and code not in NEVER:
            continue  # a rule of the data or of the run that has not been asked yet
        if code in NEVER:
            message = f"{code} cannot be allowed, because nothing can run before its finding is corrected"
            help = f"leave out `allow {code} …`, and correct what {code} finds"
        elif code not in known:
            near = nearest(code, known)
            message = f"`allow {code}` has no effect: there is no rule {code}"
            help = f"did you mean {near}?" if near else "`evalang explain --all` lists the rules"
        else:
            message, help = f"`allow {code}` has no effect: {code} finds nothing here", f"leave out `allow {code} …`"
        fix = None
        if not everywhere and code in known:
            fix = remove_clause(facts, f"leave out `allow {code}`", scope.statement, span)
        foreseeable = code not in known or known[code].stages == ("design",)  # without data and results
        yield needless_allow.finding(
            message,
            help,
            at=Place(span, Subject(statement=scope.subject)),
            fix=fix,
            level=None if foreseeable else "note",
        )
