"""Writes the page of every rule: python -m evalang.findings.make_pages docs/rules"""

from __future__ import annotations

import sys
from pathlib import Path

from .page import index, page
from .rules import RULES


def pages() -> dict[str, str]:
    """File name to text, the index included."""
    found = {f"{rule.code}-{rule.name}.md": page(rule.code) or "" for rule in RULES}
    return {"index.md": index(), **found}


def write(folder: Path) -> int:
    """Writes the pages into a folder and takes away those of rules that are gone; returns how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for old in folder.glob("EV*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8")
    return len(wanted)


if __name__ == "__main__":
    print(f"{write(Path(sys.argv[1] if len(sys.argv) > 1 else 'docs/rules'))} pages written")
