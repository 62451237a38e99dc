"""The nearest word, for "did you mean".

difflib has no measure for it: where it takes `tow` for `two`, it takes `in` for `join` too.
"""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 80  # a longer word has no near one; keeps hostile input cheap


def nearest(word: str, candidates: Iterable[str], share: int = 3) -> str | None:
    """Return the candidate most like `word`, or None when none is near: about one edit in three characters.

    Where many names end alike (adaboost, catboost), fewer edits are allowed: one in `share` characters.

    Letter case and `_` against `-` count for nothing; ties go to the alphabet.

    >>> nearest("roc_aera", ["accuracy", "roc-area"]), nearest("tow", ["two"]), nearest("in", ["join"])
    ('roc-area', 'two', None)
    """
    if not word or len(word) > _LONGEST:
        return None
    plain = _plain(word)
    most = min(max(1, (len(word) + 1) // share), max(len(plain), 2) - 1)
    near = [one for one in candidates if abs(len(one) - len(word)) <= most]
    distance, found = min(((_distance(plain, _plain(one)), one) for one in near), default=(most + 1, None))
    return found if distance <= most else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")


def _distance(first: str, second: str) -> int:
    """Return the edits between two words: insert, delete, replace, swap of neighbours."""
    before: list[int] = []
    above = list(range(len(second) + 1))
    for i, left in enumerate(first, start=1):
        row = [i]
        for j, right in enumerate(second, start=1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == second[j - 2] and first[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]
