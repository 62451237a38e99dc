"""Text into tokens, for Lark's parser, by the terminals and tables of the grammar that Lark saved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os.path import dirname, join
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule
import re
from collections.abc import Callable, Container, Iterator

import lark

from ..source.text import Span

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


DEEPEST = 100  # open brackets; nothing in the language needs more than three
STATEMENT_WORDS = (
    "dataset", "suite", "learner", "results", "predictions", "compare", "estimate", "claim", "simulate", "report",
    "set", "include",
)  # fmt: skip
BLANKS = " \\t\\f\\r\\n\\u00a0\\u3000"
_SKIP = rf"[{BLANKS}]*+(?:#[^\r\n]*+[{BLANKS}]*+)*+"
KINDS = ("", "NAME", "_COMMA", "STRING", "SIGN", "INT", "DIGIT_NAME", "RXKCV", "CV", "FRACTION", "PERCENT", "DECIMAL")
_SIGNS = r"\.\.|[<>]=?|[\^~|/=()\[\]{}]"
_ASCII_NAME = r"[A-Za-z]\w*(?:[.-]\w+)*"
# After these the word before was a parameter: `weights = 3`, `weights in {1, 2}`.
_AFTER_PARAMETER = re.compile(rf"{_SKIP}(?:=|in(?![\w.-]){_SKIP}(?:[{{0-9-]|log{_SKIP}\())")


class Token(lark.Token):
    """One word, sign or value with its place."""

    __slots__ = ("span",)
    span: Span

    def __new__(cls, type: str, text: str, span: Span) -> Token:
        token: Token = super().__new__(cls, type, text, span.start, end_pos=span.end)  # type: ignore[assignment]
        token.span = span
        return token

    @property
    def text(self) -> str:
        return str(self.value)


def _expression(ascii_only: bool) -> re.Pattern[str]:
    parts = []
    for kind in KINDS[1:]:
        if kind == "NAME" and ascii_only:
            parts.append(f"({_ASCII_NAME})")
        else:
            parts.append(f"({ {'_COMMA': ',', 'SIGN': _SIGNS}.get(kind) or PATTERNS[kind] })")
    return re.compile(f"{_SKIP}(?:{'|'.join(parts)})", re.ASCII if ascii_only else 0)


def _clause_words() -> frozenset[str]:
    pattern = PATTERNS["CLAUSE_COMMA"]
    return frozenset(pattern[pattern.index("(?:(?:because") + 6 : pattern.index(")(?!")].split("|"))


SKIP = re.compile(_SKIP)
CLAUSE_WORDS = _clause_words()
# Words that begin a clause only together with what follows: a word, a number (0), text or a name.
CLAUSE_PAIRS: dict[str, tuple[str, ...]] = {
    "all": ("pairs",), "datasets": ("in",), "learners": ("in",), "seeds": ("in",), "repeats": ("in",), "items": ("in",),
    "made": ("using",), "copied": ("from",), "tuned": ("on", "with", "by", "for"), "until": ("settled",),
    "stop": ("early",), "stopped": ("early",), "join": ("classes",), "gives": ("scores",), "pretrained": ("on",),
    "threshold": ("0", "on"), "gap": ("0",), "trained": ("0",), "rarest": ("0",), "where": ('"',),
    "primary": ("a", '"'),
}  # fmt: skip
_WHOLE = KINDS.index("INT")
_FACTS = ("rows", "row", "classes", "class")  # `5000 rows`
_expressions: dict[bool, re.Pattern[str]] = {}


def expression(ascii_only: bool) -> re.Pattern[str]:
    """The expression for the next token; plain ASCII, the usual case, has a cheaper one."""
    if ascii_only not in _expressions:
        _expressions[ascii_only] = _expression(ascii_only)
    return _expressions[ascii_only]


class Lexer:
    """The tokens of `text[start:end]`, one at a time, as the parser can take them."""

    def __init__(self, path: str, text: str, start: int = 0, end: int | None = None) -> None:
        self.path = path
        self.text = text
        self.start = start
        self.end = len(text) if end is None else end
        self.match = expression(text.isascii()).match

    def tokens(self, choices: Callable[[], Container[str]]) -> Iterator[Token]:
        """Tokens for a parser that is fed each before it is asked for the next, `choices` being what it can take.

        What is no token at all comes as type UNKNOWN and ends the piece.
        """
        path, text, position, end, match = self.path, self.text, self.start, self.end, self.match
        depth = 0
        while True:
            found = match(text, position, end)
            if found is None:
                break
            index = found.lastindex or 0
            kind = KINDS[index]
            start, position = found.span(index)
            word = found[index]
            if index == 1:
                sort = WORDS.get(word)
                if sort is not None and (word in RESERVED or sort in choices()):
                    kind = sort
            elif index == 2:
                if self.ends_list(position):
                    kind = "CLAUSE_COMMA"
            elif index == 4:
                kind = WORDS[word]
                if word in "([{":
                    depth += 1
                    if depth > DEEPEST:
                        kind = "TOO_DEEP"
                elif word in ")]}":
                    depth -= 1
            elif word == "5x2cv":
                kind = "FIVE_BY_TWO"
            yield Token(kind, word, Span(path, start, position))
        found = SKIP.match(text, position, end)
        start = found.end() if found else position
        if start < end:
            yield Token("UNKNOWN", text[start], Span(path, start, start + 1))

    def ends_list(self, position: int) -> bool:
        """Whether the word after a comma begins a clause, so that the comma ends the list before it."""
        found = self.match(self.text, position, self.end)
        if found is None:
            return False
        word = found[found.lastindex or 0]
        if found.lastindex != 1:
            return found.lastindex == _WHOLE and self._word(found.end()) in _FACTS
        if word in CLAUSE_WORDS:
            return not _AFTER_PARAMETER.match(self.text, found.end(), self.end)
        seconds = CLAUSE_PAIRS.get(word)
        return seconds is not None and _follows(self._word(found.end()), seconds)

    def _word(self, position: int) -> str:
        after = self.match(self.text, position, self.end)
        return after[after.lastindex or 0] if after is not None else ""


def _follows(word: str, seconds: tuple[str, ...]) -> bool:
    """Whether a word is one of those that `CLAUSE_PAIRS` names, or of their sort."""
    if word in seconds or not word:
        return word in seconds
    if word[0] == '"' or word[0].isdigit() or (word[0] == "-" and word[1:2].isdigit()):
        return ('"' if word[0] == '"' else "0") in seconds
    return "a" in seconds and word[0].isalpha() and word not in CLAUSE_WORDS and word not in RESERVED
