"""Every study script is read, and lint says of it what its paper says: nothing of the exemplary ones."""

from __future__ import annotations

import pytest

from evalang.findings.engine import lint
from evalang.plans.build import build

from .scripts import scripts, source

# The scripts that show a design to criticise, with what is said against it.
CRITICISED = {
    "answers/naive.eval": {"EV414"},  # the questions of a task counted as if they were independent
    "salzberg/default.eval": {
        "EV101",  # why these datasets (Bramer 15.4)
        "EV301",  # one partition (Bradford and Brodley)
        "EV403",  # the t-test on folds (Dietterich)
        "EV501",  # 154 tests and no correction (Salzberg 3)
    },
    "salzberg/recommended.eval": {"EV416"},  # the rows of folds share their trainings (ours)
}


def levels(name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for finding in lint(build(source(name))).findings:
        found.setdefault(finding.level, set()).add(finding.code)
    return found


@pytest.mark.parametrize("name", scripts())
def test_lint(name: str) -> None:
    found = levels(name)
    told = found.get("error", set()) | found.get("warning", set())
    if name in CRITICISED:
        assert told >= CRITICISED[name]
    else:
        assert told == set()


def test_the_criticised_design_is_refused() -> None:
    assert "EV501" in levels("salzberg/default.eval")["error"]


def test_there_is_a_study_of_each_paper() -> None:
    assert {name.partition("/")[0] for name in scripts()} >= {
        "salzberg",
        "dietterich",
        "bradford-brodley",
        "bramer",
        "caruana",
    }
