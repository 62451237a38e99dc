"""A mistake in a script hides nothing that can still be judged, and what it does hide is said.

One design that is rich in findings, and one fault after the other put into it. `takes` are the findings that the fault
takes away, each because the thing it is about is gone; everything else has to be found as before.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

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
    Fault("a clause that cannot be read", "using 10cv", "using ten folds", "EV001", ("EV106", "EV301")),
    Fault("a known misspelling of a scheme", "10cv", "10-fold", "EV001"),
    Fault("a clause word of another tool", "measuring", "metric", "EV001", ("EV513",)),
    Fault("a level that is none", "alpha 0.1", "alpha 7", "EV006", ("EV410",)),
    Fault("an unknown dataset", "is visits, letters", "is visits, leters", "EV002", ("EV004",)),
    Fault("a learner for a dataset", "on tasks", "on near", "EV006", ("EV106",)),
    Fault("an unclosed quote", 'because "both tasks"', 'because "both tasks', "EV001", ("EV106",)),
    Fault("single quotes", 'target "y", groups', "target 'y', groups", "EV001"),
    Fault("a clause twice", "at alpha", "using 5cv, at alpha", "EV001"),
    Fault("an unknown parameter", "n_neighbors in", "n_neighbours in", "EV005"),
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


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_hides_only_what_it_is_about(fault: Fault) -> None:
    assert fault.words in RICH
    report = linted(RICH.replace(fault.words, fault.instead, 1))
    found = {f.code for f in report.findings if f.level != "note"}
    assert fault.said in found
    assert BASE - set(fault.takes) <= found
    assert found - BASE <= {"EV001", "EV002", "EV003", "EV005", "EV006", "EV007", *fault.brings}
