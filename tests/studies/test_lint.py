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


@pytest.mark.parametrize("name", scripts())
def test_lint(name: str) -> None:
    found = lint(build(source(name))).findings
    told = {f.code for f in found if f.level != "note"}
    if name in CRITICISED:
        assert {f.code for f in found} >= CRITICISED[name]
    else:
        assert told == set()
    assert ("EV501" in told) == (name == "salzberg/default.eval")
