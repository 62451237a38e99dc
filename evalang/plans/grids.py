"""What is tuned: the size of a grid is reckoned first, its values are made only when they are few enough."""

from __future__ import annotations

import math

from ..syntax import nodes
from .model import Grid, Literals
from .problems import Problems
from .values import literal, shown

MOST_VALUES = 100_000  # of one parameter
MOST_CANDIDATES = 1_000_000  # settings of one learner; beyond that the plan could not even be listed


def grid(tuned: nodes.TunedParameter, problems: Problems) -> Grid | None:
    """The values of one tuned parameter, or None when they make no sense."""
    found = tuned.grid
    size = _size(found, problems)
    if size is None:
        return None
    if size > MOST_VALUES:
        problems.bad(
            found.span,
            f"{tuned.name.text} would take {shown(size)} values",
            f"a parameter may take {MOST_VALUES:,} at most; name fewer",
        )
        return None
    values = _values(found)
    if len(set(map(repr, values))) != len(values):
        problems.bad(found.span, f"{tuned.name.text} names a value twice", "name each value once")
    return Grid(parameter=tuned.name.text, size=size, values=values, form=form(found), span=tuned.span)


def candidates(grids: tuple[Grid, ...]) -> int:
    """How many settings there are, without making one."""
    return math.prod(g.size for g in grids)


def form(found: nodes.Grid) -> str:
    """The grid as a reader writes it."""
    if isinstance(found, nodes.GridSet):
        shown = [word(literal(item)) for item in found.items[:8]]
        return "{" + ", ".join(shown) + (", …" if len(found.items) > 8 else "") + "}"
    if isinstance(found, nodes.GridRange):
        return f"{found.start.text}..{found.stop.text}"
    if isinstance(found, nodes.GridPowers):
        return f"{found.base.text}^{{{found.start.text}..{found.stop.text}}}"
    return f"log({found.low.text}, {found.high.text}, {found.count.text})"


def word(value: Literals) -> str:
    """A value as a script writes it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(word, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _whole(number: nodes.Number) -> bool:
    return isinstance(number.value, int) and abs(number.value) < 10**15


def _size(found: nodes.Grid, problems: Problems) -> int | None:
    if isinstance(found, nodes.GridSet):
        return len(found.items)
    if isinstance(found, nodes.GridLog):
        if not (0 < found.low.value < found.high.value < math.inf) or not _whole(found.count) or found.count.value < 2:
            problems.bad(
                found.span,
                f"{form(found)} has no values",
                "write log(low, high, count) with 0 < low < high, count >= 2",
            )
            return None
        return int(found.count.value)
    if not _whole(found.start) or not _whole(found.stop) or found.start.value > found.stop.value:
        problems.bad(found.span, f"{form(found)} has no values", "both ends are whole numbers, the smaller one first")
        return None
    size = int(found.stop.value) - int(found.start.value) + 1
    if isinstance(found, nodes.GridPowers):
        largest = max(abs(found.start.value), abs(found.stop.value))
        if found.base.value <= 0 or largest * abs(math.log10(found.base.value)) > 300:
            problems.bad(
                found.span, f"{form(found)} leaves the range of numbers", "use a positive base and smaller exponents"
            )
            return None
    return size


def _values(found: nodes.Grid) -> tuple[Literals, ...]:
    if isinstance(found, nodes.GridSet):
        return tuple(literal(item) for item in found.items)
    if isinstance(found, nodes.GridRange):
        return tuple(range(int(found.start.value), int(found.stop.value) + 1))
    if isinstance(found, nodes.GridPowers):
        base = found.base.value
        exponents = range(int(found.start.value), int(found.stop.value) + 1)
        # repr of 10.0 ** -3 is 0.001: exact powers of ten come from their decimal form, not from multiplying up
        if base == 10:
            return tuple(10**e if e >= 0 else float(f"1e{e}") for e in exponents)
        return tuple(base**e if e >= 0 else float(base) ** e for e in exponents)
    low, high, count = math.log(found.low.value), math.log(found.high.value), int(found.count.value)
    middle = [math.exp(low + (high - low) * i / (count - 1)) for i in range(1, count - 1)]
    return (float(found.low.value), *(float(f"{v:.12g}") for v in middle), float(found.high.value))
