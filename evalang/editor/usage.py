"""How a word of the language is written: the examples that stand in the grammar above its rules."""

from __future__ import annotations

import re
from functools import lru_cache

from ..language.grammar import grammar_text
from ..language.tokens import words_of_language

_EXAMPLE = re.compile(r"(?m)^// (.*)\n[?!]?\w+:")


@lru_cache(maxsize=1)
def _examples() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for above in _EXAMPLE.findall(grammar_text()):
        for example in re.sub(r" {2,}\(.*\)$", "", above).split(" · "):
            word = example.strip().partition(" ")[0]
            if word in words_of_language() and word.isidentifier():
                found.setdefault(word, []).append(example)
    return {word: tuple(examples) for word, examples in found.items()}


def usage(word: str) -> str:
    """The examples of a word as a block of Markdown; "" when the grammar shows none.

    >>> print(usage("target"))
    ```eval-fragment
    target "class"
    ```
    """
    shown = "\n".join(_examples().get(word, ()))
    return f"```eval-fragment\n{shown}\n```" if shown else ""
