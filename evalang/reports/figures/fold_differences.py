"""The distribution of the fold differences behind each verdict."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from statistics import quantiles
from typing import TYPE_CHECKING

from .. import numbers
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 25
MOST_POINTS = 60  # beyond it a box says more than a cloud


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldDifferences:
    """What the picture shows: for each dataset the differences of all folds."""

    first: str
    second: str
    metric: str
    datasets: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]

    @property
    def title(self) -> str:
        return f"Fold differences of {self.first} minus {self.second} in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        folds = sum(len(v) for v in self.values)
        return (
            f"{numbers.plural(folds, 'fold difference')} on {numbers.plural(len(self.datasets), 'dataset')}: box from "
            "the lower to the upper quartile, whiskers to the extremes, the bar is the mean."
        )

    def means(self) -> tuple[float, ...]:
        """The mean difference of each dataset."""
        return tuple(fsum(v) / len(v) for v in self.values)

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 6.4, 1.2 + 0.34 * len(self.datasets)


def fold_differences(view: View, metric: str, learners: tuple[str, ...]) -> FoldDifferences | None:
    """Scores of the two learners on the same folds, subtracted."""
    first, second = learners
    scores: dict[tuple[str, int, int, int], dict[str, float]] = {}
    for row in view.rows:
        if row.metric == metric and row.score is not None and row.learner in learners:
            scores.setdefault((row.dataset, row.partition, row.fold, row.training), {})[row.learner] = row.score
    found: dict[str, list[float]] = {}
    for (dataset, *_), both in scores.items():
        if len(both) == 2:
            found.setdefault(dataset, []).append(both[first] - both[second])
    kept = {d: tuple(v) for d, v in found.items() if len(v) > 1}
    if not kept:
        return None
    names = tuple(d for d in view.datasets if d in kept)[:MOST_ROWS]
    return FoldDifferences(
        first=first, second=second, metric=metric, datasets=names, values=tuple(kept[d] for d in names)
    )


def draw(data: FoldDifferences, axes: Axes) -> None:
    """Box, extremes, points, mean."""
    axes.axvline(0, color=style.INK, lw=0.8, gid="zero")
    for i, (values, middle) in enumerate(zip(data.values, data.means(), strict=True)):
        low, _, high = quantiles(values, n=4, method="inclusive")
        axes.plot([min(values), max(values)], [i, i], color=style.FAINT, lw=1, gid=f"extremes-{i}")
        axes.barh(i, high - low, left=low, height=0.5, color=style.COLOURS[0], alpha=0.25, lw=0)
        if len(values) <= MOST_POINTS:
            spread = [i + 0.18 * ((k * 0.618034) % 1 - 0.5) * 2 for k in range(len(values))]
            axes.plot(values, spread, "o", ms=3, mfc=style.COLOURS[0], mec="none", alpha=0.8, gid=f"folds-{i}")
        axes.plot([middle, middle], [i - 0.3, i + 0.3], color=style.COLOURS[1], lw=2, gid=f"mean-{i}")
    style.rows(axes, list(data.datasets))
    axes.set_xlabel(f"{style.name(data.first)} minus {style.name(data.second)}, {style.name(data.metric)}, by fold")
