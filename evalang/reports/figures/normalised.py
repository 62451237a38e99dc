"""Normalised scores by metric (Caruana and Niculescu-Mizil 2005, table 2) as a heat map."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from ...errors import DataError
from ...results import numbers
from ...scores.normalise import normalise
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalised:
    """`values[i][j]` is learner i in metric j, mean over datasets; 0 is the baseline, 1 the best observed."""

    learners: tuple[str, ...]
    metrics: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    means: tuple[float | None, ...]

    @property
    def title(self) -> str:
        return "Normalised scores by metric"

    @property
    def description(self) -> str:
        """The same in words."""
        shown = [f"{n} {numbers.decimal(m)}" for n, m in zip(self.learners, self.means, strict=True) if m is not None]
        return (
            "Normalised scores, mean over datasets: 0 is the baseline that predicts the share of positives (for cal, "
            "which that baseline does well in, the mean of the learners), 1 the best observed here, so they move when "
            f"a learner joins or leaves. Means over metrics: {numbers.listing(shown)}."
        )

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 2.6 + 0.62 * (len(self.metrics) + 1), 1.5 + 0.3 * len(self.learners)


def normalised(view: View) -> Normalised | None:
    """The mean over datasets of the normalised scores; a dataset on which nobody beats the baseline has none."""
    zero = {(b.dataset, b.metric): b.score for b in view.baselines}
    metrics = tuple(m for m in view.metrics if any(metric == m for _, metric in zero))
    if len(view.learners) < 3 or len(metrics) < 2:
        return None
    table: dict[tuple[str, str], list[float]] = {}
    for metric in metrics:
        for dataset, row in view.means.get(metric, {}).items():
            base, card = zero.get((dataset, metric)), numbers.metric_card(metric)
            scored = {n: s.mean for n, s in row.items() if s.mean is not None}
            if base is None or card is None or not scored:
                continue
            best = (max if card.higher_is_better else min)(scored.values())
            if card.name != "cal" and abs(best - base) < numbers.NOISE:
                continue
            try:
                scaled = normalise(card.name, list(scored.values()), base)
            except DataError:
                continue
            for name, value in zip(scored, scaled, strict=True):
                table.setdefault((name, metric), []).append(value)
    values = {n: tuple(_mean(table.get((n, m), [])) for m in metrics) for n in view.learners}
    means = {n: _mean([v for v in row if v is not None]) for n, row in values.items()}
    order = sorted(view.learners, key=lambda n: -(means[n] if means[n] is not None else -9.0))[:MOST_LEARNERS]  # type: ignore[operator]
    return Normalised(
        learners=tuple(order),
        metrics=metrics,
        values=tuple(values[n] for n in order),
        means=tuple(means[n] for n in order),
    )


def _mean(values: list[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def draw(data: Normalised, axes: Axes) -> None:
    """Cells from light (0) to dark (1) with the number in each; the last column is the mean."""
    import matplotlib

    colours = matplotlib.colormaps["cividis_r"]
    columns = [*data.metrics, "mean"]
    places, fills = [], []
    for i, row in enumerate(data.values):
        for j, value in enumerate((*row, data.means[i])):
            if value is None:
                axes.text(j, i, "none", ha="center", va="center", fontsize=8, color=style.FAINT)
                continue
            shade = min(max(value, 0.0), 1.0)
            red, green, blue, _ = fill = colours(shade * 0.85)
            places.append((j, i))
            fills.append(fill)
            # Perceived lightness (Rec. 709 weights): dark letters on light cells, light ones on dark.
            ink = "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.45 else "#ffffff"
            axes.text(j, i, f"{value:.3f}", ha="center", va="center", fontsize=8, color=ink, gid=f"cell-{i}-{j}")
    style.cells(axes, places, fills)
    style.rows(axes, list(data.learners))
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_xticks(range(len(columns)), [style.name(c) for c in columns], rotation=45, ha="right")
    axes.tick_params(axis="x", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
