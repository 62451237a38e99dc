"""Writes tables.py from the grammar: `python -m evalang.syntax.make_tables` after every change of evalang.lark.

Lark needs a tenth of a second to turn the grammar into LALR tables; reading them as Python constants costs one or two
milliseconds. They are plain text, so that nothing is ever unpickled. States are numbered breadth first from the
start, tokens in order of the alphabet, so that the same grammar always gives the same file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .grammar import grammar_text

if TYPE_CHECKING:
    from lark import Lark

TABLES = Path(__file__).with_name("tables.py")
_HEAD = '''"""LALR tables of grammar/evalang.lark; written by make_tables.py, never by hand."""

# ruff: noqa
# fmt: off
from __future__ import annotations

'''
_WORD_START = r"[^\W\d_]"
_KEYWORD = re.compile(r"(?:\(\?:)?([A-Za-z0-9\\-]+)\(\?!.*")


def build(start: str = "statement", strict: bool = False) -> Lark:
    """Lark's own parser of the grammar, of one `statement` or of a whole script (`start`).

    Only `strict` compares every pair of terminals, which takes interegular twenty seconds.
    """
    from lark import Lark
    from lark.lexer import ContextualLexer

    class Unchecked(ContextualLexer):
        def __init__(self, conf: Any, *args: Any, **given: Any) -> None:
            conf.skip_validation = True
            super().__init__(conf, *args, **given)

    plugins = {} if strict else {"ContextualLexer": Unchecked}
    return Lark(grammar_text(), parser="lalr", start=start, strict=strict, _plugins=plugins)


def tables(lark: Lark) -> str:
    """The text of tables.py."""
    table: Any = lark.parser.parser._parse_table
    rules = {rule: number for number, rule in enumerate(lark.rules)}
    order = [table.start_states["statement"]]
    number = {order[0]: 0}
    rows: list[str] = []
    for state in order:
        cells: list[str] = []
        for token, (action, argument) in sorted(table.states[state].items()):
            if action.name == "Shift":
                if argument not in number:
                    number[argument] = len(order)
                    order.append(argument)
                cells.append(f"{token} {number[argument]}")
            else:
                cells.append(f"{token} {~rules[argument]}")
        rows.append(" ".join(cells))
    out = [_HEAD]
    out.append(_pairs("TERMINALS", _patterns(lark)))
    out.append(_pairs("WORDS", _words(lark)))
    out.append(f"RESERVED = frozenset({' '.join(sorted(_reserved(lark)))!r}.split())\n")
    out.append(_lines("PRODUCTIONS", [_production(rule) for rule in lark.rules]))
    out.append(_lines("ROWS", rows))
    out.append(f"END = {number[table.end_states['statement']]}\n")
    return "".join(out)


def _production(rule: Any) -> str:
    """`origin: SYMBOL symbol ...`, each symbol that the tree leaves out marked by a minus."""
    drops = [symbol.is_term and symbol.filter_out and not rule.options.keep_all_tokens for symbol in rule.expansion]
    marks = ("-" if dropped else "" for dropped in drops)
    return f"{rule.origin.name}: " + " ".join(m + s.name for m, s in zip(marks, rule.expansion, strict=True))


def _patterns(lark: Lark) -> dict[str, str]:
    """The terminals that are patterns; NAME without its reserved words, which the lexer looks up instead."""
    found: dict[str, str] = {}
    for terminal in sorted(lark.terminals, key=lambda t: (-t.priority, -len(t.pattern.value), t.name)):
        if terminal.pattern.type == "re" and terminal.name not in _words(lark).values():
            found[terminal.name] = terminal.pattern.value
    name = found["NAME"]
    found["NAME"] = name[name.index(_WORD_START) :]
    return found


def _words(lark: Lark) -> dict[str, str]:
    """Every word and sign of the language with its terminal."""
    found: dict[str, str] = {}
    for terminal in lark.terminals:
        if terminal.pattern.type == "str":
            found[terminal.pattern.value] = terminal.name
        elif word := _KEYWORD.fullmatch(terminal.pattern.value):
            found[word[1].replace("\\", "")] = terminal.name
    return dict(sorted(found.items()))


def _reserved(lark: Lark) -> set[str]:
    name = next(t.pattern.value for t in lark.terminals if t.name == "NAME")
    return set(name[name.index("(?:") + 3 : name.index(")")].split("|"))


def _pairs(name: str, pairs: dict[str, str]) -> str:
    return f"{name} = {{\n" + "".join(f"    {key!r}: {value!a},\n" for key, value in pairs.items()) + "}\n"


def _lines(name: str, lines: list[str]) -> str:
    return f"{name} = (\n" + "".join(f"    {line!r},\n" for line in lines) + ")\n"


def main() -> None:
    """Write the file."""
    TABLES.write_text(tables(build()), encoding="utf-8")


if __name__ == "__main__":
    main()
