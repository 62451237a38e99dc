"""Files stay small enough to be read in one go: code without blank lines, comments and docstrings."""

from __future__ import annotations

import ast
import functools
import statistics
from pathlib import Path

import evalang

from .trees import parsed

PACKAGE = Path(evalang.__file__).parent
LARGEST = 300
MEDIAN = 90


def code_lines(text: str) -> int:
    """Lines that are neither blank, comment nor docstring."""
    documented: set[int] = set()
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            said = node.body[0]
            documented.update(range(said.lineno, (said.end_lineno or said.lineno) + 1))
    lines = enumerate(text.split("\n"), start=1)
    return sum(bool(s := line.strip()) and not s.startswith("#") and n not in documented for n, line in lines)


@functools.cache
def sizes() -> dict[str, int]:
    """The lines of code of every file."""
    return {p.relative_to(PACKAGE).as_posix(): code_lines(p.read_text(encoding="utf-8")) for p in PACKAGE.rglob("*.py")}


def test_what_is_counted() -> None:
    assert (
        code_lines('"""What it is.\n\nMore.\n"""\n\nx = 1  # one\n# why\ndef f():\n    """Does."""\n    return x\n')
        == 3
    )


def test_no_file_is_too_long() -> None:
    assert {name: size for name, size in sizes().items() if size > LARGEST} == {}


def test_most_files_are_short() -> None:
    assert statistics.median(sizes().values()) <= MEDIAN


def test_a_name_stands_for_one_thing() -> None:
    """Classes that others may use, and files: one home each (docs/design/2026-11-17-short-walk.md)."""
    homes: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        where = path.relative_to(PACKAGE).as_posix()
        if path.name not in ("__init__.py", "__main__.py"):
            homes.setdefault(path.name, set()).add(where)
        for node in parsed(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, set()).add(where)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
