"""Writes tables.json from the grammar: `python -m evalang.language.make_tables` after every change of evalang.lark.

States are numbered breadth first from the start, tokens in order of the alphabet, so that the same grammar always
gives the same file.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef

from .grammar import grammar_text
from .lexer import TABLES

_WORD_START = r"[^\W\d_]"
_KEYWORD = re.compile(r"(?:\(\?:)?([A-Za-z0-9\\-]+)\(\?!.*")


class Unlexed(Lexer):
    """No lexer: the tokens are made by lexer.py and fed to the parser one by one."""

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, *given: Any) -> Iterator[Any]:
        return iter(())


def build(start: str = "statement", **options: Any) -> Lark:
    """Lark's LALR parser of one `statement`, or of a whole script (`start`); a third of a second and more."""
    # Every token stays in the tree, so that a node knows where its first and its last word stand.
    given: dict[str, Any] = {"lexer": Unlexed, "keep_all_tokens": True, "maybe_placeholders": False, **options}
    return Lark(grammar_text(), parser="lalr", start=start, **given)


def tables(parser: Lark) -> str:
    """The text of tables.json, a line for each part, each rule and each state."""
    saved = save(parser)
    parts = {
        "grammar": zlib.crc32(grammar_text().encode()),
        "patterns": _patterns(parser),
        "words": _words(parser),
        "reserved": sorted(_reserved(parser)),
    }
    said = "".join(f'"{name}": {json.dumps(part)},\n' for name, part in parts.items())
    inner = ",\n".join(f'"{name}": {_lines(part)}' for name, part in saved.items())
    return f'{{\n{said}"parser": {{\n{inner}\n}}}}\n'


def _lines(part: Any) -> str:
    if not isinstance(part, list):
        return json.dumps(part)
    return "[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in part) + "\n]"


def save(parser: Lark, start: str = "statement") -> dict[str, Any]:
    """What Lark saves of itself, as rows of numbers: all that the parser needs."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    order = [table["start_states"][start]]
    number = {order[0]: 0}
    rules = {key: each for key, each in sorted(memo.items()) if each["__type__"] == "Rule"}
    place = {key: index for index, key in enumerate(rules)}
    used = {symbol["name"] for rule in rules.values() for symbol in (rule["origin"], *rule["expansion"])}
    names = sorted(used.union(table["tokens"].values()))
    index = {name: place for place, name in enumerate(names)}
    rows: list[str] = []
    for state in order:
        cells = {index[table["tokens"][token]]: action for token, action in table["states"][state].items()}
        row: list[int] = []
        for symbol, (reduces, argument) in sorted(cells.items()):
            if not reduces and argument not in number:
                number[argument] = len(order)
                order.append(argument)
            row += [symbol, ~place[argument["@"]] if reduces else number[argument]]
        rows.append(" ".join(map(str, row)))
    return {
        "start": start,
        "end": number[table["end_states"][start]],
        "symbols": names,
        "rules": [_rule(rule, index) for rule in rules.values()],
        "rows": rows,
    }


def _rule(rule: dict[str, Any], index: dict[str, int]) -> list[Any]:
    """What it makes, whether a single part stands for the whole, and its parts."""
    options = {name: value for name, value in rule["options"].items() if value}
    expand1 = options.pop("expand1", False)
    if options != {"keep_all_tokens": True, "__type__": "RuleOptions"} or rule["alias"]:
        raise ValueError(f"the tables cannot keep the options of {rule['origin']['name']}: {options}")
    return [index[rule["origin"]["name"]], int(expand1), *(index[s["name"]] for s in rule["expansion"])]


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
    Path(TABLES).write_text(tables(build()), encoding="utf-8")


if __name__ == "__main__":
    main()
