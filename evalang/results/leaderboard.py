"""A leaderboard from the verdicts on its pairs: the ranks that each learner may hold, and which learners are tied."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

Pair = tuple[str, str]  # the better one first
MOST_LETTERS = 100  # ours: more sets of learners than that say nothing to a reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One learner of a leaderboard. `low` and `high` are the best and the worst place it may hold, 1 being the first.

    All intervals hold together at the level of the family: a place is left out only where a corrected verdict says who
    is better (Al Mohamad, van Zwet, Goeman and Solari 2021).
    """

    learner: str
    mean: float
    low: int
    high: int
    ties: str  # letters; learners that share one are tied


def places_of(means: Mapping[str, float], better: Collection[Pair], tested: Collection[Pair]) -> tuple[Place, ...]:
    """Return the places, the best mean first; higher `means` are better, and pairs of `tested` may be in either order.

    >>> [(p.learner, p.low, p.high, p.ties) for p in places_of(
    ...     {"a": 0.9, "b": 0.8, "c": 0.5}, [("a", "c"), ("b", "c")], [("a", "b"), ("a", "c"), ("b", "c")])]
    [('a', 1, 2, 'a'), ('b', 1, 2, 'a'), ('c', 3, 3, 'b')]
    """
    order = sorted(means, key=lambda name: -means[name])
    above = dict.fromkeys(order, 0)
    below = dict.fromkeys(order, 0)
    for winner, loser in better:
        above[loser] += 1
        below[winner] += 1
    separated = {frozenset(pair) for pair in better}
    complete = {frozenset(pair) for pair in tested}
    whole = len(complete) == len(order) * (len(order) - 1) // 2
    letters = _letters(order, separated) if whole else {}
    return tuple(
        Place(
            learner=name,
            mean=means[name],
            low=1 + above[name],
            high=len(order) - below[name],
            ties=letters.get(name, ""),
        )
        for name in order
    )


def _letters(order: Sequence[str], separated: Collection[frozenset[str]]) -> dict[str, str]:
    """Return the compact letter display, by insertion and absorption (Piepho 2004).

    A letter is a largest set of learners no two of which differ significantly.
    """
    columns: list[set[str]] = [set(order)]
    for pair in separated:
        one, two = tuple(pair)
        parted: list[set[str]] = []
        for column in columns:
            parted += [column - {one}, column - {two}] if pair <= column else [column]
        columns = []
        for column in sorted(parted, key=len, reverse=True):
            if not any(column <= other for other in columns):
                columns.append(column)
        if len(columns) > MOST_LETTERS:
            return {}
    place = {name: i for i, name in enumerate(order)}
    columns.sort(key=lambda column: sorted(place[name] for name in column))
    found = dict.fromkeys(order, "")
    for i, column in enumerate(columns):
        for name in column:
            found[name] += letter(i)
    return found


def letter(number: int) -> str:
    """Return a to z, then a2, b2, ...

    >>> letter(0), letter(27)
    ('a', 'b2')
    """
    round_, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(round_ + 1) if round_ else "")
