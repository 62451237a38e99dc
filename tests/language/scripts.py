"""The good scripts, whole and statement by statement; and Lark's parser without our nodes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark

from evalang.language.files import read_script
from evalang.language.grammar import build_parser
from evalang.language.nodes import Node
from evalang.language.parser import parse
from evalang.language.text import SourceText

GOOD = sorted((Path(__file__).parent.parent / "scripts" / "good").glob("*.eval"))


def statements() -> list[str]:
    """The text of every statement of every good script."""
    found: list[str] = []
    for path in GOOD:
        source = read_script(path)
        script, _ = parse(source)
        found += [source.cut(statement.span) for statement in script.statements]
    return found


def tree(text: str) -> tuple[Node, ...]:
    """The statements of a text that has no mistake."""
    script, findings = parse(SourceText("test.eval", text))
    assert not findings, findings
    return script.statements


@cache
def bare_parser(start: str = "statement") -> Lark:
    """Return Lark's parser of the grammar, which gives Lark's own trees."""
    return build_parser(start=start, transformer=None)
