"""The LALR tables of the grammar as Lark saved them, in tables.json; make_tables.py writes it, `Lark.load` reads it.

Building the parser from the grammar costs four times `import lark`, loading all of it a third. A script uses few of
the language's words, so only the part of the tables that those words can reach is loaded, at a tenth of that; what
cannot be read with it is read again with all of them. The file is plain JSON, so that nothing is ever unpickled.
Another version of Lark than the one that saved the tables builds them anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os.path import dirname, join
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

TABLES = join(dirname(__file__), "tables.json")  # pathlib, which lint does without, would cost six such files
with open(TABLES, encoding="utf-8") as _file:
    _READ: dict[str, Any] = json.load(_file)
PATTERNS: dict[str, str] = _READ["patterns"]
WORDS: dict[str, str] = _READ["words"]
LARK: str = _READ["lark"]
RESERVED: frozenset[str] = frozenset(_READ["reserved"])


def words_in(text: str) -> frozenset[str]:
    """The terminals of all words and signs that a text can hold; some more do no harm."""
    return frozenset(terminal for word, terminal in WORDS.items() if word in text)


def parser(transformer: Any, words: Iterable[str] | None = None, made_by: str = LARK) -> Lark:
    """Lark's parser of a statement, calling `transformer` for every rule; of what `words` can say, or of everything."""
    import lark

    if lark.__version__ != made_by:
        from .grammar import build

        return build(transformer=transformer)
    return load(_READ["parser"], transformer, words)


def load(saved: Mapping[str, Any], transformer: Any, words: Iterable[str] | None = None) -> Lark:
    """The parser that `saved` describes. It gets its tokens from us, so that its own lexer has no terminals."""
    from lark import Lark

    start: list[str] = [saved["start"]]
    states, rules = _reached(saved, None if words is None else {*words, *PATTERNS, "$END"})
    options = {"parser": "lalr", "lexer": "basic", "start": start, "keep_all_tokens": True, "transformer": transformer}
    lexer = {"terminals": [], "ignore": [], "g_regex_flags": 0, "use_bytes": False, "lexer_type": "basic"}
    table = {
        "tokens": saved["symbols"],
        "states": states,
        "start_states": {saved["start"]: 0},
        "end_states": {saved["start"]: saved["end"]},
    }
    frontend = {
        "lexer_conf": lexer,
        "parser_conf": {"rules": [], "start": start, "parser_type": "lalr"},
        "parser": table,
    }
    data = {
        "options": {**options, "maybe_placeholders": False},
        "rules": [{"@": number} for number in rules],
        "parser": frontend,
    }
    given: Any = {"data": data, "memo": rules or {0: None}}  # an empty script reaches no rule, and Lark asks for one
    return Lark.load(given)


def _reached(saved: Mapping[str, Any], present: set[str] | None) -> tuple[dict[int, Any], dict[int, Rule]]:
    """The states that can be reached with these terminals, in Lark's own form, and the rules they reduce by.

    A row holds a symbol and its action in turns. An action from zero on leads to that state; below, it reduces by the
    rule `~action`. What follows a symbol of the grammar is reached only once a rule that makes the symbol is.
    """
    from lark.grammar import NonTerminal, Rule, RuleOptions, Terminal

    names: list[str] = saved["symbols"]
    rows: list[str] = saved["rows"]
    symbols = [Terminal(name) if name.isupper() else NonTerminal(name) for name in names]
    usable = {index for index, name in enumerate(names) if name.isupper() and (present is None or name in present)}
    options = [RuleOptions(keep_all_tokens=True, expand1=expand1) for expand1 in (False, True)]
    states: dict[int, dict[int, tuple[int, Any]]] = {}
    rules: dict[int, Rule] = {}
    waiting: dict[int, list[int]] = {}
    todo = [0]
    while todo:
        state = todo.pop()
        if state in states:
            continue
        cells = states[state] = {}
        numbers = map(int, rows[state].split())
        for symbol, action in zip(numbers, numbers, strict=True):
            if action < 0:
                if symbol in usable:
                    rule = ~action
                    cells[symbol] = (1, {"@": rule})
                    if rule not in rules:
                        origin, expand1, alias, *expansion = saved["rules"][rule]
                        made = [symbols[index] for index in expansion]
                        rules[rule] = Rule(NonTerminal(names[origin]), made, 0, alias, options[expand1])
                        if origin not in usable:
                            usable.add(origin)
                            todo += waiting.pop(origin, ())
            elif symbol in usable:
                cells[symbol] = (0, action)
                todo.append(action)
            elif not names[symbol].isupper():
                cells[symbol] = (0, action)
                waiting.setdefault(symbol, []).append(action)
    return states, rules
