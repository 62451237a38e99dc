from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalang.data.access import Access
from evalang.plans.model import Source

from .loading import load_csv, load_source, refusal

PATIENTS = (
    "id,patient,day,stay,fold,age,y\n"
    "1,p2,2025-01-03,1.5,2,40,a\n"
    "2,p1,2025-01-01,2,10,50,b\n"
    "3,p1,2025-01-02,0,1,60,a\n"
    "4,p3,2025-01-02,1,1,70,b\n"
)
ROLES: dict[str, Any] = {
    "target": "y", "drop": ("id",), "groups": "patient", "time": "day", "weights": "stay", "folds": "fold",
}  # fmt: skip


def test_columns_with_a_role_are_no_features(tmp_path: Path) -> None:
    table = load_csv(tmp_path, PATIENTS, **ROLES)
    assert list(table.X.columns) == ["age"]
    assert table.groups is not None
    assert table.groups.tolist() == [1, 0, 0, 2]
    assert table.weights is not None
    assert table.weights.tolist() == [1.5, 2, 0, 1]
    assert table.fold_names == ("1", "2", "10")
    assert table.folds is not None
    assert table.folds.tolist() == [1, 2, 0, 0]
    assert table.time is not None
    assert np.argsort(table.time, kind="stable").tolist() == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("said", "change", "sentence", "hint"),
    [
        ({"groups": "pateint"}, ("", ""), "no column 'pateint' for `groups`", "'patient'"),
        ({"drop": ("zzzzzz",)}, ("", ""), "no column 'zzzzzz' for `drop`", "'age'"),
        ({"target": "Y"}, ("", ""), "no column 'Y' for `target`", "'y'"),
        ({"groups": "y"}, ("", ""), "named for `target` and for `groups`", "one role"),
        ({"groups": "age", "time": "age"}, ("", ""), "named for `groups` and for `time`", "one role"),
        ({"drop": ("id", "id")}, ("", ""), "named for `drop` and for `drop`", "one role"),
        ({"weights": "stay"}, ("1.5", "-1.5"), "row 1 of d has a negative weight", "zero or more"),
        ({"weights": "patient"}, ("", ""), "not numbers", "another"),
        ({"weights": "stay"}, ("1.5", ""), "row 1 of d has no value in 'stay'", "weight"),
        ({"groups": "patient"}, ("p2", ""), "row 1 of d has no value in 'patient'", "group"),
        ({"groups": "patient"}, ("p2", "p1"), "", ""),
        ({"time": "day"}, ("2025-01-02,0", "soon,0"), "row 3 of the time column 'day' of d holds 'soon'", "dates"),
        ({"time": "day"}, ("2025-01-03", ""), "row 1 of d has no time", "every row"),
        ({"series": "patient"}, ("", ""), "d has series and no time", '`time "column"`'),
        ({"series": "patient", "time": "day"}, ("", ""), "", ""),
        ({"series": "patient", "time": "day"}, ("p2", ""), "row 1 of d has no value in 'patient'", "series"),
        (
            {"series": "patient", "time": "day"},
            ("2025-01-01", "2025-01-02"),
            "rows 2 and 3 of d have the same time in the series 'p1' of 'patient'",
            "one row for a time stamp",
        ),
        ({"series": "day", "time": "day"}, ("", ""), "named for `time` and for `series in`", "one role"),
        ({"folds": "fold"}, (",10,", ",,"), "row 2 of d has no value in 'fold'", "fold"),
        ({"drop": ("id", "patient", "day", "stay", "fold", "age")}, ("", ""), "no column left", "fewer"),
    ],
)
def test_mistakes_about_columns(
    said: dict[str, Any], change: tuple[str, str], sentence: str, hint: str, tmp_path: Path
) -> None:
    text = PATIENTS.replace(*change) if change[0] else PATIENTS
    said = {"target": "y", **said}
    if not sentence:
        load_csv(tmp_path, text, **said)
        return
    error = refusal(load_csv, tmp_path, text, **said)
    assert sentence in error.message
    assert hint in error.hint


def test_series_are_no_feature_and_other_data(tmp_path: Path) -> None:
    said = {"target": "y", "drop": ("id", "stay", "fold"), "time": "day"}
    plain = load_csv(tmp_path, PATIENTS, **said)
    table = load_csv(tmp_path, PATIENTS, **said, series="patient")
    assert (list(plain.X.columns), list(table.X.columns)) == (["patient", "age"], ["age"])
    assert table.series is not None
    assert table.series.tolist() == [1, 0, 0, 2]
    dropped = load_csv(tmp_path, PATIENTS, **said | {"drop": ("id", "stay", "fold", "patient")})
    assert len({plain.content_hash, table.content_hash, dropped.content_hash}) == 3


def test_one_group_or_one_fold_is_none(tmp_path: Path) -> None:
    text = "g,a,y\n1,1,a\n1,2,b\n"
    assert "same group" in refusal(load_csv, tmp_path, text, target="y", groups="g").message
    assert "same series" in refusal(load_csv, tmp_path, text, target="y", series="g").message
    assert "same fold" in refusal(load_csv, tmp_path, text, target="y", folds="g").message
    assert "are zero" in refusal(load_csv, tmp_path, text.replace("1,", "0,"), target="y", weights="g").message


class TargetContract:
    """The target is told, or it is the only column with an obvious name; it is never the last by habit."""

    def test_it_is_not_guessed(self, tmp_path: Path) -> None:
        error = refusal(load_csv, tmp_path, "a,b,label\n1,2,x\n")
        assert "does not say which column is the target" in error.message
        assert "'label'" in error.hint

    @pytest.mark.parametrize("name", ["target", "class", "Class", "TARGET"])
    def test_an_obvious_name(self, name: str, tmp_path: Path) -> None:
        assert load_csv(tmp_path, f"{name},b\nx,2\ny,3\n").target == name

    def test_two_obvious_names(self, tmp_path: Path) -> None:
        assert "does not say" in refusal(load_csv, tmp_path, "class,target\nx,2\ny,3\n").message

    def test_missing_targets(self, tmp_path: Path) -> None:
        text = "a,y\n1,x\n2,\n3,y\n4,\n5,x\n"
        error = refusal(load_csv, tmp_path, text, target="y")
        assert "2 of the 5 rows of d have no target, the first is row 2" in error.message
        assert "drop missing targets" in error.hint
        table = load_csv(tmp_path, text, target="y", drop_missing_targets=True)
        assert table.X["a"].tolist() == [1, 3, 5]
        assert table.left_out == (("no target", 2),)
        assert len(table.labels) == 3

    def test_a_word_for_missing_targets(self, tmp_path: Path) -> None:
        text = "a,y\n1,x\n2,?\n3,y\n"
        assert load_csv(tmp_path, text, target="y").classes == ("?", "x", "y")
        kept = load_csv(tmp_path, text, target="y", missing=("?",), drop_missing_targets=True)
        assert kept.classes == ("x", "y")
        numbers = "a,y\n" + "1,0\n2,1\n" * 5 + "3,NA\n"
        assert "1 of the 11 rows" in refusal(load_csv, tmp_path, numbers, target="y").message

    def test_no_target_at_all(self, tmp_path: Path) -> None:
        error = refusal(load_csv, tmp_path, "a,y\n1,\n2,\n", target="y", drop_missing_targets=True)
        assert "no row of d has a target" in error.message


class TestedOnContract:
    """An official test part keeps its place at the end."""

    def test_the_test_part_follows(self, tmp_path: Path) -> None:
        (tmp_path / "test.csv").write_text("y,c,a\nq,new,3\np,old,4\n")
        table = load_csv(tmp_path, "a,c,y\n1,old,p\n2,,q\n", target="y", tested_on=Source("csv", "test.csv"))
        assert table.test_from == 2
        assert table.X["a"].tolist() == [1, 2, 3, 4]
        assert table.X["c"].astype(object).tolist()[2:] == ["new", "old"]
        assert table.labels.tolist() == ["p", "q", "q", "p"]
        assert "test.csv" in table.source

    def test_dropped_rows_move_its_beginning(self, tmp_path: Path) -> None:
        (tmp_path / "test.csv").write_text("a,y\n3,p\n4,\n")
        table = load_csv(
            tmp_path, "a,y\n1,p\n2,\n5,q\n", target="y", tested_on=Source("csv", "test.csv"), drop_missing_targets=True
        )
        assert table.test_from == 2
        assert table.X["a"].tolist() == [1, 5, 3]

    @pytest.mark.parametrize(
        ("header", "sentence"), [("a,z", "lacks 'y'"), ("a,y,z", "has 'z' besides")], ids=["lacks", "besides"]
    )
    def test_other_columns(self, header: str, sentence: str, tmp_path: Path) -> None:
        cells = ",".join("1" * len(header.split(",")))
        (tmp_path / "test.csv").write_text(f"{header}\n{cells}\n")
        error = refusal(load_csv, tmp_path, "a,y\n1,p\n2,q\n", target="y", tested_on=Source("csv", "test.csv"))
        assert sentence in error.message

    def test_numbers_in_one_part_and_words_in_the_other(self, tmp_path: Path) -> None:
        (tmp_path / "test.csv").write_text("a,y\nlow,p\nhigh,q\n")
        table = load_csv(tmp_path, "a,y\n1,p\n2,q\n", target="y", tested_on=Source("csv", "test.csv"))
        assert table.X["a"].astype(object).tolist() == ["1", "2", "low", "high"]


def test_the_hash_notices_every_change(tmp_path: Path) -> None:
    base = "a,c,w,y\n1,u,1,p\n2,v,2,q\n3,u,3,p\n"
    changes = ("a,c,w,y", "b,c,w,y"), ("1,u", "1.0000000000000002,u"), ("1,u", ",u"), ("2,v", "2,z"), ("3,p", "3,q")
    texts = [
        base,
        *(base.replace(*c) for c in changes),
        "a,c,w,y\n2,v,2,q\n1,u,1,p\n3,u,3,p\n",
        "c,a,w,y\nu,1,1,p\nv,2,2,q\nu,3,3,p\n",
    ]
    hashes = [load_csv(tmp_path, t, target="y").content_hash for t in texts]
    hashes += [load_csv(tmp_path, base, target="y", weights="w").content_hash]
    hashes += [load_csv(tmp_path, base, target="y", groups="w").content_hash]
    hashes += [load_csv(tmp_path, base, target="c").content_hash]
    hashes += [load_csv(tmp_path, base, target="y", options={"categorical": "w"}).content_hash]
    assert len(set(hashes)) == len(hashes)
    assert all(len(h) == 64 for h in hashes)


def test_the_hash_does_not_depend_on_the_hash_seed_or_the_name(tmp_path: Path) -> None:
    here = load_csv(tmp_path, PATIENTS, **ROLES).content_hash
    code = (
        "import sys; from pathlib import Path; from tests.data.loading import load_csv;"
        "from tests.data.test_load import PATIENTS, ROLES;"
        "print(load_csv(Path(sys.argv[1]), PATIENTS, **ROLES).content_hash)"
    )
    root = Path(__file__).parents[2]
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            capture_output=True, text=True, check=True, cwd=root, env={"PYTHONHASHSEED": seed, "PATH": ""},
        )  # fmt: skip
        assert done.stdout.strip() == here


def test_data_root_is_a_second_folder(tmp_path: Path) -> None:
    for name in ("scripts", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "elsewhere" / "d.csv").write_text("a,class\n1,x\n2,y\n")
    access = Access(root=tmp_path / "scripts", data_root=tmp_path / "elsewhere")
    assert load_source(tmp_path, "csv", "d.csv", access=access).rows == 2
    error = refusal(load_source, tmp_path, "csv", "d.csv", access=Access(root=tmp_path / "scripts"))
    assert "there is no file 'd.csv'" in error.message


def test_a_query_belongs_to_a_database(tmp_path: Path) -> None:
    error = refusal(load_csv, tmp_path, PATIENTS, target="y", query="select 1")
    assert "query belongs to `from sql`" in error.message
