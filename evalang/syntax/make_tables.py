"""Writes tables.json from the grammar: `python -m evalang.syntax.make_tables` after every change of evalang.lark.

States are numbered breadth first from the start, tokens in order of the alphabet, so that the same grammar always
gives the same file.
"""

from __future__ import annotations

import json
import re
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from .grammar import build
from .tables import TABLES

_WORD_START = r"[^\W\d_]"
_KEYWORD = re.compile(r"(?:\(\?:)?([A-Za-z0-9\\-]+)\(\?!.*")


def tables(parser: Lark) -> str:
    """The text of tables.json, a line for each part and each state."""
    saved = save(parser)
    rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in saved.pop("rows"))
    parts = {
        "lark": lark.__version__,
        "patterns": _patterns(parser),
        "words": _words(parser),
        "reserved": sorted(_reserved(parser)),
    }
    said = "".join(f'"{name}": {json.dumps(part)},\n' for name, part in parts.items())
    inner = "".join(f'"{name}": {json.dumps(part, separators=(",", ":"))},\n' for name, part in saved.items())
    return f'{{\n{said}"parser": {{\n{inner}"rows": [\n{rows}\n]}}\n}}\n'


def save(parser: Lark, start: str = "statement") -> dict[str, Any]:
    """What Lark saves of itself, with the states as rows of numbers."""
    for terminal in parser.terminals:
        terminal.pattern.max_width  # noqa: B018  reckoned here once, and saved with the terminal
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    table = data["parser"].pop("parser")
    for name in ("lexer", "transformer"):
        del data["options"][name]
    del data["parser"]["lexer_conf"]["lexer_type"]
    order = [table["start_states"][start]]
    number = {order[0]: 0}
    names = sorted(table["tokens"].values())
    index = {old: names.index(name) for old, name in table["tokens"].items()}
    rows: list[list[int]] = []
    for state in order:
        row: list[int] = []
        for token, (reduces, argument) in sorted(table["states"][state].items(), key=lambda cell: index[cell[0]]):
            if not reduces and argument not in number:
                number[argument] = len(order)
                order.append(argument)
            row += [index[token], ~argument["@"] if reduces else number[argument]]
        rows.append(row)
    ends = {name: number[state] for name, state in table["end_states"].items()}
    data["parser"]["parser"] = {"start_states": {start: 0}, "end_states": ends}
    return {"data": data, "memo": [memo[key] for key in sorted(memo)], "tokens": names, "rows": rows}


def _patterns(parser: Lark) -> dict[str, str]:
    """The terminals that are patterns; NAME without its reserved words, which the lexer looks up instead."""
    found: dict[str, str] = {}
    for terminal in sorted(parser.terminals, key=lambda t: (-t.priority, -len(t.pattern.value), t.name)):
        if terminal.pattern.type == "re" and terminal.name not in _words(parser).values():
            found[terminal.name] = terminal.pattern.value
    name = found["NAME"]
    found["NAME"] = name[name.index(_WORD_START) :]
    return found


def _words(parser: Lark) -> dict[str, str]:
    """Every word and sign of the language with its terminal."""
    found: dict[str, str] = {}
    for terminal in parser.terminals:
        if terminal.pattern.type == "str":
            found[terminal.pattern.value] = terminal.name
        elif word := _KEYWORD.fullmatch(terminal.pattern.value):
            found[word[1].replace("\\", "")] = terminal.name
    return dict(sorted(found.items()))


def _reserved(parser: Lark) -> set[str]:
    name = next(t.pattern.value for t in parser.terminals if t.name == "NAME")
    return set(name[name.index("(?:") + 3 : name.index(")")].split("|"))


def main() -> None:
    """Write the file."""
    TABLES.write_text(tables(build()), encoding="utf-8")


if __name__ == "__main__":
    main()
