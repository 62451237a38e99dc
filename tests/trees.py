"""The package as trees, each file parsed once for all the tests that look at its structure."""

from __future__ import annotations

import ast
import functools


@functools.cache
def parsed(text: str) -> ast.Module:
    """A module as a tree; nobody changes it."""
    return ast.parse(text)
