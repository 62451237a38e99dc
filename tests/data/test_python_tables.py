"""Tables, folds and roles of rows passed in Python: every form is one table, and scores are those of scikit-learn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import evalang as ev
from evalang.data.access import Access
from evalang.data.python_tables import members
from evalang.data.table import Table
from evalang.errors import DataError, ScriptError
from evalang.reports.methods import methods

from ..support.data_loading import load_source, refusal

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
Y = ["a", "b", "a"]


def _load(value: object, name: str = "D", **said: Any) -> Table:
    return load_source(Path(), "python", name, access=Access(root=Path(), values={"D": value}), **said)


@pytest.mark.parametrize(
    "value",
    [
        (X, Y),
        (X.tolist(), np.array(Y).reshape(-1, 1)),
        (pd.DataFrame(X), pd.Series(Y, index=[7, 8, 9])),
        (pd.DataFrame(X, index=[4, 4, 4]), pd.DataFrame({"kind": Y})),
        (sparse.csr_matrix(X), Y),
        (X, pd.Categorical(Y)),
        polars.DataFrame({"u": X[:, 0], "v": X[:, 1], "class": Y}),
    ],
)
def test_pairs_and_frames(value: object) -> None:
    table = _load(value)
    assert table.X.to_numpy().tolist() == X.tolist()
    assert table.labels.tolist() == Y


def test_a_bunch_keeps_its_names() -> None:
    table = _load(load_iris())
    assert table.classes == ("setosa", "versicolor", "virginica")
    assert table.X.columns[0] == "sepal length (cm)"
    assert _load(load_iris(as_frame=True)).content_hash == table.content_hash


def test_the_callers_data_are_not_changed() -> None:
    frame = pd.DataFrame({"a": ["1", " x ", None], "y": Y}, index=[5, 6, 7])
    before = frame.copy(deep=True)
    assert _load(frame, target="y").features == 1
    pd.testing.assert_frame_equal(frame, before)
    array = X.copy()
    array.setflags(write=False)
    assert _load((array, Y)).rows == 3


def test_several_in_a_dict() -> None:
    several = {"iris": (X, Y), "credit": pd.DataFrame({"a": [1, 2, 3], "class": Y})}
    assert (members(several), members(load_iris())) == (("iris", "credit"), None)
    assert [_load(several, name).rows for name in ("iris", "credit", "D.iris")] == [3, 3, 3]
    assert "several datasets" in refusal(_load, several).message
    assert "no value was passed from Python for the name 'E'" in refusal(_load, (X, Y), "E").message


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ((X, Y[:2]), "3 rows of features and 2 of target"),
        ((X, X), "has 2 columns"),
        ((X, pd.DataFrame(X)), "has 2 columns"),
        ((X[0], Y), "have 1 dimensions"),
        (([[1, 2], [3]], Y), "differ in length"),
        (None, "is a NoneType"),
        ("iris.csv", "is a str"),
        (pd.DataFrame([[1, 2, "a"], [1, 2, "b"]], columns=["a", "a", "class"]), "both named 'a'"),
        (
            pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("c", "d")])),
            "a MultiIndex as columns",
        ),
        (pd.DataFrame({"class": []}), "has no rows"),
        (pd.DataFrame({"a": [1, 2], "y": ["p", "q"]}), "does not say which column"),
        ((X, ["a", None, "b"]), "1 of the 3 rows of d have no target, the first is row 2 (leave them out of what"),
    ],
)
def test_mistakes(value: object, sentence: str) -> None:
    assert sentence in str(refusal(_load, value))


CANCER, CLASSES = (part[:240] for part in load_breast_cancer(return_X_y=True))
CANCER = CANCER[:, :6]
GROUPS = np.arange(240) // 6
LEARNERS: dict[str, Any] = {"a": DecisionTreeClassifier(max_depth=1, random_state=0), "b": GaussianNB()}
MASKS = [(np.arange(240) % 3 != fold, np.arange(240) % 3 == fold) for fold in range(3)]


def _compare(sentence: str = "a vs b on D", data: object = (CANCER, CLASSES), **said: Any) -> ev.Result:
    return ev.compare(sentence, D=data, **LEARNERS, **said)


@pytest.mark.parametrize(
    ("cv", "groups", "scheme", "test"),
    [
        (KFold(4), None, "given folds", "corrected-t"),
        (StratifiedKFold(3, shuffle=True, random_state=2), None, "given folds", "corrected-t"),
        (GroupKFold(5), GROUPS, "grouped given folds", "corrected-t"),
        (LeaveOneGroupOut(), GROUPS // 8, "grouped given folds", "corrected-t"),
        (RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0), None, "3x5cv", "partition-t"),
        (ShuffleSplit(6, test_size=0.25, random_state=1), None, "6 resamples of 180 rows", "partition-t"),
        (TimeSeriesSplit(4), None, "forward 4 splits", "forward-t"),
        (MASKS, None, "given folds", "corrected-t"),
        ([(list(range(160)), list(range(160, 240)))], None, "holdout 80 rows", "mcnemar-midp"),
    ],
)
def test_the_scores_are_those_of_scikit_learn(cv: Any, groups: Any, scheme: str, test: str) -> None:
    run = _compare(cv=cv, groups=groups).run
    comparison = run.plan.comparisons[0]
    assert comparison.scheme is not None
    assert (comparison.scheme.text, comparison.tests[0].name) == (scheme, test)
    plain = [tuple(map(np.flatnonzero, fold)) for fold in MASKS] if cv is MASKS else cv
    for name, learner in LEARNERS.items():
        expected = cross_val_score(learner, CANCER, CLASSES, cv=plain, groups=groups)
        rows = [row for row in run.scores.rows() if row.learner == name]
        assert [row.score for row in sorted(rows, key=lambda r: (r.partition, r.fold))] == list(expected)
    splitter = "a list of" if isinstance(cv, list) else type(cv).__name__
    assert f"The folds of `D` were given by the user: {splitter}" in " ".join(methods(run))


def test_groups_times_and_weights_by_name_or_by_row() -> None:
    frame = pd.DataFrame(CANCER[:, :2], columns=["u", "v"]).assign(patient=GROUPS, target=CLASSES)
    by_name = _compare("a vs b on D using grouped 4cv", frame, groups="patient")
    by_row = _compare("a vs b on D using grouped 4cv", frame[["u", "v", "target"]], groups=list(GROUPS))
    assert by_name.run.scores.score == by_row.run.scores.score
    several = _compare(
        "a vs b on D using forward 3 splits, holm over datasets",
        {"one": (CANCER, CLASSES), "two": (CANCER[:120], CLASSES[:120])},
        time={"one": np.arange(240), "two": np.arange(120)},
    )
    assert len(several.run.scores) == 12
    shops = frame.assign(patient=np.arange(240) % 3, day=np.arange(240) // 3)
    sentence = "a vs b on D using forward 3 splits, gap 2 rows"
    named = _compare(sentence, shops, time="day", series="patient").run
    rows = _compare(sentence, (CANCER[:, :2], CLASSES), time=shops["day"], series=list(shops["patient"])).run
    assert named.scores.score == rows.scores.score
    assert [fact.series for fact in named.facts] == [3]
    weighted = _compare("a vs b on D using 3x3cv", weights=np.linspace(0, 1, 240))
    assert weighted.run.plan.datasets[0].weights == "(weights)"


@pytest.mark.parametrize(
    ("cv", "says"),
    [
        (5, "write using 5cv in the sentence"),
        ([([0, 1], [1, 2])], "row 1 is in the training rows and the test rows"),
        ([([0, 0], [1])], "not a list of different row numbers from 0 to 239"),
        ([([0], [240])], "not a list of different row numbers from 0 to 239"),
        ([([], [1])], "not a list of different row numbers from 0 to 239"),
        ([[1, 2, 3]], "not a pair of training rows and test rows"),
        ([], "gives no fold"),
        (
            [(range(100), range(100, 200)), (range(140), range(140, 240))],
            "are neither a cross-validation, nor resamples",
        ),
        (GroupKFold(5), "pass groups as well"),
    ],
)
def test_what_is_no_division(cv: Any, says: str) -> None:
    with pytest.raises(DataError) as caught:
        _compare(cv=cv)
    assert says in str(caught.value)


def test_what_does_not_go_together() -> None:
    with pytest.raises(ScriptError, match="keep one of the two"):
        _compare("a vs b on D using 5cv", cv=KFold(3))
    with pytest.raises(ScriptError, match="apply to a dataset, and none is passed"):
        ev.compare("a vs b on iris", cv=KFold(3), **LEARNERS)
    with pytest.raises(DataError, match="one value for each row"):
        _compare("a vs b on D using grouped 5cv", groups=[1, 2])
    with pytest.raises(ScriptError, match="cv is the splitter KFold") as refused:
        ev.run("compare knn vs naive-bayes on iris using 5x2cv, seed 1", cv=KFold(3))
    assert "ev.compare takes a splitter as cv=" in refused.value.hint


def test_a_refusal_in_a_notebook_is_its_sentences() -> None:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    with capture_output() as heard:
        cell = "import evalang as ev\nev.run('compare knn vs svmm on iris using 10cv, seed 1')"
        InteractiveShell.instance().run_cell(cell)
    assert "EV002 unknown-name" in heard.stdout
    assert "Traceback" not in heard.stdout
