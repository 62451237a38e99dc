"""The scores of one learner against those of another, a point for each dataset (Demsar 2006, section 3.1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View, facing
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST = 3  # datasets; below it the table says it all
MOST_NAMED = 3  # points that lie furthest from the diagonal
TIED = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterPoint:
    """One dataset."""

    dataset: str
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """What the picture shows: the second learner on the x axis, the first on the y axis."""

    first: str
    second: str
    metric: str
    points: tuple[ScatterPoint, ...]
    unit: str = "dataset"

    @property
    def title(self) -> str:
        return f"{self.first} against {self.second} in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        sign = 1 if numbers.higher_is_better(self.metric) else -1
        won = sum(sign * (p.first - p.second) > TIED for p in self.points)
        tied = sum(abs(p.first - p.second) <= TIED for p in self.points)
        side = "above" if sign > 0 else "below"
        ties = f", {numbers.plural(tied, 'tie')} on it" if tied else ""
        return (
            f"A point for each of {numbers.plural(len(self.points), self.unit)}; {side} the diagonal {self.first} is "
            f"better: {won} there, {len(self.points) - won - tied} on the other side{ties}."
        )

    @property
    def says(self) -> dict[str, str]:
        """What stands behind each point, by its id."""
        return {
            f"point-{i}": f"{p.dataset}: {self.first} {numbers.score(p.first, self.metric)}, "
            f"{self.second} {numbers.score(p.second, self.metric)}"
            for i, p in enumerate(self.points)
        }

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 4.6, 4.4


def scatter(view: View, metric: str, learners: tuple[str, ...]) -> Scatter | None:
    """A pair that was tested over datasets; items are right or wrong, which gives four points and no picture."""
    first, second = facing(view).pair(learners)
    over = any(v.metric == metric and v.learners == learners for v in view.over_datasets)
    points = []
    for dataset, row in view.means.get(metric, {}).items():
        a, b = (row[name].mean if name in row else None for name in (first, second))
        if a is not None and b is not None:
            points.append(ScatterPoint(dataset=dataset, first=a, second=b))
    if not over or view.unit != "dataset" or len(points) < FEWEST:
        return None
    return Scatter(first=first, second=second, metric=metric, points=tuple(points))


def draw(data: Scatter, axes: Axes) -> None:
    """Both axes alike, so that the diagonal is one; filled where the first is better, hollow where the second is."""
    values = [x for p in data.points for x in (p.first, p.second)]
    low, high = min(values), max(values)
    room = 0.06 * (high - low) or 0.01
    ends = (low - room, high + room)
    axes.plot(ends, ends, color=style.FAINT, lw=1, gid="diagonal")
    sign = 1 if numbers.higher_is_better(data.metric) else -1
    for i, p in enumerate(data.points):
        ahead = sign * (p.first - p.second) > TIED
        face, marker = (style.COLOURS[0], "o") if ahead else (style.PAPER, "s")
        axes.plot([p.second], [p.first], marker, ms=5, mfc=face, mec=style.COLOURS[0], gid=f"point-{i}")
    far = sorted(data.points, key=lambda p: -abs(p.first - p.second))[:MOST_NAMED]
    for p in far:
        left = p.second > (low + high) / 2
        shift, side = (-6, "right") if left else (6, "left")
        axes.annotate(style.name(p.dataset), (p.second, p.first), (shift, 0), textcoords="offset points", ha=side,
                      va="center", fontsize=8)  # fmt: skip
    axes.set_xlim(*ends)
    axes.set_ylim(*ends)
    axes.set_aspect("equal")
    axes.set_xlabel(f"{style.measured(data.metric)} of {style.name(data.second)}")
    axes.set_ylabel(f"{style.measured(data.metric)} of {style.name(data.first)}")
    words = ((0, 1, "left", "top", 4, -4), (1, 0, "right", "bottom", -4, 4))
    upper, lower = (data.first, data.second) if sign > 0 else (data.second, data.first)
    for (x, y, side, edge, dx, dy), who in zip(words, (upper, lower), strict=True):
        axes.annotate(f"{style.name(who)} better", (x, y), (dx, dy), "axes fraction", "offset points", ha=side,
                      va=edge, fontsize=8, color=style.INK)  # fmt: skip
