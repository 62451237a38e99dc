"""Offsets and an editor's places, against the units counted by Python's own codecs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalang.editor.workspace import EditorPosition, Lines, Units

TEXTS = st.text(alphabet="ab é😀\n\r\t\u2028\x0c", max_size=40)
UNITS: tuple[Units, ...] = ("utf-8", "utf-16", "utf-32")
WIDTH = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@given(TEXTS, st.data(), st.sampled_from(UNITS), st.integers(-2, 50), st.integers(-2, 50))
def test_there_and_back(text: str, data: st.DataObject, units: Units, line: int, character: int) -> None:
    assert 0 <= Lines(text).offset(line, character) <= len(text)  # a place outside is taken for an end
    offset = data.draw(st.integers(0, len(text)))
    lines = Lines(text, units)
    at = lines.at(offset)
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if text[offset - 1 : offset + 1] != "\r\n" or not offset:  # between the two there is no place
        codec, width = WIDTH[units]
        assert at == EditorPosition(len(before) - 1, len(before[-1].encode(codec)) // width)
        assert lines.offset(*at) == offset
