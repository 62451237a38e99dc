"""The grammar: where it lies."""

from __future__ import annotations

from pathlib import Path

from ..errors import InternalError

_PACKAGE = Path(__file__).resolve().parent.parent
PLACES = (_PACKAGE / "grammar" / "evalang.lark", _PACKAGE.parent / "grammar" / "evalang.lark")


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
