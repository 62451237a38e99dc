"""Curves of many folds as one line with a band: the mean and the middle 80% at each place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Literal

from ...results import numbers
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GRID = tuple(i / 50 for i in range(51))
MOST_LEARNERS = 6
Kind = Literal["roc", "precision-recall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One learner: mean and edges on the grid, and of how many curves."""

    learner: str
    middle: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    curves: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """What the picture shows."""

    kind: Kind
    dataset: str
    bands: tuple[Band, ...]

    @property
    def title(self) -> str:
        return f"{'ROC' if self.kind == 'roc' else 'Precision and recall'} on {self.dataset}"

    @property
    def description(self) -> str:
        """The same in words."""
        what = "True-positive rate at each false-positive rate"
        if self.kind == "precision-recall":
            what = "Precision at each recall"
        at = GRID.index(0.1) if self.kind == "roc" else GRID.index(0.5)
        said = [f"{b.learner} {numbers.decimal(b.middle[at])}" for b in self.bands]
        folds = max(b.curves for b in self.bands)
        edge = f"; the band holds the middle 80% of {numbers.plural(folds, 'fold')}" if folds > 1 else ""
        return f"{what}{edge}. At {GRID[at]:g}: {numbers.listing(said)}."

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 4.6, 4.2


def bands(view: View, dataset: str, kind: Kind) -> Bands | None:
    """Vertical averages of the folds' curves (Fawcett 2006, section 7)."""
    found: dict[str, list[list[float]]] = {}
    for curve in view.curves:
        if curve.kind == kind and curve.dataset == dataset and len(curve.x) > 1:
            points = sorted(zip(curve.x, curve.y, strict=True))
            found.setdefault(curve.learner, []).append([_at(points, x, kind) for x in GRID])
    made = []
    for name in [n for n in view.learners if n in found][:MOST_LEARNERS]:
        columns = [sorted(column) for column in zip(*found[name], strict=True)]
        made.append(
            Band(
                learner=name,
                middle=tuple(fsum(c) / len(c) for c in columns),
                low=tuple(_quantile(c, 0.1) for c in columns),
                high=tuple(_quantile(c, 0.9) for c in columns),
                curves=len(found[name]),
            )
        )
    return Bands(kind=kind, dataset=dataset, bands=tuple(made)) if made else None


def _at(points: list[tuple[float, float]], x: float, kind: Kind) -> float:
    """The curve's height: straight between the points of a ROC; precision is that of the next recall reached."""
    places = [p for p, _ in points]
    if kind == "precision-recall":
        # Straight lines between points of precision and recall are too good (Davis and Goadrich 2006): steps.
        return max(y for _, y in points[min(bisect_left(places, x), len(points) - 1) :])
    after = bisect_right(places, x)
    if after == 0:
        return points[0][1]
    if after == len(points):
        return points[-1][1]
    (x0, y0), (x1, y1) = points[after - 1], points[after]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1


def _quantile(ordered: list[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def draw(data: Bands, axes: Axes) -> None:
    """A line and a band for each learner."""
    if data.kind == "roc":
        axes.plot([0, 1], [0, 1], color=style.FAINT, lw=1, gid="diagonal")
    for i, band in enumerate(data.bands):
        if band.curves > 1:
            axes.fill_between(GRID, band.low, band.high, color=style.colour(i), alpha=0.18, lw=0, gid=f"band-{i}")
        axes.plot(
            GRID,
            band.middle,
            color=style.colour(i),
            ls=style.line(i),
            lw=1.6,
            label=style.name(band.learner),
            gid=f"line-{i}",
        )
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    roc = data.kind == "roc"
    axes.set_xlabel("false-positive rate" if roc else "recall")
    axes.set_ylabel("true-positive rate" if roc else "precision")
    axes.legend(loc="lower right" if roc else "lower left", fontsize=8)
