"""Help that names clauses, written into the script as it stands, ends its finding and brings no other of weight.

Tried on every bad script of every rule, with its facts, and on a grid of designs: schemes by tests, metrics, kinds of
data, tables, claims and estimates. Help that asks for more than clauses (other data, a reason) is left to the author.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from evalang.catalogue.tests import TESTS
from evalang.findings.rule import append_edit, removal_edit
from evalang.findings.rules import find_rule
from evalang.language.text import Edit, Finding, SourceText
from evalang.plans.build import build
from evalang.plans.model import Comparison, Plan

from .advice import DESIGNS
from .cases import FAMILIES, Case, all_cases
from .scripts import PATH, linted

SHARE = 6  # of the grid, one part is tried
HIDDEN = {"EV004"}  # not judged in a faulty script, so it may show once the fault is mended
_SCHEME = (
    r"(?:grouped |stratified |unstratified )*(?:holdout [\d/%]+|\d+ halvings of \w+|\d+ partitions of \w+|\w*\d+cv|"
    r"forward \d+ splits|\d+ resamples of [\d/]+|leave-one-out|bootstrap \d+)"
)
_TEST = "|".join(re.escape(test.name) for test in sorted(TESTS, key=lambda test: -len(test.name)))
_CLAUSES = {  # by the word under which the plan keeps its place
    "using": rf"(?:using )?{_SCHEME}(?![\w-])",
    "by": rf"by (?:{_TEST})(?:, (?:{_TEST}))*(?![\w-])",
    "seed": r"seed \d+",
    "tune": r"tune (?:on \d+%|using \d+cv)",
    "calibrate": r"calibrate on (?:\d+%|tuning)",
    "rope": r"rope [\d.]+(?: points?|%)?",
    "pairs": r"all pairs",
    "control": r"control [\w-]+",
    "primary": r"primary [\w-]+",
    "measuring": r"measur(?:ing|e) [\w-]+",
    "correct": r"(?:holm|bonferroni) over "
    r"(?:everything so far|(?:datasets|learners|metrics)(?:, (?:datasets|learners|metrics))*)",
    "threshold": r"threshold on \d+%",
    "gap": r"gap \d+ rows",
    "failures": r"failures count as worst",
    "cases": r"missing count as wrong",
}
_CLAUSE = re.compile("|".join(f"(?P<{word}>{pattern})" for word, pattern in _CLAUSES.items()))
_GONE = re.compile(r"leave out `(by|rope|expecting|failures|until|without retraining)(?: settled)?`(?: and `rope`)?")
_TO_A_NAME = re.compile(r"add ((?:`[^`…]+`(?: and |, )?)+) to (?:dataset|learner|results|predictions) `([^`]+)`")
_DEFINED = re.compile("define `((?:dataset|learner) [^`…]+)`")
_NAMED = re.compile(f"{_TO_A_NAME.pattern}|{_DEFINED.pattern}")
_WHY = re.compile(
    r" \(|; for exploration|: (?!using)| for an? | if | to (?:test|keep) |, (?:which|where|whose|unless) "
    r"| instead of `(?:gap|complete)"
)
_ONLY_WORDS = re.compile(
    r"(?:add|write|use|compare with|train again and again|in the comparison|to the comparison|and|[\s,:])*"
)


def _comparison(plan: Plan, found: Finding) -> Comparison | None:
    """The one comparison that a finding is about; None where a claim rests on several."""
    claimed = [claim.evidence for claim in plan.claims if claim.span == found.span]
    if claimed:
        return next((c for c in plan.comparisons if claimed == [(c.name,)]), None)
    about = found.subject
    return next((c for c in plan.comparisons if about.comparison == c.name or about.dataset in c.datasets), None)


def _steps(way: str) -> tuple[list[str], dict[str, str]] | None:
    """Clauses to leave out and clauses to write; None where the way asks for anything else."""
    way = _WHY.split(way)[0]
    gone = [m[1].removeprefix("without ") for m in _GONE.finditer(way)] + ["rope"] * ("and `rope`" in way)
    rest = _NAMED.sub("", _GONE.sub("", way)).replace("`", "")
    put = {str(m.lastgroup): m[0] for m in _CLAUSE.finditer(rest)}
    if not _ONLY_WORDS.fullmatch(_CLAUSE.sub("", rest)) or not (gone or put or _NAMED.match(way)):
        return None
    if "using" in put:
        put["using"] = f"using {put['using'].removeprefix('using ')}"
    if "measuring" in put:
        put["measuring"] = put["measuring"].replace("measure ", "measuring ")
    return gone, put


def _followed(text: str, found: Finding) -> Iterator[tuple[str, str]]:
    """(what is advised, the script it leads to): the repair, and every way of the help that only names clauses."""
    if found.fix is not None:
        fixed = text
        for edit in sorted(found.fix.edits, key=lambda one: one.span.start, reverse=True):
            fixed = fixed[: edit.span.start] + edit.text + fixed[edit.span.end :]
        yield f"fix: {found.fix.title}", fixed
    source = SourceText(PATH, text)
    plan = build(source).plan
    comparison = _comparison(plan, found)
    defined = {one.name: one.span for one in (*plan.datasets, *plan.learners, *plan.results, *plan.predictions)}
    also: list[str] = []  # "leave out `by` and write X, or Y": `by` goes in both
    for way in re.split(r", or (?![^(]*\))", found.help) if comparison else ():
        steps = _steps(way)
        if steps is None or comparison is None:
            continue
        places = dict(comparison.spans)
        gone, put = steps
        also = gone = gone or ([] if re.match(r"add|write|use|compare", way) else also)
        edits = [removal_edit(source, places[word]) for word in gone if word in places]
        edits += [Edit(places[word], clause) for word, clause in put.items() if word in places and word not in gone]
        more = [clause for word, clause in put.items() if word not in places or word in gone]
        edits += [append_edit(source, comparison.span, ", ".join(more))] if more else []
        for clauses, name in _TO_A_NAME.findall(way):
            edits += [append_edit(source, defined[name], clause) for clause in re.findall("`([^`]+)`", clauses)]
        written = text
        for edit in sorted(edits, key=lambda one: (one.span.start, one.span.end), reverse=True):
            written = written[: edit.span.start] + edit.text + written[edit.span.end :]
        yield way, "".join(f"{line}\n" for line in _DEFINED.findall(way)) + written


_DID_YOU_MEAN = re.compile(r'did you mean "?([\w.-]+)"?\?')
_STATEMENT = re.compile(r"(?:add|write) `(compare [^`…]+)`(?! and)")
_OF_LEARNER = re.compile(r"(?:add|write) `(calibrate \w+)` (?:in|to) learner `([^`]+)`")
_OF_EACH = re.compile(r"(?:add|write) `(because \"…\"|holm over everything)`[^,]* (?:in|to) each")
_IN_CLAIM = re.compile(r"write `(on [^`]+)` in the claim")


def _beyond_one_comparison(text: str, found: Finding) -> Iterator[tuple[str, str]]:
    """(what is advised, the script it leads to) for a name, a statement, a claim, a learner or every comparison."""
    source, help = SourceText(PATH, text), found.help
    plan, at = build(source).plan, source.cut(found.span) if found.span.path else ""

    def edited(*edits: Edit) -> str:
        written = text
        for edit in sorted(edits, key=lambda one: one.span.start, reverse=True):
            written = written[: edit.span.start] + edit.text + written[edit.span.end :]
        return written

    wrong = re.search(r'"([\w.-]+)"', found.message)
    if (meant := _DID_YOU_MEAN.search(help)) and wrong and wrong[1] in at:
        yield meant[0], edited(Edit(found.span, at.replace(wrong[1], meant[1])))
    if statement := _STATEMENT.search(help):
        compared = [c.span for c in plan.comparisons if c.name == found.subject.comparison and not c.estimate]
        added = f"{text.rstrip()}\n{statement[1]}\n"
        yield statement[0], edited(Edit(compared[0], statement[1])) if compared else added
    if (claimed := _IN_CLAIM.search(help)) and "on new datasets" in at:
        yield claimed[0], edited(Edit(found.span, at.replace("on new datasets", claimed[1])))
    if "leave out `this classifier` in the claim" in help:
        yield "without `this classifier`", edited(Edit(found.span, at.replace("this classifier ", "")))
    if (clause := _OF_LEARNER.search(help)) and " to the comparison" not in help:
        (span,) = [one.span for one in plan.learners if one.name == clause[2]]
        own = source.cut(span)
        yield clause[0], edited(Edit(span, re.sub(r"calibrate \w+", clause[1], own)))
    if clause := _OF_EACH.search(help):
        words = clause[1].replace("…", "fixed before the data were seen")
        named = [c for c in plan.comparisons if f"`{c.name}`" in found.message] or plan.comparisons
        yield (
            clause[0],
            edited(
                *(
                    Edit(dict(c.spans)["correct"], words)
                    if words.startswith("holm") and "correct" in dict(c.spans)
                    else append_edit(source, c.span, words)
                    for c in named
                )
            ),
        )
    if "remove the statement" in help:
        defined = [(one.name, one.span) for group in (plan.datasets, plan.suites, plan.learners) for one in group]
        defined += [(one.name, one.span) for tables in (plan.results, plan.predictions) for one in tables]
        spans = [span for name, span in defined if name == found.subject.statement]
        yield "remove the statement", edited(*(Edit(span, "") for span in spans))


def _weighty(text: str, case: Case | None, run: bool = True) -> list[Finding]:
    if case is None:
        return [f for f in linted(text).findings if f.level != "note"]
    done = case.run if run else None
    report = linted(text, run=done, profiles=case.profiles, past=case.past, tables=case.tables)
    return [f for f in report.findings if f.level != "note"]


def _wrong(text: str, case: Case | None, followed: set[str]) -> Iterator[tuple[str, str, str]]:
    """(code, what was advised, what came of it) for every piece of advice that does not hold; adds what was tried."""
    before = _weighty(text, case)
    for found in before:
        at_run = found.stage == "run"  # another script would be another run: only its design can be judged
        facts = at_run or found.stage == "data"  # of the script as it was; what it finds in them cannot go
        for said, script in (*_followed(text, found), *_beyond_one_comparison(text, found)):
            followed.add(found.code)
            after = _weighty(script, None if found.stage == "data" and _NAMED.search(said) else case, run=not at_run)
            new = {f.code for f in after} - {f.code for f in before} - HIDDEN
            same = (sum(f.code == found.code for f in findings) for findings in (before, after))
            if found.code == "EV004":  # what only a removed suite named is unused then
                left = found.message in {f.message for f in after}
            else:
                left = not facts and next(same) <= next(same)
            if new or left:
                yield found.code, said, ", ".join(sorted(new)) or f"{found.code} is still there"


def _plain(case: Case) -> str:
    return re.sub(r"  # expect: .*", "", case.text)


CASES = {family: [case for case in all_cases(family) if case.bad] for family in FAMILIES}


# Advice that asks for more than clauses of the comparison: another name, other data, other learners, a sentence in the
# report, another claim. A rule whose advice cannot be read has to stand here.
ONLY_THE_AUTHOR = {
    "EV003", "EV006", "EV103", "EV109", "EV113", "EV116", "EV117", "EV118", "EV122", "EV123", "EV124", "EV126",
    "EV127", "EV202", "EV207", "EV215", "EV217", "EV220", "EV222", "EV223", "EV225", "EV226", "EV227", "EV308",
    "EV309", "EV316", "EV317", "EV325", "EV413", "EV421", "EV705", "EV706", "EV802", "EV803", "EV804",
    "EV805", "EV806", "EV807", "EV808", "EV901",
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_advice_on_every_bad_script_of_every_rule(family: str) -> None:
    followed: set[str] = set()
    assert {(str(case), *one) for case in CASES[family] for one in _wrong(_plain(case), case, followed)} == set()
    rules = [rule for case in CASES[family] if (rule := find_rule(case.rule))]
    graver = {rule.code for rule in rules if rule.level != "note"}
    assert graver - followed == ONLY_THE_AUTHOR & graver


def test_advice_on_a_part_of_the_grid() -> None:
    assert {one for design in DESIGNS[::SHARE] for one in _wrong(design.text, None, set())} == set()


TABLE = 'results mmlu from csv "m.csv" as score ~ model | subject / item, datasets in "subject", measuring accuracy\n'
SEEDS = 'results ft from csv "f.csv" as accuracy ~ learner | dataset / seed, folds in "seed"\n'


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        (TABLE + "compare a vs b on mmlu, seed 1\nclaim a better than b on law", "EV002", "write `on mmlu`"),
        (TABLE + "estimate a on mmlu\nclaim a better than b on mmlu", "EV002", "`compare a vs … on mmlu`"),
        (SEEDS + "compare a vs b on ft by corrected-t", "EV316", "seeds on the same data cannot be tested"),
    ],
)
def test_advice_on_tables_says_what_the_table_can_show(text: str, code: str, help: str) -> None:
    assert help in next(found.help for found in linted(text).findings if found.code == code)
