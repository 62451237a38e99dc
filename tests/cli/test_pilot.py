"""`plan --data`, `plan --pilot` and `plan --budget`: what they run, keep, say and refuse."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from evalang.plans.cost import CellCost, PlanCost, clock, describe_cost, dumps, loads, wall

from ..support.calling import Call
from ..support.running import trials_in

SCRIPT = """set seed 20
dataset tumours from builtin "breast-cancer" because "ours"
compare decision-tree vs naive-bayes on tumours, iris using 4x5cv, holm over datasets
"""


@pytest.fixture
def study(folder: Path) -> Path:
    """A folder to stand in, with a script."""
    (folder / "x.eval").write_text(SCRIPT)
    return folder


def test_a_pilot_runs_a_few_trials_and_the_run_uses_them(call: Call, study: Path) -> None:
    found = call("plan", "--pilot", "--jobs", "1", "x.eval")
    assert found.code == 0, found.err
    runs = study / "runs" / "x"
    there = trials_in(runs)
    assert 4 * 3 <= there <= 4 * 12  # three of each, of quick ones up to twelve
    assert "decision-tree on tumours" in found.out
    assert len(re.findall(r"\(median of \d+\); 20 fits", found.out)) == 4
    assert "Total: 80 fits, about" in found.out
    assert "accuracy 0" not in found.out
    assert "Nothing was run" not in found.out
    assert not (study / "evalang.ledger").exists()  # nobody has looked
    assert not (runs / "result.json").exists()
    call("plan", "--pilot", "--jobs", "1", "x.eval")
    assert trials_in(runs) == there  # a second one runs nothing
    ran = call("run", "--format", "json", "--no-ledger", "x.eval")
    told = json.loads(ran.out)
    assert (told["trials"], told["reused"]) == (80 - there, there)
    other = study / "other"
    again = json.loads(call("run", "--format", "json", "--no-ledger", "--out", other, "x.eval").out)
    assert again["comparisons"] == told["comparisons"]


def test_a_pilot_after_the_run_has_the_times_of_the_run(call: Call, study: Path) -> None:
    assert call("run", "--no-ledger", "x.eval").code == 0
    there = trials_in(study / "runs" / "x")
    found = call("plan", "--pilot", "--budget", "5m", "x.eval")
    assert trials_in(study / "runs" / "x") == there
    assert len(re.findall(r"\(median of 12\); 20 fits", found.out)) == 4
    assert "not measured" not in found.out
    assert "too short" not in found.out
    assert "--pilot is an option of evalang plan" in call("run", "x.eval", "--pilot", "--budget", "5m").err


def test_what_was_not_measured_is_said(call: Call, study: Path) -> None:
    """The smallest table is measured first; the others are reckoned by rows, and that is said."""
    found = call("plan", "--pilot", "--pilot-seconds", "0.000001", "x.eval")
    assert found.code == 0, found.err
    assert found.out.count("not measured (20 fits)") == 4
    assert "4 of 4 lines were not measured: raise --pilot-seconds" in found.out


def test_a_budget_buys_partitions(call: Call, study: Path) -> None:
    refused = call("plan", "--budget", "2h", "x.eval")
    assert refused.code == 2
    assert "add --pilot" in refused.err
    first = call("plan", "--pilot", "--budget", "1h", "--jobs", "2", "x.eval")
    later = call("plan", "--budget", "60m", "x.eval")
    for found in (first, later):
        assert found.code == 0, found.err
        assert re.search(r"compare-1: \d{3,}x5cv \(the script has 4x5cv\)", found.out)
        assert re.search(r"partition-t on tumours: \d+% power for 5 points", found.out)
        assert "more repeats add no power here" in found.out
    short = call("plan", "--budget", "0.01s", "x.eval")
    assert "2x5cv (the script has 4x5cv), more than the budget" in short.out
    (study / "x.eval").write_text(SCRIPT.replace("4x5cv", "5x5cv"))
    assert call("plan", "--budget", "1h", "x.eval").code == 2  # the pilot was of another plan


@pytest.mark.parametrize("word", ["2", "-1h", "0s", "1h x", ""])
def test_what_is_no_budget(call: Call, study: Path, word: str) -> None:
    found = call("plan", f"--budget={word}", "x.eval")
    assert found.code == 2
    assert "is not a duration" in found.err


def test_preparation_by_dataset(call: Call, folder: Path) -> None:
    lines = ["a,b,c,y"] + [f"{i},{'' if i % 7 == 0 else i % 5},{'uvw'[i % 3]},{'pq'[i % 2]}" for i in range(60)]
    (folder / "d.csv").write_text("\n".join(lines) + "\n")
    (folder / "x.eval").write_text(
        'set seed 1\ndataset d from csv "d.csv", target "y", because "ours"\n'
        "learner bare is naive-bayes, without preparation\n"
        "learner boosted is sklearn.ensemble.HistGradientBoostingClassifier\n"
        "compare knn vs boosted vs bare on d, iris using 5x2cv, holm over everything\n"
    )
    found = call("plan", "--data", "x.eval")
    assert found.code == 0, found.err
    added = "missing numbers are replaced by the median of the training set; categories become 0/1 columns"
    assert f"  d: knn: {added}" in found.out
    assert "  d: boosted, bare: no preparation, columns are used as they are" in found.out
    assert "  iris: knn, boosted, bare: no preparation" in found.out
    assert "d (60 rows)" in found.out
    assert not (folder / "runs").exists()


def test_a_pilot_asks_for_trust_as_a_run_does_and_names_a_failing_learner(call: Call, folder: Path) -> None:
    (folder / "mine.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n"
        "class Mine(DecisionTreeClassifier):\n    def fit(self, X, y):\n        raise ValueError('no luck')\n"
    )
    (folder / "x.eval").write_text('set seed 1\nlearner m is "mine:Mine"\ncompare m vs knn on iris using 5x2cv\n')
    refused = call("plan", "--pilot", "x.eval")
    assert refused.code == 2
    assert "--trust mine" in refused.err
    assert call("plan", "--data", "x.eval").code == 0  # no code runs for that
    assert not (folder / "runs").exists()
    found = call("plan", "--pilot", "--trust", "mine", "x.eval")
    assert "failed in the pilot: m on iris: no luck" in found.out


def cell(**more: object) -> CellCost:
    given: dict[str, object] = {
        "learner": "a", "dataset": "d", "digest": "0", "trials": 100, "amount": 100.0, "left": 50.0, "seconds": 2.0,
        "measured": 3, "nearest": "", "memory": 2**20, "grows": False,
    }  # fmt: skip
    return CellCost(**(given | more))


def test_the_clock_on_the_wall() -> None:
    cost = PlanCost("f", 4, 2**27, (cell(), cell(seconds=500.0, amount=1.0, left=0.0)), (("c", 0),))
    assert wall(cost) == 500.0  # no less than the longest trial, however many workers
    assert wall(cost, left=True) == pytest.approx(50 * 2.0 / 4, rel=0.01)
    busy = replace(cost, beside=1.0)  # each trial costs its worker a second more than it takes
    assert wall(busy, left=True) == pytest.approx(50 * 3.0 / 4)
    assert loads(dumps(busy)) == busy
    assert wall(replace(cost, cells=(cell(seconds=None),))) is None
    assert wall(replace(cost, cells=(cell(seconds=None, left=0.0),)), left=True) == 0.0
    assert loads(dumps(cost)) == cost
    assert "about 500 s" not in "".join(describe_cost(cost))
    assert clock(500) == "8 min"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"cells": [], "places": [["c", 3]], "fingerprint": "", "jobs": 1, "resident": 0}',
             '{"cells": [], "places": [], "fingerprint": "", "jobs": 0, "resident": 0}',
             '{"cells": [], "places": [], "fingerprint": "", "jobs": 1, "resident": 0, "beside": -1}',
             '{"cells": [], "places": [], "fingerprint": "", "jobs": 1, "resident": 0, "beside": "x"}',
             '{"cells": [], "places": [], "fingerprint": "", "jobs": 1, "resident": 0, "beside": NaN}'],
)  # fmt: skip
def test_a_strange_file_is_no_pilot(text: str) -> None:
    assert loads(text) is None


def test_what_was_reckoned_by_rows_is_said() -> None:
    cost = PlanCost("f", 1, 0, (cell(), cell(dataset="e", nearest="d", measured=0)), (("c", 0), ("c", 1)))
    lines = list(describe_cost(cost))
    assert any("as on d, by rows" in line for line in lines)
    assert any("proportional to the number of rows" in line for line in lines)


@pytest.mark.slow
def test_the_estimate_is_right_within_a_factor_of_two(call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text(
        "set seed 20\nlearner forest is random-forest(n_estimators = 30)\n"
        "compare forest vs naive-bayes on breast-cancer, iris using 20x10cv\n"
    )
    call("plan", "--pilot", "x.eval")
    cost = loads((folder / "runs" / "x" / "pilot.json").read_text())
    assert cost is not None
    said = wall(cost, left=True)
    begun = time.monotonic()
    call("run", "x.eval")
    assert said is not None
    assert 0.5 < said / (time.monotonic() - begun) < 2
