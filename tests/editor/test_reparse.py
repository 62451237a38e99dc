"""What the editor's parser gives after edits is what the parser gives for the whole text, spans included."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.codec import field_names, is_record
from evalang.editor.workspace import Cancelled, Parser
from evalang.language.parser import parse
from evalang.language.text import SourceText

SCRIPTS = sorted((Path(__file__).resolve().parents[1] / "scripts").rglob("*.eval"))
PIECES = (
    "learner a is knn\n",
    "compare a vs b on iris using 10cv\n",
    "# note\n",
    "\n",
    " ",
    ",",
    "usng",
    '"',
    "é",
    "set ",
)


def everything(value: object) -> object:
    """A value with all it holds, also what does not take part in comparison."""
    if is_record(value):
        return type(value).__name__, [(name, everything(getattr(value, name))) for name in field_names(type(value))]
    if type(value) is tuple:
        return [everything(item) for item in value]
    return value


def same(parser: Parser, text: str) -> None:
    source = SourceText("a.eval", text)
    assert everything(parser.parse(source)) == everything(parse(source))


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3))])
def test_every_script_of_the_suite(first: int) -> None:
    """Every fourth of them after one another; the other three quarters are slow."""
    parser = Parser()
    text = ""
    for path in SCRIPTS[first::4]:
        added = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")[:4000]
        text = added + "\n" + text[:2000]  # moves what was there before
        same(parser, text)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 30), st.sampled_from(PIECES)), max_size=12))
def test_any_edits(edits: list[tuple[int, int, str]]) -> None:
    text = "set seed 1\nlearner a is knn\nlearner b is svm\ncompare a vs b on iris\n  using 10cv\n  as c\n"
    parser = Parser()
    for start, length, new in edits:
        text = text[:start] + new + text[start + length :]
        same(parser, text)


def test_reading_stops_when_nobody_waits() -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        Parser(stop).parse(SourceText("a.eval", "learner a is knn\n"))
