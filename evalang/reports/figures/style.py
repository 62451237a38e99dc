"""One look for all pictures: colours that the colour-blind tell apart, never colour alone, no clutter."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...results.numbers import metric_card, spoken
from ..escape import svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#1a1a1a"  # becomes the page's own text colour in HTML
FAINT = "#8a8a8a"
PAPER = "#ffffff"
# Okabe and Ito 2008, those with a contrast of 3:1 or more on white and on near-black, then two of our own.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7f7f7f", "#a6761d")
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", "--", "-.", ":")
LONGEST_NAME = 28
RC: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "evalang",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 10.0,
    "axes.linewidth": 0.8,
    "axes.unicode_minus": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.dpi": 100.0,
    "savefig.dpi": 150.0,
}


@contextmanager
def look() -> Iterator[None]:
    """Our settings for the while, whatever the user's are; a letter without a glyph is no reason to warn."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)  # type: ignore[arg-type]
        yield


def name(text: str, most: int = LONGEST_NAME) -> str:
    """A learner's or dataset's name as a label: nothing hidden in it, not too long."""
    shown = svg(text)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def measured(metric: str) -> str:
    """A metric as the label of an axis, with its unit where it has one.

    >>> measured("fit-time"), measured("accuracy")
    ('fit-time (s)', 'accuracy')
    """
    card = metric_card(metric)
    shown = name(spoken(metric))
    return f"{shown} ({card.unit})" if card is not None and card.unit else shown


WIDEST_LABEL = 46  # characters below a panel


def broken(*parts: str) -> str:
    """The parts of a label in one line, or in several where that would be too long for a panel."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 1 + len(part) <= WIDEST_LABEL:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return "\n".join(lines)


def subtracted(first: str, second: str, metric: str) -> str:
    """The label of an axis of differences: who minus whom, in what."""
    return broken(f"{name(first)} minus", f"{name(second)},", measured(metric))


def colour(index: int) -> str:
    """The colour of the n-th learner."""
    return COLOURS[index % len(COLOURS)]


def marker(index: int) -> str:
    """The marker of the n-th learner: colour never stands alone."""
    return MARKERS[index % len(MARKERS)]


def line(index: int) -> str:
    """The line style of the n-th learner."""
    return LINES[index % len(LINES)]


def no_math(axes: Axes) -> None:
    """Names are names: a dollar sign starts no formula, on axes of the user's own too."""
    from matplotlib.text import Text

    for text in axes.findobj(Text):
        text.set_parse_math(False)


def rows(axes: Axes, labels: list[str], most: int = LONGEST_NAME) -> None:
    """Names down the left side, the first on top."""
    axes.set_yticks(range(len(labels)), [name(label, most) for label in labels])
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def cells(axes: Axes, places: list[tuple[int, int]], fills: list[Any]) -> None:
    """Squares around (column, row) places, all as one artist: a hundred patches would cost a hundred times as much."""
    from matplotlib.collections import PolyCollection

    half = 0.5
    corners = [
        [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)] for x, y in places
    ]
    axes.add_collection(PolyCollection(corners, facecolors=fills, linewidths=0), autolim=False)
