"""The tables of faults and threats name tests that exist, and leave no row out."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("folder", "numbers"),
    [("faults", [str(n) for n in range(1, 75)]), ("security", [f"T{n}" for n in range(1, 25)])],
)
def test_every_row_names_tests_that_exist(folder: str, numbers: list[str]) -> None:
    rows = re.findall(r"^\| (T?\d+) \| [^|]+ \| (.+) \|$", (TESTS / folder / "README.md").read_text(), re.MULTILINE)
    assert [number for number, _ in rows] == numbers
    for number, cell in rows:
        for file, name in re.findall(r"`([\w./]*\.py)?(?:::([\w*]+))?`", cell):
            paths = [TESTS / folder / file] if file else sorted((TESTS / folder).glob("test_*.py"))
            known = [n for p in paths for n in re.findall(r"^ *(?:def|class) (\w+)", p.read_text(), re.MULTILINE)]
            assert not name or fnmatch.filter(known, name), f"{number}: there is no {file}::{name}"
        assert ".py" in cell or "::" in cell or "the same" in cell, number
