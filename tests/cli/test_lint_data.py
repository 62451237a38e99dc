"""`evalang lint --data`: what is opened, what is not, and that nothing unjudged is an all-clear."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..support.calling import Call

TUNED = "learner t is decision-tree, tune max_depth in {1, 2}\n"
LEAKY = TUNED + "compare t vs naive-bayes on d using 5x2cv, seed 1\n"
ITEMS = 'results table from csv "items.csv", as accuracy ~ model | dataset / item, because "ours"\n'


def write_items(folder: Path) -> None:
    cells = ((d, n, k) for d in "xy" for n in range(60) for k in (1, 2, 3))
    rows = [f"{int((n * k) % 5 > 1)},{' abc'[k]},{d},{d}{n}" for d, n, k in cells]
    (folder / "items.csv").write_text("accuracy,model,dataset,item\n" + "\n".join(rows) + "\n")


def test_a_design_error_does_not_keep_the_data_closed(call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text('dataset d from csv "d.csv", target "y"\n' + LEAKY)
    (folder / "d.csv").write_text(
        "a,b,y\n" + "".join(f"{n % 97},{n % 97 / 7},{'pq'[n % 97 % 2]}\n" for n in range(200))
    )
    found = call("lint", "--data", "x.eval")
    assert found.code == 1
    assert "error[EV201]" in found.out  # the design
    assert "[EV105]" in found.out  # the data: rows that are there twice


@pytest.mark.parametrize(
    ("dataset", "code", "words"),
    [
        ("dataset d described as 5000 rows, 2 classes, rarest 2%\n", 1, "d is declared with `described as`"),
        ('dataset d from csv "d.csv", target "none"\n', 2, "the data could not be opened"),
        ('dataset d from csv "gone.csv", target "y"\n', 2, "the data could not be opened"),
    ],
)
def test_the_design_is_judged_where_the_data_cannot_be(
    dataset: str, code: int, words: str, call: Call, folder: Path
) -> None:
    (folder / "x.eval").write_text(dataset + LEAKY)
    (folder / "d.csv").write_text("a,y\n1,p\n2,q\n")
    found = call("lint", "--data", "x.eval")
    assert found.code == code
    assert "error[EV201]" in found.out
    assert f"more: {'the data were not opened, because ' * (code == 1)}{words}" in found.out


def test_repairs_that_only_the_data_call_for_are_made(call: Call, folder: Path) -> None:
    write_items(folder)
    (folder / "x.eval").write_text(ITEMS + "compare all on table, holm over datasets\n")
    offered = call("lint", "--data", "x.eval").out
    assert "EV502" in offered
    assert "--fix repairs" in offered
    call("lint", "--data", "--fix", "x.eval")
    assert (folder / "x.eval").read_text().endswith("holm over datasets, learners\n")
    assert "--fix repairs" not in call("lint", "--data", "x.eval").out


def test_a_rule_that_has_not_seen_all_is_not_passed(call: Call, folder: Path) -> None:
    write_items(folder)
    (folder / "x.eval").write_text(ITEMS + "compare all on table, holm over datasets, learners\n")

    def answers(*options: str) -> dict[str, set[str]]:
        (file,) = json.loads(call("lint", "--format", "json", *options, "x.eval").out)["files"]
        return {key: {one["code"] for one in file[key]} for key in ("passed", "not_applicable")}

    closed, opened = answers(), answers("--data")
    for code in ("EV501", "EV502", "EV103", "EV413"):  # how many tests there are; stages design and data
        assert code in closed["not_applicable"] - closed["passed"]
    assert {"EV501", "EV502"} <= opened["passed"] - opened["not_applicable"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.py", "import evalang\n", "is a Python file, not a script"),
        ("x.ipynb", '{"cells": [{"cell_type": "code", "source": "1 + 1"}]}', "has no %%evalang cell"),
        ("x.md", "# A title\n", "has no eval block"),
    ],
)
def test_a_file_that_is_not_judged_is_an_error(name: str, text: str, words: str, call: Call, folder: Path) -> None:
    (folder / name).write_text(text)
    found = call("lint", name)
    assert found.code == 2
    assert words in found.err
    assert "nothing found" not in found.out
