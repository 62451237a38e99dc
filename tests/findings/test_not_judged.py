"""What a mistake takes from a rule is said: a rule that falls silent over it stands among those not judged.

Two bad scripts of every rule get one part after the other that nobody knows: its tests, its scheme, its metrics, its
learners, its datasets. The rule finds what it found before, or the report names it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from evalang.findings.rules import find_rule
from evalang.language import nodes
from evalang.language.text import Span

from .cases import CASES, FILES, Case, report_on
from .mutants import Experiment, plain, put, statements
from .scripts import linted

BAD = tuple(
    plain(case)
    for rule, own in CASES.items()
    if FILES[rule].parent.name != "script"
    for case in [one for one in own if one.bad][:2]
)
PARTS = ("test", "scheme", "metric", "learner", "dataset")
STRANGE = {"scheme": "ten parts"}  # what stands in the place of each, else a name that nobody knows


def _parts(statement: Any, part: str) -> Iterator[Span]:
    """Where an experiment names such a part."""
    for clause in statement.clauses:
        if part == "test" and isinstance(clause, nodes.By):
            yield from (call.name.span for call in clause.tests)
        if part == "scheme" and isinstance(clause, nodes.Using):
            yield clause.scheme.span
        if part == "metric" and isinstance(clause, nodes.Measuring):
            yield from (call.span for call in clause.metrics)
    if part == "learner":
        yield from (one.span for one in getattr(statement, "learners", (getattr(statement, "learner", None),)) if one)
    if part == "dataset":
        yield from (one.span for one in statement.datasets)


def broken(case: Case, part: str) -> Case | None:
    """The case with a word that nobody knows in every place of a part; None where it names no such part."""
    found = [span for one, _ in statements(case) if isinstance(one, Experiment) for span in _parts(one, part)]
    text = case.text
    for number, span in reversed(list(enumerate(found))):
        text = put(text, span, STRANGE.get(part, f"qq{number}zz"))
    return replace(case, text=text) if found else None


@functools.cache
def speaking() -> tuple[Case, ...]:
    """The cases without a run whose rule finds something as they stand."""
    rules = [(case, find_rule(case.rule)) for case in BAD if case.run is None]
    return tuple(case for case, rule in rules if rule and rule.code in {f.code for f in report_on(case).findings})


def silenced(case: Case, part: str) -> bool:
    """Whether the rule of a case falls silent over a part that nobody knows, and nothing says so."""
    rule, other = find_rule(case.rule), broken(case, part)
    assert rule is not None
    if other is None:
        return False
    report = report_on(other)
    found = {f.code for f in report.findings}
    said = {code for one in report.unjudged for code in one.codes}
    mistaken = found & {"EV001", "EV002", "EV006", "EV007"}  # the learners of a table are known when it is opened
    return bool(mistaken) and rule.code not in found | said


@pytest.mark.parametrize("part", PARTS)
def test_a_rule_that_falls_silent_is_named(part: str) -> None:
    assert len(speaking()) > 100
    assert sorted({case.rule for case in speaking() if silenced(case, part)}) == []


def test_a_rule_that_could_not_judge_has_not_passed() -> None:
    report = linted(
        'dataset d from csv "d.csv", target "y" because "r"\ncompare svm vs knn on d using 10cv, by kfld-x, seed 1\n'
    )
    (gap,) = report.unjudged
    assert {"EV416", "EV403"} <= set(gap.codes)
    assert not {one.code for one in report.passed} & set(gap.codes)


def test_a_comparison_that_is_not_planned_is_named() -> None:
    report = linted(
        'results old from csv "old.csv", datasets in "d", measuring accuracy\ncompare a vs b on qzx by sign'
    )
    assert [gap.reason for gap in report.unjudged] == [
        "compare-1 is not planned",
        "a use of old may be among what could not be read",
    ]
    assert report.unjudged[1].codes == ("EV004",)


def test_a_misspelt_learner_makes_no_note_of_a_warning() -> None:
    said = (
        'dataset d from csv "d.csv", target "y" because "r"\ncompare {} vs naive-bayes on d using 10x2cv\n'
        "  measuring accuracy, balanced-accuracy, holm over metrics, seed 1\n"
        "claim decision-tree better than naive-bayes on d\n"
    )
    for name in ("decision-tree", "decison-tree"):
        (found,) = [f for f in linted(said.format(name)).findings if f.code == "EV513"]
        assert found.level == "warning"


def test_a_table_that_says_no_metric_is_not_called_unknown() -> None:
    report = linted('results q from csv "q.csv" as score ~ model | item\ncompare a vs b on q by mcnemar-midp\n')
    assert "no metric says what compare-1 measures" in [gap.reason for gap in report.unjudged]
