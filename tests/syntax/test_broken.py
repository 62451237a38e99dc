"""Every broken script of tests/scripts/broken gives exactly the sentences that stand beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.source.text import Source
from evalang.syntax.expected import WORD_OF
from evalang.syntax.parser import parse

from .messages import messages

BROKEN = sorted((Path(__file__).parent.parent / "scripts" / "broken").glob("*.eval"))


def read(path: Path) -> Source:
    return Source(path.name, path.read_bytes().decode())


def test_there_are_fixtures() -> None:
    assert len(BROKEN) > 80


@pytest.mark.parametrize("path", BROKEN, ids=lambda p: p.stem)
def test_message(path: Path) -> None:
    assert messages(read(path)) == path.with_suffix(".message").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", BROKEN, ids=lambda p: p.stem)
def test_says_no_terminal_names(path: Path) -> None:
    """A person never sees what the grammar calls a word."""
    _, findings = parse(read(path))
    assert findings
    for finding in findings:
        said = (finding.message + finding.help).split()
        assert not {word.strip("`,()") for word in said} & {t for t in WORD_OF if t.startswith("_")}
        assert "__" not in finding.message
        assert finding.code == "EV001"
        assert finding.name == "syntax"
        assert finding.level == "error"
        assert finding.help


@pytest.mark.parametrize("path", BROKEN, ids=lambda p: p.stem)
def test_fix_removes_the_mistake(path: Path) -> None:
    """Where a fix is offered, applying it changes the text and never makes more mistakes."""
    source = read(path)
    _, before = parse(source)
    for finding in before:
        if finding.fix is None:
            continue
        text = source.text
        for edit in sorted(finding.fix.edits, key=lambda e: -e.span.start):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        assert text != source.text
        _, after = parse(Source("x", text))
        places = {f.span.start for f in after}
        assert len(after) <= len(before)
        assert finding.span.start not in places or finding.message not in {f.message for f in after}
