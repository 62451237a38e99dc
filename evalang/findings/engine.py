"""Asks every rule about a script and sorts the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..data.facts import Profile
from ..plans.build import Built
from ..source.finding import Finding, Stage, Subject
from ..source.nearest import nearest
from ..source.text import Source
from .allow import sort_out
from .facts import gather
from .report import LintReport, Passed, Skipped
from .rule import NotApplicable, Rule
from .rules import RETIRED, RULES
from .rules.script import rule_crashed

if TYPE_CHECKING:
    from ..results.run_result import RunResult

_NOT_YET: dict[Stage, str] = {
    "data": "the data has not been opened (lint --data opens it)",
    "run": "nothing has been run yet",
}
_KNOWN = frozenset(rule.code for rule in RULES)


def lint(
    built: Built,
    *,
    profiles: Mapping[str, Profile] | None = None,
    run: RunResult | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
) -> LintReport:
    """Every finding about a script, with the rules that passed, that could not judge, and what the author allows.

    `select` and `ignore` take codes, beginnings of codes ("EV5") and names; what the reader and the builder found is
    always told.
    """
    facts = gather(built.plan, built.sources, faulty=bool(built.findings), profiles=profiles, run=run)
    stages = _stages(profiles, run)
    chosen = [rule for rule in RULES if _chosen(rule, tuple(select), tuple(ignore))]
    findings = list(built.findings)
    skipped: list[Skipped] = []
    silent: list[Rule] = []
    for rule in chosen:
        if not any(stage in stages for stage in rule.stages):
            skipped.append(Skipped(code=rule.code, name=rule.name, reason=_NOT_YET[rule.stages[0]]))
            continue
        try:
            found = list(rule.function(facts))
        except NotApplicable as error:
            skipped.append(Skipped(code=rule.code, name=rule.name, reason=error.reason))
            continue
        except Exception as error:  # a rule that fails must not take the others with it
            found = [_crash(rule, error)]
        findings += found
        if not found:
            silent.append(rule)
    judged = frozenset(rule.code for rule in chosen if all(stage in stages for stage in rule.stages))
    sorted_out = sort_out(facts, findings, frozenset() if facts.faulty else judged, _KNOWN)
    needless = sorted_out.needless if any(rule.code == "EV008" for rule in chosen) else ()
    kept = _in_order((*sorted_out.kept, *needless), built.sources)
    present = {finding.code for finding in (*kept, *(a.finding for a in sorted_out.allowed))}
    return LintReport(
        findings=kept,
        passed=tuple(Passed(code=rule.code, name=rule.name) for rule in silent if rule.code not in present),
        not_applicable=tuple(skipped),
        allowed=sorted_out.allowed,
        sources=built.sources,
        conditions=tuple(f for f in sorted_out.kept if f.stage == "run" and f.level == "warning"),
    )


def _stages(profiles: Mapping[str, Profile] | None, run: RunResult | None) -> frozenset[Stage]:
    found: set[Stage] = {"design"}
    if profiles is not None:
        found.add("data")
    if run is not None:
        found.add("run")
    return frozenset(found)


def _chosen(rule: Rule, select: tuple[str, ...], ignore: tuple[str, ...]) -> bool:
    if any(_fits(rule, word) for word in ignore):
        return False
    return not select or any(_fits(rule, word) for word in select)


def _fits(rule: Rule, word: str) -> bool:
    return rule.name == word or (word.upper().startswith("EV") and rule.code.startswith(word.upper()))


def unknown_choice(word: str) -> str | None:
    """A sentence about a code or name of `--select` or `--ignore` that no rule has, or None."""
    if any(_fits(rule, word) for rule in RULES) or word.upper() in RETIRED:
        return None
    near = nearest(word, [w for rule in RULES for w in (rule.code, rule.name)])
    return f"there is no rule {word}" + (f"; did you mean {near}?" if near else "; evalang explain --all lists them")


def _crash(rule: Rule, error: Exception) -> Finding:
    return rule_crashed.finding(
        f"the rule {rule.code} {rule.name} failed on this script ({type(error).__name__}: {str(error)[:200]})",
        f"this is our fault; please report it. `--ignore {rule.code}` leaves the rule out",
        subject=Subject(statement=rule.code),
    )


def _in_order(findings: Iterable[Finding], sources: Mapping[str, Source]) -> tuple[Finding, ...]:
    """By file (the script first), place and code; the same finding is told once."""
    rank = {path: i for i, path in enumerate(sources)}
    once = {(f.code, f.span, f.message): f for f in findings}
    return tuple(
        sorted(once.values(), key=lambda f: (rank.get(f.span.path, len(rank)), f.span.start, f.span.end, f.code))
    )
