"""Lark as it reads the grammar by itself, with its own contextual lexer: what our lexer and trees are held against."""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from evalang.language.make_tables import build

built = cache(build)  # which takes a second


@cache
def contextual(start: str = "statement") -> Lark:
    """Saved and loaded, since a parser that is loaded does not compare every pair of terminals again."""
    data, memo = built(start).memo_serialize([TerminalDef, Rule])
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = "contextual"
    given: Any = {"data": data, "memo": memo}
    return Lark.load(given)
