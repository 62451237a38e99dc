"""run.json names the frames of a run, and they say the same there, in Python and in the files of a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import evalang as ev
from evalang.cli.main import group

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schema" / "run.schema.json").read_text())
SCRIPT = """
learner tuned is decision-tree, tune max_depth in {1, 2}
compare tuned vs naive-bayes on iris using 2x2cv, tune on 30%, measuring accuracy, seed 1
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[ev.Result, dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("frames")
    result = ev.run(SCRIPT, out=folder / "run", ledger=False, jobs=1)
    assert CliRunner().invoke(group, ["report", str(folder / "run"), "--to", "json"]).exit_code == 0
    csv = ["report", str(folder / "run"), "--to", "csv", "--out", f"{folder}/"]
    assert CliRunner().invoke(group, csv).exit_code == 0
    return result, json.loads((folder / "run" / "run.json").read_text()), folder


def test_the_frames_of_a_run_are_named_and_keep_to_the_schema(run: tuple[ev.Result, dict[str, Any], Path]) -> None:
    result, said, folder = run
    Draft202012Validator(SCHEMA).validate(said)
    assert set(said["frames"]) == {"scores", "verdicts", "parameters", "predictions", "times", "folds"}
    for name, frame in said["frames"].items():
        assert (folder / frame["files"][0]).is_file()
        written = list(pd.read_csv(folder / frame["files"][0], nrows=1).columns)
        assert written[: len(frame["columns"])] == frame["columns"]
        assert all(one.startswith("score of ") for one in written[len(frame["columns"]) :])
        assert len(getattr(result, name)) > 0


@pytest.mark.parametrize("name", ["scores", "verdicts", "parameters"])
def test_values_are_those_of_python_and_of_the_files(name: str, run: tuple[ev.Result, dict[str, Any], Path]) -> None:
    result, said, folder = run
    frame = said["frames"][name]
    read = pd.DataFrame(dict(zip(frame["columns"], frame["values"], strict=True)))
    written = pd.read_csv(folder / f"{name}.csv")
    assert len(read) == len(written) == frame["rows"] == len(getattr(result, name))
    ours = getattr(result, name)
    for column in [c for c in frame["columns"] if pd.api.types.is_numeric_dtype(read[c])]:
        pd.testing.assert_series_equal(read[column], written[column], check_dtype=False)
        assert column in ours
        pd.testing.assert_series_equal(read[column], ours[column], check_dtype=False)


def test_the_frames_of_the_trials_are_in_the_files(run: tuple[ev.Result, dict[str, Any], Path]) -> None:
    result, _, folder = run
    for name in ("predictions", "times", "folds"):
        assert len(pd.read_csv(folder / f"{name}.csv")) == len(getattr(result, name))
