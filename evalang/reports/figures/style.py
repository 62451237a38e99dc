"""The look of all pictures, colours that colour-blind readers can distinguish, and what several pictures draw alike."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ...results.numbers import metric_card, spoken
from ..escape import visible

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
WIDEST_LABEL = 46  # characters below a panel
Cell = tuple[str, Any, str]  # text, fill, colour of the text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """A picture to be drawn: its words, its size in inches, and the function that draws it on axes.

    `says` maps ids of groups of marks to the texts that are shown when a reader points at them; `numbers` holds what is
    drawn, by name.
    """

    title: str
    description: str
    size: tuple[float, float]
    draw: Callable[[Axes], None]
    says: Mapping[str, Sequence[str]] = field(default_factory=dict)
    panels: int = 1
    numbers: Mapping[str, Any] = field(default_factory=dict)


@contextmanager
def matplotlib_settings() -> Iterator[None]:
    """Apply our settings for a while, whatever the user's are; a letter without a glyph is no reason to warn."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)  # type: ignore[arg-type]
        yield


def name(text: str, most: int = LONGEST_NAME) -> str:
    """Return the name of a learner or dataset as a label: nothing hidden in it, not too long."""
    shown = visible(text)  # matplotlib escapes markup itself
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def metric_label(metric: str) -> str:
    """Return a metric as the label of an axis, with its unit where it has one.

    >>> metric_label("fit-time"), metric_label("accuracy")
    ('fit-time (s)', 'accuracy')
    """
    card = metric_card(metric)
    shown = name(spoken(metric))
    return f"{shown} ({card.unit})" if card is not None and card.unit else shown


def wrapped_label(*parts: str) -> str:
    """Join the parts of a label in one line, or in several where that would be too long for a panel."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 1 + len(part) <= WIDEST_LABEL:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return "\n".join(lines)


def difference_label(first: str, second: str, metric: str) -> str:
    """Return the label of an axis of differences: `tree minus bayes, accuracy`."""
    first, second = names([first, second])
    return wrapped_label(f"{first} minus", f"{second},", metric_label(metric))


def colour(index: int) -> str:
    """Return the colour of the n-th learner."""
    return COLOURS[index % len(COLOURS)]


def marker(index: int) -> str:
    """Return the marker of the n-th learner: colour is never the only difference."""
    return MARKERS[index % len(MARKERS)]


def line(index: int) -> str:
    """Return the line style of the n-th learner."""
    return LINES[index % len(LINES)]


def disable_math(axes: Axes) -> None:
    """Show names as they are: a dollar sign starts no formula, on axes of the user's own too."""
    from matplotlib.text import Text

    for text in axes.findobj(Text):
        text.set_parse_math(False)


def names(labels: Sequence[str], most: int = LONGEST_NAME) -> list[str]:
    """Return labels that are not too long and stay distinct: what two long names share at their beginning is cut.

    >>> names(["gradient-boosting-depth-6", "gradient-boosting-depth-8", "tree"], 16)
    ['gradie…-6', 'gradie…-8', 'tree']
    """
    shown = [name(label, most) for label in labels]
    made = list(shown)
    for i, label in enumerate(labels):
        alike = [other for other, cut in zip(labels, shown, strict=True) if cut == shown[i]]
        if len(set(alike)) > 1:
            shared = next(k for k, letters in enumerate(zip_longest(*alike)) if len(set(letters)) > 1) - 1
            made[i] = name(f"{visible(label[: most // 2 - 2])}…{visible(label[shared:])}", most)
    return made


def label_rows(axes: Axes, labels: Sequence[str], most: int = LONGEST_NAME) -> None:
    """Write names down the left side, the first on top. A tick for each would cost four times as much."""
    axes.set_yticks([])
    axes.set_ylim(len(labels) - 0.5, -0.5)
    transform, _, side = axes.get_yaxis_text1_transform(3.5)
    for row, label in enumerate(names(labels, most)):
        axes.text(0, row, label, transform=transform, va="center_baseline", ha=side)


def draw_grid(
    axes: Axes, rows: Sequence[str], columns: Sequence[str], cells: dict[tuple[int, int], Cell], **look: Any
) -> None:
    """Draw a table of filled cells, by (column, row), and label its rows and columns; `look` is that of the columns.

    All fills are one artist: a hundred patches would cost a hundred times as much.
    """
    from matplotlib.collections import PolyCollection

    half = 0.5
    corners = []
    for (x, y), (shown, _, ink) in cells.items():
        # The layout need not measure what lies inside the cells.
        axes.text(x, y, shown, ha="center", va="center", fontsize=8, color=ink).set_in_layout(False)
        corners.append([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
    fills = PolyCollection(corners, facecolors=[fill for _, fill, _ in cells.values()], linewidths=0)
    axes.add_collection(fills, autolim=False)
    label_rows(axes, rows)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_xticks(range(len(columns)), [name(column) for column in columns], **look)
    axes.tick_params(axis="x", length=0)
    axes.spines[:].set_visible(False)


def draw_diagonal(axes: Axes, ends: tuple[float, float]) -> None:
    """Draw the line on which both axes have the same value."""
    axes.plot(ends, ends, color=FAINT, lw=1)


def reach(values: Sequence[float], low: Sequence[float], high: Sequence[float]) -> list[list[float]]:
    """Return how far the ends lie below and above the values, for `errorbar`."""
    below = [max(value - end, 0.0) for value, end in zip(values, low, strict=True)]
    return [below, [max(end - value, 0.0) for value, end in zip(values, high, strict=True)]]
