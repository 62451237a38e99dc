"""The LALR tables of the grammar as Lark saved them, in tables.json; make_tables.py writes it, `Lark.load` reads it.

Building the parser from the grammar costs four times `import lark`, loading it a fifth. The file is plain JSON, so
that nothing is ever unpickled. Another version of Lark than the one that saved the tables builds them anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

TABLES = Path(__file__).with_name("tables.json")
_READ: dict[str, Any] = json.loads(TABLES.read_text(encoding="utf-8"))
PATTERNS: dict[str, str] = _READ["patterns"]
WORDS: dict[str, str] = _READ["words"]
RESERVED: frozenset[str] = frozenset(_READ["reserved"])


def parser(transformer: Any, made_by: str = _READ["lark"]) -> Lark:
    """Lark's parser of a statement, calling `transformer` for every rule it recognises."""
    import lark

    if lark.__version__ != made_by:
        from .grammar import build

        return build(transformer=transformer)
    return load(_READ["parser"], "basic", transformer)


def load(saved: dict[str, Any], lexer: str, transformer: Any = None) -> Lark:
    """The parser that `saved` describes; "basic" is a lexer that costs nothing until it is used."""
    from lark import Lark

    data = dict(saved["data"])
    frontend = data["parser"]
    data["options"] = {**data["options"], "lexer": lexer, "transformer": transformer}
    data["parser"] = {
        **frontend,
        "lexer_conf": {**frontend["lexer_conf"], "lexer_type": lexer},
        "parser": {**frontend["parser"], **_numbered(saved["tokens"], saved["rows"])},
    }
    given: Any = {"data": data, "memo": dict(enumerate(saved["memo"]))}
    return Lark.load(given)


def _numbered(tokens: list[str], rows: list[list[int]]) -> dict[str, Any]:
    """Tokens and states as Lark counts them; in a row the cells of one token and its action follow each other.

    An action from zero on shifts to that state; below, it reduces by the rule `~action`.
    """
    states: dict[int, dict[int, tuple[int, Any]]] = {}
    for state, row in enumerate(rows):
        cells = zip(row[::2], row[1::2], strict=True)
        states[state] = {token: (0, action) if action >= 0 else (1, {"@": ~action}) for token, action in cells}
    return {"tokens": dict(enumerate(tokens)), "states": states}
