"""Numbers and lists of names in the words of a message."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 4  # names spelled out before "and 9 more"; ours


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names as in a sentence.

    >>> listed(("a", "b", "c")), listed(("a", "b"), "or"), listed(tuple("abcdefg"))
    ('a, b and c', 'a or b', 'a, b, c, d and 3 more')
    """
    if len(names) <= 1:
        return "".join(names)
    if len(names) > SHOWN + 1:
        return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural where it has to be.

    >>> counted(1, "test"), counted(1200, "test"), counted(2, "class")
    ('1 test', '1,200 tests', '2 classes')
    """
    if number == 1:
        return f"1 {noun}"
    ending = "es" if noun.endswith(("s", "x", "ch")) else "s"
    return f"{number:,} {noun}{ending}"


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent, without needless zeros.

    >>> percent(0.05), percent(0.9996, 2), percent(0.1262)
    ('5%', '99.96%', '12.6%')
    """
    return f"{round(100 * share, digits):g}%"


def number(value: float) -> str:
    """A number with three figures, small ones in full.

    >>> number(0.0625), number(7.7), number(1234.0), number(0.00001234)
    ('0.0625', '7.7', '1,234', '1.23e-05')
    """
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def one(names: Sequence[str], singular: str, plural: str) -> str:
    """The verb that goes with a list of names.

    >>> one(("a",), "is", "are"), one(("a", "b"), "is", "are")
    ('is', 'are')
    """
    return singular if len(names) == 1 else plural
