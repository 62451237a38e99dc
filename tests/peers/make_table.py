"""Writes docs/peers.md: what others return, what evalang returns. Run: python -m tests.peers.make_table"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from tests.peers.lines import LINES, NOT_HERE, Line, answer

PAGE = Path(__file__).parents[2] / "docs" / "peers.md"
HEAD = """# What others return, what evalang returns

This page is made by `python -m tests.peers.make_table`, which runs both. The numbers in the first column are those of
our list of known defects; an issue number is the package's own. Where the issue was fixed since, both columns agree:
the case stays in our tests.

| # | situation | package | it returns | evalang returns | right |
|---|---|---|---|---|---|
"""
TAIL = """
## Cases of the list that are not in the table

"""


def page() -> str:
    """The whole page."""
    rows = "".join(_row(line) for line in LINES)
    rest = "".join(f"- {number}: {why}.\n" for number, why in sorted(NOT_HERE.items()))
    return HEAD + rows + TAIL + rest


def _row(line: Line) -> str:
    ours = answer(line.ours)
    package = f"{line.package} {_version(line.package)}" + (f" ({line.issue})" if line.issue else "")
    cells = (str(line.number), line.situation, package, _theirs(line.theirs), _shown(ours), line.right)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n"


def _theirs(call: Callable[[], Any]) -> str:
    try:
        return _shown(answer(call))
    except ImportError:
        return "not installed here"
    except Exception as error:  # whatever a peer raises is what it returns
        return f"{type(error).__name__}: {str(error)[:80]}"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _shown(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(_shown(v) for v in value)
    if value is None:
        return "missing"
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else f"{value:.6g}" if value != 1.0000000000000002 else "1.0000000000000002"
    return str(value)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
