"""JSON in pieces gives what json.loads gives, however the pieces are cut; what is broken is said."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalang.data.tools.log_files import JsonStream, lines
from evalang.errors import DataError

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text('a"\\[]{}:, é\n😀', max_size=6)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab"]{', max_size=3), inner, max_size=4),
    max_leaves=12,
)


class Cut(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.size = size

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.size)


CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@CALM
@given(
    document=st.fixed_dictionaries(
        {"skipped": VALUES, "kept": VALUES, "each": st.lists(VALUES, max_size=4), "z": VALUES}
    ),
    size=st.integers(1, 9),
    indent=st.sampled_from([None, 2]),
    ascii_only=st.booleans(),
)
def test_as_json_loads_reads_it(document: dict[str, Any], size: int, indent: int | None, ascii_only: bool) -> None:
    data = json.dumps(document, indent=indent, ensure_ascii=ascii_only).encode()
    found = list(JsonStream(Cut(data, size), "x").members(("kept",), each="each"))
    said = {"kept": [document["kept"]], "each": document["each"]}
    assert found == [(key, value) for key in document for value in said.get(key, [])]


@CALM
@given(data=st.binary(max_size=40), size=st.integers(1, 9))
def test_any_bytes_are_read_or_refused(data: bytes, size: int) -> None:
    found, said = [], "is no JSON"
    try:
        found = list(JsonStream(Cut(b'{"a": 1, "b": ' + data, size), "x").members(("a",)))
    except DataError as error:
        said = error.message
    assert "is no JSON" in said
    assert found in ([], [("a", 1)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1', "it ends in the middle"),
        ('{"a": [1, 2', "it ends in the middle"),
        ("[1, 2]", "stands where {"),
        ('{"a" 1}', "stands where :"),
        ("{1: 2}", "a name is missing"),
        ('{"k": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"k": ' + "9" * 5000 + "}", "is no JSON"),
    ],
)
def test_broken_json_is_said(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        list(JsonStream(io.BytesIO(text.encode()), "x").members(("k",)))


def test_a_value_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalang.data.tools.log_files.VALUE_CHARACTERS", 1000)
    data = json.dumps({"k": ["x" * 10] * 1000}).encode()
    with pytest.raises(DataError, match="a value of more than"):
        list(JsonStream(Cut(data, 100), "x").members(("k",)))
    assert list(JsonStream(Cut(data, 100), "x").members(())) == []  # what nobody wants may be of any size


def test_lines_have_numbers_and_a_longest() -> None:
    found = list(lines(io.BytesIO(b'{"a": 1}\n\n{"a": 2}'), "x.jsonl"))
    assert found == [(1, {"a": 1}), (3, {"a": 2})]
    with pytest.raises(DataError, match=r"line 2 of 'x.jsonl' is no JSON"):
        list(lines(io.BytesIO(b'{"a": 1}\n{"a":\n'), "x.jsonl"))
    with pytest.raises(DataError, match="holds no JSON object"):
        list(lines(io.BytesIO(b"[1]\n"), "x.jsonl"))
    with pytest.raises(DataError, match=r"line 1 of 'x.jsonl' is longer than"):
        list(lines(io.BytesIO(b"x" * (9 << 20)), "x.jsonl"))
