"""Reads tests/corpus/*.eval: designs from evaluation sections, each with its source and what a reviewer should find.

A design begins with `# === name: what it is`; `# source:` names the text that was read and its section (designs in the
manner of a paper have none), and each `# expect CODE:` argues one finding in a line. Codes count once for a design;
notes are not expected, since they are advice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
_HEAD = re.compile(r"^# === ([\w-]+): (.+)$")
_SOURCE = re.compile(r"^# source: (.+)$")
_EXPECT = re.compile(r"^# expect (EV[0-9]{3}): (.+)$")


@dataclass(frozen=True)
class Design:
    """One design and the codes a reviewer should name."""

    name: str
    what: str
    source: str  # empty: in the manner of a paper, and no paper's
    expected: frozenset[str]
    text: str
    file: str

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"


def designs() -> list[Design]:
    """Every design of the corpus, file by file."""
    return [design for path in sorted(FOLDER.glob("*.eval")) for design in _of(path)]


def _of(path: Path) -> list[Design]:
    pieces: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if _HEAD.match(line):
            pieces.append([])
        if pieces:
            pieces[-1].append(line)
    return [_design(lines, path.stem) for lines in pieces]


def _design(lines: list[str], file: str) -> Design:
    head = _HEAD.match(lines[0])
    assert head is not None
    sources = [found[1] for line in lines if (found := _SOURCE.match(line))]
    expected = [found[1] for line in lines if (found := _EXPECT.match(line))]
    assert len(expected) == len(set(expected)), head[1]
    source = sources[0] if sources else ""
    return Design(head[1], head[2], source, frozenset(expected), "\n".join(lines) + "\n", file)
