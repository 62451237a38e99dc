"""What each partition alone would have said: sorted significance values (Bradford and Brodley, figures 1 to 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View, facing
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_DATASETS = 25
TALL = 26  # characters that fit along the axis


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionValues:
    """For each dataset the sorted values: near 1 the first learner is better, near 0 the second, 0.5 neither."""

    first: str
    second: str
    metric: str
    alpha: float
    datasets: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]

    @property
    def title(self) -> str:
        return f"Spread of p over partitions, {self.first} against {self.second} in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        said = [f"{d}: {self.beyond(i)} of {len(self.values[i])}" for i, d in enumerate(self.datasets[:8])]
        return (
            f"Significance values of single partitions, sorted. Beyond the dashed lines a partition alone would have "
            f"rejected at {numbers.alpha_text(self.alpha)}: {numbers.listing(said)}."
        )

    def beyond(self, i: int) -> int:
        """How many partitions of a dataset would have rejected by themselves."""
        half = self.alpha / 2
        return sum(v <= half or v >= 1 - half for v in self.values[i])

    def size(self) -> tuple[float, float]:
        """Inches."""
        return max(4.5, min(1.4 + 0.55 * len(self.datasets), 10.0)), 3.2


def partition_values(view: View, metric: str, learners: tuple[str, ...]) -> PartitionValues | None:
    """The partitions' own tests of one pair; a two-sided p is folded out to the side that is ahead."""
    names_of = facing(view).pair(learners)
    better = (1 if numbers.higher_is_better(metric) else -1) * (1 if names_of == learners else -1)
    found: dict[str, list[float]] = {}
    for one in view.partitions:
        if one.metric == metric and one.learners == learners and one.pvalue is not None:
            ahead = (one.statistic or 0.0) * better
            half = one.pvalue / 2
            found.setdefault(one.dataset, []).append(1 - half if ahead > 0 else half if ahead < 0 else 0.5)
    names = tuple(d for d in view.datasets if len(found.get(d, ())) > 1)[:MOST_DATASETS]
    if not names:
        return None
    return PartitionValues(
        first=names_of[0],
        second=names_of[1],
        metric=metric,
        alpha=view.comparison.alpha.value,
        datasets=names,
        values=tuple(tuple(sorted(found[d])) for d in names),
    )


def draw(data: PartitionValues, axes: Axes) -> None:
    """A rising line of values for each dataset, side by side."""
    for i, values in enumerate(data.values):
        step = 0.8 / max(len(values) - 1, 1)
        places = [i - 0.4 + step * k for k in range(len(values))]
        axes.plot(places, values, marker=".", ms=4, lw=0.8, color=style.COLOURS[0], gid=f"values-{i}")
    axes.axhline(0.5, color=style.INK, lw=0.8)
    for k, level in enumerate((data.alpha / 2, 1 - data.alpha / 2)):
        axes.axhline(level, color=style.COLOURS[1], lw=1, ls="--", gid=f"level-{k}")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlim(-0.6, len(data.datasets) - 0.4)
    turn = 90 if len(data.datasets) > 6 else 0
    axes.set_xticks(range(len(data.datasets)), [style.name(d) for d in data.datasets], rotation=turn)
    low, high = f"0: {style.name(data.second)} ahead,", f"1: {style.name(data.first)} ahead"
    axes.set_ylabel(f"{low} {high}" if len(low) + len(high) <= TALL else f"{low}\n{high}")
