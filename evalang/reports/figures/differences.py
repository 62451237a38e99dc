"""Differences with their intervals, one row a dataset, with the rope shaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import numbers
from ..sentences import interval_name
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One dataset, or "over datasets"."""

    label: str
    difference: float
    low: float | None
    high: float | None
    settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """What the picture shows."""

    first: str
    second: str
    metric: str
    rope: float | None
    interval: str  # which one: its name in words
    rows: tuple[Row, ...]
    first_fold: bool = False  # 5x2cv-t: intervals lie around the first difference, points are means of all ten

    @property
    def title(self) -> str:
        return f"{self.first} minus {self.second} in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        settled = sum(r.settled for r in self.rows)
        return (
            f"Difference in {self.metric} of {self.first} minus {self.second} with "
            f"its {self.interval} on {numbers.plural(len(self.rows), 'row')}; "
            f"{settled} settled after correction (filled), the others not (hollow)."
            f"{' The intervals of 5x2cv-t lie around its first difference.' if self.first_fold else ''}"
        )

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 6.4, 1.3 + 0.28 * len(self.rows)


def differences(view: View, metric: str, learners: tuple[str, ...]) -> Differences | None:
    """The verdicts of one pair in one metric."""
    mine = [v for v in (*view.on_datasets, *view.over_datasets) if v.metric == metric and v.learners == learners]
    rows = []
    for verdict in mine[:MOST_ROWS]:
        if verdict.difference is None:
            continue
        interval = verdict.interval
        low, high = (interval.low, interval.high) if interval is not None else (None, None)
        label = verdict.dataset or "over datasets"
        rows.append(Row(label=label, difference=verdict.difference, low=low, high=high, settled=verdict.settled))
    if not rows:
        return None
    shown = next((interval_name(v.interval) for v in mine if v.interval is not None), "interval")
    first_fold = any("first_difference" in dict(v.test.details) for v in mine if v.test is not None)
    rope = next((v.rope for v in mine if v.rope is not None), None)
    return Differences(
        first=learners[0],
        second=learners[1],
        metric=metric,
        rope=rope,
        interval=shown,
        rows=tuple(rows),
        first_fold=first_fold,
    )


def draw(data: Differences, axes: Axes) -> None:
    """Points, whiskers, zero line, rope."""
    if data.rope is not None:
        axes.axvspan(-data.rope, data.rope, color=style.FAINT, alpha=0.25, lw=0, gid="rope")
    axes.axvline(0, color=style.INK, lw=0.8, gid="zero")
    for i, row in enumerate(data.rows):
        if row.low is not None and row.high is not None:
            axes.plot([row.low, row.high], [i, i], color=style.COLOURS[0], lw=1.6, gid=f"interval-{i}")
        face = style.COLOURS[0] if row.settled else style.PAPER
        axes.plot(
            [row.difference], [i], marker="o", ls="", ms=5.5, mfc=face, mec=style.COLOURS[0], gid=f"difference-{i}"
        )
    style.rows(axes, [r.label for r in data.rows])
    left, right = (data.second, data.first) if numbers.higher_is_better(data.metric) else (data.first, data.second)
    # A line of its own for each end of the axis says which way is better.
    axes.set_xlabel(f"{style.name(data.first)} minus {style.name(data.second)}, {style.name(data.metric)}")
    axes.annotate(f"← {style.name(left)} better", (0, 1), (2, 4), "axes fraction", "offset points", ha="left")
    axes.annotate(f"{style.name(right)} better →", (1, 1), (-2, 4), "axes fraction", "offset points", ha="right")
