"""JSON of large logs gives the same in pieces as json.loads does of the whole; broken JSON is one sentence."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.data.tools.log_files import read_items, read_lines, read_members
from evalang.errors import DataError

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text('a"\\[]{}:, é\n😀', max_size=6)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab"]{', max_size=3), inner, max_size=4),
    max_leaves=12,
)
LIMIT = "evalang.data.tools.log_files.VALUE_BYTES"


@settings(max_examples=60, deadline=None)
@given(
    document=st.fixed_dictionaries(
        {"skipped": VALUES, "kept": VALUES, "each": st.lists(VALUES, max_size=4), "z": VALUES}
    ),
    indent=st.sampled_from([None, 2]),
    limit=st.sampled_from([10, 1 << 20]),
)
def test_members_and_items_are_those_of_json_loads(document: dict[str, Any], indent: int | None, limit: int) -> None:
    data = json.dumps(document, indent=indent).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LIMIT, limit)
        patch.setattr("evalang.data.tools.log_files._Blocks.__iter__", _unlimited)
        assert read_members(io.BytesIO(data), "x", ("kept", "z")) == {k: document[k] for k in ("kept", "z")}
        assert list(read_items(io.BytesIO(data), "x", "each")) == document["each"]
        assert list(read_items(io.BytesIO(json.dumps(document["each"]).encode()), "x")) == document["each"]
        early = read_members(io.BytesIO(data), "x", ("kept", "z"), before="each")
        names = list(document)
        read = names[: names.index("each")] if len(data) > limit else names
        assert early == {k: document[k] for k in read if k in ("kept", "z")}


def _unlimited(self: Any) -> Any:
    return iter([self._head, self._stream.read()])


@pytest.mark.parametrize("limit", [5, 1 << 20])
@pytest.mark.parametrize("data", [b'{"a": [1, 2', b'{"a" 1}', b"{1: 2}", b'{"k": \xff}', b"{" * 2000])
def test_broken_json_is_one_sentence(data: bytes, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LIMIT, limit)
    monkeypatch.setattr("evalang.data.tools.log_files._Blocks.__iter__", _unlimited)
    with pytest.raises(DataError, match="'x' is not JSON"):
        read_members(io.BytesIO(data), "x", ("k",))
    with pytest.raises(DataError, match="'x' is not JSON"):
        list(read_items(io.BytesIO(data), "x", "k"))


def test_nan_is_read_in_a_small_file_and_named_in_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'{"each": [NaN]' + b" " * 2000 + b"}"
    assert str(next(read_items(io.BytesIO(data), "x", "each"))) == "nan"
    monkeypatch.setattr(LIMIT, 1000)
    with pytest.raises(DataError) as caught:
        list(read_items(io.BytesIO(data), "x", "each"))
    assert "NaN" in caught.value.hint
    monkeypatch.setitem(sys.modules, "ijson", None)
    with pytest.raises(DataError, match="needs ijson"):
        list(read_items(io.BytesIO(data), "x", "each"))


def test_a_value_too_large_is_refused_unless_it_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LIMIT, 1000)
    monkeypatch.setattr("evalang.data.tools.log_files._BLOCK", 100)
    data = json.dumps({"k": ["x" * 10] * 1000, "z": 1}).encode()
    with pytest.raises(DataError, match="a value of more than"):
        read_members(io.BytesIO(data), "x", ("k",))
    assert read_members(io.BytesIO(data), "x", ("z",)) == {"z": 1}


def test_lines_have_numbers_and_a_limit() -> None:
    found = list(read_lines(io.BytesIO(b'{"a": 1}\n\n{"a": 2}'), "x.jsonl"))
    assert found == [(1, {"a": 1}), (3, {"a": 2})]
    with pytest.raises(DataError, match=r"line 2 of 'x.jsonl' is not JSON"):
        list(read_lines(io.BytesIO(b'{"a": 1}\n{"a":\n'), "x.jsonl"))
    with pytest.raises(DataError, match="holds no JSON object"):
        list(read_lines(io.BytesIO(b"[1]\n"), "x.jsonl"))
    with pytest.raises(DataError, match=r"line 1 of 'x.jsonl' is longer than"):
        list(read_lines(io.BytesIO(b"x" * (9 << 20)), "x.jsonl"))
