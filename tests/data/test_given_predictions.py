"""Predictions that somebody already has."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import evalang as ev
from evalang.data.access import Access
from evalang.data.given_predictions import load_predictions, predictions_from
from evalang.errors import DataError
from evalang.plans.model import PredictionsTable, Source

TEXT = "id,y,a,b\n1,yes,yes,no\n2,no,no,no\n3,yes,no,yes\n"


def load(folder: Path, text: str, *, complete_cases: bool = False, **planned: object):
    (folder / "p.csv").write_text(text, encoding="utf-8")
    table = PredictionsTable(name="p", source=Source(kind="csv", locator="p.csv"), **planned)
    return load_predictions(table, Access(root=folder), complete_cases=complete_cases)


def test_labels(tmp_path: Path) -> None:
    found = load(tmp_path, TEXT, truth="y", learners_in=("a", "b"))
    assert found.learners == ("a", "b")
    assert found.kinds == ("labels", "labels")
    assert [(p == found.truth).tolist() for p in found.predictions] == [[True, True, False], [False, True, True]]


def test_numbers_that_are_classes_are_labels() -> None:
    frame = pd.DataFrame({"y": [0, 1, 1], "a": [0.0, 1.0, 0.0], "b": ["1", "1", "1"], "p": [0.2, 0.9, 0.5]})
    found = predictions_from(frame, truth="y")
    assert found.kinds == ("labels", "labels", "numbers")


def test_a_class_that_the_truth_never_has_is_wrong_not_refused() -> None:
    found = predictions_from(pd.DataFrame({"y": ["u", "v"], "a": ["u", "w"]}), truth="y")
    assert (found.predictions[0] == found.truth).tolist() == [True, False]


def test_gaps(tmp_path: Path) -> None:
    text = TEXT.replace("2,no,no,no", "2,no,,no")
    with pytest.raises(DataError, match="row 2 has no value in column 'a'"):
        load(tmp_path, text, truth="y", learners_in=("a", "b"))
    kept = load(tmp_path, text, truth="y", learners_in=("a", "b"), complete_cases=True)
    assert kept.left_out == 1
    assert len(kept.truth) == 2


def test_groups_are_kept() -> None:
    frame = pd.DataFrame({"y": ["u", "v"], "a": ["u", "u"], "g": [4, 5]})
    found = predictions_from(frame, truth="y", groups="g")
    assert found.learners == ("a",)
    assert found.groups.tolist() == [4, 5]


@pytest.mark.parametrize(
    ("planned", "said"),
    [
        ({"truth": None}, "do not say which column is the truth"),
        ({"truth": "Y"}, "no column 'Y'"),
        ({"truth": "y", "learners_in": ("a", "q")}, "no column 'q'"),
        ({"truth": "y", "learners_in": ("a", "a")}, "a column of predictions for each learner"),
        ({"truth": "y", "learners_in": ("a", "y")}, "besides the truth"),
        ({"truth": "id", "learners_in": ("a",)}, "predicts 'yes', which is not a class of 'id'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, planned: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=said):
        load(tmp_path, TEXT, **planned)


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
def test_all_columns_together_say_whether_numbers_are_classes(order: list[str]) -> None:
    """One who predicts a number exactly has said no label, whatever place the column has."""
    frame = pd.DataFrame({"y": [3.0], "a": [3.0], "b": [2.5]})
    assert predictions_from(frame, truth="y", learners_in=order).numeric
    assert not predictions_from(frame.assign(b=3.0), truth="y", learners_in=order).numeric
    named = pd.DataFrame({"y": ["no", "yes"], "a": ["no", "no"], "b": [0.1, 0.7]})
    assert not predictions_from(named, truth="y", learners_in=order).numeric  # scores of a class beside labels


def test_a_verdict_on_few_numbers_does_not_hang_on_who_comes_first(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("y,a,b\n3,3,2.5\n4,4,4.5\n5,5,5\n")
    head = 'predictions p from csv "p.csv", truth "y", learners in "a", "b"\n'
    found = []
    for order in ("a vs b", "b vs a"):
        (tmp_path / "s.eval").write_text(f"{head}compare {order} on p measuring mae\n")
        (one,) = ev.run(tmp_path / "s.eval", ledger=False).run.verdicts
        assert one.test is not None
        found.append((one.test.test, one.test.pvalue, sorted((one.test.wins, one.test.losses))))
    assert found[0] == found[1]
