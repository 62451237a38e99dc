"""Tables of benchmarks: Weka's Experimenter, searches of scikit-learn, scores for rliable."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from evalang.errors import DataError

from .made import read

WEKA = """Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct,Area_under_ROC,Mean_absolute_error
iris,1,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',93.3,0.97,0.04
iris,1,2,weka.classifiers.trees.J48,'-C 0.25 -M 2',?,0.98,0.03
iris,1,1,weka.classifiers.rules.ZeroR,'',33.3,0.5,0.44
iris,1,2,weka.classifiers.rules.ZeroR,'',33.3,0.5,0.44
"""


def test_weka_has_runs_and_folds(tmp_path: Path) -> None:
    (tmp_path / "exp.csv").write_text(WEKA)
    table = read(tmp_path, "weka", "exp.csv")
    assert table.columns == {
        "score": "score", "learner": "scheme", "dataset": "dataset", "repeat": "Run", "fold": "Fold"
    }  # fmt: skip
    assert table.frame["scheme"].tolist() == ["J48", "ZeroR", "ZeroR"]
    assert table.frame["score"].tolist() == [93.3, 33.3, 33.3]
    assert (table.metric, table.higher_is_better) == ("accuracy", True)
    assert table.left_out == ("1 rows have no Percent_correct ('J48 on iris, run 1')",)


def test_weka_in_arff_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "exp.csv").write_text(WEKA)
    names = WEKA.split("\n")[0].split(",")
    kinds = {"Key_Dataset": "string", "Key_Scheme": "string", "Key_Scheme_options": "string"}
    head = "\n".join(f"@attribute {name} {kinds.get(name, 'numeric')}" for name in names)
    (tmp_path / "exp.arff").write_text(f"@relation x\n{head}\n@data\n" + "\n".join(WEKA.split("\n")[1:]))
    assert read(tmp_path, "weka", "exp.arff").frame.equals(read(tmp_path, "weka", "exp.csv").frame)


@pytest.mark.parametrize(
    ("metric", "named", "higher"), [("Area_under_ROC", "roc-area", True), ("Mean_absolute_error",) * 2 + (False,)]
)
def test_weka_knows_the_direction_of_its_measures(tmp_path: Path, metric: str, named: str, higher: bool) -> None:
    (tmp_path / "exp.csv").write_text(WEKA)
    table = read(tmp_path, "weka", "exp.csv", metric=metric)
    assert (table.metric, table.higher_is_better) == (named, higher)


def test_one_class_of_weka_with_two_sets_of_options(tmp_path: Path) -> None:
    (tmp_path / "exp.csv").write_text(WEKA.replace("rules.ZeroR,''", "trees.J48,'-U'"))
    assert sorted(set(read(tmp_path, "weka", "exp.csv").frame["scheme"])) == ["J48 -C 0.25 -M 2", "J48 -U"]


def test_another_table_is_not_of_weka(tmp_path: Path) -> None:
    (tmp_path / "exp.csv").write_text("dataset,a\niris,1\n")
    with pytest.raises(DataError, match="has no column 'Key_Dataset', 'Key_Run', 'Key_Scheme'"):
        read(tmp_path, "weka", "exp.csv")
    (tmp_path / "exp.csv").write_text(WEKA)
    with pytest.raises(DataError, match="has no 'Percent_corect'"):
        read(tmp_path, "weka", "exp.csv", metric="Percent_corect")


def search(scoring: object = None) -> pd.DataFrame:
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    grid = {"max_depth": [1, 2], "min_samples_leaf": [5]}
    found = GridSearchCV(tree, grid, cv=3, scoring=scoring, refit=False)  # type: ignore[arg-type]
    return pd.DataFrame(found.fit(X, y).cv_results_)


def test_a_search_of_scikit_learn_itself(tmp_path: Path) -> None:
    found = search()
    found.to_csv(tmp_path / "iris.csv", index=False)
    table = read(tmp_path, "sklearn", "iris.csv")
    wide = table.frame.pivot(index="candidate", columns="fold", values="score")
    assert wide.index.tolist() == ["max_depth=1", "max_depth=2"]
    for split in range(3):
        assert wide[str(split)].tolist() == pytest.approx(found[f"split{split}_test_score"].tolist(), abs=0)
    assert table.higher_is_better is True
    assert set(table.frame["dataset"]) == {"iris"}


def test_several_scorers_have_to_be_chosen_from(tmp_path: Path) -> None:
    search(["accuracy", "neg_log_loss"]).to_csv(tmp_path / "iris.csv", index=False)
    with pytest.raises(DataError, match="several scorers: 'accuracy', 'neg_log_loss'"):
        read(tmp_path, "sklearn", "iris.csv")
    table = read(tmp_path, "sklearn", "iris.csv", scorer="neg_log_loss")
    assert (table.frame["score"] < 0).all()


def test_an_index_that_pandas_wrote_is_said(tmp_path: Path) -> None:
    search().to_csv(tmp_path / "iris.csv")
    with pytest.raises(DataError, match="save the table without its index"):
        read(tmp_path, "sklearn", "iris.csv")


def test_averages_of_a_search_are_refused(tmp_path: Path) -> None:
    search()[["param_max_depth", "mean_test_score"]].to_csv(tmp_path / "iris.csv", index=False)
    with pytest.raises(DataError, match="only averages, and an average cannot be paired"):
        read(tmp_path, "sklearn", "iris.csv")


def write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value))


def test_rliable_by_lists_and_by_names(tmp_path: Path) -> None:
    write(tmp_path / "s.json", {"DQN": [[1.0, 2.0], [3.0, 4.0]], "C51": [[5.0, 6.0]]})
    table = read(tmp_path, "rliable", "s.json")
    assert table.columns == {"score": "score", "learner": "algorithm", "dataset": "task", "seed": "run"}
    assert table.frame.values.tolist()[1] == ["DQN", "task 2", "1", 2.0]
    assert table.higher_is_better is None
    write(tmp_path / "s.json", {"DQN": {"Pong": [1.0, 3.0]}})
    assert read(tmp_path, "rliable", "s.json").frame["task"].tolist() == ["Pong", "Pong"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"DQN": [[1.0], [1.0, 2.0]]}, "differ in length"),
        ({"DQN": [[1.0]], "C51": [[1.0, 2.0]]}, "differ in their number of tasks"),
        ({"DQN": [[[1.0, 2.0]]]}, "of several checkpoints"),
        ({"DQN": [1.0, 2.0]}, "are no runs by tasks"),
        ({"DQN": {"Pong": 3}}, "is no list"),
        ({"DQN": [[float("nan")]]}, "is 'nan'"),
        ([1], "holds no JSON object"),
        ({}, "holds no score"),
    ],
)
def test_what_rliable_would_not_take(tmp_path: Path, value: object, said: str) -> None:
    write(tmp_path / "s.json", value)
    with pytest.raises(DataError, match=said):
        read(tmp_path, "rliable", "s.json")
