"""What each word of a script is coloured as: one ordered list of patterns for Pygments, TextMate, CodeMirror and Vim.

The words come from the tables of clauses and of readers; no editor has a list of its own. The first pattern that fits
at a place takes it. Patterns use only what Python, Oniguruma and (after `javascript`) JavaScript read alike.
"""

from __future__ import annotations

import re

from ..catalogue.sources import READERS
from ..language.grammar import CLAUSE_PAIRS, CLAUSE_WORDS, RESERVED, words_of_language
from ..language.grammar import END as _END
from ..language.nodes import STATEMENT_WORDS

_NAME = r"[^\W\d_]\w*(?:[.-]\w+)*"
CONSTANTS = ("true", "false", "none")
CLAUSES = tuple(sorted((RESERVED | CLAUSE_WORDS | set(CLAUSE_PAIRS)) - set(STATEMENT_WORDS)))
OTHERS = tuple(
    sorted(
        ({word for word in words_of_language() if word[0].isalpha()} | {reader.name for reader in READERS})
        - {*STATEMENT_WORDS, *CLAUSES, *CONSTANTS}
    )
)


def _words(words: tuple[str, ...]) -> str:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(re.escape(word) for word in longest_first)}){_END}"


COLOURS: tuple[tuple[str, str], ...] = (
    ("comment", r"#[^\r\n]*"),
    ("text", r'"(?:[^"\r\n]|"")*"'),
    ("statement", _words(STATEMENT_WORDS)),
    ("parameter", _NAME + r"(?=[ \t]*=)"),
    ("clause", _words(CLAUSES)),
    ("constant", _words(CONSTANTS)),
    ("word", _words(OTHERS)),
    ("code", "EV[0-9]{3}" + _END),
    ("name", _NAME),
    ("scheme", r"[0-9]+x[0-9]+cv(?:-\w+)*|[0-9]+cv(?![\w-])"),
    ("number", r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?%?(?:/[0-9]+)?"),
    ("operator", r"\.\.|[<>]=?|[|~/^=]"),
    ("sign", r"[,(){}\[\]]"),
)


def javascript(pattern: str) -> str:
    """Return the pattern for JavaScript, whose `\\w` knows no letter beyond ASCII; to be compiled with the flag `u`.

    >>> javascript("[^\\\\W\\\\d_]\\\\w*")
    '\\\\p{L}[\\\\p{L}\\\\p{M}\\\\p{N}_]*'
    """
    inside = pattern.replace(r"[^\W\d_]", r"\p{L}").replace(r"[\w-]", r"[\p{L}\p{M}\p{N}_-]")
    plain = inside.replace(r"\w", r"[\p{L}\p{M}\p{N}_]")
    return re.sub(r"\\([-%/])", r"\1", plain)
