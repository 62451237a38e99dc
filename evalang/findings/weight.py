"""In which order findings are told: errors, then warnings, then notes, and of each the gravest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..source.finding import LEVELS, Finding
from ..source.text import Source

# How much a finding can turn the result, the gravest first; ours. A beginning of a code stands for all that have it.
_GRAVITY: tuple[tuple[str, ...], ...] = (
    ("EV9", "EV0"),  # what cannot be read can mean anything
    ("EV108",),  # the learner is handed the answer
    # the learner has seen the test rows
    ("EV205", "EV208", "EV201", "EV220", "EV221", "EV224", "EV105", "EV106", "EV107", "EV120", "EV225", "EV602"),
    # the number answers something else, or nothing
    ("EV112", "EV2", "EV30", "EV4", "EV7", "EV606", "EV605"),
    ("EV5", "EV6", "EV3", "EV1"),
    # nothing is wrong that more words would not mend
    ("EV101", "EV004", "EV008", "EV310", "EV409", "EV410"),
)
_RANK = {code: rank for rank, codes in enumerate(_GRAVITY) for code in codes}


def gravity(code: str) -> int:
    """The rank of a code: 0 is told first.

    >>> gravity("EV108") < gravity("EV403") < gravity("EV501") < gravity("EV101")
    True
    """
    return next((_RANK[code[:n]] for n in range(len(code), 2, -1) if code[:n] in _RANK), len(_GRAVITY) // 2)


def in_order(findings: Iterable[Finding], sources: Mapping[str, Source]) -> tuple[Finding, ...]:
    """By level, gravity, file (the script first), place and code; the same finding once, and one note of a code."""
    rank = {path: i for i, path in enumerate(sources)}

    def place(found: Finding) -> tuple[int, int, int, int, int, str]:
        at = found.span
        where = rank.get(at.path, len(rank)), at.start, at.end
        return (LEVELS.index(found.level), gravity(found.code), *where, found.code)

    once: dict[tuple[object, ...], Finding] = {}
    for found in sorted(findings, key=place):
        same = (found.code,) if found.level == "note" else (found.code, found.span, found.message)
        once.setdefault(same, found)
    return tuple(once.values())
