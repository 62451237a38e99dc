"""Runs at once, branches that are merged, and looks that are counted the same everywhere."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalang import pipeline
from evalang.api import load_result
from evalang.cli.main import run
from evalang.ledger.chain import check_chain, events, read
from evalang.reports.figures.commands import looks_over_time
from evalang.verdicts.thresholdout import rows_needed

SO_FAR = 'set seed 3\ndataset {0} from csv "{0}.csv", target "y" because "ours"\n'
SO_FAR += "compare {1} vs naive-bayes on {0} using 10cv, bonferroni over everything so far{2} as duel\n"


def table(name: str, rows: int, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=(rows, 2)).round(6)
    y = np.where(x[:, 0] > 0, "a", "b")
    pd.DataFrame({"u": x[:, 0], "v": x[:, 1], "y": y}).to_csv(f"{name}.csv", index=False)


@pytest.fixture(autouse=True)
def data(project: Path) -> None:
    table("own", 120, 1)


def script(name: str, learner: str, data: str = "own", within: str = "") -> str:
    Path(f"{name}.eval").write_text(SO_FAR.format(data, learner, within))
    return f"{name}.eval"


def meanwhile(monkeypatch: pytest.MonkeyPatch, *other: str) -> None:
    """While the next run trains, others begin and end."""
    whole, waiting = pipeline.run_fits, list(other)

    def slow(*given: Any) -> Any:
        while waiting:
            assert run(["run", waiting.pop()]) == 0
        return whole(*given)

    monkeypatch.setattr(pipeline, "run_fits", slow)


def level(name: str) -> tuple[float, int]:
    found = load_result(Path("runs", name))
    return found.plan.comparisons[0].alpha.value, found.looks[0].number


def test_two_runs_at_once_are_two_looks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    meanwhile(monkeypatch, script("two", "majority"))
    assert run(["run", script("one", "decision-tree")]) == 0
    assert "another run tested these rows in the meantime" in capsys.readouterr().err
    assert level("two") == (pytest.approx(0.05 / 2), 1)
    assert level("one") == (pytest.approx(0.05 / 6), 2)
    assert run(["run", "one.eval"]) == 0  # again: the same look
    assert level("one") == (pytest.approx(0.05 / 6), 2)


def test_the_last_declared_look_goes_to_one_of_two(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    meanwhile(monkeypatch, script("two", "majority", within=" within 1 looks"))
    assert run(["run", script("one", "decision-tree", within=" within 1 looks")]) == 2
    assert "this is test-set use 2 of these rows, and 1 was declared" in capsys.readouterr().err
    assert not Path("runs/one/result.json").exists()


def test_rows_seen_on_two_branches_stay_apart() -> None:
    def git(*words: str) -> None:
        subprocess.run(("git", "-c", "user.name=a", "-c", "user.email=a@b", *words), check=True, capture_output=True)

    table("red", 100, 2)
    table("blue", 100, 3)
    for name, data in (("first", "own"), ("r", "red"), ("b", "blue"), ("later", "red")):
        script(name, "majority" if name == "later" else "decision-tree", data)
    git("init", "-b", "main")
    Path(".gitattributes").write_text("evalang.ledger merge=union\n")
    assert run(["run", "first.eval"]) == 0
    git("add", "evalang.ledger", ".gitattributes")
    git("commit", "-m", "a")
    git("checkout", "-b", "side")
    assert run(["run", "r.eval"]) == 0
    git("commit", "-am", "b")
    git("checkout", "main")
    assert run(["run", "b.eval"]) == 0
    git("commit", "-am", "c")
    git("merge", "side")
    assert not [one for one in check_chain(read(".")) if one.level == "error"]
    assert run(["run", "later.eval"]) == 0  # the second look at red, whatever blue was called
    assert level("later")[1] == 2
    counted = {name: len(times) for name, times in looks_over_time(events(read("."))).items()}
    assert counted == {"own": 1, "red": 2, "blue": 1}


def test_the_overview_counts_what_a_run_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows under another name are the same rows, and the same design in another script is no second look."""
    whole = Path("own.csv").read_text().splitlines()
    Path("part.csv").write_text("\n".join(whole[:81]) + "\n")
    for path in (script("one", "decision-tree"), script("copy", "decision-tree"), script("two", "majority", "part")):
        assert run(["run", path]) == 0
    capsys.readouterr()
    assert run(["ledger"]) == 0
    said = capsys.readouterr().out
    assert said.count("tested 2 times") == 2
    assert said.count("the next test with `over everything so far` has level 0.00417") == 2  # .05/(3 x 4)
    assert run(["run", script("three", "knn", "part")]) == 0
    assert level("three") == (pytest.approx(0.05 / 12), 3)


def test_two_runs_at_once_have_one_budget(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    table("large", 3 * (rows_needed(2) or 0) + 30, 5)
    for name, learners in (("one", "majority vs naive-bayes"), ("two", "decision-tree vs naive-bayes")):
        Path(f"{name}.eval").write_text(
            'set seed 3\ndataset large from csv "large.csv", target "y" because "ours"\n'
            f"compare {learners} on large using guarded holdout 1/3 within 2 looks\n"
        )
    meanwhile(monkeypatch, "two.eval")
    assert run(["run", "one.eval"]) == 2
    assert "another run used the test rows of large in the meantime: all 2 uses are taken" in capsys.readouterr().err
    assert sum(one.kind == "asked" for one in events(read("."))) == 2


def test_without_a_ledger_nothing_is_corrected_over_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Before, such a run had the whole level and said nothing."""
    path = script("one", "decision-tree")
    assert run(["run", "--no-ledger", path]) == 2
    assert "one.eval:3:" in capsys.readouterr().err
    Path("elsewhere").write_text("")
    Path("evalang.ledger").symlink_to("elsewhere")  # cannot be written: a link is not followed
    assert run(["run", path]) == 2
    assert not Path("runs/one/result.json").exists()
