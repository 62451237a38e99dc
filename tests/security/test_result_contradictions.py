"""Results that were edited by hand: a wrong field is named by its path, and a decision has to follow from its p."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalang.cli.main import run

Change = Callable[[dict[str, Any]], None]


def _said(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    capfd.readouterr()
    code = run([str(one) for one in arguments])
    words = "".join(capfd.readouterr())
    assert "internal error" not in words
    assert "Traceback" not in words
    return code, words


def _changed(finished: Path, folder: Path, change: Change) -> Path:
    document = json.loads((finished / "result.json").read_text())
    change(document["run"])
    (folder / "result.json").write_text(json.dumps(document))
    return folder


def _first(run: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = run["verdicts"][0]
    return found


def _better(run: dict[str, Any]) -> None:
    _first(run).update(decision="first-better", adjusted_p=0.8)


WRONG: dict[str, tuple[Change, str]] = {
    "p below 0": (lambda run: _first(run).update(adjusted_p=-1), "verdicts[0].adjusted_p should be between"),
    "p without end": (lambda run: _first(run)["test"].update(pvalue={"infinite": 1}), "verdicts[0].test.pvalue should"),
    "p of 400 digits": (lambda run: _first(run)["test"].update(pvalue=10**400), "verdicts[0].test.pvalue should"),
    "level 7": (lambda run: _first(run)["test"]["interval"].update(level=7), "verdicts[0].test.interval.level should"),
    "level in words": (
        lambda run: run["plan"]["plan"]["comparisons"][0]["alpha"].update(value="7"),
        'plan.comparisons[0].alpha.value should be a number, not "7"',
    ),
    "a count below nothing": (lambda run: _first(run)["test"].update(wins=-1), "verdicts[0].test.wins should be"),
    "trials below nothing": (lambda run: run.update(trials=-1), "trials should be between"),
    "no learners": (lambda run: _first(run).pop("learners"), "verdicts[0].learners is missing"),
    "one field more": (lambda run: _first(run).update(extra=1), "verdicts[0].extra is not a field of Verdict"),
    "another decision": (lambda run: _first(run).update(decision="won"), "verdicts[0].decision should be one of"),
    "better with p .8": (_better, "it contains first-better with p 0.8 at level"),
    "better without a test": (lambda run: _first(run).update(decision="differ", test=None), "differ without a test"),
    "a column that is shorter": (
        lambda run: run["scores"]["fold"].pop(),
        "is damaged: its parts contradict each other",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_result_with_a_wrong_field_is_refused_by_its_path(
    case: str, finished: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    change, words = WRONG[case]
    code, said = _said(capfd, "report", _changed(finished, tmp_path, change))
    assert code == 2
    assert words in " ".join(said.split())


@pytest.mark.parametrize("cells", ["7", '[{"a": 3}]', '[{"comparison": 1}, {"comparison": []}]'])
def test_edited_cells_are_refused(
    cells: str, finished: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(finished, tmp_path / "run")
    (folder / "cells.json").write_text(f'{{"version": 1, "cells": {cells}}}')
    for more in (["--failures"], ["--to", "csv"]):
        code, said = _said(capfd, "report", folder, *more)
        assert code == 2
        assert "run the script again" in " ".join(said.split())


def test_a_result_as_it_was_found_is_reported(
    finished: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _said(capfd, "report", _changed(finished, tmp_path, lambda run: None))[0] == 0
