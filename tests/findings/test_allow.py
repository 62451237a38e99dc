"""What an allowance covers, and what it cannot."""

from __future__ import annotations

from .scripts import codes, linted

DATA = 'dataset d from csv "d.csv", target "y" because "r"\n'


def test_an_allowed_finding_is_listed_with_its_reason() -> None:
    report = linted(
        DATA + 'compare decision-tree vs naive-bayes on d using 5x2cv, allow EV310 because "a first look"\n'
    )
    assert codes(report) == []
    assert [(a.finding.code, a.reason) for a in report.allowed] == [("EV310", "a first look")]


def test_it_reaches_no_other_statement() -> None:
    report = linted(
        DATA
        + 'compare decision-tree vs naive-bayes on d using 5x2cv, holm over everything, allow EV310 because "a look"\n'
        + "compare decision-tree vs random-forest on d using 5x2cv, holm over everything\n"
    )
    assert codes(report) == ["EV310"]


def test_set_allow_reaches_what_stands_below_it() -> None:
    first = "compare decision-tree vs naive-bayes on d using 5x2cv, holm over everything\n"
    second = "compare decision-tree vs random-forest on d using 5x2cv, holm over everything\n"
    report = linted(DATA + first + 'set allow EV310 because "a first look"\n' + second)
    assert codes(report) == ["EV310"]
    assert report.findings[0].span.start < report.allowed[0].finding.span.start


def test_on_a_definition_it_covers_what_is_said_of_it_elsewhere() -> None:
    report = linted(
        'dataset d from csv "d.csv", target "y", allow EV101 because "given by the task"\n'
        "compare decision-tree vs naive-bayes on d using 5x2cv, seed 1\n"
    )
    assert codes(report) == []
    assert [a.finding.code for a in report.allowed] == ["EV101"]


def test_one_allowance_covers_every_finding_of_its_code_in_the_statement() -> None:
    report = linted(
        "compare decision-tree vs naive-bayes on breast-cancer, digits using 5x2cv, holm over datasets, seed 1, "
        'allow EV101 because "x"\n'
    )
    assert codes(report) == []
    assert [a.finding.code for a in report.allowed] == ["EV101", "EV101"]


def test_nothing_is_called_needless_while_part_of_the_script_is_unreadable() -> None:
    report = linted(DATA + 'compare decision-tree vs qqzz on d using 5x2cv, seed 1, allow EV501 because "x"\n')
    assert codes(report) == ["EV002"]


def test_what_cannot_be_planned_cannot_be_allowed() -> None:
    text = 'compare decision-tree vs naive-bayes on d using 10x10cv, by mcnemar, seed 1, allow EV007 because "x"\n'
    assert sorted(codes(linted(DATA + text))) == ["EV007", "EV008"]
