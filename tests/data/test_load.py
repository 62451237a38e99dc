"""From a file to a table: columns with a role, the rows that are kept, the parts of a dataset, and the hash."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalang.data.access import Access
from evalang.plans.model import Condition, Source

from ..support.data_loading import SPAN, load_csv, load_source, refusal

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
SERIES = {"series": "patient", "time": "day"}
PEOPLE = "age,sex,member,y\n17,f,true,a\n18,f,false,b\n30,m,true,a\n,f,true,a\n44,f,true,b\n44,f,true,b\n"


def test_columns_with_a_role_are_no_features(tmp_path: Path) -> None:
    table = load_csv(tmp_path, PATIENTS, **ROLES)
    assert list(table.X.columns) == ["age"]
    found = [np.asarray(v).tolist() for v in (table.groups, table.weights, table.folds, table.fold_names)]
    assert found == [[1, 0, 0, 2], [1.5, 2, 0, 1], [1, 2, 0, 0], ["1", "2", "10"]]
    assert np.argsort(np.asarray(table.time), kind="stable").tolist() == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("said", "change", "sentence"),
    [
        ({"groups": "pateint"}, (), "no column 'pateint' for `groups` (did you mean 'patient'?)"),
        ({"drop": ("zzzzzz",)}, (), "no column 'zzzzzz' for `drop` (its columns are 'id'"),
        ({"groups": "y"}, (), "named for `target` and for `groups` (name each column for one role only)"),
        ({"groups": "age", "time": "age"}, (), "named for `groups` and for `time`"),
        ({"drop": ("id", "id")}, (), "named for `drop` and for `drop`"),
        ({"weights": "stay"}, ("1.5", "-1.5"), "row 1 of d has a negative weight (write weights of 0 or more"),
        ({"weights": "patient"}, (), "not numbers"),
        ({"weights": "stay"}, ("1.5", ""), "row 1 of d has no value in 'stay'"),
        ({"groups": "patient"}, ("p2", ""), "row 1 of d has no value in 'patient'"),
        ({"time": "day"}, ("2025-01-02,0", "soon,0"), "row 3 of the time column 'day' of d holds 'soon'"),
        ({"time": "day"}, ("2025-01-03", ""), "row 1 of d has no value in the time column 'day'"),
        ({"series": "patient"}, (), 'd has a column of series, but no column of time (add `time "COLUMN"`'),
        (SERIES, ("p2", ""), "row 1 of d has no value in 'patient'"),
        (
            SERIES,
            ("01-01", "01-02"),
            "rows 2 and 3 of d have the same time stamp and the same series ('patient' = 'p1')",
        ),
        ({"series": "day", "time": "day"}, (), "named for `time` and for `series in`"),
        ({"folds": "fold"}, (",10,", ",,"), "row 2 of d has no value in 'fold'"),
        ({"drop": ("id", "patient", "day", "stay", "fold", "age")}, (), "no column left"),
        ({"query": "select 1"}, (), "`query` goes with `from sql`"),
        ({"groups": "same"}, (), "belong to the same group"),
        ({"series": "same"}, (), "belong to the same series"),
        ({"folds": "same"}, (), "are in the same fold"),
        ({"weights": "same"}, (), "are zero"),
    ],
)
def test_mistakes_about_columns(said: dict[str, Any], change: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    text = PATIENTS.replace(*change) if change else PATIENTS
    if "same" in said.values():
        text = text.replace("id,", "same,id,").replace("\n", "\n0,").removesuffix("0,")
    assert sentence in str(refusal(load_csv, tmp_path, text, **{"target": "y", **said}))


def test_series_are_no_feature_and_other_data(tmp_path: Path) -> None:
    said = {"target": "y", "drop": ("id", "stay", "fold"), "time": "day"}
    plain = load_csv(tmp_path, PATIENTS, **said)
    table = load_csv(tmp_path, PATIENTS, **said, series="patient")
    assert (list(plain.X.columns), list(table.X.columns)) == (["patient", "age"], ["age"])
    assert np.asarray(table.series).tolist() == [1, 0, 0, 2]
    dropped = load_csv(tmp_path, PATIENTS, **said | {"drop": ("id", "stay", "fold", "patient")})
    assert len({plain.content_hash, table.content_hash, dropped.content_hash}) == 3


def test_missing_targets_are_refused_or_dropped(tmp_path: Path) -> None:
    text = "a,y\n1,x\n2,\n3,y\n4,\n5,x\n"
    error = refusal(load_csv, tmp_path, text, target="y")
    assert "2 of the 5 rows of d have no target, the first is row 2" in error.message
    assert "drop missing targets" in error.hint
    table = load_csv(tmp_path, text, target="y", drop_missing_targets=True)
    assert (table.X["a"].tolist(), table.left_out) == ([1, 3, 5], (("no target", 2),))
    text = "a,y\n1,x\n2,?\n3,y\n"
    assert load_csv(tmp_path, text, target="y").classes == ("?", "x", "y")
    assert load_csv(tmp_path, text, target="y", missing=("?",), drop_missing_targets=True).classes == ("x", "y")
    numbers = "a,y\n" + "1,0\n2,1\n" * 5 + "3,NA\n"
    assert "1 of the 11 rows" in refusal(load_csv, tmp_path, numbers, target="y").message
    error = refusal(load_csv, tmp_path, "a,y\n1,\n2,\n", target="y", drop_missing_targets=True)
    assert "every row of d lacks its target value" in error.message


@pytest.mark.parametrize(
    ("conditions", "ages"),
    [
        ([("age", ">", 18)], [30, 44, 44]),
        ([("age", ">=", 18)], [18, 30, 44, 44]),
        ([("age", "<", 18.5)], [17, 18]),
        ([("age", "<=", "18")], [17, 18]),
        ([("age", "is not", 44)], [17, 18, 30]),
        ([("member", "is", True), ("age", ">", 20)], [30, 44, 44]),
        ([("sex", "is not", "m")], [17, 18, -1, 44, 44]),
        ([("age", "is", 30), ("sex", "is", "m")], "nothing to learn"),
        ([("agee", ">", 18)], "did you mean"),
        ([("sex", ">", 18)], "holds text, so `>` cannot compare it"),
        ([("age", ">", "old")], "'old' is not a number"),
        ([("age", ">", 99)], "no row of d fulfils its `where` conditions"),
    ],
)
def test_where_keeps_the_rows_that_meet_every_condition(
    tmp_path: Path, conditions: list[Any], ages: list[float] | str
) -> None:
    """A row without a value meets nothing, `is not` included, as in SQL; one class left is refused."""
    where = tuple(Condition(*one, span=SPAN) for one in conditions)
    if isinstance(ages, str):
        assert ages in str(refusal(load_csv, tmp_path, PEOPLE, target="y", where=where))
        return
    table = load_csv(tmp_path, PEOPLE, target="y", where=where)
    assert table.left_out == (("where", 6 - len(ages)),)
    assert table.X["age"].fillna(-1).tolist() == ages


def test_repeated_rows_are_dropped_once_each(tmp_path: Path) -> None:
    """Equal as a learner sees them: 1 and 1.0 are one number, a dropped column does not count, a gap equals a gap."""
    text = "id,a,c,y\n1,1,u,p\n2,1.0,u,p\n3,1,u,q\n4,,u,p\n5,,u,p\n6,1,v,q\n"
    table = load_csv(tmp_path, text, target="y", drop=("id",), drop_repeated=True)
    assert (table.left_out, table.labels.tolist()) == ((("repeated", 2),), ["p", "q", "p", "q"])
    assert load_csv(tmp_path, text, target="y", drop_repeated=True).rows == 6
    (tmp_path / "test.csv").write_text("a,y\n1,p\n9,q\n")
    said = {"target": "y", "tested_on": Source("csv", "test.csv"), "drop_repeated": True}
    table = load_csv(tmp_path, "a,y\n1,p\n2,q\n2,q\n", **said)  # a test row that was trained on goes
    assert (table.test_from, table.X["a"].tolist()) == (2, [1, 2, 9])
    (tmp_path / "test.csv").write_text("a,y\n1,p\n2,q\n")
    assert (
        "all rows of one file of d are left out (repeated)"
        in refusal(load_csv, tmp_path, "a,y\n1,p\n2,q\n", **said).message
    )


def test_the_tuning_and_test_parts_follow(tmp_path: Path) -> None:
    (tmp_path / "valid.csv").write_text("y,c,a\nq,u,5\np,new,low\n")
    (tmp_path / "test.csv").write_text("a,c,y\n7,u,p\n8,u,\n")
    parts = {"tuned_on": Source("csv", "valid.csv"), "tested_on": Source("csv", "test.csv")}
    text = "a,c,y\n1,u,p\n2,,q\n3,u,\n"
    table = load_csv(tmp_path, text, target="y", drop_missing_targets=True, **parts)
    assert (table.tune_from, table.test_from) == (2, 4)
    assert table.labels.tolist() == ["p", "q", "q", "p", "p"]
    assert table.X["a"].astype(object).tolist() == ["1", "2", "5", "low", "7"]
    assert table.X["c"].astype(object).tolist()[2:] == ["u", "new", "u"]
    assert table.source == "csv d.csv, tuned on csv valid.csv, tested on csv test.csv"
    for header, sentence in (("a,z", "lacks 'y'"), ("a,y,z", "has 'z' besides")):
        (tmp_path / "test.csv").write_text(f"{header}\n{header}\n")
        said = {"target": "y", "tested_on": Source("csv", "test.csv")}
        assert sentence in refusal(load_csv, tmp_path, "a,y\n1,p\n2,q\n", **said).message


def test_the_hash_notices_every_change(tmp_path: Path) -> None:
    base = "a,c,w,y\n1,u,1,p\n2,v,2,q\n3,u,3,p\n"
    changes = ("a,c,w,y", "b,c,w,y"), ("1,u", "1.0000000000000002,u"), ("1,u", ",u"), ("2,v", "2,z"), ("3,p", "3,q")
    texts = [base, *(base.replace(*c) for c in changes), "a,c,w,y\n2,v,2,q\n1,u,1,p\n3,u,3,p\n"]
    texts.append("c,a,w,y\nu,1,1,p\nv,2,2,q\nu,3,3,p\n")
    hashes = [load_csv(tmp_path, t, target="y").content_hash for t in texts]
    roles: tuple[dict[str, Any], ...] = ({"weights": "w"}, {"groups": "w"}, {"options": {"categorical": "w"}})
    hashes += [load_csv(tmp_path, base, target="y", **said).content_hash for said in roles]
    hashes += [load_csv(tmp_path, base, target="c").content_hash]
    assert len(set(hashes)) == len(hashes)
    assert all(len(h) == 64 for h in hashes)


def test_data_root_is_a_second_folder(tmp_path: Path) -> None:
    for name in ("scripts", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "elsewhere" / "d.csv").write_text("a,class\n1,x\n2,y\n")
    access = Access(root=tmp_path / "scripts", data_root=tmp_path / "elsewhere")
    assert load_source(tmp_path, "csv", "d.csv", access=access).rows == 2
    error = refusal(load_source, tmp_path, "csv", "d.csv", access=Access(root=tmp_path / "scripts"))
    assert "there is no file 'd.csv'" in error.message
