"""Writes the table of docs/peers.md: what others return, what evalang returns. Run: python -m tests.peers.make_table"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from tests.peers.lines import LINES, Line, answer

PAGE = Path(__file__).parents[2] / "docs" / "peers.md"
HEAD = "| # | situation | package | it returns | evalang returns | right |\n|---|---|---|---|---|---|\n"


def page() -> str:
    """The page with the rows of its table written anew."""
    before, head, rest = PAGE.read_text(encoding="utf-8").partition(HEAD)
    assert head, f"{PAGE.name} has no table of the cases"
    return before + head + "".join(_row(line) for line in LINES) + "\n" + rest.partition("\n\n")[2]


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
