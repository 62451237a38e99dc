"""Which rows of a dataset are kept, and under which classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.plans.model import Condition, JoinedClasses, Source
from tests.data.loading import SPAN, load_csv, refusal

PEOPLE = "age,sex,member,y\n17,f,true,a\n18,f,false,b\n30,m,true,a\n,f,true,c\n44,f,true,b\n44,f,true,b\n"


def kept(folder: Path, *conditions: tuple[str, str, object]) -> list[float]:
    where = tuple(Condition(column, relation, value) for column, relation, value in conditions)  # type: ignore[arg-type]
    table = load_csv(folder, PEOPLE.replace(",c\n", ",a\n"), target="y", where=where)
    gone = 6 - table.rows
    assert table.left_out == ((("where", gone),) if gone else ())
    return [float(v) for v in table.X["age"].fillna(-1)]


@pytest.mark.parametrize(
    ("conditions", "ages"),
    [
        ((("age", ">", 18),), [30, 44, 44]),
        ((("age", ">=", 18),), [18, 30, 44, 44]),
        ((("age", "<", 18.5),), [17, 18]),
        ((("age", "<=", "18"),), [17, 18]),
        ((("age", "is", 30), ("sex", "is", "m")), None),
        ((("age", "is not", 44),), [17, 18, 30]),
        ((("sex", "is", "f"), ("age", ">", 18)), None),
        ((("member", "is", True), ("age", ">", 20)), [30, 44, 44]),
        ((("sex", "is not", "m"),), [17, 18, -1, 44, 44]),
    ],
)
def test_where_keeps_the_rows_that_meet_every_condition(
    tmp_path: Path, conditions: tuple[tuple[str, str, object], ...], ages: list[float] | None
) -> None:
    """A row without a value meets nothing, `is not` included, as in SQL; one class left is refused as ever."""
    if ages is None:
        where = tuple(Condition(*one) for one in conditions)  # type: ignore[arg-type]
        assert "nothing to learn" in refusal(load_csv, tmp_path, PEOPLE, target="y", where=where).message
    else:
        assert kept(tmp_path, *conditions) == ages


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        (("agee", ">", 18), "did you mean"),
        (("sex", ">", 18), "holds text, so `>` cannot compare it"),
        (("age", ">", "old"), "'old' is no number"),
        (("age", ">", 99), "no row of d meets `where`"),
        (("sex", "is", "x"), "no row of d meets `where`"),
    ],
)
def test_where_that_cannot_be_met(tmp_path: Path, condition: tuple[str, str, object], says: str) -> None:
    where = (Condition(*condition, span=SPAN),)  # type: ignore[arg-type]
    error = refusal(load_csv, tmp_path, PEOPLE, target="y", where=where)
    assert says in f"{error.message} {error.hint}"


def test_repeated_rows_are_dropped_once_each(tmp_path: Path) -> None:
    """Equal as a learner sees them: 1 and 1.0 are one number, a dropped column does not count, a gap equals a gap."""
    text = "id,a,c,y\n1,1,u,p\n2,1.0,u,p\n3,1,u,q\n4,,u,p\n5,,u,p\n6,1,v,q\n"
    table = load_csv(tmp_path, text, target="y", drop=("id",), drop_repeated=True)
    assert table.left_out == (("repeated", 2),)
    assert table.labels.tolist() == ["p", "q", "p", "q"]
    whole = load_csv(tmp_path, text, target="y", drop_repeated=True)
    assert whole.rows == 6


def test_a_test_row_that_was_trained_on_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("a,y\n1,p\n9,q\n")
    said = {"target": "y", "tested_on": Source("csv", "test.csv"), "drop_repeated": True}
    table = load_csv(tmp_path, "a,y\n1,p\n2,q\n2,q\n", **said)
    assert (table.test_from, table.X["a"].tolist()) == (2, [1, 2, 9])
    (tmp_path / "test.csv").write_text("a,y\n1,p\n2,q\n")
    assert "a file of d has no row left (repeated)" in refusal(load_csv, tmp_path, "a,y\n1,p\n2,q\n", **said).message


def test_a_tuning_file_stands_between_training_and_test(tmp_path: Path) -> None:
    (tmp_path / "valid.csv").write_text("y,a\nq,5\np,\n")
    (tmp_path / "test.csv").write_text("a,y\n7,p\n")
    said = {"target": "y", "tuned_on": Source("csv", "valid.csv"), "tested_on": Source("csv", "test.csv")}
    table = load_csv(tmp_path, "a,y\n1,p\n2,q\n3,\n", drop_missing_targets=True, **said)
    assert (table.tune_from, table.test_from) == (2, 4)
    assert table.labels.tolist() == ["p", "q", "q", "p", "p"]
    assert table.source == "csv d.csv, tuned on csv valid.csv, tested on csv test.csv"


class TestJoinedClasses:
    """`join classes "a", "b" as "ab"`"""

    TEXT = "x,y\n1,a\n2,b\n3,c\n4,A\n"

    def test_under_one_name(self, tmp_path: Path) -> None:
        joined = (JoinedClasses(("a", "b"), "ab"), JoinedClasses(("ab", "c"), "abc"))
        assert load_csv(tmp_path, self.TEXT, target="y", joined=joined[:1]).labels.tolist() == ["ab", "ab", "c", "A"]
        assert load_csv(tmp_path, self.TEXT, target="y", joined=joined).classes == ("A", "abc")

    def test_numbers_are_classes_then(self, tmp_path: Path) -> None:
        text = "x,y\n" + "".join(f"{i},{i}\n" for i in range(30))
        joined = (JoinedClasses(tuple(range(20)), "few"), JoinedClasses(tuple(range(20, 30)), "many"))
        table = load_csv(tmp_path, text, target="y", joined=joined, positive=("many",))
        assert (table.task, table.classes, int(table.y.sum())) == ("classification", ("few", "many"), 10)

    @pytest.mark.parametrize(
        ("classes", "name", "says"),
        [(("a", "bb"), "ab", "no class 'bb'"), (("a", "b"), "c", "has a class 'c' already")],
    )
    def test_what_is_not_there(self, tmp_path: Path, classes: tuple[str, ...], name: str, says: str) -> None:
        joined = (JoinedClasses(classes, name, span=SPAN),)
        assert says in refusal(load_csv, tmp_path, self.TEXT, target="y", joined=joined).message
