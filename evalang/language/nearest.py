"""The nearest word, for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 80  # a longer word has no near one; keeps hostile input cheap


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like `word`, or None when none is near; letter case and `_` for `-` do not count.

    >>> nearest("roc_aera", ["accuracy", "roc-area"])
    'roc-area'
    """
    if len(word) > _LONGEST:
        return None
    spelled = {_plain(candidate): candidate for candidate in sorted(candidates, reverse=True)}
    found = get_close_matches(_plain(word), sorted(spelled), n=1, cutoff=0.7)
    return spelled[found[0]] if found else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")
