"""The learning curve: mean score against the rows trained on."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, sqrt
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerCurve:
    """One learner: rows trained on, mean score, standard deviation over trials."""

    learner: str
    rows: tuple[int, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCurve:
    """What the picture shows."""

    dataset: str
    metric: str
    series: tuple[LearnerCurve, ...]

    @property
    def title(self) -> str:
        return f"Learning curve on {self.dataset} in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        said = [
            f"{s.learner} from {numbers.score(s.means[0], self.metric)} with {numbers.count(s.rows[0])} rows to "
            f"{numbers.score(s.means[-1], self.metric)} with {numbers.count(s.rows[-1])}"
            for s in self.series
        ]
        return f"Mean {self.metric} by rows trained on, whiskers one standard deviation: {numbers.listing(said)}."

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 5.6, 3.6


def learning_curve(views: tuple[View, ...], dataset: str, metric: str) -> LearningCurve | None:
    """All comparisons together: those that trained on different numbers of rows make the curve."""
    cells: dict[tuple[str, int], list[float]] = {}
    for view in views:
        for row in view.rows:
            if row.dataset == dataset and row.metric == metric and row.trained and row.score is not None:
                cells.setdefault((row.learner, row.trained), []).append(row.score)
    names = dict.fromkeys(n for view in views for n in view.learners)
    series = []
    for name in names:
        sizes = sorted(size for learner, size in cells if learner == name)
        # Folds of one scheme differ by a row or two: that is no curve.
        if len(sizes) < 2 or sizes[-1] < 1.2 * sizes[0]:
            continue
        scores = [cells[name, size] for size in sizes]
        means = tuple(fsum(s) / len(s) for s in scores)
        spreads = tuple(_spread(s, m) for s, m in zip(scores, means, strict=True))
        series.append(LearnerCurve(learner=name, rows=tuple(sizes), means=means, spreads=spreads))
    return LearningCurve(dataset=dataset, metric=metric, series=tuple(series[:MOST_LEARNERS])) if series else None


def _spread(scores: list[float], mean: float) -> float:
    return sqrt(fsum((s - mean) ** 2 for s in scores) / (len(scores) - 1)) if len(scores) > 1 else 0.0


def draw(data: LearningCurve, axes: Axes) -> None:
    """A line with whiskers for each learner, rows on a log scale."""
    for i, s in enumerate(data.series):
        axes.errorbar(
            s.rows,
            s.means,
            yerr=s.spreads,
            color=style.colour(i),
            marker=style.marker(i),
            ls=style.line(i),
            ms=5,
            lw=1.5,
            capsize=2,
            label=style.name(s.learner),
        )
        axes.lines[-1].set_gid(f"series-{i}")
    axes.set_xscale("log")
    places = sorted({r for s in data.series for r in s.rows})
    axes.set_xticks(places, [str(p) for p in places])
    axes.minorticks_off()
    axes.set_xlabel("rows trained on")
    axes.set_ylabel(style.measured(data.metric))
    axes.legend(fontsize=8)
