"""`allow CODE because "reason"`: which findings the author keeps on purpose, and which allowances nothing needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..plans.model import (
    Allowance,
    Claim,
    Comparison,
    Dataset,
    Learner,
    Plan,
    PredictionsTable,
    ResultsTable,
    Simulation,
    Suite,
)
from ..source.finding import Finding, Subject
from ..source.nearest import nearest
from ..source.record import Record
from ..source.span import NOWHERE, Span
from .edits import removed
from .facts import Facts
from .report import Allowed
from .rules.script import needless_allow

Named = Dataset | Suite | Learner | ResultsTable | PredictionsTable | Comparison | Claim | Simulation

# Nothing can be planned, or our own fault: no reason makes these go away.
NEVER = frozenset({"EV001", "EV002", "EV003", "EV005", "EV006", "EV007", "EV008", "EV901"})


class Place(Record):
    """An allowance and the statement it belongs to; a `set allow` belongs to the rest of its file."""

    allowance: Allowance
    statement: Span
    subject: str

    def covers(self, finding: Finding) -> bool:
        """Whether the finding stands in the statement, or is about what it defines."""
        at = finding.span
        if self.allowance.everywhere:
            here = at.path == self.statement.path and at.start >= self.allowance.span.end
            return here or at == NOWHERE
        inside = at.path == self.statement.path and self.statement.start <= at.start < self.statement.end
        return inside or (self.subject != "" and finding.subject.name == self.subject)


class Sorted(Record):
    """Findings after the allowances."""

    kept: tuple[Finding, ...]
    allowed: tuple[Allowed, ...]
    needless: tuple[Finding, ...]


def sort_out(facts: Facts, findings: Iterable[Finding], judged: frozenset[str], known: frozenset[str]) -> Sorted:
    """Splits findings by the allowances; `judged` are the codes that had their full say, `known` all there are."""
    places = tuple(_places(facts.plan))
    if not places:
        return Sorted(kept=tuple(findings), allowed=(), needless=())
    by_code: dict[str, list[Place]] = {}
    for place in places:
        by_code.setdefault(place.allowance.code, []).append(place)
    kept: list[Finding] = []
    allowed: list[Allowed] = []
    needed: set[Span] = set()
    for finding in findings:
        covering = [p for p in by_code.get(finding.code, ()) if p.covers(finding)] if finding.code not in NEVER else []
        if covering:
            allowed.append(Allowed(finding=finding, reason=covering[0].allowance.reason))
            needed.update(p.allowance.span for p in covering)
        else:
            kept.append(finding)
    idle = [p for p in places if p.allowance.span not in needed]
    return Sorted(kept=tuple(kept), allowed=tuple(allowed), needless=tuple(_needless(facts, idle, judged, known)))


def _places(plan: Plan) -> Iterator[Place]:
    statements: tuple[Named, ...] = (
        *plan.datasets, *plan.suites, *plan.learners, *plan.results, *plan.predictions,
        *plan.comparisons, *plan.claims, *plan.simulations,
    )  # fmt: skip
    for statement in statements:
        for allowance in statement.allow:
            yield Place(allowance=allowance, statement=statement.span, subject=statement.name)
    for output in plan.outputs:
        for allowance in output.allow:
            yield Place(allowance=allowance, statement=output.span, subject="")
    for allowance in plan.allow:
        yield Place(allowance=allowance, statement=allowance.span, subject="")


def _needless(facts: Facts, idle: list[Place], judged: frozenset[str], known: frozenset[str]) -> Iterator[Finding]:
    for place in idle:
        code, span = place.allowance.code, place.allowance.span
        if code in known and code not in judged and code not in NEVER:
            continue  # a rule of the data or of the run that has not been asked yet
        if code in NEVER:
            message, help = f"{code} cannot be allowed", "mend what it finds; nothing can be run before that"
        elif code not in known:
            near = nearest(code, known)
            message = f"allow {code} silences nothing: there is no rule {code}"
            help = f"did you mean {near}?" if near else "evalang explain --all lists the rules"
        else:
            message, help = f"allow {code} silences nothing: {code} finds nothing here", "leave the allow out"
        statement = facts.sources[span.path].text if span.path in facts.sources else ""
        whole = Span(span.path, 0, len(statement)) if place.allowance.everywhere else place.statement
        fix = (
            None
            if place.allowance.everywhere or code not in known
            else removed(facts, f"leave out `allow {code}`", whole, span)
        )
        yield needless_allow.finding(message, help, span=span, subject=Subject(statement=place.subject), fix=fix)
