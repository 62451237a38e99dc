"""Characters that make a script read differently from what it says.

Outside text and comments nothing may be invisible or turn the direction of writing, and a name keeps to one script
(after "Trojan Source", Boucher & Anderson 2021, and Unicode Technical Standard 39).
"""

from __future__ import annotations

import re
import unicodedata

from .builder import Problem
from .text import Span

_TEXT_OR_COMMENT = r'"(?:[^"\r\n]|"")*"|#[^\r\n]*'
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE = "\u00ad\u180e\u200b-\u200d\u2028\u2029\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f"
_CONTROL = "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f"
_ANY_CONTROL = re.compile(f"[{_CONTROL}]")
_HIDDEN = re.compile(f"[{_CONTROL}{_BIDI}{_INVISIBLE}]")
_PIECE = re.compile(rf"({_TEXT_OR_COMMENT})|([{_CONTROL}{_BIDI}{_INVISIBLE}])|([^\W\d_](?:[\w.-]|[^\x00-\x7f\s])*)")
# Writing systems that use several scripts at once, and may add Latin letters.
_EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "LATIN"}
_NAMES = {"MICRO": "GREEK", "FEMININE": "LATIN", "MASCULINE": "LATIN"}


def spoofs(path: str, text: str) -> list[Problem]:
    """What is refused, in order of place."""
    found: list[Problem] = []
    for piece in _PIECE.finditer(text, 1 if text.startswith("\ufeff") else 0):
        quiet, hidden, word = piece.groups()
        if quiet is not None:
            control = _ANY_CONTROL.search(quiet) if quiet[0] == '"' else re.search("\x00", quiet)
            if control:
                at = piece.start() + control.start()
                found.append(_hidden(Span(path, at, at + 1), control[0]))
        elif hidden is not None:
            found.append(_hidden(Span(path, piece.start(), piece.end()), hidden))
        elif not word.isascii():
            problem = _name(Span(path, piece.start(), piece.end()), word)
            if problem is not None:
                found.append(problem)
    return found


def _hidden(span: Span, character: str) -> Problem:
    code = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "a control character").lower()
    return Problem(
        span,
        f"a character that cannot be seen stands here: {code} ({name})",
        "take it away; only text and comments may hold such characters, and control characters nowhere",
    )


def _name(span: Span, word: str) -> Problem | None:
    inside = _HIDDEN.search(word)
    if inside:
        at = span.start + inside.start()
        return _hidden(Span(span.path, at, at + 1), inside[0])
    scripts: dict[str, str] = {}
    for character in word:
        category = unicodedata.category(character)
        if category[0] == "L":
            first = unicodedata.name(character, "UNKNOWN").split(" ")[0]
            scripts.setdefault(_NAMES.get(first, first), character)
        elif category == "No":
            return Problem(
                span, f"`{character}` may not stand in a name", f'a name with other signs stands in quotes: "{word}"'
            )
    if len(scripts) < 2 or scripts.keys() <= _EAST_ASIAN:
        return None
    (one, a), (two, b) = list(scripts.items())[:2]
    return Problem(
        span,
        f"`{word}` mixes letters of two scripts: `{a}` is {one.capitalize()}, `{b}` is {two.capitalize()}",
        f'write it in one script, or put it in quotes if it is meant: "{word}"',
    )
