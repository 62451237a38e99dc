"""Lark as it reads the grammar by itself, with its own contextual lexer: what our lexer and trees are held against."""

from __future__ import annotations

from lark import Lark

from evalang.syntax.grammar import build
from evalang.syntax.make_tables import save
from evalang.syntax.tables import load


def contextual(start: str = "statement") -> Lark:
    """Saved and loaded, since a parser that is loaded does not compare every pair of terminals again."""
    return load(save(build(start), start), "contextual")
