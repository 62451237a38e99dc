"""The nearest word, for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 80  # a longer word has no near one; keeps hostile input cheap


def distance(first: str, second: str, limit: int) -> int:
    """Edits (insert, delete, replace, swap of neighbours) between two words, or `limit + 1` when there are more.

    >>> distance("acuracy", "accuracy", 2), distance("teh", "the", 2), distance("abc", "xyz", 2)
    (1, 1, 3)
    """
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    before: list[int] = []
    above = list(range(len(second) + 1))
    for i, left in enumerate(first, start=1):
        row = [i]
        for j, right in enumerate(second, start=1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == second[j - 2] and first[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and (i == len(first) or min(above) > limit):
            return limit + 1
        before, above = above, row
    return min(above[-1], limit + 1)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word`, or None when none is near: about one edit in three characters.

    Letter case and `_` against `-` count for nothing; ties go to the alphabet.

    >>> nearest("roc_aera", ["accuracy", "roc-area"])
    'roc-area'
    """
    if not word or len(word) > _LONGEST:
        return None
    plain = _plain(word)
    best: tuple[int, str] | None = None
    limit = max(1, (len(word) + 1) // 3)
    for candidate in candidates:
        bound = limit if best is None else best[0]
        found = distance(plain, _plain(candidate), bound)
        if found <= bound and (best is None or (found, candidate) < best):
            best = (found, candidate)
    return best[1] if best is not None and best[0] < max(len(plain), 2) else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")
