"""Looks are counted wherever they happen: from Python, in a notebook, of tables, by single tests; or it is said."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import evalang as ev
from evalang.cli.main import run
from evalang.data.hashes import score_hashes, truth_hashes
from evalang.ledger import NAME, Event, read, shared_fraction, sketch
from evalang.ledger.chain import events
from evalang.ledger.history import salted

CHANCE = np.random.default_rng(8)
SALT = "00" * 16


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EVALANG_LEDGER")
    truth = CHANCE.integers(0, 2, 300)
    said = {name: np.where(CHANCE.random(300) < right, truth, 1 - truth) for name, right in
            (("a", 0.9), ("b", 0.7), ("c", 0.8))}  # fmt: skip
    pd.DataFrame({"y": truth, **said}).to_csv("said.csv", index=False)
    pd.DataFrame({"y": truth, "d": said["c"]}).to_csv("other.csv", index=False)
    names = [f"set{i}" for i in range(12)]
    pd.DataFrame({"data": names, **{x: CHANCE.random(12).round(4) for x in "abc"}}).to_csv("scores.csv", index=False)
    return tmp_path


def looks(folder: Path) -> list[Event]:
    return [one for one in events(read(str(folder))) if one.kind == "looked"]


def test_from_python(here: Path) -> None:
    X = CHANCE.normal(size=(120, 3))
    y = (X[:, 0] > 0).astype(int)
    hands = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB(), "D": (X, y)}
    first = ev.compare("tree vs bayes on D using 5x2cv", **hands)
    assert first.run.ledger == "kept"
    assert [one.number for one in first.run.looks] == [1]
    second = ev.compare("tree vs majority on D using 10cv", **hands)
    assert [(one.number, len(one.before)) for one in second.run.looks] == [(2, 1)]
    assert "EV801" in [f.code for f in second.run.findings]
    assert "look 2 at these rows" in second.to_markdown()
    with pytest.raises(ev.Refused) as refused:
        ev.compare("tree vs bayes on D using 5x2cv", seed=9, **hands)
    assert "EV805" in [f.code for f in refused.value.findings]
    off = ev.compare("tree vs bayes on D using 5x2cv", seed=9, ledger=False, **hands)
    assert "This run is in no ledger: switched off (ledger=False)" in off.to_markdown()
    assert len(looks(here)) == 2


def test_datasets_of_other_calls_are_not_dropped_ones(here: Path) -> None:
    for n in (3, 4):
        X = CHANCE.normal(size=(80, n))
        found = ev.compare("bayes vs majority on D using 5x2cv", bayes=GaussianNB(), D=(X, (X[:, 0] > 0).astype(int)))
        assert not [f for f in found.run.findings if f.code.startswith("EV8")]


def test_in_a_notebook(here: Path) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "evalang")
    cell = "set seed 2\ncompare naive-bayes vs majority on iris using 5x2cv\n"
    shell.run_cell_magic("evalang", "--no-ledger", cell)
    assert not (here / NAME).exists()
    shell.run_cell_magic("evalang", "", cell)
    assert [one.get("study") for one in looks(here)] == [""]


def test_tables_of_results_and_predictions(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = 'results t from csv "scores.csv", datasets in "data", measuring accuracy\n'
    scripts = {
        "one.eval": table + "compare a vs b on t by wilcoxon\n",
        "two.eval": table + "compare b vs c on t by wilcoxon\n",
        "three.eval": 'predictions p from csv "said.csv", truth "y"\ncompare a vs b on p by mcnemar\n',
        "four.eval": 'predictions p from csv "other.csv", truth "y"\nestimate d on p\n',
    }  # fmt: skip
    found = {}
    for name, text in scripts.items():
        (here / name).write_text(text)
        capsys.readouterr()
        run(["run", "--format", "json", name])
        said = json.loads(capsys.readouterr().out)
        found[name] = (
            [f["code"] for f in said["findings"] if f["code"] == "EV801"],
            said["ledger"]["looks"][0]["number"],
        )
    assert found == {
        "one.eval": ([], 1),
        "two.eval": (["EV801"], 2),
        "three.eval": ([], 1),
        "four.eval": (["EV801"], 2),
    }
    assert (here / "runs" / "one" / "ledger.head").is_file()


def test_a_single_test_on_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", "wilcoxon", "scores.csv", "a", "b"]) == 0
    assert "came before" not in capsys.readouterr().err
    assert run(["test", "wilcoxon", "scores.csv", "a", "b"]) == 0
    assert "came before" not in capsys.readouterr().err, "the same look again is none"
    assert run(["test", "paired-t", "scores.csv", "a", "c"]) == 0
    assert "1 look at these rows came before this one" in capsys.readouterr().err
    assert run(["test", "sign", "scores.csv", "a", "c", "--no-ledger"]) == 0
    assert "in no ledger: switched off" in capsys.readouterr().err
    assert len(looks(here)) == 2
    assert run(["test", "mcnemar", "35", "15"]) == 0
    assert len(looks(here)) == 2, "counts are no rows"


def test_reports_are_events(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "s.eval").write_text(
        'predictions p from csv "said.csv", truth "y"\ncompare a vs b on p by mcnemar\nreport to "s.md"\n'
    )
    assert run(["run", "s.eval"]) == 0
    assert run(["report", "runs/s", "--to", "html"]) == 0
    assert run(["report", "runs/s", "--to", "html"]) == 0
    files = [one.get("file") for one in events(read(str(here))) if one.kind == "reported"]
    assert files == ["s.md", "report.html"]


def test_two_statements_of_one_run_are_not_before_each_other(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "s.eval").write_text(
        'predictions p from csv "said.csv", truth "y"\n'
        "compare a vs b on p by mcnemar, holm over everything\ncompare a vs c on p by mcnemar, holm over everything\n"
    )
    numbers = []
    for _ in range(2):
        capsys.readouterr()
        run(["run", "--format", "json", "s.eval"])
        numbers.append([one["number"] for one in json.loads(capsys.readouterr().out)["ledger"]["looks"]])
    assert numbers == [[1, 1], [1, 1]]


def test_a_declared_number_of_looks(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    levels = []
    for number, second in enumerate("bc"):
        (here / f"s{number}.eval").write_text(
            f'predictions p from csv "said.csv", truth "y"\n'
            f"compare a vs {second} on p by mcnemar, holm over everything so far within 2 looks\n"
        )
        capsys.readouterr()
        run(["run", "--format", "json", f"s{number}.eval"])
        levels.append(json.loads(capsys.readouterr().out)["comparisons"][0]["alpha"])
    assert levels == [0.025, 0.025]
    (here / "s3.eval").write_text(
        'predictions p from csv "said.csv", truth "y"\n'
        "compare b vs c on p by mcnemar, holm over everything so far within 2 looks\n"
    )
    assert run(["run", "s3.eval"]) == 2
    assert "this is look 3 at these rows, and 2 were declared" in capsys.readouterr().err


def known(mine: np.ndarray, theirs: np.ndarray) -> float:
    return shared_fraction(sketch(salted(mine, SALT)), sketch(salted(theirs, SALT)))


def test_tables_are_known_again() -> None:
    truth = pd.Series(CHANCE.integers(0, 2, 2000))
    assert known(truth_hashes(truth), truth_hashes(truth.copy())) == 1.0
    assert known(truth_hashes(truth), truth_hashes(pd.Series(CHANCE.integers(0, 2, 2000)))) == 0.0
    halves = pd.Series([0] * 1000 + [1] * 1000)
    assert known(truth_hashes(halves), truth_hashes(pd.Series([0] * 900 + [1] * 1000))) == 0.0
    frame = pd.DataFrame({"data": [f"d{i}" for i in range(50)], "a": CHANCE.random(50), "b": CHANCE.random(50)})
    assert known(score_hashes(frame), score_hashes(frame.assign(c=CHANCE.random(50)))) == 1.0
    assert known(score_hashes(frame[["b", "data"]].iloc[::-1]), score_hashes(frame)) == 1.0
    assert known(score_hashes(frame.assign(a=CHANCE.random(50), b=CHANCE.random(50))), score_hashes(frame)) == 0.0
