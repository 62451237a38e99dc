"""A mistake in a script hides nothing that can still be judged, and what it does hide is said.

One design that is rich in findings, and one fault after the other put into it. `takes` are the findings that the fault
takes away, each because the thing it is about is gone; everything else has to be found as before.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from evalang.findings.render_text import render_report as rendered

from .scripts import linted

RICH = """\
suite tasks is visits, letters because "both tasks"
dataset visits from csv "visits.csv", target "y", groups "patient"
dataset letters from csv "letters.csv", target "y"
learner near is knn, tune n_neighbors in {1, 3, 5}
learner forest is random-forest
compare near vs forest on tasks using 10cv, by kfold-t, measuring accuracy, balanced-accuracy, at alpha 0.1,
  expecting near better
claim near better than forest on new datasets
"""


@dataclass(frozen=True)
class Fault:
    """Words of the design, what stands in their place, the code that says so, and what is gone with them."""

    title: str
    words: str
    instead: str
    said: str
    takes: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.title


TEST = ("EV301", "EV403", "EV501")  # which test it is, how many there are
FAULTS = (
    Fault("a misspelt learner", "vs forest on", "vs forst on", "EV002", ("EV202", "EV513", "EV701")),
    Fault("an unknown metric", "measuring accuracy,", "measuring acuracy,", "EV002"),
    Fault("no known metric at all", "measuring accuracy, balanced-accuracy", "measuring acuracyy", "EV002", ("EV513",)),
    Fault("a clause that cannot be read", "using 10cv", "using ten folds", "EV001", ("EV106", "EV301")),
    Fault("an unknown test", "kfold-t", "kfoldt-t", "EV002", TEST),
    Fault("a known misspelling of a scheme", "10cv", "10-fold", "EV001"),
    Fault("a multiplication sign", "10cv", "5×2 cv", "EV001", ("EV301", "EV403"), ("EV302",)),
    Fault("no such scheme", "10cv", "0cv", "EV006", ("EV106", "EV301")),
    Fault("a misspelt clause word", "measuring", "measurng", "EV001", ("EV513",)),
    Fault("a clause word of another tool", "measuring", "metric", "EV001", ("EV513",)),
    Fault("capitals", "using", "USING", "EV001"),
    Fault("versus", "near vs forest on", "near versus forest on", "EV001"),
    Fault("an equals sign", "at alpha 0.1", "at alpha = 0.1", "EV001"),
    Fault("a level that is none", "alpha 0.1", "alpha 7", "EV006", ("EV410",)),
    Fault("an unknown dataset", "is visits, letters", "is visits, leters", "EV002", ("EV004",)),
    Fault("an unknown suite", "on tasks", "on taks", "EV002", ("EV106",)),
    Fault("a learner for a dataset", "on tasks", "on near", "EV006", ("EV106",)),
    Fault("a reader that there is not", 'csv "letters.csv"', 'cvs "letters.csv"', "EV002"),
    Fault("an unclosed quote", 'because "both tasks"', 'because "both tasks', "EV001", ("EV106",)),
    Fault("single quotes", 'target "y", groups', "target 'y', groups", "EV001"),
    Fault("a clause twice", "at alpha", "using 5cv, at alpha", "EV001"),
    Fault("a comma too many", ", by kfold-t", ",, by kfold-t", "EV001"),
    Fault("a semicolon", "expecting near better\n", "expecting near better;\n", "EV001"),
    Fault("an unknown parameter", "n_neighbors in", "n_neighbours in", "EV005"),
    Fault("an unknown step", "learner near is knn", "learner near is scael | knn", "EV002"),
    Fault("a grid in brackets", "{1, 3, 5}", "[1, 3, 5]", "EV001", ("EV201", "EV202")),
    Fault(
        "a learner defined twice",
        "learner forest is random-forest",
        "learner near is random-forest",
        "EV003",
        ("EV202", "EV513", "EV701"),
    ),
    Fault("a side that nobody compares", "expecting near", "expecting neer", "EV002"),
    Fault("a wrong relation", "near better than forest on new", "near > forest on new", "EV001", ("EV513", "EV701")),
)
BASE = {f.code for f in linted(RICH).findings if f.level != "note"}


def test_the_design_is_rich() -> None:
    assert len(BASE) >= 10
    assert len(FAULTS) >= 25


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_hides_only_what_it_is_about(fault: Fault) -> None:
    assert fault.words in RICH
    report = linted(RICH.replace(fault.words, fault.instead, 1))
    found = {f.code for f in report.findings if f.level != "note"}
    assert fault.said in found
    assert BASE - set(fault.takes) <= found
    assert found - BASE <= {"EV001", "EV002", "EV003", "EV005", "EV006", "EV007", *fault.brings}


def test_what_could_not_be_judged_stands_in_one_line() -> None:
    shown = rendered([linted(RICH.replace("kfold-t", "kfoldt-t"))]).splitlines()
    (line,) = [one for one in shown if one.startswith("not judged: ")]
    assert line.endswith("the test of compare-1 is unknown")
    assert "EV301" in line


def test_a_whole_script_has_no_such_line() -> None:
    assert linted(RICH).unjudged == ()
