"""Tables of scores that somebody already has: wide, long, nested, and every way they can be wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.data.access import Access
from evalang.data.given_results import load_results
from evalang.errors import DataError
from evalang.plans.model import ResultsTable, Source

BRAMER = "Dataset,A,B\n1,80,85\n2,73,70\n3,85,85\n4,68,74\n5,82,71\n6,75,65\n7,73,77\n8,64,73\n9,75,75\n10,69,76\n"


def load(
    folder: Path,
    text: str,
    *,
    complete_cases: bool = False,
    **planned: object,
):
    (folder / "t.csv").write_text(text, encoding="utf-8")
    table = ResultsTable(name="t", source=Source(kind="csv", locator="t.csv"), **planned)
    return load_results(table, Access(root=folder), missing="complete" if complete_cases else "")


def load_frame(frame: pd.DataFrame, **planned: object):
    table = ResultsTable(name="t", source=Source(kind="python", locator="t"), **planned)
    return load_results(table, Access(root=Path(), values={"t": frame}))


def test_wide_from_csv(tmp_path: Path) -> None:
    found = load(tmp_path, BRAMER, datasets_in="Dataset", metric="accuracy")
    assert (found.learners, found.datasets[:2]) == (("A", "B"), ("1", "2"))
    assert (found.metric, found.higher_is_better) == ("accuracy", True)
    assert found.scores.shape == (10, 2)
    assert found.column("B").tolist()[:3] == [85, 70, 85]


LONG = "accuracy,learner,dataset,fold\n" + "".join(
    f"{(i * 7 + j * 3 + k) / 50},{c},{d},{k}\n" for i, c in enumerate("ab") for j, d in enumerate("xyz") for k in (1, 2)
)


def test_missing_cells_are_named_then_left_out(tmp_path: Path) -> None:
    text = "d,a,b\nx,0.5,\ny,NA,0.5\nz,0.1,0.2\n"
    with pytest.raises(DataError, match="no score of 'b' on 'x', 'a' on 'y'") as found:
        load(tmp_path, text, datasets_in="d", metric="accuracy")
    assert "complete cases" in found.value.hint
    assert "2 of 3" in found.value.hint
    kept = load(tmp_path, text, datasets_in="d", metric="accuracy", complete_cases=True)
    assert kept.datasets == ("z",)
    assert kept.left_out == ("x", "y")
    assert kept.scores.tolist() == [[0.1, 0.2]]


def test_a_missing_row_of_a_long_table_is_a_missing_cell(tmp_path: Path) -> None:
    text = LONG.replace("0.1,a,y,2\n", "")
    assert text != LONG
    with pytest.raises(DataError, match="no score of 'a' on 'y / 2'"):
        load(tmp_path, text, formula=("accuracy", "learner", "dataset", "fold"))
    kept = load(tmp_path, text, formula=("accuracy", "learner", "dataset", "fold"), complete_cases=True)
    assert kept.datasets == ("x", "z")
    assert kept.left_out == ("y",)


@pytest.mark.parametrize(
    ("text", "planned", "said"),
    [
        ("d,a,b\nx,1,2\nx,3,4\n", {"metric": "accuracy"}, "'x' twice, in rows 1 and 2"),
        ("d,a,b\nx,1,2\ny,3,much\n", {"metric": "accuracy"}, "the score of 'b' on 'y' is 'much'"),
        ("d,a,b\nx,1,2\ny,3,inf\n", {"metric": "accuracy"}, "the score of 'b' on 'y' is infinite"),
        ("d,a\nx,1\n", {"metric": "accuracy"}, "fewer than two learners: only 'a'"),
        ("d,a,b\nx,1,2\n", {}, "names no metric"),
        ("d,a,b\nx,1,2\n", {"metric": "acuracy"}, "there is no metric 'acuracy'"),
        ("d,a,b\nx,1,2\n", {"metric": "accuracy", "datasets_in": "D2"}, "no column 'D2'"),
        ("d,a,b\nx,1,2\n", {"metric": "accuracy", "learners_in": ("a", "c")}, "no column 'c'"),
        ("d,a,b\nx,1,2\n", {"metric": "accuracy", "learners_in": ("a", "a")}, "'a' is named twice"),
        ("d,e,a,b\nx,u,1,2\n", {"metric": "accuracy"}, "several columns of text: 'd', 'e'"),
        ("d,a,b\nx,1,2\n,3,4\n", {"metric": "accuracy", "datasets_in": "d"}, "row 2 has no value in column 'd'"),
        ("d,a,a\nx,1,2\n", {"metric": "accuracy"}, "both named 'a'"),
        ("d,a,b\n", {"metric": "accuracy"}, "no rows"),
        ("", {"metric": "accuracy"}, "empty"),
        ("d,a,b\nx,1\n", {"metric": "accuracy"}, "row 1"),
        (LONG, {"formula": ("accuracy", "learner", "dataset")}, r"two scores of 'a' on 'x', in rows 1 and 2.*/ fold"),
        (LONG, {"formula": ("accuracy", "lerner", "dataset", "fold")}, "no column 'lerner' for `formula`"),
        (LONG.replace("accuracy", "s"), {"formula": ("s", "learner", "dataset", "fold")}, "not named after a metric"),
        (LONG, {"formula": ("accuracy", "learner", "dataset", "fold"), "learners_in": ("a", "q")}, "no learner q"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, text: str, planned: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=said):
        load(tmp_path, text, **planned)


def test_partitions_with_unequal_folds() -> None:
    reps, folds = [1] * 6 + [2] * 2, [1, 1, 2, 2, 3, 3, 1, 1]
    frame = pd.DataFrame({"l": list("abababab"), "dataset": "x", "rep": reps, "fold": folds, "error": 0.5})
    with pytest.raises(DataError, match="differ in their number of folds"):
        load_frame(frame, formula=("error", "l", "dataset", "rep", "fold"))


def test_a_table_without_a_text_column_counts_its_rows() -> None:
    found = load_frame(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), metric="rmse")
    assert found.datasets == ("1", "2")
    assert found.scores.dtype == np.float64


@pytest.mark.parametrize(
    ("score", "metric", "message"),
    [
        ("-0.2", "accuracy", "accuracy is at least 0 and at most 1"),
        ("101", "accuracy", "accuracy is at least 0 and at most 1"),
        ("1.5", "mcc", "mcc is at least -1 and at most 1"),
        ("-1", "rmse", "rmse is at least 0"),
        ("1.5", "r2", "r2 is at most 1"),
        ("1e101", "rmse", "too large or too small to compute with"),
        ("1e-200", "rmse", "too large or too small to compute with"),
    ],
)
def test_scores_that_cannot_be_are_refused(tmp_path: Path, score: str, metric: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as found:
        load(tmp_path, f"D,a,b\nx,0.5,0.5\ny,0.5,{score}\n", datasets_in="D", metric=metric)
    assert "of 'b' on 'y'" in found.value.message


@pytest.mark.parametrize(("score", "metric"), [("100", "accuracy"), ("0", "error"), ("-3", "r2"), ("1e99", "rmse")])
def test_scores_at_the_ends_of_their_range_are_taken(tmp_path: Path, score: str, metric: str) -> None:
    found = load(tmp_path, f"D,a,b\nx,0.5,0.5\ny,0.5,{score}\n", datasets_in="D", metric=metric)
    assert found.scores[1, 1] == float(score)
