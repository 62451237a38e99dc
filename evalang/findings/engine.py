"""Lint: ask every rule about a script, sort the findings, and report which rules passed or could not judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ..data.profile_facts import Profile, TableFacts
from ..errors import Refused, ScriptError
from ..language.text import INLINE, LEVELS, NOWHERE, Finding, SourceText, Stage, Subject, nearest
from ..ledger.history import LedgerHistory
from ..plans.build import Built
from .allowances import NEVER, apply_allowances
from .case import Place
from .facts import Facts, NotApplicable, collect_facts, each_table_read
from .gaps import find_gaps
from .lint_report import LintReport, Passed, RuleAnswer, RulesAsked, Skipped
from .rule import Need, Rule
from .rules import RETIRED, RULES
from .rules.script import rule_crashed

if TYPE_CHECKING:
    from ..results.run_result import RunResult

# How much a finding can change the result, the gravest first; our order. A prefix stands for all its codes.
_SEVERITY_ORDER: tuple[tuple[str, ...], ...] = (
    ("EV9", "EV0"),  # what cannot be read can mean anything
    ("EV108",),  # a feature gives the answer away
    # the learner has seen the test rows
    ("EV205", "EV208", "EV201", "EV220", "EV221", "EV224", "EV105", "EV106", "EV107", "EV120", "EV125", "EV225",
     "EV602"),
    # the number answers something else, or nothing
    ("EV112", "EV2", "EV30", "EV4", "EV7", "EV606", "EV605"),
    ("EV5", "EV6", "EV3", "EV1"),
    # one more clause settles it
    ("EV101", "EV004", "EV008", "EV310", "EV409", "EV410"),
)  # fmt: skip
_RANK = {code: rank for rank, codes in enumerate(_SEVERITY_ORDER) for code in codes}


@lru_cache(maxsize=1024)
def gravity(code: str) -> int:
    """Return the rank of a code: 0 is reported first.

    >>> gravity("EV108") < gravity("EV403") < gravity("EV501") < gravity("EV101")
    True
    """
    return next((_RANK[code[:n]] for n in range(len(code), 2, -1) if code[:n] in _RANK), len(_SEVERITY_ORDER) // 2)


def in_order(findings: Iterable[Finding], sources: Mapping[str, SourceText]) -> tuple[Finding, ...]:
    """Sort by level, gravity, file (the script first), place and code; drop repeats, and keep one note of each code."""
    rank = {path: i for i, path in enumerate(sources)}

    def place(found: Finding) -> tuple[int, int, int, int, int, str]:
        at = found.span
        where = rank.get(at.path, len(rank)), at.start, at.end
        return (LEVELS.index(found.level), gravity(found.code), *where, found.code)

    once: dict[tuple[object, ...], Finding] = {}
    for found in sorted(findings, key=place):
        same = (found.code,) if found.level == "note" else (found.code, found.span, found.message)
        once.setdefault(same, found)
    return tuple(once.values())


_NOT_YET: dict[Stage, RuleAnswer] = {
    "data": RuleAnswer(reason="the data has not been opened (lint --data opens it)"),
    "run": RuleAnswer(reason="nothing has been run yet"),
}
_MISSING: dict[Need, tuple[Callable[[Facts], bool], RuleAnswer]] = {
    "ledger": (lambda facts: facts.past is None, RuleAnswer(reason="no ledger is kept")),
    "results": (lambda facts: not any(each_table_read(facts)), RuleAnswer(reason="no table of results was read")),
}
_SILENT = RuleAnswer()


def lint(
    built: Built,
    *,
    profiles: Mapping[str, Profile] | None = None,
    past: LedgerHistory | None = None,
    run: RunResult | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    before: LintReport | None = None,
    tables: Mapping[str, TableFacts] | None = None,
    strict: bool = False,
) -> LintReport:
    """Return every finding about a script, with the rules that passed or could not judge and what the author allows.

    `select` and `ignore` take codes, beginnings of codes ("EV5") and names; what the reader and the builder found is
    always reported. `before` is the report of an earlier stage: its answers stand, and only the rules that look at
    what is new are asked, unless the data have changed the plan. `strict` gives findings the rules' strict levels, as
    `set strict` in the script does.
    """
    faulty = any(found.fix is None or not found.fix.safe for found in built.findings)  # a safe fix is only spelling
    facts = collect_facts(
        built.plan, built.sources, faulty=faulty, profiles=profiles, past=past, run=run, tables=tables
    )
    reached: dict[Stage, bool] = {"design": True, "data": profiles is not None, "run": run is not None}
    stages = frozenset(stage for stage, done in reached.items() if done)
    rules = _selected(tuple(select), tuple(ignore))
    names = {rule.code: rule.name for rule in rules}
    asked = RulesAsked(plan=built.plan, stages=stages, answers=_answers(rules, facts, stages, before))
    fully_asked = frozenset(rule.code for rule in rules if not faulty and stages.issuperset(rule.stages))
    known = {rule.code: rule for rule in RULES}
    found = _with_levels(rules, asked.findings, facts, strict or built.plan.strict)
    split = apply_allowances(facts, (*built.findings, *found), fully_asked, known)
    findings = in_order((*split.kept, *(split.needless if "EV008" in names else ())), built.sources)
    present = {finding.code for finding in (*findings, *(a.finding for a in split.allowed))}
    ready = {rule.code for rule in rules if stages.intersection(rule.stages)}
    gaps = find_gaps(facts, built.unplanned, present, ready) if built.findings else ()
    open_codes = _open_codes(rules, facts, stages)
    not_passed = present.union(open_codes, *(gap.codes for gap in gaps))
    silent = asked.silent
    skipped = (*asked.skipped, *((code, why) for code, why in open_codes.items() if code in silent))
    return LintReport(
        findings=findings,
        passed=tuple(Passed(code=code, name=names[code]) for code in silent if code not in not_passed),
        not_applicable=tuple(Skipped(code=code, name=names[code], reason=why) for code, why in sorted(skipped)),
        allowed=split.allowed,
        sources=built.sources,
        conditions=tuple(f for f in split.kept if f.stage == "run" and f.level == "warning"),
        asked=asked,
        unjudged=gaps,
    )


def _answers(
    rules: Iterable[Rule], facts: Facts, stages: frozenset[Stage], before: LintReport | None
) -> dict[str, RuleAnswer]:
    """Return the answers by code, in the order of the rules."""
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


def _ask(rule: Rule, facts: Facts, stages: frozenset[Stage]) -> RuleAnswer:
    if not stages.intersection(rule.stages):
        return _NOT_YET[rule.stages[0]]
    for need, (missing, answer) in _MISSING.items():
        if need in rule.needs and missing(facts):
            return answer
    try:
        found = tuple(rule.function(facts))
        return RuleAnswer(findings=found) if found else _SILENT
    except NotApplicable as error:
        return RuleAnswer(reason=error.reason)
    except Exception as error:  # a rule that fails must not take the others with it
        return RuleAnswer(findings=(_crash(rule, error),))


_SAID_BEFORE = frozenset({"EV801", "EV804", "EV806"})  # on every run after a change, also where nothing is new


def _with_levels(rules: Iterable[Rule], findings: Iterable[Finding], facts: Facts, strict: bool) -> Iterator[Finding]:
    """Yield the findings, in strict at the rules' strict level; those of the ledger also once the design is frozen.

    A level that a rule gave to one finding by itself stays. Without either, what the ledger says of a comparison that
    was run before and has not changed since is a note.
    """
    frozen = facts.past is not None and facts.past.frozen is not None
    reruns = facts.past.reruns if facts.past is not None else frozenset()
    severe = {r.code: r for r in rules if r.strict != r.level and (strict or (frozen and "ledger" in r.needs))}
    for found in findings:
        rule = severe.get(found.code)
        if rule is not None and found.level == rule.level:
            found = replace(found, level=rule.strict)
        elif rule is None and found.code in _SAID_BEFORE and found.subject.comparison in reruns:
            found = replace(found, level="note")
        yield found


_COUNTING = frozenset({"EV501", "EV502", "EV503", "EV506", "EV508"})  # rules about the number of tests


def _open_codes(rules: Iterable[Rule], facts: Facts, stages: frozenset[Stage]) -> dict[str, str]:
    """Return the rules that have more to look at than is known yet, with the reason; silence is no pass for them."""
    open_stages = {rule.code: stage for rule in rules for stage in reversed(rule.stages) if stage not in stages}
    later = {code: _NOT_YET[stage].reason or "" for code, stage in open_stages.items()}
    for name in facts.misfits:
        reason = f"a test of {name} cannot be computed from its design"
        later = {**{rule.code: reason for rule in rules if "test" in rule.needs}, **later}
    uncounted = {name for suite in facts.plan.suites if suite.each for name in suite.members}
    if "data" not in stages and any(
        case.comparison.data == "results"
        or not case.comparison.learners
        or uncounted.intersection(case.comparison.datasets)
        for case in facts.cases
    ):
        later |= {rule.code: _NOT_YET["data"].reason or "" for rule in rules if rule.code in _COUNTING}
    return later


def _selected(select: tuple[str, ...], ignore: tuple[str, ...]) -> tuple[Rule, ...]:
    wanted = [rule for rule in RULES if not select or any(_fits(rule, word) for word in select)]
    return tuple(rule for rule in wanted if not any(_fits(rule, word) for word in ignore))


def _fits(rule: Rule, word: str) -> bool:
    return rule.name == word or (word.upper().startswith("EV") and rule.code.startswith(word.upper()))


def unknown_choice(word: str) -> str | None:
    """Return a sentence about a code or name of `--select` or `--ignore` that no rule has, or None."""
    if any(_fits(rule, word) for rule in RULES) or word.upper() in RETIRED:
        return None
    near = nearest(word, [w for rule in RULES for w in (rule.code, rule.name)])
    return f"there is no rule {word}" + (f"; did you mean {near}?" if near else "; evalang explain --all lists them")


def _crash(rule: Rule, error: Exception) -> Finding:
    return rule_crashed.finding(
        f"the rule {rule.code} {rule.name} failed on this script ({type(error).__name__}: {str(error)[:200]})",
        f"internal error, please report; `--ignore {rule.code}` skips the rule",
        at=Place(NOWHERE, Subject(statement=rule.code)),
    )


def refuse(report: LintReport) -> None:
    """Raise when lint found errors: ScriptError for what cannot be read, Refused for the rest."""
    errors = report.errors
    if not errors:
        return
    message = f"lint found {len(errors)} error{'s' * (len(errors) != 1)}, so nothing was run"
    if all(found.fix is not None and found.fix.safe for found in errors):
        them = "it" if len(errors) == 1 else "them"
        in_python = errors[0].span.path == INLINE  # there is no file that could be repaired
        hint = f"correct {them} as the help says" if in_python else f"`evalang lint --fix` repairs {them}"
    elif NEVER.issuperset(found.code for found in errors):
        hint = "correct the statements that cannot be read" if errors[0].code == "EV001" else "correct it first"
    else:
        hint = 'repair them, or keep one on purpose with `allow CODE because "…"`'
    if any(f.code == "EV001" for f in errors):
        raise ScriptError(message, hint=hint, findings=report.findings)
    raise Refused(message, hint=hint, findings=report.findings)
