"""The tokens and comments of a text, whatever the parser thinks of it; and the words of the language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .grammar import parser

_COMMENT = re.compile(r"#[^\r\n]*")


@dataclass(frozen=True, slots=True)
class Word:
    """A token or a comment with its place; `kind` is its terminal, which for a word of the language is NAME too."""

    kind: str
    text: str
    start: int
    end: int
    depth: int = 0  # open brackets before it
    own_line: bool = False  # a comment with nothing before it on its line

    @property
    def comment(self) -> bool:
        return self.kind == "COMMENT"

    @property
    def parting(self) -> bool:
        """Whether this is a comma that parts two clauses."""
        return self.kind == "CLAUSE_COMMA"


@cache
def words_of_language() -> dict[str, str]:
    """Return every word and sign of the language with its terminal."""
    return {one.pattern.value: one.name for one in parser().terminals if one.pattern.type == "str"}


@cache
def terminal_words() -> dict[str, str]:
    """Return the word or sign of every terminal that has one."""
    return {terminal: word for word, terminal in words_of_language().items()}


@cache
def pattern(terminal: str) -> str:
    """Return the regular expression of a terminal."""
    return parser().get_terminal(terminal).pattern.to_regexp()


# Writing systems that use several scripts at once, and add Latin letters; no letter of theirs looks like a Latin one.
_EAST_ASIAN = {"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}
_SCRIPT_NAMES = {"MICRO": "GREEK", "FEMININE": "LATIN", "MASCULINE": "LATIN"}  # of characters named otherwise


def mixed_scripts(name: str) -> list[tuple[str, str]]:
    """Return the first letter of each script of a name that mixes scripts, and the script; else nothing."""
    if name.isascii():
        return []
    letters: dict[str, str] = {}
    for letter in filter(str.isalpha, name):
        script = unicodedata.name(letter, "UNKNOWN").split()[0]
        letters.setdefault(_SCRIPT_NAMES.get(script, script), letter)
    apart = letters.keys() - _EAST_ASIAN - {"LATIN"}
    return [(letter, script.capitalize()) for script, letter in letters.items()] if apart and len(letters) > 1 else []


@cache
def _expression() -> re.Pattern[str]:
    """Return one expression for all tokens, in the order in which Lark tries them; what is none is UNKNOWN."""
    keep = [one for one in parser().terminals if one.pattern.type == "re" or not one.pattern.value[0].isalnum()]
    keep.sort(key=lambda one: (-one.priority, -len(one.pattern.value)))
    forms = [f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in keep]
    return re.compile("|".join([*forms, r"(?P<UNKNOWN>[\s\S])"]))


def words(text: str, start: int, end: int) -> Iterator[Word]:
    """Yield tokens and comments of `text[start:end]` in order; between brackets no comma ends a list."""
    match = _expression().match
    position, depth = start, 0
    while found := match(text, position, end):
        kind = found.lastgroup or ""
        begin, position = found.span()
        if kind == "WS":
            continue
        if kind == "COMMENT":
            yield from comments(text, begin, position)
            continue
        word = found[0]
        yield Word("COMMA" if depth and word == "," else kind, word, begin, position, depth)
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1


def comments(text: str, start: int, end: int) -> Iterator[Word]:
    """Yield the comments in a stretch without tokens."""
    for found in _COMMENT.finditer(text, start, end):
        line = max(text.rfind("\n", 0, found.start()), text.rfind("\r", 0, found.start())) + 1
        alone = not text[line : found.start()].strip("\ufeff \t\f\u00a0\u3000")
        yield Word("COMMENT", found[0].rstrip(), found.start(), found.end(), own_line=alone)
