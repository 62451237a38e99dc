"""Every question an editor can ask, about every script of the suite: none fails, and every place is inside the text."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from evalang.editor.completion import complete
from evalang.editor.edits import all_safe, format_range, format_typed, repairs
from evalang.editor.hover import hints, hover, lenses
from evalang.editor.navigation import folds, links, mentions, symbols
from evalang.editor.protocol import KINDS, diagnoses, tokens
from evalang.editor.workspace import ScriptReading, reading_of
from evalang.findings.rule import unquote

SCRIPTS = sorted((Path(__file__).resolve().parents[1] / "scripts").rglob("*.eval"))
GROUPS = [SCRIPTS[start::12] for start in range(12)]


def asked(reading: ScriptReading, offsets: range) -> None:
    text = reading.source.text
    spans = [place for _, span, related in diagnoses(reading) for place in (span, *(one for one, _ in related))]
    spans += [one.selection for one in symbols(reading)]
    spans += [span for found in (folds(reading), links(reading), lenses(reading)) for span, *_ in found]
    for statement in reading.statements:
        for one in mentions(statement):
            said = unquote(text[one.span.start : one.span.end])
            # `naive bayes` is read as the name it is repaired to, and a hidden character is left out.
            assert one.text in (said, said.replace(" ", "-"), said.replace("\u200b", ""))
    for span in spans:
        assert 0 <= span.start <= span.end <= len(text) or not reading.owns(span)
    assert all(0 <= hint.offset <= len(text) for hint in hints(reading))
    coloured = list(tokens(reading))
    assert all(a[1] <= b[0] for a, b in pairwise(coloured))
    assert all(kind in KINDS for _, _, kind, _ in coloured)
    list(repairs(reading, 0, len(text)))
    all_safe(reading)
    format_range(reading, 0, len(text))
    for offset in offsets:
        hover(reading, offset)
        format_typed(reading, offset)
        found = complete(reading, offset)
        assert found.start <= offset == found.end


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0].stem)
def test_every_question_has_an_answer(group: list[Path]) -> None:
    """At the end of every script, and at two places inside that are others in the next script."""
    for number, path in enumerate(group):
        text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
        if len(text) < 20_000:
            asked(reading_of(text, str(path)), range(len(text), -1, -(len(text) // 3 + 7 * number + 1)))
