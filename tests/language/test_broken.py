"""Every broken script of tests/scripts/broken gives exactly the sentences that stand beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.language.grammar import terminal_words
from evalang.language.parser import parse
from evalang.language.text import SourceText

BROKEN = sorted((Path(__file__).parent.parent / "scripts" / "broken").glob("*.eval"))


def read(path: Path) -> SourceText:
    return SourceText(path.name, path.read_bytes().decode())


def messages(source: SourceText) -> str:
    """One block for each finding; the number of statements that could be read at the end."""
    script, findings = parse(source)
    lines: list[str] = []
    for finding in findings:
        line, column = source.position(finding.span.start)
        line_end = source.starts[line] - 1 if line < len(source.starts) else len(source.text)
        width = max(1, min(finding.span.end, line_end) - finding.span.start)
        lines.append(f"{line}:{column}: {finding.code} {finding.message}")
        lines.append("  | " + source.line(line)[:120])
        lines.append("  | " + " " * min(column - 1, 120) + "^" * min(width, 120))
        lines.append(f"  {finding.help}")
    lines.append(f"statements read: {len(script.statements)}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", BROKEN, ids=lambda p: p.stem)
def test_message(path: Path) -> None:
    """As it stands beside the script; a person never sees what the grammar calls a word."""
    assert messages(read(path)) == path.with_suffix(".message").read_text(encoding="utf-8")
    _, findings = parse(read(path))
    assert findings
    for finding in findings:
        said = (finding.message + finding.help).split()
        assert not {word.strip("`,()") for word in said} & set(terminal_words())
        assert "__" not in finding.message
        assert (finding.code, finding.name, finding.level) == ("EV001", "syntax", "error")
        assert finding.help


def test_fix_removes_the_mistake() -> None:
    """Where a fix is offered, applying it changes the text and never makes more mistakes."""
    found = [(source, parse(source)[1]) for source in map(read, BROKEN)]
    offered = [(source, before, f, f.fix) for source, before in found for f in before if f.fix is not None]
    assert len(offered) > 20
    for source, before, finding, fix in offered:
        text = source.text
        for edit in sorted(fix.edits, key=lambda e: -e.span.start):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        assert text != source.text
        _, after = parse(SourceText("x", text))
        places = {f.span.start for f in after}
        assert len(after) <= len(before)
        assert finding.span.start not in places or finding.message not in {f.message for f in after}
