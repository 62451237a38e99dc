"""The table of frequent mistakes, tried in order before the general sentence.

Each looks at the place of an error and answers with a problem or None.
"""

from __future__ import annotations

from collections.abc import Callable

from .build_nodes import Problem
from .mistaken_schemes import MISTAKEN_SCHEMES
from .mistaken_signs import SIGNS
from .mistaken_words import MISTAKEN_WORDS
from .place import ErrorPlace

Mistake = Callable[[ErrorPlace], Problem | None]
MISTAKES: tuple[Mistake, ...] = (*MISTAKEN_SCHEMES, *SIGNS, *MISTAKEN_WORDS)


def frequent(place: ErrorPlace) -> Problem | None:
    """The first frequent mistake that explains the place."""
    for mistake in MISTAKES:
        problem = mistake(place)
        if problem is not None:
            return problem
    return None
