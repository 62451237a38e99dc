from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from .loading import load_csv, refusal


def _csv(values: list[object]) -> str:
    return "a,t\n" + "".join(f"{i % 7},{v}\n" for i, v in enumerate(values))


@pytest.mark.parametrize(
    ("values", "task", "classes"),
    [
        (["b", "a"] * 5, "classification", ("a", "b")),
        (["True", "False"] * 5, "classification", ("False", "True")),
        ([0, 1] * 5, "classification", ("0", "1")),
        ([10, 9, 2] * 5, "classification", ("2", "9", "10")),
        ([1.0, 2.0] * 5, "classification", ("1", "2")),
        (["1", "2", "U"] * 5, "classification", ("1", "2", "U")),
        (["1"] * 9 + ["2"] * 9 + ["U"], "classification", ("1", "2", "U")),
        ([0.5, 1.5] * 5, "regression", ()),
        (list(range(40)), "regression", ()),
        (list(range(20)) * 5, "classification", tuple(str(i) for i in range(20))),
        (list(range(21)) * 5, "regression", ()),
        (list(range(20)) * 4, "regression", ()),
    ],
)
def test_the_rule_for_classes(values: list[object], task: str, classes: tuple[str, ...], tmp_path: Path) -> None:
    table = load_csv(tmp_path, _csv(values), target="t")
    assert table.task == task
    assert table.classes == classes
    assert table.task_reason
    assert table.y.dtype == (np.int64 if classes else np.float64)


def test_the_script_may_say_otherwise(tmp_path: Path) -> None:
    assert load_csv(tmp_path, _csv([0, 1] * 5), target="t", task="regression").y.tolist() == [0.0, 1.0] * 5
    assert load_csv(tmp_path, _csv([0.5, 1.5] * 5), target="t", task="classification").classes == ("0.5", "1.5")
    assert len(load_csv(tmp_path, _csv(list(range(40))), target="t", task="classification").classes) == 40


def test_text_cannot_be_a_number(tmp_path: Path) -> None:
    error = refusal(load_csv, tmp_path, _csv([1, "x", 3] * 5), target="t", task="regression")
    assert "row 2 of the target of d, 't', holds 'x'" in error.message


def test_one_wrong_cell_in_a_target_of_numbers(tmp_path: Path) -> None:
    error = refusal(load_csv, tmp_path, _csv([*range(30), "abc"]), target="t")
    assert "row 31 of column 't' holds 'abc'" in error.message


@pytest.mark.parametrize("value", ["x", 3, 2.5])
def test_a_constant_target(value: object, tmp_path: Path) -> None:
    error = refusal(load_csv, tmp_path, _csv([value] * 10), target="t")
    assert "every row of d has the target" in error.message


def test_a_class_with_one_member_is_loaded_for_the_linter_to_judge(tmp_path: Path) -> None:
    table = load_csv(tmp_path, _csv(["a"] * 9 + ["b"]), target="t")
    assert np.bincount(table.y).tolist() == [9, 1]


def test_too_many_classes(tmp_path: Path) -> None:
    error = refusal(load_csv, tmp_path, _csv([f"name{i}" for i in range(1500)]), target="t")
    assert "1500 classes" in error.message


class PositiveContract:
    """The positive class is told, never guessed."""

    def test_none_is_guessed(self, tmp_path: Path) -> None:
        table = load_csv(tmp_path, _csv(["no", "yes"] * 5), target="t")
        assert table.positive is None
        assert table.positive_code is None

    @pytest.mark.parametrize("positive", ["no", "yes"])
    def test_of_two_it_comes_last(self, positive: str, tmp_path: Path) -> None:
        table = load_csv(tmp_path, _csv(["no", "yes"] * 5), target="t", positive=(positive,))
        assert table.classes[1] == table.positive == positive
        assert table.labels.tolist() == ["no", "yes"] * 5
        assert table.positive_code == 1

    @pytest.mark.parametrize(
        ("values", "told", "found"),
        [([0, 1], 1, "1"), ([0, 1], "1", "1"), ([0, 1], 1.0, "1"), (["True", "False"], True, "True"),
         (["True", "False"], "true", "True"), (["Yes", "No"], "yes", "Yes")],
    )  # fmt: skip
    def test_it_may_be_told_as_number_text_or_truth(
        self, values: list[object], told: object, found: str, tmp_path: Path
    ) -> None:
        assert load_csv(tmp_path, _csv(values * 5), target="t", positive=(told,)).positive == found

    def test_of_many_the_order_stays(self, tmp_path: Path) -> None:
        table = load_csv(tmp_path, _csv(["a", "b", "c"] * 5), target="t", positive=("a",))
        assert table.classes == ("a", "b", "c")
        assert table.positive_code == 0

    def test_several_against_the_rest(self, tmp_path: Path) -> None:
        table = load_csv(
            tmp_path, _csv(["A", "B", "C", "D"] * 5), target="t", positive=("A", "B", "A"), against_rest=True
        )
        assert table.classes == ("the rest", "A, B")
        assert table.y.tolist() == [1, 1, 0, 0] * 5
        assert table.positive == "A, B"

    def test_it_changes_the_hash(self, tmp_path: Path) -> None:
        text = _csv(["no", "yes"] * 5)
        hashes = {load_csv(tmp_path, text, target="t", positive=p).content_hash for p in ((), ("no",), ("yes",))}
        assert len(hashes) == 3

    @pytest.mark.parametrize(
        ("said", "sentence", "hint"),
        [
            ({"positive": ("malignent",)}, "no class 'malignent'", "malignant"),
            ({"positive": ("x",)}, "no class 'x'", "benign"),
            ({"positive": ("benign", "malignant")}, "2 positive classes", "against the rest"),
            ({"positive": ("benign", "malignant"), "against_rest": True}, "no rest", "fewer"),
            ({"against_rest": True}, "no positive class", "positive"),
            ({"positive": ("benign",), "task": "regression"}, "no number", "classification"),
        ],
    )
    def test_mistakes(self, said: dict[str, object], sentence: str, hint: str, tmp_path: Path) -> None:
        error = refusal(load_csv, tmp_path, _csv(["benign", "malignant"] * 5), target="t", **said)
        assert sentence in error.message
        assert hint in error.hint
