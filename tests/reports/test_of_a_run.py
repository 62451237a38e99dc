"""The report of a real run: details behind the scores, frames in Python, JSON and files, and a learner that failed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import evalang as ev
from evalang.api import COSTS, Result, load_result, save_result
from evalang.cli.main import group
from evalang.reports.assemble import document
from evalang.reports.document import Details, ReportTable, Section
from evalang.reports.markdown import render
from evalang.reports.terminal import render_summary
from evalang.results.run_result import dumps, dumps_costs, loads_costs
from tests.test_rebuild import SCRIPT, _visits

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema" / "run.schema.json").read_text())


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    folder = tmp_path_factory.mktemp("run")
    _visits().to_csv(folder / "visits.csv", index=False)
    (folder / "study.eval").write_text(SCRIPT)
    return ev.run(folder / "study.eval", out=folder / "run", jobs=2, ledger=False), folder


@pytest.fixture(scope="module")
def published(found: tuple[Result, Path]) -> dict[str, Any]:
    """The report as JSON; that as CSV lies beside the script."""
    _, folder = found
    for arguments in (["--to", "json"], ["--to", "csv", "--out", f"{folder}/"]):
        assert CliRunner().invoke(group, ["report", str(folder / "run"), *arguments]).exit_code == 0
    said: dict[str, Any] = json.loads((folder / "run" / "run.json").read_text())
    return said


def tables(result: Result) -> dict[str, ReportTable]:
    section = next(b for b in document(result.run).blocks if isinstance(b, Section) and b.key == "behind")
    folded = [b for b in section.blocks if isinstance(b, Details)]
    assert section.background
    assert len(folded) == len(section.blocks)
    return {t.key: t for d in folded for t in d.blocks if isinstance(t, ReportTable)}


def test_the_settings_that_tuning_chose_are_counted(found: tuple[Result, Path]) -> None:
    result, _ = found
    won = result.parameters[result.parameters["chosen"]]
    settings = [f"n_neighbors = {n}" for n in won["n_neighbors"].astype(int)]
    rows = tables(result)["chosen-settings"].rows
    assert {(row[3].text, row[4].text): row[5].value for row in rows} == Counter(
        zip(won["metric"], settings, strict=True)
    )
    assert {row[5].text.split(" of ")[1] for row in rows} == {"6"}


def test_what_was_added_is_what_the_run_did(found: tuple[Result, Path]) -> None:
    rows = tables(found[0])["prepared"].rows
    assert [(row[0].text, row[1].text) for row in rows] == [("visits", "bayes"), ("visits", "near")]
    assert all("median" in row[2].text and "0/1 columns" in row[2].text for row in rows)
    data = _visits().dropna()[["age", "dose", "class"]]
    complete = ev.compare("knn vs naive-bayes on D using 5x2cv", D=data, ledger=False)
    assert {row[2].text for row in tables(complete)["prepared"].rows} == {"nothing"}
    assert "No preprocessing was added before `knn` and `naive-bayes` on `D`." in complete.to_markdown()


def test_times_and_memory_are_those_of_the_trials(found: tuple[Result, Path]) -> None:
    result, _ = found
    last = result.times.groupby(["learner", "partition", "fold"], sort=False).tail(1)
    for row in tables(result)["times"].rows:
        own = last[last["learner"] == row[1].text]
        assert row[3].value == len(own) == 6
        assert row[4].value == pytest.approx(own["fit_seconds"].median())
        assert row[5].value == pytest.approx(own["predict_seconds"].median())
        assert (row[6].value or 0) >= (row[4].value or 0)
        assert row[7].value == pytest.approx(own["trial_seconds"].sum())
        assert row[8].value == own["memory"].max()


def test_times_lie_beside_the_result_and_not_in_it(found: tuple[Result, Path]) -> None:
    result, folder = found
    assert '"costs"' not in dumps(result.run)
    again = load_result(folder / "run")
    assert again.costs == result.run.costs != ()
    assert "Times and memory" in render(document(again))
    assert "Times and memory" not in render_summary(document(again, background=False))
    (folder / "run" / COSTS).write_text("{}")
    assert load_result(folder / "run").costs == ()
    save_result(result.run, folder / "run")
    assert load_result(folder / "run").costs == result.run.costs
    written = dumps_costs(result.run)
    assert loads_costs(written) == result.run.costs
    wrong = written.replace('"trials": 6', '"trials": "six"')
    for text in ("", "[]", '{"costs": [1]}', '{"costs": [{"fit": NaN}]}', wrong):
        assert loads_costs(text) == ()


def test_the_frames_of_a_run_are_named_and_keep_to_the_schema(
    found: tuple[Result, Path], published: dict[str, Any]
) -> None:
    result, folder = found
    Draft202012Validator(SCHEMA).validate(published)
    assert set(published["frames"]) == {"scores", "verdicts", "parameters", "predictions", "times", "folds"}
    for name, frame in published["frames"].items():
        written = pd.read_csv(folder / frame["files"][0])
        assert len(written) == len(getattr(result, name)) > 0
        columns = list(written.columns)
        assert columns[: len(frame["columns"])] == frame["columns"]
        assert all(one.startswith("score of ") for one in columns[len(frame["columns"]) :])


@pytest.mark.parametrize("name", ["scores", "verdicts", "parameters"])
def test_values_are_those_of_python_and_of_the_files(
    name: str, found: tuple[Result, Path], published: dict[str, Any]
) -> None:
    result, folder = found
    frame, ours = published["frames"][name], getattr(result.table if name == "verdicts" else result, name)
    read = pd.DataFrame(dict(zip(frame["columns"], frame["values"], strict=True)))
    written = pd.read_csv(folder / f"{name}.csv")
    assert len(read) == len(written) == frame["rows"] == len(ours)
    for column in [c for c in frame["columns"] if pd.api.types.is_numeric_dtype(read[c])]:
        pd.testing.assert_series_equal(read[column], written[column], check_dtype=False)
        pd.testing.assert_series_equal(read[column], ours[column], check_dtype=False)


class Never(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Cannot be trained."""

    def fit(self, X: Any, y: Any) -> Never:
        raise ValueError("takes no missing values")

    def predict(self, X: Any) -> Any:
        return X


def test_the_first_words_say_that_one_of_three_learners_failed_and_why() -> None:
    X, y = np.random.default_rng(1).normal(size=(40, 2)), np.arange(40) % 2
    line = "never vs bayes vs most on D using 5x2cv, measuring accuracy, all pairs, holm over learners"
    given = {"never": Never(), "bayes": GaussianNB(), "most": DummyClassifier()}
    said = " ".join(str(ev.compare(line, **given, D=(X, y), jobs=0, seed=3, ledger=False)).split())
    assert said.startswith("There is no verdict on `never`, `bayes` and `most` in accuracy: never has no score on D")
    assert "takes no missing values" in said
