"""Simulations come before training: what cannot be simulated is refused before the first fit, with the data's own n."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import evalang.pipeline
from evalang.errors import Refused, ScriptError
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.results.run_result import RunResult


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = random.Random(1)
    kinds = [rng.choice("ab") for _ in range(18)]
    rows = [f"{rng.gauss(kind == 'a', 1):.3f},{rng.random():.3f},{kind}" for kind in kinds]
    (tmp_path / "few.csv").write_text("\n".join(["x,z,y", *rows]))
    scores = [f"s{i},{0.7 + i / 50},{0.6 + i / 30}" for i in range(6)]
    (tmp_path / "scores.csv").write_text("\n".join(["d,one,two", *scores]))
    (tmp_path / "one.csv").write_text("\n".join(["d,one,two", scores[0]]))
    said = [f"{rng.choice('ab')},{rng.choice('ab')},{rng.choice('ab')}" for _ in range(70)]
    (tmp_path / "said.csv").write_text("\n".join(["truth,one,two", *said]))
    return tmp_path


def run(folder: Path, script: str) -> RunResult:
    return run_script(SourceText(str(folder / "script.eval"), script), Request())


def untrained(*_: Any, **__: Any) -> None:
    raise AssertionError("something was trained")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            "compare decision-tree vs naive-bayes on iris using 10x10cv, seed 1 as c\n"
            "simulate type-I of mcnemar with n 10, trials 10, seed 1",
            "10 rows are too few",
        ),
        (
            'dataset few from csv "few.csv", target "y" because "r"\n'
            "compare decision-tree vs naive-bayes on few using 10cv, seed 1 as c\n"
            "simulate power of c with difference 5%, trials 10, seed 1",
            "18 rows are too few for corrected-t on 10cv",
        ),
    ],
)
def test_nothing_is_trained_for_what_cannot_be_simulated(
    folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    monkeypatch.setattr(evalang.pipeline, "run_trials", untrained)
    with pytest.raises(Refused) as caught:
        run(folder, script)
    errors = [f for f in caught.value.findings if f.level == "error"]
    assert [said in f.message for f in errors] == [True]


def test_simulations_come_before_training(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for what only the simulation itself finds out."""

    def refuse(*_: Any) -> None:
        raise ScriptError("no")

    monkeypatch.setattr(evalang.pipeline, "run_trials", untrained)
    monkeypatch.setattr(evalang.pipeline, "simulate", refuse)
    with pytest.raises(ScriptError, match="no"):
        run(
            folder,
            "compare decision-tree vs naive-bayes on iris using 5x2cv, seed 1 as c\nsimulate power of c with seed 1",
        )


def sizes(judgement: RunResult, word: str) -> set[float]:
    return {dict(o.settings)[word] for o in judgement.simulations if "instead-of" not in dict(o.settings)}


def test_datasets_are_those_of_the_results_table(folder: Path) -> None:
    table = (
        'results old from csv "scores.csv", datasets in "d", measuring accuracy\n'
        "compare one vs two on old by wilcoxon as c\n"
    )
    assert sizes(run(folder, f"{table}simulate power of c with difference 5%, trials 20, seed 1"), "datasets") == {6.0}
    assert sizes(run(folder, f"{table}simulate power of c with datasets 9, trials 20, seed 1"), "datasets") == {9.0}


def test_one_dataset_is_none_to_test_over(folder: Path) -> None:
    table = (
        'results old from csv "one.csv", datasets in "d", measuring accuracy\n'
        'compare one vs two on old by sign, allow EV408 because "the simulation is asked" as c\n'
    )
    with pytest.raises(ScriptError, match="sign needs two datasets"):
        run(folder, f"{table}simulate power of c with difference 5%, trials 20, seed 1")


def test_rows_are_those_of_the_predictions(folder: Path) -> None:
    table = 'predictions said from csv "said.csv", truth "truth"\ncompare one vs two on said by mcnemar as c\n'
    assert sizes(run(folder, f"{table}simulate power of c with difference 20%, trials 20, seed 1"), "rows") == {70.0}


def test_rows_are_those_of_the_file(folder: Path) -> None:
    script = (
        'dataset few from csv "few.csv", target "y" because "r"\n'
        "compare decision-tree vs naive-bayes on few using 3cv, seed 1 as c\n"
        "simulate power of c with difference 20%, trials 20, seed 1"
    )
    assert sizes(run(folder, script), "rows") == {18.0}
