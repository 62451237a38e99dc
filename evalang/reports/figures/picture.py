"""From a figure of a document to a picture: axes, SVG, PNG or PDF, the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from .. import document
from . import (
    band,
    critical_difference,
    forest,
    learning_curve,
    normalised,
    partition_values,
    performance_profile,
    posterior,
    posterior_density,
    posterior_simplex,
    reliability,
    scatter,
    simulated_curves,
    style,
    svg,
    tuning_profile,
    wins,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DRAW: tuple[tuple[str, Callable[[Any, Any], None]], ...] = (
    ("forest", forest.draw),
    ("scatter", scatter.draw),
    ("partition-values", partition_values.draw),
    ("critical-difference", critical_difference.draw),
    ("wins", wins.draw),
    ("normalised", normalised.draw),
    ("reliability", reliability.draw),
    ("roc", band.draw),
    ("precision-recall", band.draw),
    ("posterior", posterior.draw),
    ("posterior-density", posterior_density.draw),
    ("posterior-simplex", posterior_simplex.draw),
    ("learning-curve", learning_curve.draw),
    ("tuning-profile", tuning_profile.draw),
    ("performance-profile", performance_profile.draw),
    ("simulation", simulated_curves.draw),
)
NARROW = 3.9  # inches: the text of a phone's screen is about 360 pixels wide
COMPACT = 4.6  # what is folded away is drawn once: on a phone it shrinks a little, and its letters can still be read
KINDS = tuple(kind for kind, _ in DRAW)


def draw_on(figure: document.Figure, axes: Axes | None = None, widest: float | None = None) -> Axes:
    """Draws on the axes handed in, or on new ones of its size; no wider than `widest`, panels below each other."""
    with style.look():
        target = axes if axes is not None else _new(figure, widest)
        dict(DRAW)[figure.kind](figure.data, target)
        for one in (target,) if axes is not None else target.figure.axes:
            style.no_math(one)
    return target


def _new(figure: document.Figure, widest: float | None) -> Axes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    panels = len(getattr(figure.data, "panels", ())) or 1
    width, height = figure.data.size()
    if widest is not None:
        width, height = min(width, widest), panels * height
    made = _showing()(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    shape = (1, panels) if widest is None else (panels, 1)
    first: Axes = made.subplots(*shape, sharey=True, squeeze=False)[0][0]
    return first


@cache
def _showing() -> type[Figure]:
    """A figure that shows itself in a notebook; matplotlib's own does so only after `%matplotlib inline`."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            buffer = BytesIO()
            with style.look():
                self.savefig(buffer, format="png", facecolor=style.PAPER)
            return buffer.getvalue()

    return ShownFigure


def _saved(figure: document.Figure, kind: str, widest: float | None = None, **options: Any) -> bytes:
    with style.look():
        axes = draw_on(figure, widest=widest)
        made: Figure = axes.figure  # type: ignore[assignment]
        buffer = BytesIO()
        made.savefig(buffer, format=kind, **options)
    return buffer.getvalue()


def svg_inline(figure: document.Figure) -> str:
    """For an HTML page: transparent, in the page's own ink. The picture of the answer has a second for a phone."""
    widest = None if figure.lead else COMPACT
    text = _saved(figure, "svg", widest, metadata={"Date": None}, transparent=True).decode()
    return svg.clean(text, figure, says=getattr(figure.data, "says", {}))


def svg_narrow(figure: document.Figure) -> str:
    """The same for a phone: no wider than its screen, panels below each other, with ids of its own."""
    text = _saved(figure, "svg", NARROW, metadata={"Date": None}, transparent=True).decode()
    return svg.clean(text, replace(figure, key=f"{figure.key}-narrow"), says=getattr(figure.data, "says", {}))


def svg_file(figure: document.Figure) -> str:
    """A file of its own, on white."""
    text = _saved(figure, "svg", metadata={"Date": None}).decode()
    return svg.clean(text, figure, inline=False)


def png(figure: document.Figure) -> bytes:
    """A bitmap on white."""
    return _saved(figure, "png", metadata={"Software": None})


def pdf(figure: document.Figure) -> bytes:
    """For LaTeX."""
    return _saved(figure, "pdf", metadata={"CreationDate": None, "ModDate": None, "Producer": None, "Creator": None})
