"""What is knowable before the fits is refused before them: no trial is run, nothing is stored."""

from __future__ import annotations

import csv
import math
import random
from pathlib import Path

import numpy as np
import pytest

from evalang.errors import EvalangError
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.scores.answer import Answer
from evalang.scores.metrics import score
from evalang.trials.options import RunOptions
from evalang.trials.store import NAME, Store
from evalang.verdicts.feasibility import ALWAYS_THERE
from evalang.verdicts.tests.resampling_tests import bootstrap


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Small tables, each with something that a test part cannot have."""
    draw = random.Random(1)

    def write(name: str, columns: list[str], rows: list[tuple[object, ...]]) -> None:
        with (tmp_path / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([columns, *((draw.random(), draw.random(), *row) for row in rows)])

    write("two.csv", ["x", "z", "y"], [("ab"[i % 2],) for i in range(60)])
    write("odd.csv", ["x", "z", "y"], [("ab"[i % 2],) for i in range(61)])
    write("three.csv", ["x", "z", "y"], [("abc"[i % 3],) for i in range(60)])
    write("rare.csv", ["x", "z", "y"], [("a" if i < 4 else "b",) for i in range(60)])
    write("groups.csv", ["x", "z", "g", "y"], [(f"g{i // 10}", "ab"[i // 10 % 2]) for i in range(60)])
    write("zero.csv", ["x", "z", "y"], [(float(i % 40),) for i in range(60)])
    write("flat.csv", ["x", "z", "y"], [(1.5 if i < 56 else draw.random(),) for i in range(60)])
    return tmp_path


def pair(this: str, second: str, scheme: str, more: str) -> str:
    """A comparison of a tree with another learner."""
    return f"compare {this}decision-tree vs {second} on d using {scheme}{more}, seed 1\n"


def refusal(folder: Path, script: str) -> tuple[str, int]:
    """What is said, and how many trials are stored."""
    out = folder / "run"
    request = Request(options=RunOptions(jobs=0, folder=out), data_root=folder)
    with pytest.raises(EvalangError) as refused:
        run_script(SourceText(str(folder / "s.eval"), script), request)
    said = str(refused.value) + "".join(f"{one.code} {one.message}" for one in getattr(refused.value, "findings", ()))
    return said, len(Store(out, write=False).done()) if (out / NAME).exists() else 0


REFUSED = {
    "a classifier on numbers": ('"zero.csv", target "y", as regression', "", "10x2cv", "", "predicts classes"),
    "delong on three classes": (
        '"three.csv", target "y"', "this classifier ", "holdout 1/3", ", measuring roc-area, by delong",
        "EV606 ",
    ),
    "an area by counts": ('"rare.csv", target "y", positive "a"', "", "10cv", ", measuring roc-area", "EV112"),
    "recall by counts": (
        '"rare.csv", target "y", positive "a"', "", "10cv", ", measuring recall",
        "EV112 ",
    ),
    "recall where chance deals": (
        '"rare.csv", target "y", positive "a"', "", "30 resamples of 9/10", ", measuring recall",
        "the test part has no positive row",
    ),
    "an area of groups": (
        '"groups.csv", target "y", groups "g"', "", "grouped 6cv", ", measuring roc-area",
        "roc-area cannot be measured on the test part of fold 1, partition 1, of d",
    ),
    "cal of few rows": ('"two.csv", target "y", positive "a"', "", "10cv", ", measuring cal", "EV611 "),
    "r2 of one value": ('"flat.csv", target "y", as regression', "", "10cv", ", measuring r2", "does not vary"),
    "mape of zero": ('"zero.csv", target "y", as regression', "", "10x2cv", ", measuring mape", "is 0"),
    "few groups": (
        '"groups.csv", target "y", groups "g"', "this classifier ", "grouped holdout 1/3", ", by cluster-t",
        "cluster-t needs at least 6 groups, but the test part of d has 2 groups",
    ),
    "quasi-f of one row": (
        '"odd.csv", target "y"', "", "2 trainings of 30", ", by quasi-f",
        "quasi-f needs at least 2 test rows, but the test part of d has 1 row",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_before_any_trial(case: str, folder: Path) -> None:
    data, this, scheme, more, wanted = REFUSED[case]
    # Naive Bayes is for classes; the other cases of numbers ask for something else.
    second = "random-forest" if "regression" in data and "classifier" not in case else "naive-bayes"
    said, stored = refusal(folder, f"dataset d from csv {data}\n" + pair(this, second, scheme, more))
    assert wanted in said
    assert stored == 0


def test_a_calibration_part_without_a_class_is_refused(folder: Path) -> None:
    script = (
        'dataset d from csv "rare.csv", target "y", positive "a"\nlearner t is decision-tree, calibrate isotonic\n'
        "compare t vs naive-bayes on d using 10x2cv, calibrate on 5%, measuring brier, seed 1\n"
    )
    said, stored = refusal(folder, script)
    assert "t cannot be calibrated on the part of fold" in said
    assert stored == 0


def test_a_tuning_part_without_a_class_is_refused(folder: Path) -> None:
    script = (
        'dataset d from csv "rare.csv", target "y", positive "a"\n'
        "learner t is decision-tree, tune max_depth in {1, 2}\n"
        "compare t vs naive-bayes on d using 10x2cv, tune on 5%, measuring roc-area, seed 1\n"
    )
    said, stored = refusal(folder, script)
    assert "roc-area cannot be measured on the tuning part of fold" in said
    assert stored == 0


def test_what_the_script_says_of_such_folds_is_followed(folder: Path) -> None:
    """`failures leave out the fold` is an answer, so nothing is refused."""
    data = 'dataset d from csv "flat.csv", target "y", as regression\n'
    script = data + pair("", "random-forest", "10cv", ", measuring r2, failures leave out the fold")
    found = run_script(
        SourceText(str(folder / "s.eval"), script), Request(options=RunOptions(jobs=0), data_root=folder)
    )
    assert found.trials == 20
    assert len(found.failures) > 0


def test_areas_of_three_classes_take_a_test_that_has_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default test of an area is for two classes; where there are three another is taken, and decides."""
    monkeypatch.setitem(bootstrap.__kwdefaults__, "resamples", 500)  # ten thousand take seconds
    data = 'dataset d from csv "three.csv", target "y"\n'
    script = data + pair("this classifier ", "naive-bayes", "holdout 1/3", ", measuring roc-area")
    found = run_script(
        SourceText(str(folder / "s.eval"), script), Request(options=RunOptions(jobs=0), data_root=folder)
    )
    assert [v.test.test for v in found.verdicts if v.test] == ["bootstrap"]
    assert [v.decision for v in found.verdicts] != ["undecided"]


@pytest.mark.parametrize("metric", sorted(ALWAYS_THERE - {"rmse", "mae", "fit-time", "predict-time", "size"}))
def test_metrics_that_are_not_asked_for_exist_on_a_part_of_one_class(metric: str) -> None:
    """The list of metrics that no part can lack is right: a part of a single row has each of them."""
    for truth in (0, 1):
        said = np.array([truth])
        answer = Answer(truth=said, labels=said, scores=said.astype(float), classes=("a", "b"), positive=1)
        assert math.isfinite(score(metric, answer))
