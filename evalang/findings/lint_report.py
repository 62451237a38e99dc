"""Which rules could not judge part of a script, because something it names is unknown or cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..catalogue.metrics import find_metric
from ..language.nearest import nearest
from ..language.text import LEVELS, NOWHERE, Finding, Level, SourceText, Span, Stage, Subject
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
from .case import Case, Place
from .facts import Facts
from .rule import Need, removed
from .rules import RULES
from .rules.script import idle, needless_allow


def _needing(*needs: Need) -> tuple[str, ...]:
    """Return the codes of the rules that need one of these."""
    return tuple(rule.code for rule in RULES if not set(needs).isdisjoint(rule.needs))


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Rules that had nothing to look at, and why."""

    codes: tuple[str, ...]
    reason: str


def unjudged(
    facts: Facts, unplanned: Iterable[str], found: Iterable[str], chosen: frozenset[str]
) -> tuple[Unjudged, ...]:
    """One for every reason; rules that found something all the same, or were not asked, are not named."""
    spoke = frozenset(found)
    said: dict[str, None] = {}
    answers = []
    gaps = [one for case in facts.cases for one in _gaps(case)]
    claims = _needing("claim")
    compared = _needing("dataset", "learner")
    gaps += [(claims if name.startswith("claim") else compared, f"{name} is not planned") for name in unplanned]
    strange = {one.name for one in facts.plan.learners if one.steps and one.steps[-1].kind == "unknown"}
    for claim in facts.plan.claims:
        gaps += [(claims, f"the learner {one} is unknown") for one in (claim.left, claim.right) if one in strange]
    if facts.faulty and (unused := [item.name for _, item in idle(facts.plan)]):
        gaps.append((("EV004",), f"a use of {unused[0]} may be among what could not be read"))
    for codes, reason in gaps:
        left = tuple(code for code in codes if code in chosen and code not in spoke)
        if left and reason not in said:
            said[reason] = None
            answers.append(Unjudged(left, reason))
    return tuple(answers)


def _gaps(case: Case) -> Iterator[tuple[tuple[str, ...], str]]:
    comparison = case.comparison
    name = comparison.name
    unread = {word for word, span in comparison.spans if word not in _written(case) or not span.path}
    if case.scheme is None:
        yield _needing("scheme"), f"nothing says how the rows of {name} are split"
    if not case.tests and any(word == "by" for word, _ in comparison.spans):
        yield _needing("test"), f"the test of {name} is unknown"
    strange = [m.name for m in comparison.metrics if find_metric(m.name) is None and m.better is None]
    if strange:
        said = comparison.metrics_origin == "written"
        yield (
            _needing("metric"),
            f"the metric {strange[0]} is unknown" if said else f"nothing says what {name} measures",
        )
    for traits in case.learners:
        if traits.learner.steps and traits.learner.steps[-1].kind == "unknown":
            yield _needing("learner"), f"the learner {traits.name} is unknown"
    for dataset in case.datasets:
        if dataset.source.kind == "unknown":
            yield _needing("dataset"), f"the dataset {dataset.name} is unknown"
    for word in sorted(unread - {"using", "by"}):  # said above
        what = "the correction" if word == "correct" else f"the clause `{word}`"
        need: Any = "metric" if word == "measuring" else word
        yield _needing(need), f"{what} of {name} cannot be read"


def _written(case: Case) -> frozenset[str]:
    """Clauses whose value the plan has, or about which EV006 has spoken."""
    comparison = case.comparison
    has = {
        "using": comparison.scheme, "by": case.tests, "measuring": comparison.metrics_origin == "written",
        "tune": comparison.tuning, "calibrate": comparison.calibration, "correct": comparison.correction,
        "at": comparison.alpha.origin == "written", "seed": comparison.seed, "rope": comparison.rope,
        "expecting": comparison.expecting, "control": comparison.control,
    }  # fmt: skip
    return frozenset(word for word, _ in comparison.spans if word not in has or has[word])


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
class Allowed:
    """A finding that the author keeps on purpose, and the author's reason."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """What one rule said: its findings, or the reason why it could not judge."""

    findings: tuple[Finding, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class RulesAsked:
    """The answers of the rules by code, the plan they are about and the stages it had reached."""

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


@dataclass(frozen=True, slots=True)
class LintReport:
    """Everything lint can say about a script."""

    findings: tuple[Finding, ...]
    passed: tuple[Passed, ...]
    not_applicable: tuple[Skipped, ...]
    allowed: tuple[Allowed, ...]
    sources: Mapping[str, SourceText]
    conditions: tuple[Finding, ...] = ()  # what a run did not meet, once for everything it is about
    asked: RulesAsked | None = None  # for the lint of the next stage
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


Named = Dataset | Suite | Learner | ResultsTable | PredictionsTable | Comparison | Claim | Simulation

# Nothing can be planned, or our own fault: no reason makes these go away.
NEVER = frozenset({"EV001", "EV002", "EV003", "EV005", "EV006", "EV007", "EV008", "EV901"})


@dataclass(frozen=True, slots=True)
class AllowancePlace:
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


@dataclass(frozen=True, slots=True)
class Sorted:
    """Findings after the allowances."""

    kept: tuple[Finding, ...]
    allowed: tuple[Allowed, ...]
    needless: tuple[Finding, ...]


def sort_out(facts: Facts, findings: Iterable[Finding], judged: frozenset[str], known: frozenset[str]) -> Sorted:
    """Splits findings by the allowances; `judged` are the codes that had their full say, `known` all there are."""
    places = tuple(_places(facts.plan))
    if not places:
        return Sorted(kept=tuple(findings), allowed=(), needless=())
    by_code: dict[str, list[AllowancePlace]] = {}
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


def _places(plan: Plan) -> Iterator[AllowancePlace]:
    statements: tuple[Named, ...] = (
        *plan.datasets, *plan.suites, *plan.learners, *plan.results, *plan.predictions,
        *plan.comparisons, *plan.claims, *plan.simulations,
    )  # fmt: skip
    for statement in statements:
        for allowance in statement.allow:
            yield AllowancePlace(allowance=allowance, statement=statement.span, subject=statement.name)
    for output in plan.outputs:
        for allowance in output.allow:
            yield AllowancePlace(allowance=allowance, statement=output.span, subject="")
    for allowance in plan.allow:
        yield AllowancePlace(allowance=allowance, statement=allowance.span, subject="")


def _needless(
    facts: Facts, idle: list[AllowancePlace], judged: frozenset[str], known: frozenset[str]
) -> Iterator[Finding]:
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
        yield needless_allow.finding(message, help, at=Place(span, Subject(statement=place.subject)), fix=fix)
