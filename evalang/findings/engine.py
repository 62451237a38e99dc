"""Asks every rule about a script and sorts the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..data.facts import Profile, TableFacts
from ..ledger.past import Past
from ..plans.build import Built
from ..source.finding import Finding, Stage, Subject
from ..source.nearest import nearest
from .allow import sort_out
from .facts import Facts, gather
from .report import Answer, Asked, LintReport, Passed, Skipped
from .rule import NotApplicable, Rule
from .rules import RETIRED, RULES
from .rules.script import rule_crashed
from .unjudged import unjudged
from .weight import in_order

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
    past: Past | None = None,
    run: RunResult | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    before: LintReport | None = None,
    tables: Mapping[str, TableFacts] | None = None,
) -> LintReport:
    """Every finding about a script, with the rules that passed, that could not judge, and what the author allows.

    `select` and `ignore` take codes, beginnings of codes ("EV5") and names; what the reader and the builder found is
    always told. `before` is the report of an earlier stage: its answers stand, and only the rules that look at what is
    new are asked, unless the data have changed the plan.
    """
    facts = gather(
        built.plan, built.sources, faulty=bool(built.findings), profiles=profiles, past=past, run=run, tables=tables
    )
    stages = _stages(profiles, run)
    chosen = [rule for rule in RULES if _chosen(rule, tuple(select), tuple(ignore))]
    asked = Asked(plan=built.plan, stages=stages, answers=_answers(chosen, facts, stages, before))
    sorted_out = sort_out(facts, (*built.findings, *asked.findings), _full_say(chosen, facts, stages), _KNOWN)
    needless = sorted_out.needless if any(rule.code == "EV008" for rule in chosen) else ()
    kept = in_order((*sorted_out.kept, *needless), built.sources)
    present = {finding.code for finding in (*kept, *(a.finding for a in sorted_out.allowed))}
    named = {rule.code: rule.name for rule in chosen}
    return LintReport(
        findings=kept,
        passed=tuple(Passed(code=code, name=named[code]) for code in asked.silent if code not in present),
        not_applicable=tuple(Skipped(code=code, name=named[code], reason=why) for code, why in asked.skipped),
        allowed=sorted_out.allowed,
        sources=built.sources,
        conditions=tuple(f for f in sorted_out.kept if f.stage == "run" and f.level == "warning"),
        asked=asked,
        unjudged=unjudged(facts, present, frozenset(named)),
    )


def _answers(
    rules: Iterable[Rule], facts: Facts, stages: frozenset[Stage], before: LintReport | None
) -> dict[str, Answer]:
    """By code, in the order of the rules."""
    earlier = before.asked if before is not None else None
    if earlier is None or earlier.plan != facts.plan:
        return {rule.code: _ask(rule, facts, stages) for rule in rules}
    fresh = stages - earlier.stages
    return {
        rule.code: earlier.answers[rule.code]
        if rule.code in earlier.answers and not fresh.intersection(rule.stages)
        else _ask(rule, facts, stages)
        for rule in rules
    }


def _ask(rule: Rule, facts: Facts, stages: frozenset[Stage]) -> Answer:
    if not stages.intersection(rule.stages):
        return Answer(reason=_NOT_YET[rule.stages[0]])
    try:
        return Answer(findings=tuple(rule.function(facts)))
    except NotApplicable as error:
        return Answer(reason=error.reason)
    except Exception as error:  # a rule that fails must not take the others with it
        return Answer(findings=(_crash(rule, error),))


def _full_say(rules: Iterable[Rule], facts: Facts, stages: frozenset[Stage]) -> frozenset[str]:
    """The rules that have seen all they look at, so that an allow they do not need is needless."""
    return frozenset() if facts.faulty else frozenset(rule.code for rule in rules if stages.issuperset(rule.stages))


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
