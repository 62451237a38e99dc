"""What an allowance covers, and what it cannot."""

from __future__ import annotations

import pytest

from .scripts import codes, linted

DATA = 'dataset d from csv "d.csv", target "y" because "r"\n'
PAIR = "compare decision-tree vs naive-bayes on d using 5x2cv"
OTHER = "compare decision-tree vs random-forest on d using 5x2cv"


@pytest.mark.parametrize(
    ("text", "found", "allowed"),
    [
        (f'{DATA}{PAIR}, allow EV310 because "a look"\n', [], [("EV310", "a look")]),
        (  # no other statement
            f'{DATA}{PAIR}, holm over everything, allow EV310 because "a look"\n{OTHER}, holm over everything\n',
            ["EV310"],
            [("EV310", "a look")],
        ),
        (  # on a definition: what is said of it elsewhere
            f'dataset d from csv "d.csv", target "y", allow EV101 because "a task"\n{PAIR}, seed 1\n',
            [],
            [("EV101", "a task")],
        ),
        (  # every finding of its code in the statement
            "compare decision-tree vs naive-bayes on breast-cancer, digits using 5x2cv, holm over datasets, seed 1, "
            'allow EV101 because "x"\n',
            [],
            [("EV101", "x")] * 2,
        ),
        (  # nothing is called needless while part of the script is unreadable
            f'{DATA}{PAIR.replace("naive-bayes", "qqzz")}, seed 1, allow EV501 because "x"\n',
            ["EV002"],
            [],
        ),
        (  # what cannot be planned cannot be allowed
            f'{DATA}{PAIR.replace("5x2cv", "10x10cv")}, by mcnemar, seed 1, allow EV007 because "x"\n',
            ["EV007", "EV008"],
            [],
        ),
    ],
)
def test_what_it_covers(text: str, found: list[str], allowed: list[tuple[str, str]]) -> None:
    report = linted(text)
    assert sorted(codes(report)) == found
    assert [(a.finding.code, a.reason) for a in report.allowed] == allowed


def test_set_allow_reaches_what_stands_below_it() -> None:
    below = f'set allow EV310 because "a first look"\n{OTHER}, holm over everything\n'
    report = linted(f"{DATA}{PAIR}, holm over everything\n{below}")
    assert codes(report) == ["EV310"]
    assert report.findings[0].span.start < report.allowed[0].finding.span.start
