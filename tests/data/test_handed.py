from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.datasets import load_iris

from evalang.data.access import Access
from evalang.data.python_tables import members
from evalang.data.table import Table

from .loading import load_source, refusal

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
Y = ["a", "b", "a"]


def _load(value: object, **said: Any) -> Table:
    return load_source(Path(), "python", "D", access=Access(root=Path(), values={"D": value}), **said)


@pytest.mark.parametrize(
    "value",
    [
        (X, Y),
        (X.tolist(), np.array(Y)),
        (X, np.array(Y).reshape(-1, 1)),
        (pd.DataFrame(X), pd.Series(Y, index=[7, 8, 9])),
        (pd.DataFrame(X, index=[4, 4, 4]), pd.DataFrame({"kind": Y})),
        (scipy.sparse.csr_matrix(X), Y),
        (X, pd.Categorical(Y)),
    ],
)
def test_pairs(value: object) -> None:
    table = _load(value)
    assert table.X.to_numpy().tolist() == X.tolist()
    assert table.labels.tolist() == Y


def test_a_bunch_keeps_its_names(tmp_path: Path) -> None:
    table = _load(load_iris())
    assert table.classes == ("setosa", "versicolor", "virginica")
    assert table.X.columns[0] == "sepal length (cm)"
    assert _load(load_iris(as_frame=True)).content_hash == table.content_hash


def test_a_frame_with_its_target() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "y": Y})
    table = _load(frame, target="y")
    assert table.features == 1
    assert list(frame.columns) == ["a", "y"]
    assert "does not say which column" in refusal(_load, frame).message


def test_the_callers_data_are_not_touched() -> None:
    frame = pd.DataFrame({"a": ["1", " x ", None], "y": Y}, index=[5, 6, 7])
    before = frame.copy(deep=True)
    _load(frame, target="y")
    pd.testing.assert_frame_equal(frame, before)
    array = X.copy()
    array.setflags(write=False)
    assert _load((array, Y)).rows == 3


def test_several_in_a_dict() -> None:
    several = {"iris": (X, Y), "credit": pd.DataFrame({"a": [1, 2, 3], "class": Y})}
    assert members(several) == ("iris", "credit")
    assert members(load_iris()) is None
    access = Access(root=Path(), values={"D": several})
    for name in ("iris", "credit", "D.iris"):
        assert load_source(Path(), "python", name, access=access).rows == 3
    assert "several datasets" in refusal(load_source, Path(), "python", "D", access=access).message


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ((X, Y[:2]), "3 rows of features and 2 of target"),
        ((X, X), "has 2 dimensions"),
        ((X, pd.DataFrame(X)), "has 2 columns"),
        ((X[0], Y), "have 1 dimensions"),
        (([[1, 2], [3]], Y), "differ in length"),
        (X, "is a ndarray"),
        (None, "is a NoneType"),
        ("iris.csv", "is a str"),
        (pd.DataFrame([[1, 2, "a"], [1, 2, "b"]], columns=["a", "a", "class"]), "both named 'a'"),
        (pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("c", "d")])), "several levels"),
        (pd.DataFrame({"class": []}), "has no rows"),
        ((X, [np.nan, "a", "b"]), ""),
    ],
)
def test_mistakes(value: object, sentence: str) -> None:
    if sentence:
        assert sentence in refusal(_load, value).message
    else:
        table_or_error = refusal(_load, (X, pd.Series([None, "a", "b"])))
        assert "1 of the 3 rows of d have no target" in table_or_error.message


def test_nothing_of_that_name() -> None:
    error = refusal(load_source, Path(), "python", "E", access=Access(root=Path(), values={"D": (X, Y)}))
    assert "nothing named 'E'" in error.message


def test_rows_without_a_target_cannot_be_dropped_by_a_sentence() -> None:
    error = refusal(_load, (X, ["a", None, "b"]))
    assert error.hint == "leave them out of what you hand over"
