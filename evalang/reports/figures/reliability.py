"""Reliability diagrams: predicted probability against the share that came true, before and after calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...results import numbers
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 6
BARS = 0.16  # height of the largest bar of rows, in units of the axis
FLOOR = -BARS - 0.09  # where the bars stand
BINS = 10  # Caruana's reliability plots use ten equal bins


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerBins:
    """One learner's bins: mean prediction, share of positives, rows."""

    learner: str
    calibrated: bool
    x: tuple[float, ...]
    y: tuple[float, ...]
    rows: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """What the picture shows."""

    dataset: str
    series: tuple[LearnerBins, ...]

    @property
    def title(self) -> str:
        return f"Reliability on {self.dataset}"

    @property
    def description(self) -> str:
        """The same in words."""
        said = []
        for s in self.series:
            total = sum(s.rows) or 1.0
            gap = sum(w * abs(a - b) for a, b, w in zip(s.x, s.y, s.rows, strict=True)) / total
            when = "" if s.calibrated else " before calibration"
            said.append(f"{s.learner}{when} {numbers.decimal(gap)}")
        return (
            "Mean predicted probability of a bin against the share of positives in it; on the diagonal predictions "
            "come true as often as they say. The bars below count the rows of each bin. "
            f"Mean distance from it: {numbers.listing(said)}."
        )

    @property
    def says(self) -> dict[str, str]:
        """What stands behind each point, by its id."""
        return {
            f"point-{k}-{b}": f"{s.learner}{'' if s.calibrated else ', before'}: predicted {numbers.decimal(x)}, came "
            f"true {numbers.decimal(y)}, {numbers.plural(round(rows), 'row')}"
            for k, s in enumerate(self.series)
            for b, (x, y, rows) in enumerate(zip(s.x, s.y, s.rows, strict=True))
        }

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 4.8, 4.6


def reliability(view: View, dataset: str) -> Reliability | None:
    """Bins of all folds pooled, each by its rows."""
    pooled: dict[tuple[str, bool], dict[int, list[tuple[float, float, float]]]] = {}
    for curve in view.curves:
        if curve.kind == "reliability" and curve.dataset == dataset:
            bins = pooled.setdefault((curve.learner, curve.calibrated), {})
            weights = curve.weight or (1.0,) * len(curve.x)
            for x, y, w in zip(curve.x, curve.y, weights, strict=True):
                bins.setdefault(min(int(x * BINS), BINS - 1), []).append((x, y, w))
    series = []
    for (learner, calibrated), bins in pooled.items():
        points = [_pool(bins[b]) for b in sorted(bins)]
        columns = [tuple(column) for column in zip(*points, strict=True)] or [(), (), ()]
        series.append(LearnerBins(learner=learner, calibrated=calibrated, x=columns[0], y=columns[1], rows=columns[2]))
    order = [n for n in view.learners if any(s.learner == n for s in series)][:MOST_LEARNERS]
    kept = sorted((s for s in series if s.learner in order), key=lambda s: (order.index(s.learner), s.calibrated))
    return Reliability(dataset=dataset, series=tuple(kept)) if kept else None


def _pool(points: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    total = sum(w for _, _, w in points) or 1.0
    return sum(x * w for x, _, w in points) / total, sum(y * w for _, y, w in points) / total, total


def _counts(data: Reliability, axes: Axes) -> None:
    """Bars below the diagram: the rows of each bin, learner beside learner, the largest with its number."""
    most = max((rows for s in data.series for rows in s.rows), default=0.0) or 1.0
    order = list(dict.fromkeys(s.learner for s in data.series))
    width = 0.8 / BINS / len(data.series)
    for k, s in enumerate(data.series):
        left = [min(int(x * BINS), BINS - 1) / BINS + 0.1 / BINS + k * width for x in s.x]
        shade = style.colour(order.index(s.learner))
        look: dict[str, Any] = {"color": shade} if s.calibrated else {"fill": False, "ec": shade, "lw": 0.7}
        high = [BARS * rows / most for rows in s.rows]
        for b, bar in enumerate(axes.bar(left, high, width, bottom=FLOOR, align="edge", **look)):
            bar.set_gid(f"rows-{k}-{b}")
    axes.axhline(FLOOR, color=style.FAINT, lw=0.6)
    word = f"rows in a bin, at most {round(most):,}"
    axes.annotate(word, (1, FLOOR + BARS + 0.01), ha="right", va="bottom", fontsize=7)


def draw(data: Reliability, axes: Axes) -> None:
    """The diagonal, and one line a learner; dashed before calibration."""
    axes.plot([0, 1], [0, 1], color=style.FAINT, lw=1, gid="diagonal")
    order = list(dict.fromkeys(s.learner for s in data.series))
    for k, s in enumerate(data.series):
        i = order.index(s.learner)
        shown = style.name(s.learner) + ("" if s.calibrated else ", before")
        look: dict[str, Any] = {"color": style.colour(i), "marker": style.marker(i), "lw": 1.4, "ms": 4.5}
        face = style.colour(i) if s.calibrated else style.PAPER
        axes.plot(s.x, s.y, ls="-" if s.calibrated else "--", mfc=face, label=shown, gid=f"series-{k}", **look)
        for b, (x, y) in enumerate(zip(s.x, s.y, strict=True)):
            axes.plot([x], [y], ls="", mfc=face, gid=f"point-{k}-{b}", **(look | {"lw": 0}))
    _counts(data, axes)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(FLOOR - 0.01, 1.02)
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    axes.set_xlabel("mean predicted probability")
    axes.set_ylabel("share of positives")
    axes.legend(loc="upper left", fontsize=8)
