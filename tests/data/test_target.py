"""The target: which column, which task, which classes, and the positive one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalang.plans.model import JoinedClasses

from ..support.data_loading import SPAN, load_csv, refusal


def _csv(values: list[Any]) -> str:
    return "a,t\n" + "".join(f"{i % 7},{v}\n" for i, v in enumerate(values))


TWO = _csv(["no", "yes"] * 5)


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        (["b", "a"] * 5, ("a", "b")),
        (["True", "False"] * 5, ("False", "True")),
        ([10, 9, 2] * 5, ("2", "9", "10")),
        ([1.0, 2.0] * 5, ("1", "2")),
        (["1", "2", "U"] * 5, ("1", "2", "U")),
        (["1"] * 9 + ["2"] * 9 + ["U"], ("1", "2", "U")),
        ([0.5, 1.5] * 5, ()),
        (list(range(40)), ()),
        (list(range(20)) * 5, tuple(str(i) for i in range(20))),
        (list(range(21)) * 5, ()),
        (list(range(20)) * 4, ()),
    ],
)
def test_the_rule_for_classes(values: list[object], classes: tuple[str, ...], tmp_path: Path) -> None:
    table = load_csv(tmp_path, _csv(values), target="t")
    assert (table.task, table.classes) == ("classification" if classes else "regression", classes)
    assert table.task_reason
    assert table.y.dtype == (np.int64 if classes else np.float64)


def test_the_script_may_say_otherwise(tmp_path: Path) -> None:
    assert load_csv(tmp_path, _csv([0, 1] * 5), target="t", task="regression").y.tolist() == [0.0, 1.0] * 5
    assert load_csv(tmp_path, _csv([0.5, 1.5] * 5), target="t", task="classification").classes == ("0.5", "1.5")
    assert len(load_csv(tmp_path, _csv(list(range(40))), target="t", task="classification").classes) == 40


def test_an_obvious_name_is_the_target(tmp_path: Path) -> None:
    for name in ("target", "class", "Class", "TARGET"):
        assert load_csv(tmp_path, f"{name},b\nx,2\ny,3\n").target == name
    for text in ("a,b,label\n1,2,x\n", "class,target\nx,2\ny,3\n"):
        assert "does not say which column is the target" in refusal(load_csv, tmp_path, text).message


@pytest.mark.parametrize(
    ("values", "said", "sentence"),
    [
        ([1, "x", 3] * 5, {"task": "regression"}, "row 2 of d has the target 'x' in 't'"),
        ([*range(30), "abc"], {}, "row 31 of column 't' holds 'abc'"),
        (["x"] * 10, {}, "every row of d has the target 'x'"),
        ([2.5] * 10, {}, "every row of d has the target 2.5"),
        ([f"name{i}" for i in range(1500)], {}, "1500 classes"),
        (["no", "yes"] * 5, {"positive": ("yess",)}, "no class 'yess' (did you mean 'yes'?)"),
        (["no", "yes"] * 5, {"positive": ("x",)}, "no class 'x' (its classes are 'no', 'yes')"),
        (["no", "yes"] * 5, {"positive": ("no", "yes")}, "2 positive classes (write `against the rest`"),
        (["no", "yes"] * 5, {"positive": ("no", "yes"), "against_rest": True}, "no rest"),
        (["no", "yes"] * 5, {"against_rest": True}, "no positive class"),
        (["no", "yes"] * 5, {"positive": ("no",), "task": "regression"}, "not a number"),
        (["no", "yes"] * 5, {"joined": (("no", "yess"), "both")}, "no class 'yess'"),
        (["a", "b", "c"] * 5, {"joined": (("a", "b"), "c")}, "has a class 'c' already"),
    ],
)
def test_mistakes(values: list[object], said: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    if "joined" in said:
        said = {"joined": (JoinedClasses(*said["joined"], span=SPAN),)}
    assert sentence in str(refusal(load_csv, tmp_path, _csv(values), target="t", **said))


def test_the_positive_class_is_never_guessed_and_of_two_comes_last(tmp_path: Path) -> None:
    plain = load_csv(tmp_path, TWO, target="t")
    assert (plain.positive, plain.positive_code) == (None, None)
    hashes = {plain.content_hash}
    for positive in ("no", "yes"):
        table = load_csv(tmp_path, TWO, target="t", positive=(positive,))
        assert (table.classes[1], table.positive, table.positive_code) == (positive, positive, 1)
        assert table.labels.tolist() == ["no", "yes"] * 5
        hashes.add(table.content_hash)
    assert len(hashes) == 3
    table = load_csv(tmp_path, _csv(["a", "b", "c"] * 5), target="t", positive=("a",))
    assert (table.classes, table.positive_code) == (("a", "b", "c"), 0)


@pytest.mark.parametrize(
    ("values", "positive", "found"),
    [([0, 1], 1, "1"), ([0, 1], "1", "1"), ([0, 1], 1.0, "1"), (["True", "False"], True, "True"),
     (["True", "False"], "true", "True"), (["Yes", "No"], "yes", "Yes")],
)  # fmt: skip
def test_it_may_be_given_as_number_text_or_truth(
    values: list[object], positive: object, found: str, tmp_path: Path
) -> None:
    assert load_csv(tmp_path, _csv(values * 5), target="t", positive=(positive,)).positive == found


def test_several_classes_against_the_rest_and_joined(tmp_path: Path) -> None:
    text = _csv(["A", "B", "C", "D"] * 5)
    table = load_csv(tmp_path, text, target="t", positive=("A", "B", "A"), against_rest=True)
    assert (table.classes, table.positive) == (("the rest", "A, B"), "A, B")
    assert table.y.tolist() == [1, 1, 0, 0] * 5
    joined = (JoinedClasses(("A", "B"), "AB"), JoinedClasses(("AB", "C"), "ABC"))
    assert load_csv(tmp_path, text, target="t", joined=joined[:1]).labels.tolist() == ["AB", "AB", "C", "D"] * 5
    assert load_csv(tmp_path, text, target="t", joined=joined).classes == ("ABC", "D")
    joined = (JoinedClasses(tuple(range(20)), "few"), JoinedClasses(tuple(range(20, 30)), "many"))
    table = load_csv(tmp_path, _csv(list(range(30))), target="t", joined=joined, positive=("many",))
    assert (table.task, table.classes, int(table.y.sum())) == ("classification", ("few", "many"), 10)
