"""Tables of benchmarks: Weka's Experimenter, searches of scikit-learn, scores for rliable, the AutoML benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from evalang.data.raw import LongTable
from evalang.errors import DataError

from ...support.tool_logs import read

WEKA = """Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct,Area_under_ROC,Mean_absolute_error
iris,1,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',93.3,0.97,0.04
iris,1,2,weka.classifiers.trees.J48,'-C 0.25 -M 2',?,0.98,0.03
iris,1,1,weka.classifiers.rules.ZeroR,'',33.3,0.5,0.44
iris,1,2,weka.classifiers.rules.ZeroR,'',33.3,0.5,0.44
"""
AMLB = """id,task,framework,fold,result,version,info,acc,auc,logloss
t/1,adult,tpot,0,0.93,1.0,,0.88,0.93,
t/1,adult,tpot,1,,1.0,Error: out of memory,,,
t/1,adult,weka,0,0.91,2.6,,0.86,0.91,
t/1,adult,weka,1,0.92,2.6,,0.87,0.92,
t/2,car,tpot,0,0.25,1.0,,0.9,,0.25
t/2,car,weka,0,0.5,2.7,,0.8,,0.5
"""
LATER = "task,framework,constraint,fold,result,metric,auc,logloss\ncar,a,1h,0,-0.5,neg_logloss,,0.5\n"
LATER += "car,a,4h,0,-0.25,neg_logloss,,0.25\n"


def read_text(folder: Path, kind: str, text: str, **options: str) -> LongTable:
    name = "t.json" if kind == "rliable" else "t.csv"
    (folder / name).write_text(text)
    return read(folder, kind, name, **options)


def test_weka_has_runs_and_folds(tmp_path: Path) -> None:
    table = read_text(tmp_path, "weka", WEKA)
    assert table.columns == {
        "score": "score", "learner": "scheme", "dataset": "dataset", "repeat": "Run", "fold": "Fold"
    }  # fmt: skip
    assert table.frame["scheme"].tolist() == ["J48", "ZeroR", "ZeroR"]
    assert table.frame["score"].tolist() == [93.3, 33.3, 33.3]
    assert (table.metric, table.higher_is_better) == ("accuracy", True)
    assert table.left_out == ("1 rows have no Percent_correct ('J48 on iris, run 1')",)
    for metric, name, higher in (("Area_under_ROC", "roc-area", True), ("Mean_absolute_error",) * 2 + (False,)):
        other = read(tmp_path, "weka", "t.csv", metric=metric)
        assert (other.metric, other.higher_is_better) == (name, higher)
    kinds = {"Key_Dataset": "string", "Key_Scheme": "string", "Key_Scheme_options": "string"}
    names, *rows = WEKA.split("\n")
    head = "\n".join(f"@attribute {name} {kinds.get(name, 'numeric')}" for name in names.split(","))
    (tmp_path / "t.arff").write_text(f"@relation x\n{head}\n@data\n" + "\n".join(rows))
    assert read(tmp_path, "weka", "t.arff").frame.equals(table.frame)
    twice = read_text(tmp_path, "weka", WEKA.replace("rules.ZeroR,''", "trees.J48,'-U'"))
    assert sorted(set(twice.frame["scheme"])) == ["J48 -C 0.25 -M 2", "J48 -U"]


def search(scoring: Any = None) -> pd.DataFrame:
    X, y = load_iris(return_X_y=True)
    grid = {"max_depth": [1, 2], "min_samples_leaf": [5]}
    found = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=3, scoring=scoring, refit=False)
    return pd.DataFrame(found.fit(X, y).cv_results_)


def test_a_search_of_scikit_learn_itself(tmp_path: Path) -> None:
    found = search()
    table = read_text(tmp_path, "sklearn", found.to_csv(index=False))
    wide = table.frame.pivot(index="candidate", columns="fold", values="score")
    assert wide.index.tolist() == ["max_depth=1", "max_depth=2"]
    for split in range(3):
        assert wide[str(split)].tolist() == pytest.approx(found[f"split{split}_test_score"].tolist(), abs=0)
    assert (table.higher_is_better, set(table.frame["dataset"])) == (True, {"t"})
    assert read_text(tmp_path, "sklearn", found.to_csv()).frame.equals(table.frame)  # the index is left out
    with pytest.raises(DataError, match="only averages, and averages cannot be paired"):
        read_text(tmp_path, "sklearn", found[["param_max_depth", "mean_test_score"]].to_csv(index=False))
    several = search(["accuracy", "neg_log_loss"]).to_csv(index=False)
    with pytest.raises(DataError, match="several scorers: 'accuracy', 'neg_log_loss'"):
        read_text(tmp_path, "sklearn", several)
    assert (read_text(tmp_path, "sklearn", several, scorer="neg_log_loss").frame["score"] < 0).all()


def test_rliable_by_lists_and_by_names(tmp_path: Path) -> None:
    table = read_text(tmp_path, "rliable", '{"DQN": [[1.0, 2.0], [3.0, 4.0]], "C51": [[5.0, 6.0]]}')
    assert table.columns == {"score": "score", "learner": "algorithm", "dataset": "task", "seed": "run"}
    assert table.frame.values.tolist()[1] == ["DQN", "task 2", "1", 2.0]
    assert table.higher_is_better is None
    named = read_text(tmp_path, "rliable", '{"DQN": {"Pong": [1.0, 3.0]}}')
    assert named.frame["task"].tolist() == ["Pong", "Pong"]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"DQN": [[1.0], [1.0, 2.0]]}, "not runs of one length"),
        ({"DQN": [[1.0]], "C51": [[1.0, 2.0]]}, "differ in their number of tasks"),
        ({"DQN": [[[1.0, 2.0]]]}, "on task 1' in 't.json' is"),
        ({"DQN": [1.0, 2.0]}, "not runs of one length"),
        ({"DQN": {"Pong": 3}}, "nor tasks by name"),
        ({"DQN": [[float("nan")]]}, "is 'nan'"),
        ([1], "holds no JSON object"),
        ({}, "holds no score"),
    ],
)
def test_what_rliable_would_not_take(tmp_path: Path, value: object, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        read_text(tmp_path, "rliable", json.dumps(value))


def test_log_loss_of_amlb_is_reversed_and_reported(tmp_path: Path) -> None:
    table = read_text(tmp_path, "amlb", AMLB)
    assert table.columns == {"score": "score", "learner": "framework", "dataset": "task", "fold": "fold"}
    assert table.frame["score"].tolist() == [0.93, 0.91, 0.92, -0.25, -0.5]
    assert (table.metric, table.higher_is_better) == ("result", True)
    assert table.differing == ("version of weka: '2.6', '2.7'",)
    assert table.left_out == (
        "lower is better for 'logloss of car'; the signs are changed so that higher is better everywhere",
        "the tasks are scored in several metrics (auc of 1 task, logloss of 1 task): ranks and wins compare over "
        "tasks, means do not",
        "tpot: no result of 1 runs ('adult fold 1'); 'Error: out of memory'",
    )
    other = read(tmp_path, "amlb", "t.csv", metric="acc")
    assert (other.metric, other.higher_is_better) == ("accuracy", True)
    assert other.frame["score"].tolist() == [0.88, 0.86, 0.87, 0.9, 0.8]
    assert read(tmp_path, "amlb", "t.csv", metric="logloss").higher_is_better is False
    (tmp_path / "t-2.csv").write_text(AMLB.replace("adult", "31").replace("car", "wine"))
    both = read(tmp_path, "amlb", "t*.csv")
    assert sorted(set(both.frame["task"])) == ["31", "adult", "car", "wine"]
    assert len(both.origins) == 2


def test_a_later_version_of_amlb_names_its_metric(tmp_path: Path) -> None:
    table = read_text(tmp_path, "amlb", LATER, constraint="4h")
    assert (table.frame["score"].tolist(), table.differing) == ([-0.25], ())


@pytest.mark.parametrize(
    ("kind", "text", "options", "sentence"),
    [
        ("weka", "dataset,a\niris,1\n", {}, "has no column 'Key_Dataset', 'Key_Run', 'Key_Scheme'"),
        ("weka", WEKA, {"metric": "Percent_corect"}, "has no metric 'Percent_corect'"),
        ("amlb", LATER, {}, "several constraints: '1h', '4h'"),
        ("amlb", LATER.replace("neg_logloss", "profit"), {"constraint": "4h"}, "the metric of 'car' .* is 'profit'"),
        ("amlb", AMLB.replace("0,0.93,1.0", "0,0.94,1.0"), {}, "it is unknown whether higher is better"),
        ("amlb", "dataset,a,b\nx,1,2\n", {}, "has no column 'task', 'framework', 'fold', 'result'"),
    ],
)
def test_tables_that_are_refused(tmp_path: Path, kind: str, text: str, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        read_text(tmp_path, kind, text, **options)


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
