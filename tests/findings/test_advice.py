"""Every help and repair, applied as written, leads to a script without that finding and without a new one of weight.

Every bad script of every rule is taken, with the facts of its data, its ledger and its run, and a grid of designs:
schemes by tests, metrics, kinds of data, tables, claims and estimates. The suite takes a part of the
grid; `python -m tests.findings.test_advice` takes all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from evalang.data.profile_facts import Profile, TableFacts
from evalang.findings.rules import RULES
from evalang.language.text import Finding, SourceText
from evalang.plans.build import build

from .advice import DESIGNS
from .cases import FAMILIES, SCRIPTS, Case, cases
from .follow import PATH, Reading, fixed, pieces, ways
from .scripts import linted

CASES = tuple(
    case
    for family in FAMILIES
    for path in sorted((SCRIPTS / family).glob("*.eval"))
    for case in cases(path)
    if case.bad
)
SHARE = 6  # of the grid, one part is taken by the suite
# What a script shows once its fault is mended was hidden by it before: EV004 is not judged in a faulty script.
HIDDEN = {"EV004"}


def _reopened(profiles: Mapping[str, Profile] | None, text: str) -> dict[str, Profile] | None:
    """What the data shows once the script says more of it."""
    if profiles is None:
        return None
    said = {dataset.name: dataset for dataset in build(SourceText(PATH, text)).plan.datasets}
    found = {}
    for name, known in profiles.items():
        dataset = said.get(name)
        if dataset is None:
            found[name] = known
            continue
        gone = {*dataset.drop, dataset.groups, dataset.time, dataset.series}
        missing = {str(word) for word in dataset.missing}
        named = {value for _, value in dataset.source.options}
        classes = known.classes
        if dataset.against_rest and len(classes) > 2:
            classes = (("positive", classes[0][1]), ("rest", sum(count for _, count in classes[1:])))
        found[name] = replace(
            known,
            classes=classes,
            positive=known.positive or next(iter(dataset.positive), None),
            identifier_columns=tuple(c for c in known.identifier_columns if c not in gone),
            answer_columns=tuple(c for c in known.answer_columns if c.column not in gone),
            group_like=() if dataset.groups else tuple(c for c in known.group_like if c[0] not in gone),
            series_like=() if dataset.series else tuple(c for c in known.series_like if c[0] not in gone),
            date_columns=() if dataset.time else tuple(c for c in known.date_columns if c not in gone),
            numbers_as_text=tuple(
                c
                for c in known.numbers_as_text
                if c.column not in gone | named and not {word for word, _ in c.words} <= missing
            ),
        )
    return found


def _reread(tables: tuple[TableFacts, ...], text: str) -> tuple[TableFacts, ...]:
    said = {table.name: table for table in build(SourceText(PATH, text)).plan.results}
    return tuple(
        replace(t, group_columns=()) if t.name in said and getattr(said[t.name], "groups", None) else t for t in tables
    )


def _weighty(text: str, case: Case | None, run: bool) -> list[Finding]:
    if case is None:
        report = linted(text)
    else:
        tables, profiles = _reread(case.tables, text), _reopened(case.profiles, text)
        report = linted(text, profiles=profiles, past=case.past, run=case.run if run else None, tables=tables)
    return [f for f in report.findings if f.level != "note"]


def _scripts(text: str, found: Finding) -> Iterator[tuple[str, str]]:
    """(what is advised, the script it leads to): the repair, and every way of the help that a reader can follow."""
    if found.fix is not None:
        yield f"fix: {found.fix.title}", fixed(text, found.fix)
    source = SourceText(PATH, text)
    built = build(source)
    evidence = max((len(c.evidence) for c in built.plan.claims if c.span == found.span), default=1)
    for place, (said, script) in enumerate(ways(Reading(built, source, found))):
        for turn in range(1, evidence):
            if script is not None:
                source = SourceText(PATH, script)
                script = list(ways(Reading(build(source), source, found, turn)))[place][1] or script
        if script is not None:
            yield said, script


def wrong_advice(text: str, case: Case | None = None) -> Iterator[tuple[str, str, str]]:
    """(code, what was advised, what came of it) for every piece of advice that does not hold."""
    before = _weighty(text, case, run=True)
    for found in before:
        at_run = found.stage == "run"  # another script would be another run: its design alone can be judged
        try:
            advised = list(_scripts(text, found))
        except LookupError as unknown:
            yield found.code, str(unknown), "nobody knows how to follow it"
            continue
        for said, script in advised:
            after = _weighty(script, case, run=not at_run)
            new = {f.code for f in after} - {f.code for f in before} - HIDDEN
            left = not at_run and sum(f.code == found.code for f in after) >= sum(f.code == found.code for f in before)
            if new or left:
                yield found.code, said, ", ".join(sorted(new)) or f"{found.code} is still there"


def _plain(case: Case) -> str:
    return re.sub(r"  # expect: .*", "", case.text)


@pytest.mark.parametrize("family", FAMILIES)
def test_advice_on_every_bad_script_of_every_rule(family: str) -> None:
    own = [case for case in CASES if (SCRIPTS / family / f"{case.rule}.eval").exists()]
    wrong = {(str(case), *one) for case in own for one in wrong_advice(_plain(case), case)}
    assert wrong == set()


def test_advice_on_a_part_of_the_grid() -> None:
    wrong = {one for design in DESIGNS[::SHARE] for one in wrong_advice(design.text)}
    assert wrong == set()


def test_nearly_every_rule_has_advice_that_was_followed() -> None:
    """The others ask for what no script can hold: other data, other runs, a sentence, a reason."""
    followed = {
        found.code
        for case in CASES
        for found in _weighty(_plain(case), case, run=True)
        for _ in _scripts(_plain(case), found)
    }
    weighty = {rule.code for rule in RULES if rule.level != "note" and rule.code != "EV901"}
    assert len(followed) >= 65
    assert weighty - followed == ONLY_THE_AUTHOR


ONLY_THE_AUTHOR = {
    "EV002", "EV003", "EV004", "EV005", "EV006",  # which name or value was meant
    "EV103", "EV112", "EV113", "EV114", "EV116", "EV117", "EV118", "EV122", "EV408", "EV413", "EV421",  # other data
    "EV207", "EV215", "EV217", "EV220", "EV222", "EV223", "EV226", "EV316", "EV317", "EV504",  # how learners are made
    "EV306", "EV705", "EV706",  # what is written of the result
    "EV801", "EV802", "EV803", "EV804", "EV805", "EV806", "EV808",  # what was done before
}  # fmt: skip


def test_the_ways_of_a_help_are_told_apart() -> None:
    assert pieces("add tune on 20% (of each training part), or tune using 5cv")[1] == "write tune using 5cv"
    assert pieces("write by corrected-t, or using 10x2cv by corrected-t")[1] == "write using 10x2cv by corrected-t"
    assert pieces("add control a (2 pairs), or all pairs (3)") == ["add control a (2 pairs)", "add all pairs (3)"]


if __name__ == "__main__":
    every = {one for design in DESIGNS for one in wrong_advice(design.text)}
    print(f"{len(DESIGNS)} designs, {len(every)} kinds of wrong advice")
    for line in sorted(every):
        print(*line, sep=" | ")
