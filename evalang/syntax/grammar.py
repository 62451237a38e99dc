"""The grammar: where it lies, and Lark's parser built from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark
from lark.lexer import Lexer

from ..errors import InternalError

_PACKAGE = Path(__file__).resolve().parent.parent
PLACES = (_PACKAGE / "grammar" / "evalang.lark", _PACKAGE.parent / "grammar" / "evalang.lark")


class Unlexed(Lexer):
    """No lexer: the tokens are made by lexer.py and fed to the parser one by one."""

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, *given: Any) -> Iterator[Any]:
        return iter(())


def grammar_path(places: tuple[Path, ...] = PLACES) -> Path:
    """The grammar file: a wheel carries it inside the package, an editable install has it beside the package."""
    for place in places:
        if place.is_file():
            return place
    raise InternalError(
        "the grammar file evalang.lark is missing from this installation",
        hint="install evalang again",
    )


def grammar_text() -> str:
    """The grammar itself, in Lark's notation."""
    return grammar_path().read_text(encoding="utf-8")


def build(start: str = "statement", **options: Any) -> Lark:
    """Lark's LALR parser of one `statement`, or of a whole script (`start`); a third of a second and more."""
    # Every token stays in the tree, so that a node knows where its first and its last word stand.
    given: dict[str, Any] = {"lexer": Unlexed, "keep_all_tokens": True, "maybe_placeholders": False, **options}
    return Lark(grammar_text(), parser="lalr", start=start, **given)
