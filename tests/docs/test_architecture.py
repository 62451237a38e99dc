"""The page on the architecture names what there is: every package, and no module or function that is gone."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import evalang

PACKAGE = Path(evalang.__file__).parent
PAGE = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`([a-z_]+(?:\.[A-Za-z_]+)+)`", PAGE)))


def test_every_package_has_a_line() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages <= set(re.findall(r"`([a-z]+)`", PAGE.partition("## One sentence")[0]))


def test_every_file_is_there() -> None:
    files = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", PAGE))
    missing = [name for name in files if not (PACKAGE / name).exists() and not (PACKAGE.parent / name).exists()]
    assert files
    assert not missing


@pytest.mark.parametrize("name", [name for name in NAMES if (PACKAGE / name.split(".")[0]).is_dir()])
def test_every_name_is_there(name: str) -> None:
    """`plans.build.build` is a function of a module, `scores.records` a module."""
    package, module, *rest = name.split(".")
    found = import_module(f"evalang.{package}.{module}")
    for part in rest:
        found = getattr(found, part)
    assert found is not None
