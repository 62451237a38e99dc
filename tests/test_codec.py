"""Records to JSON and back: what is written, what is read, and how a wrong field is reported."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import pytest

from evalang.codec import UNWRITTEN, Range, WrongField, from_json, json_schema, parse_json, to_json

T = TypeVar("T")


class Place(NamedTuple):
    path: str
    start: int


NOWHERE = Place("", 0)


@dataclass(frozen=True, slots=True)
class Held(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    weight: Annotated[float, Range(0, 1)] = 0.5
    kind: Literal["a", "b"] = "a"


@dataclass(frozen=True, slots=True)
class Twig:
    leaf: Leaf


@dataclass(frozen=True, slots=True)
class Couple:
    leaves: tuple[Leaf, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    leaves: tuple[Leaf, ...]
    place: Place = NOWHERE
    held: Held[float] | None = None
    pair: tuple[str, int] | None = None
    either: str | float | tuple[int, ...] = ""
    secret: str = field(default="", metadata=UNWRITTEN)


TREE = Tree((Leaf("x"), Leaf("y", 1, "b")), Place("p", 3), Held(-math.inf), ("z", 4), (1, 2), "password")
WRITTEN = {
    "is": "Tree",
    "leaves": [
        {"is": "Leaf", "name": "x", "weight": 0.5, "kind": "a"},
        {"is": "Leaf", "name": "y", "weight": 1, "kind": "b"},
    ],
    "place": {"path": "p", "start": 3},
    "held": {"is": "Held", "value": {"infinite": -1}},
    "pair": ["z", 4],
    "either": [1, 2],
}


def test_a_record_goes_both_ways_without_what_is_not_written() -> None:
    assert to_json(TREE) == WRITTEN
    assert from_json(Tree, WRITTEN) == Tree(TREE.leaves, TREE.place, TREE.held, TREE.pair, TREE.either)
    assert to_json(Leaf("x"), tagged=False) == {"name": "x", "weight": 0.5, "kind": "a"}
    assert from_json(Leaf, {"name": "x"}) == Leaf("x")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"leaves": 7}, "leaves should be a list, not 7"),
        ({"leaves": [{"name": "x"}, {"name": 7}]}, "leaves[1].name should be a string, not 7"),
        ({"leaves": [{}]}, "leaves[0].name is missing"),
        ({"leaves": [{"name": "x", "more": 1}]}, "leaves[0].more is not a field of Leaf"),
        ({"leaves": [{"name": "x", "weight": 7}]}, "leaves[0].weight should be between 0 and 1, not 7"),
        ({"leaves": [{"name": "x", "kind": "c"}]}, 'leaves[0].kind should be one of a, b, not "c"'),
        ({"leaves": [{"is": "Tree"}]}, "leaves[0] should be a Leaf, not an object"),
        ({"place": {"path": "p"}}, "place.start is missing"),
        ({"held": {"value": True}}, "held.value should be a number, not true"),
        ({"held": {"value": 10**400}}, 'held.value should be a number, not "so large"'),
        ({"pair": ["z", 4, 5]}, "pair should be a list of 2, not a list"),
        ({"pair": ["z", "y"]}, 'pair[1] should be an integer, not "y"'),
        ({"either": {}}, "either should be a string or a number or tuple, not an object"),
        ({"secret": "x"}, "secret is not a field of Tree"),
    ],
)
def test_a_wrong_field_is_named_with_what_was_expected(change: dict[str, Any], words: str) -> None:
    with pytest.raises(WrongField) as caught:
        from_json(Tree, WRITTEN | change)
    assert str(caught.value) == words


def test_many_records_are_written_as_columns_and_read_back() -> None:
    many = tuple(Leaf(f"leaf {i}", 0.25 if i % 2 else -0.0) for i in range(50))
    written = to_json(many, tables={Leaf})
    assert written["columns"]["kind"] == {"all": "a"}
    assert written["columns"]["weight"]["of"] == [0.0, 0.25]
    back = from_json(tuple[Leaf, ...], json.loads(json.dumps(written)))
    assert json.dumps(to_json(back)) == json.dumps(to_json(many))  # minus zero too
    assert isinstance(to_json(many), list)
    with pytest.raises(WrongField, match="more values"):
        from_json(tuple[Leaf, ...], written, 100)
    written["columns"]["name"][3] = 7
    with pytest.raises(WrongField, match=r"^name\[3\] should be a string"):
        from_json(tuple[Leaf, ...], written)


def test_the_schema_says_what_is_written() -> None:
    import jsonschema

    definitions: dict[str, Any] = {}
    schema = json_schema(Tree, definitions) | {"$defs": definitions}
    jsonschema.Draft202012Validator.check_schema(schema)
    finite = WRITTEN | {"held": {"is": "Held", "value": 1.5}}
    jsonschema.validate(finite, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(finite | {"pair": ["z"]}, schema)


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"x": Infinity}', "[" * 100_000])
def test_a_text_that_is_no_json(text: str) -> None:
    with pytest.raises(ValueError):
        parse_json(text)


def test_a_record_that_many_share_is_written_once_and_shared_again() -> None:
    shared = [Leaf(f"leaf-{i}") for i in range(3)]
    held = tuple(Twig(shared[i % 3]) for i in range(100))
    text = json.dumps(to_json(held, tables={Twig, Leaf}))
    assert text.count("leaf-1") == 1
    found = from_json(tuple[Twig, ...], json.loads(text))
    assert found == held
    assert found[1].leaf is found[4].leaf


def test_pairs_of_shared_records_and_names_are_written_place_by_place() -> None:
    leaves = [Leaf(f"leaf-{i}") for i in range(12)]
    pairs = (*combinations(leaves, 2), tuple(leaves[:3]), ())
    held = tuple(Couple(pair, tuple(leaf.name for leaf in pair)) for pair in pairs)
    text = json.dumps(to_json(held, tables={Couple, Leaf}))
    assert text.count('leaf-1"') <= 6  # of 11 pairs, each with records and with names
    found = from_json(tuple[Couple, ...], json.loads(text))
    assert found == held
    assert found[0].leaves[0] is found[1].leaves[0]
