"""Text into tokens for the parser, by the terminals of the grammar that Lark saved."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Container, Iterator
from os.path import dirname, join
from typing import Any, NamedTuple

from .text import Span

TABLES = join(dirname(__file__), "tables.json")  # pathlib, which lint does without, would cost six such files
EDITED = join(dirname(__file__), "..", "..", "grammar", "evalang.lark")  # there in a checkout, not in a wheel


def _read(tables: str = TABLES, edited: str = EDITED) -> dict[str, Any]:
    """The tables that Lark made of the grammar; where the grammar was edited since, Lark makes them anew."""
    with open(tables, encoding="utf-8") as file:
        saved: dict[str, Any] = json.load(file)
    try:
        with open(edited, "rb") as grammar:
            changed = zlib.crc32(grammar.read()) != saved.get("grammar")
    except OSError:
        changed = False
    if changed:
        from .make_tables import build
        from .make_tables import tables as made

        saved = json.loads(made(build()))
    return saved


_READ = _read()
PATTERNS: dict[str, str] = _READ["patterns"]
WORDS: dict[str, str] = _READ["words"]
AUTOMATON: dict[str, Any] = _READ["parser"]  # what parser.py walks
RESERVED: frozenset[str] = frozenset(_READ["reserved"])


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


class Token(NamedTuple):
    """One word, sign or value with its place."""

    type: str
    text: str
    span: Span


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
    "series": ("in",),
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
        made, words = tuple.__new__, WORDS  # a named tuple's own __new__ takes twice as long
        depth = 0
        while True:
            found = match(text, position, end)
            if found is None:
                break
            index = found.lastindex or 0
            kind = KINDS[index]
            start, position = found.span(index)
            word = text[start:position]
            if index == 1:
                sort = words.get(word)
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
            yield made(Token, (kind, word, made(Span, (path, start, position))))
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
