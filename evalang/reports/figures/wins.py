"""Who beats whom on how many datasets: wins, ties and losses of the row against the column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Wins:
    """`counts[i][j]` is (wins, ties, losses) of learner i against j over the datasets both have a score on."""

    metric: str
    learners: tuple[str, ...]
    counts: tuple[tuple[tuple[int, int, int], ...], ...]

    @property
    def title(self) -> str:
        return f"Wins, ties and losses in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        totals = [(sum(c[0] for c in row), name) for row, name in zip(self.counts, self.learners, strict=True)]
        best, name = max(totals, key=lambda t: t[0])
        return (
            f"Wins/ties/losses of each row's learner against each column's over the datasets, by mean {self.metric}; "
            f"{name} wins most often ({best}). Counts of means, not of tests."
        )

    def size(self) -> tuple[float, float]:
        """Inches."""
        side = 1.6 + 0.52 * len(self.learners)
        return side + 0.6, side


def wins(view: View, metric: str) -> Wins | None:
    """Counted from the mean scores of the table, twelve digits compared."""
    names = view.learners[:MOST_LEARNERS]
    means = view.means.get(metric, {})
    if len(names) < 3 or len(view.learners) > MOST_LEARNERS or len(means) < 2:
        return None
    sign = 1 if numbers.higher_is_better(metric) else -1
    counts = []
    for one in names:
        row = []
        for other in names:
            tally = [0, 0, 0]
            for scores in means.values():
                a, b = scores.get(one), scores.get(other)
                if one == other or a is None or b is None or a.mean is None or b.mean is None:
                    continue
                gap = sign * (float(f"{a.mean:.12g}") - float(f"{b.mean:.12g}"))
                tally[0 if gap > 0 else 2 if gap < 0 else 1] += 1
            row.append((tally[0], tally[1], tally[2]))
        counts.append(tuple(row))
    return Wins(metric=metric, learners=names, counts=tuple(counts))


def draw(data: Wins, axes: Axes) -> None:
    """A square of cells, shaded by wins less losses."""
    from matplotlib.colors import to_rgba

    count = len(data.learners)
    most = max((sum(c) for row in data.counts for c in row), default=1) or 1
    places, fills = [], []
    for i, row in enumerate(data.counts):
        for j, (won, tied, lost) in enumerate(row):
            if i == j:
                continue
            balance = (won - lost) / most
            places.append((j, i))
            fills.append(to_rgba(style.COLOURS[0] if balance > 0 else style.COLOURS[1], 0.45 * abs(balance)))
            axes.text(j, i, f"{won}/{tied}/{lost}", ha="center", va="center", fontsize=8, gid=f"cell-{i}-{j}")
    style.cells(axes, places, fills)
    style.rows(axes, list(data.learners))
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_xticks(range(count), [style.name(n) for n in data.learners], rotation=90)
    axes.tick_params(axis="x", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
