"""What is behind the scores is in the report: chosen settings, what was added, times and memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

import evalang as ev
from evalang.api import COSTS, Result, load_result, save_result
from evalang.reports.assemble import document
from evalang.reports.document import Details, ReportTable, Section
from evalang.reports.markdown import render
from evalang.reports.terminal import brief
from evalang.results.run_result import dumps, dumps_costs, loads_costs
from tests.test_rebuild import SCRIPT, _visits


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    folder = tmp_path_factory.mktemp("behind")
    _visits().to_csv(folder / "visits.csv", index=False)
    (folder / "study.eval").write_text(SCRIPT)
    return ev.run(folder / "study.eval", out=folder / "run", jobs=2, ledger=False), folder


def tables(result: Result) -> dict[str, ReportTable]:
    section = next(b for b in document(result.run).blocks if isinstance(b, Section) and b.key == "behind")
    folded = [b for b in section.blocks if isinstance(b, Details)]
    assert section.background
    assert len(folded) == len(section.blocks)
    return {t.key: t for d in folded for t in d.blocks if isinstance(t, ReportTable)}


def test_the_settings_that_tuning_chose_are_counted(found: tuple[Result, Path]) -> None:
    result, _ = found
    frame = result.parameters
    won = frame[frame["chosen"]]
    wanted = Counter(
        (m, f"n_neighbors = {n}") for m, n in zip(won["metric"], won["n_neighbors"].astype(int), strict=True)
    )
    rows = tables(result)["chosen-settings"].rows
    assert {(row[3].text, row[4].text): row[5].value for row in rows} == wanted
    assert {row[5].text.split(" of ")[1] for row in rows} == {"6"}


def test_what_was_added_is_what_the_run_did(found: tuple[Result, Path]) -> None:
    rows = tables(found[0])["prepared"].rows
    assert [(row[0].text, row[1].text) for row in rows] == [("visits", "bayes"), ("visits", "near")]
    assert all("median" in row[2].text and "0/1 columns" in row[2].text for row in rows)
    complete = ev.compare(
        "knn vs naive-bayes on D using 5x2cv", D=_visits().dropna()[["age", "dose", "class"]], ledger=False
    )
    assert {row[2].text for row in tables(complete)["prepared"].rows} == {"nothing"}
    assert "On D nothing was added before knn and naive-bayes." in complete.to_markdown()


def test_times_and_memory_are_those_of_the_trials(found: tuple[Result, Path]) -> None:
    result, _ = found
    times: pd.DataFrame = result.times
    last = times.groupby(["learner", "partition", "fold"], sort=False).tail(1)
    for row in tables(result)["times"].rows:
        own = last[last["learner"] == row[1].text]
        assert row[3].value == len(own) == 6
        assert row[4].value == pytest.approx(own["fit_seconds"].median())
        assert row[5].value == pytest.approx(own["predict_seconds"].median())
        assert (row[6].value or 0) >= (row[4].value or 0)
        assert row[7].value == pytest.approx(own["trial_seconds"].sum())
        assert row[8].value == own["memory"].max()


def test_they_lie_beside_the_result_and_not_in_it(found: tuple[Result, Path]) -> None:
    result, folder = found
    assert '"costs"' not in dumps(result.run)
    again = load_result(folder / "run")
    assert again.costs == result.run.costs != ()
    assert "Times and memory" in render(document(again))
    assert "Times and memory" not in brief(document(again, background=False))
    (folder / "run" / COSTS).write_text("{}")
    assert load_result(folder / "run").costs == ()
    save_result(result.run, folder / "run")
    assert load_result(folder / "run").costs == result.run.costs


@pytest.mark.parametrize("text", ["", "[]", '{"costs": [1]}', '{"costs": [{"fit": NaN}]}'])
def test_a_strange_file_has_no_times(text: str) -> None:
    assert loads_costs(text) == ()


def test_a_wrong_kind_of_value_has_no_times(found: tuple[Result, Path]) -> None:
    written = dumps_costs(found[0].run)
    assert loads_costs(written) == found[0].run.costs
    assert loads_costs(written.replace('"trials": 6', '"trials": "six"')) == ()
