"""An MLflow store made by hand: the five tables that are read, as MLflow 3 lays them out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from evalang.errors import DataError

from ...support.tool_logs import read, refused

TABLES = """
create table experiments (experiment_id integer, name text, lifecycle_stage text);
create table runs (run_uuid text, name text, status text, lifecycle_stage text, experiment_id integer);
create table latest_metrics (key text, value double, timestamp bigint, step bigint, is_nan boolean, run_uuid text);
create table params (key text, value text, run_uuid text);
create table tags (key text, value text, run_uuid text);
insert into experiments values (1, 'cv', 'active'), (2, 'old', 'deleted');
"""


def store(path: Path) -> None:
    with closing(sqlite3.connect(path)) as made:
        made.executescript(TABLES)
        for model in ("tree", "knn"):
            for fold in range(2):
                run = f"{model}{fold}"
                made.execute("insert into runs values (?, ?, 'FINISHED', 'active', 1)", (run, run))
                made.execute("insert into params values ('model', ?, ?)", (model, run))
                made.execute("insert into tags values ('fold', ?, ?), ('mlflow.user', 'me', ?)", (str(fold), run, run))
                made.execute("insert into latest_metrics values ('acc', ?, 0, 0, 0, ?)", (0.5 + fold / 10, run))
        made.execute("insert into runs values ('x', 'broken', 'FAILED', 'active', 1)")
        made.commit()


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as made:
        made.execute(statement)
        made.commit()


def test_runs_with_their_params_and_tags(tmp_path: Path) -> None:
    store(tmp_path / "m.db")
    table = read(tmp_path, "mlflow", "m.db", named="params.model")
    assert table.columns == {"score": "score", "learner": "params.model"}
    assert table.frame["params.model"].tolist() == ["tree", "tree", "knn", "knn"]
    assert table.frame["tags.fold"].tolist() == ["0", "1", "0", "1"]
    assert table.frame["score"].tolist() == [0.5, 0.6, 0.5, 0.6]
    assert "tags.mlflow.user" not in table.frame.columns
    assert (table.metric, table.higher_is_better) == ("acc", None)
    assert table.left_out == ("1 runs are deleted or not finished ('broken')",)


def test_what_a_run_stands_for_is_never_guessed(tmp_path: Path) -> None:
    store(tmp_path / "m.db")
    refused("does not say which column names the learner", tmp_path, "mlflow", "m.db")
    with pytest.raises(DataError, match=r"has no column 'params.modle' \(did you mean params.model\?\)"):
        read(tmp_path, "mlflow", "m.db", named="params.modle")
    change(tmp_path / "m.db", "insert into latest_metrics values ('f1', 0.1, 0, 0, 0, 'tree0')")
    refused("several metrics: 'acc', 'f1'", tmp_path, "mlflow", "m.db", named="params.model")
    table = read(tmp_path, "mlflow", "m.db", named="params.model", metric="f1")
    assert table.frame["score"].tolist() == [0.1]
    assert table.left_out[0] == "3 runs have no f1 or no params.model ('tree1', 'knn0', 'knn1')"


def test_experiments_are_chosen_and_deleted_ones_are_gone(tmp_path: Path) -> None:
    store(tmp_path / "m.db")
    refused("has no experiment 'old'", tmp_path, "mlflow", "m.db", experiment="old", named="params.model")
    change(tmp_path / "m.db", "insert into experiments values (3, 'two', 'active')")
    change(tmp_path / "m.db", "insert into runs values ('y', 'y', 'FINISHED', 'active', 3)")
    refused("has several experiments: 'cv', 'two'", tmp_path, "mlflow", "m.db", named="params.model")
    assert len(read(tmp_path, "mlflow", "m.db", experiment="cv", named="params.model").frame) == 4
    change(tmp_path / "m.db", "update latest_metrics set is_nan = 1, value = 0 where run_uuid = 'knn1'")
    table = read(tmp_path, "mlflow", "m.db", experiment="cv", named="params.model")  # a NaN is no score
    assert len(table.frame) == 3
    assert "'knn1'" in table.left_out[0]


def test_another_database_is_refused_with_what_was_expected(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "m.db")) as made:
        made.execute("create table runs (id integer)")
        made.commit()
    with pytest.raises(DataError, match=r"is not an MLflow store, or one of another version.*latest_metrics"):
        read(tmp_path, "mlflow", "m.db", named="params.model")
    (tmp_path / "n.db").write_text("not a database")
    refused("is not a SQLite database", tmp_path, "mlflow", "n.db", named="params.model")
