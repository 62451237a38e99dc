"""Values as written become plain Python values."""

from __future__ import annotations

from ..syntax import nodes
from .model import Literals, Part
from .problems import Problems

LARGEST_SEED = 2**63 - 1
LARGEST_COUNT = 10**9  # of rows, folds and repetitions; more is a slip of the pen


def literal(value: nodes.Value) -> Literals:
    """A literal of a parameter list; a bare name stands for its text."""
    if isinstance(value, nodes.Sequence):
        return tuple(literal(item) for item in value.items)
    if isinstance(value, nodes.Name):
        return value.text
    return value.value


def options(arguments: tuple[nodes.Argument, ...], problems: Problems) -> tuple[tuple[str, Literals], ...]:
    """`(name = value, ...)` as pairs; a name given twice is EV006."""
    found: dict[str, Literals] = {}
    for argument in arguments:
        name = argument.name.text
        if name in found:
            problems.bad(argument.span, f"{name} is given twice", "keep one of the two")
        found.setdefault(name, literal(argument.value))
    return tuple(found.items())


def part(amount: nodes.Amount, what: str, problems: Problems) -> Part | None:
    """A share of the rows or a number of them; None (and EV006) when it is neither."""
    if amount.unit == "rows":
        if not 1 <= amount.value <= LARGEST_COUNT or amount.value != int(amount.value):
            problems.bad(amount.span, f"{what} {amount.text} is not a number of rows", "write a whole number from 1 up")
            return None
        return Part(rows=int(amount.value))
    if amount.unit == "points" or not 0 < amount.value < 1:
        problems.bad(
            amount.span,
            f"{what} {amount.text} is not a part of the data",
            "write a fraction between 0 and 1 (20%, 1/5, 0.2), or a number of rows (500 rows)",
        )
        return None
    return Part(fraction=float(amount.value))


def level(amount: nodes.Amount, problems: Problems) -> float | None:
    """A significance level."""
    if amount.unit in ("rows", "points") or not 0 < amount.value < 1:
        problems.bad(amount.span, f"alpha {amount.text} is not a level", "write a number between 0 and 1, such as 0.05")
        return None
    return float(amount.value)


def whole(number: nodes.Number, what: str, low: int, problems: Problems, high: int = LARGEST_COUNT) -> int | None:
    """A whole number within its bounds."""
    if not isinstance(number.value, int) or not low <= number.value <= high:
        written = number.text if len(number.text) <= 20 else "a number that long"
        problems.bad(number.span, f"{what} cannot be {written}", f"write a whole number from {low} to {high}")
        return None
    return number.value


def shown(count: int) -> str:
    """A count for people.

    >>> shown(1_000_000), shown(1000**5)
    ('1,000,000', 'more than a million million')
    """
    return f"{count:,}" if abs(count) <= 10**12 else "more than a million million"
