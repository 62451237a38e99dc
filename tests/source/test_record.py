"""Records behave as frozen, slotted, comparable values; the standard library's dataclasses are the reference."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.plans import model
from evalang.source.record import Record, fields, replace, silent


class Point(Record):
    x: int
    y: int = 0
    note: str = silent(default="")


class Placed(Record):
    where: int = silent(default=-1, kw_only=True)


class Named(Placed):
    name: str
    size: int = 1


@dataclasses.dataclass(frozen=True)
class Reference:
    x: int
    y: int = 0
    note: str = dataclasses.field(default="", compare=False)


def test_values_by_place_and_by_name() -> None:
    assert Point(1) == Point(x=1) == Point(1, 0) == Point(y=0, x=1)
    assert (Point(1, 2, "n").x, Point(1, 2, "n").y, Point(1, 2, "n").note) == (1, 2, "n")


@given(st.integers(), st.integers(), st.text(), st.integers(), st.integers(), st.text())
def test_equality_and_hashing_are_those_of_a_dataclass(a: int, b: int, c: str, d: int, e: int, f: str) -> None:
    one, other = Point(a, b, c), Point(d, e, f)
    assert (one == other) == (Reference(a, b, c) == Reference(d, e, f))
    if one == other:
        assert hash(one) == hash(other)
    assert one != Reference(a, b, c)


def test_silent_fields_take_no_part() -> None:
    assert Point(1, note="a") == Point(1, note="b")
    assert hash(Point(1, note="a")) == hash(Point(1, note="b"))
    assert "note" not in repr(Point(1, note="a"))


def test_what_a_base_declares_comes_last_and_by_name() -> None:
    found = Named("n", 2, where=5)
    assert (found.name, found.size, found.where) == ("n", 2, 5)
    assert fields(Named) == fields(found) == ("name", "size", "where")
    assert Named("n") == Named("n", where=9)
    with pytest.raises(TypeError, match=r"Named.* takes from 2 to 3 positional arguments but 4 were given"):
        Named("n", 2, 5)


@pytest.mark.parametrize(
    ("arguments", "given", "words"),
    [
        ((), {}, r"Point.* 'x'"),
        ((1, 2, "n", 4), {}, "takes from 2 to 4"),
        ((1,), {"z": 2}, "unexpected .* 'z'"),
        ((1,), {"x": 2}, "multiple values .* 'x'"),
    ],
)
def test_wrong_values_are_told(arguments: tuple[object, ...], given: dict[str, object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        Point(*arguments, **given)  # type: ignore[arg-type]


def test_frozen_and_slotted() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="frozen"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        point.z = 2  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="frozen"):
        del point.x
    assert not hasattr(point, "__dict__")
    assert not hasattr(Named("n"), "__dict__")


def test_replace_copies_and_pickles() -> None:
    point = Point(1, 2, "n")
    assert replace(point, y=3) == Point(1, 3)
    assert replace(point, y=3).note == "n"
    with pytest.raises(TypeError):
        replace(point, z=1)
    for made in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):  # noqa: S301  our own
        assert made == point
        assert made.note == "n"
    named = Named("n", where=7)
    assert pickle.loads(pickle.dumps(named)).where == 7  # noqa: S301  our own


def test_kinds_do_not_mix() -> None:
    class Other(Record):
        x: int
        y: int = 0

    assert Point(1) != Other(1)
    assert {Point(1), Point(1), Point(2)} == {Point(1), Point(2)}


def test_match_statements_read_them() -> None:
    match Point(1, 2):
        case Point(x=1, y=y):
            assert y == 2
        case _:
            pytest.fail("not matched")


def test_every_record_of_the_plan_has_hashable_defaults() -> None:
    kinds = [k for k in vars(model).values() if isinstance(k, type) and issubclass(k, Record)]
    assert len(kinds) > 20
    for kind in kinds:
        for value in kind._defaults.values():
            hash(value)
