"""Every example in a docstring of the package prints what it shows."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import evalang

ROOT = Path(evalang.__file__).parents[1]
FILES = sorted(path for path in (ROOT / "evalang").rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples_print_what_they_show(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    assert doctest.testmod(importlib.import_module(name)).failed == 0
