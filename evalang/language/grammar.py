"""The parser: Lark, given the grammar file and what the table of clauses adds to it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import lark
from lark import Lark

from ..errors import InternalError
from .builder import NodeBuilder
from .clauses import clause_comma, clause_lists

_PACKAGE = Path(__file__).resolve().parent.parent
PLACES = (_PACKAGE / "grammar" / "evalang.lark", _PACKAGE.parent / "grammar" / "evalang.lark")


def grammar_path(places: tuple[Path, ...] = PLACES) -> Path:
    """Return the grammar file: a wheel carries it inside the package, a checkout has it beside the package."""
    for place in places:
        if place.is_file():
            return place
    raise InternalError(
        "the grammar file evalang.lark is missing from this installation",
        hint="install evalang again",
    )


@cache
def grammar_text() -> str:
    """Return the whole grammar in Lark's notation, with the rules and the terminal that come from the clause table."""
    written = grammar_path().read_text(encoding="utf-8")
    return f"{written}\n{clause_lists()}\nCLAUSE_COMMA.1: /{clause_comma()}/\n"


def build_parser(**options: Any) -> Lark:
    """Return a new parser of one statement, which takes the words that tokens.py finds."""
    # All tokens are kept, so that a node knows where its first and its last word stand.
    given = {"start": "statement", "transformer": NodeBuilder(), "lexer": "basic", **options}
    return Lark(grammar_text(), parser="lalr", keep_all_tokens=True, maybe_placeholders=False, **given)


@cache
def parser() -> Lark:
    """Return the parser: loaded where it was saved before (the playground, the user's cache), else built and saved."""
    folder = _cache_folder()
    for place in filter(None, (grammar_path().parent, folder)):
        # A file that another version left is no reason to fail.
        with contextlib.suppress(Exception), open(place / saved_name(), "rb") as file:
            return Lark.load(file)
    built = build_parser()
    if folder is not None:
        with contextlib.suppress(OSError):
            save_parser(built, folder / saved_name())
    return built


def save_parser(built: Lark, path: Path) -> None:
    """Write a file that `parser` loads; it appears whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        built.save(file)
    os.replace(file.name, path)


def saved_name() -> str:
    """Return the file name of a saved parser; it changes with the grammar, Lark, and the code that a parser holds."""
    made_by = [Path(__file__).with_name(f"{module}.py").read_bytes() for module in ("grammar", "builder", "nodes")]
    digest = hashlib.sha256(f"{lark.__version__}\n{grammar_text()}".encode() + b"".join(made_by)).hexdigest()
    return f"parser-{digest[:32]}.bin"


def _cache_folder() -> Path | None:
    """Return the user's own folder for saved parsers, closed to others; None where there is none.

    Loading a saved parser can run code, so no other user may write there.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/.cache")
    folder = Path(base, "evalang", "parser")
    if not folder.is_absolute():  # a user without a home
        return None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    user = os.getuid() if hasattr(os, "getuid") else None  # Windows has no user numbers
    own = user is None or (found.st_uid == user and not found.st_mode & 0o077)
    return folder if own and stat.S_ISDIR(found.st_mode) else None
