"""Every example in a docstring of the package prints what it shows."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import evalang

SKIPPED = ("evalang.__main__",)  # runs the command line when it is imported
MODULES = [m.name for m in pkgutil.walk_packages(evalang.__path__, "evalang.") if m.name not in SKIPPED]


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_show(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
