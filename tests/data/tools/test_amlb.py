"""Tables of the AutoML benchmark: which metric `result` is has to be proved, gaps are named."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from evalang.errors import DataError

from .made import read

OLD = """id,task,framework,fold,result,version,info,acc,auc,logloss
t/1,adult,tpot,0,0.93,1.0,,0.88,0.93,
t/1,adult,tpot,1,,1.0,Error: out of memory,,,
t/1,adult,weka,0,0.91,2.6,,0.86,0.91,
t/1,adult,weka,1,0.92,2.6,,0.87,0.92,
t/2,car,tpot,0,0.25,1.0,,0.9,,0.25
t/2,car,weka,0,0.5,2.7,,0.8,,0.5
"""


def test_log_loss_is_turned_round_and_said(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(OLD)
    table = read(tmp_path, "amlb", "r.csv")
    assert table.columns == {"score": "score", "learner": "framework", "dataset": "task", "fold": "fold"}
    assert table.frame["score"].tolist() == [0.93, 0.91, 0.92, -0.25, -0.5]
    assert (table.metric, table.higher_is_better) == ("result", True)
    assert table.differing == ("version of weka: '2.6', '2.7'",)
    assert table.left_out == (
        "less is better for 'logloss of car': turned round, so that more is better everywhere",
        "the tasks are scored in several metrics (auc of 1 task, logloss of 1 task): ranks and wins compare over "
        "tasks, means do not",
        "tpot: no result of 1 runs ('adult fold 1'); 'Error: out of memory'",
    )


def test_another_column_is_read_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(OLD)
    table = read(tmp_path, "amlb", "r.csv", metric="acc")
    assert (table.metric, table.higher_is_better) == ("accuracy", True)
    assert table.frame["score"].tolist() == [0.88, 0.86, 0.87, 0.9, 0.8]
    assert read(tmp_path, "amlb", "r.csv", metric="logloss").higher_is_better is False


def test_tables_of_a_pattern_are_read_together(tmp_path: Path) -> None:
    (tmp_path / "r-1.csv").write_text(OLD)
    (tmp_path / "r-2.csv").write_text(OLD.replace("adult", "31").replace("car", "wine"))
    table = read(tmp_path, "amlb", "r-*.csv")
    assert sorted(set(table.frame["task"])) == ["31", "adult", "car", "wine"]
    assert len(table.origins) == 2


def test_a_later_version_says_its_metric(tmp_path: Path) -> None:
    text = "task,framework,constraint,fold,result,metric,auc,logloss\ncar,a,1h,0,-0.5,neg_logloss,,0.5\n"
    (tmp_path / "r.csv").write_text(text + "car,a,4h,0,-0.25,neg_logloss,,0.25\n")
    with pytest.raises(DataError, match="several constraints: '1h', '4h'"):
        read(tmp_path, "amlb", "r.csv")
    table = read(tmp_path, "amlb", "r.csv", constraint="4h")
    assert table.frame["score"].tolist() == [-0.25]
    assert table.differing == ()
    (tmp_path / "r.csv").write_text(text.replace("neg_logloss", "profit"))
    with pytest.raises(DataError, match="names 'profit' as the metric of 'car'"):
        read(tmp_path, "amlb", "r.csv")


def test_a_result_that_no_column_explains_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(OLD.replace("0,0.93,1.0", "0,0.94,1.0"))
    with pytest.raises(DataError, match="nobody knows whether more is better"):
        read(tmp_path, "amlb", "r.csv")


def test_another_table_is_refused_with_what_was_expected(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("dataset,a,b\nx,1,2\n")
    with pytest.raises(DataError, match="has no column 'task', 'framework', 'fold', 'result'"):
        read(tmp_path, "amlb", "r.csv")


SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "evals" / "amlb"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the tables of the benchmark lie beside the project")
@pytest.mark.parametrize("metric", ["result", "acc"])
def test_the_tables_of_the_benchmark_as_pandas_reads_them(metric: str) -> None:
    table = read(SHARED, "amlb", "results_*.csv", metric=metric)
    whole = pd.concat([pd.read_csv(path) for path in sorted(SHARED.glob("results_*.csv"))], ignore_index=True)
    if metric == "result":  # log loss where there are more than two classes: those tasks have no area
        area = whole.groupby("task")["auc"].transform("count") > 0
        whole[metric] = whole[metric].where(area, -whole[metric])
    expected = whole.dropna(subset=[metric]).set_index(["task", "framework", "fold"])[metric].sort_index()
    found = table.frame.astype({"fold": int}).set_index(["task", "framework", "fold"])["score"].sort_index()
    pd.testing.assert_series_equal(found, expected, check_names=False, check_dtype=False, check_index_type=False)
    if metric == "result":
        assert whole["task"].nunique() == 35
        gone = whole[whole["result"].isna()].groupby("framework").size()
        assert int(gone.sum()) == 203
        for framework, count in gone.items():
            assert any(text.startswith(f"{framework}: no result of {count} runs") for text in table.left_out)
