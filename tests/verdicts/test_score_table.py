"""A whole table in one call: wide and long give the same, and every hole is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalang as ev
from evalang.errors import DataError

WIDE = pd.DataFrame(
    np.random.default_rng(4).normal([0.7, 0.8, 0.72], 0.03, (9, 3)),
    columns=["tree", "forest", "knn"],
    index=[f"d{i}" for i in range(9)],
)
LONG = WIDE.rename_axis("set").reset_index().melt("set", var_name="model", value_name="accuracy")


def test_wide_and_long_tables_give_the_same_and_columns_are_guessed() -> None:
    """As by `evalang compare`: a column of text, a column named after its role, a long table, an index of rows."""
    wide = ev.analyse(WIDE)
    text = WIDE.rename_axis("set").reset_index()
    numbered = WIDE.assign(task=range(9))
    long = LONG.rename(columns={"set": "dataset"})
    named = LONG.rename(columns={"model": "who"})
    guessed = [ev.analyse(table) for table in (text, numbered, LONG, long.sample(frac=1.0, random_state=1))]
    said = [ev.analyse(text, dataset="set"), ev.analyse(named, dataset="set", learner="who", score="accuracy")]
    for found in (*guessed, *said):
        pd.testing.assert_frame_equal(found.frame, wide.frame)
        assert (found.learners, found.ranks) == (wide.learners, wide.ranks)
    with pytest.warns(UserWarning, match="left out: id, kind"):
        kinds = ev.analyse(text.assign(id=range(9), kind="image"))
    pd.testing.assert_frame_equal(kinds.frame, wide.frame)


@pytest.mark.parametrize(
    ("table", "names", "words"),
    [
        ([[1, 2]], {}, "a list is not a table of scores"),
        (WIDE.where(WIDE.iloc[3, 1] != WIDE), {}, "the score of forest on d3 is missing"),
        (WIDE.assign(question=range(9)), {}, "'question' holds items, and the rows of `analyse` are datasets"),
        (LONG.assign(f1=1 - LONG["accuracy"]), {}, "scored by accuracy; .*, scored by f1"),
        (WIDE, {"dataset": "set"}, "no column 'set' for dataset="),
        (WIDE, {"learner": "tree", "score": "knn"}, "a long table has three columns"),
        (
            pd.DataFrame({"s": ["a", "a"], "w": ["x", "x"], "v": [1.0, 2.0]}),
            {"dataset": "s", "learner": "w", "score": "v"},
            "x has two scores on a",
        ),
    ],
)
def test_bad_tables_are_named(table: Any, names: dict[str, str], words: str) -> None:
    with pytest.raises(DataError, match=words):
        ev.analyse(table, **names)
