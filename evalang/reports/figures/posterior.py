"""The posterior of a Bayesian test: how much lies left of the rope, inside it, and right of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View, facing
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One dataset: probabilities that the second is practically better, neither, the first; they add up to 1."""

    label: str
    second: float
    rope: float
    first: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorRows:
    """What the picture shows."""

    first: str
    second: str
    metric: str
    rope: float
    rows: tuple[Row, ...]

    @property
    def title(self) -> str:
        return f"Posterior of {self.first} against {self.second} in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        said = [
            f"{r.label}: {numbers.probability(r.second)}, {numbers.probability(r.rope)}, {numbers.probability(r.first)}"
            for r in self.rows[:6]
        ]
        return (
            f"Probability that {self.second} is better by more than {numbers.score(self.rope, self.metric)}, that "
            f"neither is, and that {self.first} is. {'; '.join(said)}."
        )

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 6.4, 1.4 + 0.34 * len(self.rows)


def posterior(view: View, metric: str, learners: tuple[str, ...]) -> PosteriorRows | None:
    """The verdicts of one pair that have a posterior."""
    mine = [v for v in (*view.on_datasets, *view.over_datasets) if v.metric == metric and v.learners == learners]
    names = facing(view).pair(learners)
    turn = names != learners
    rows = []
    rope = 0.0
    for verdict in mine[:MOST_ROWS]:
        found = verdict.test.posterior if verdict.test is not None else None
        if found is not None:
            rope = found.rope
            label = verdict.dataset or "over datasets"
            first, neither, second = numbers.sides(found, metric)[:: -1 if turn else 1]
            rows.append(Row(label=label, second=second, rope=neither, first=first))
    if not rows:
        return None
    return PosteriorRows(first=names[0], second=names[1], metric=metric, rope=rope, rows=tuple(rows))


def draw(data: PosteriorRows, axes: Axes) -> None:
    """One bar a row, cut in three; the number stands in every part that has room for it."""
    shades = ((style.COLOURS[1], ""), (style.FAINT, ""), (style.COLOURS[0], ""))
    for i, row in enumerate(data.rows):
        left = 0.0
        for k, (share, (shade, hatch)) in enumerate(zip((row.second, row.rope, row.first), shades, strict=True)):
            axes.barh(
                i,
                share,
                left=left,
                height=0.62,
                color=shade,
                alpha=0.55,
                hatch=hatch,
                lw=0.5,
                edgecolor=style.PAPER,
                gid=f"part-{i}-{k}",
            )
            if share > 0.12:
                axes.text(left + share / 2, i, numbers.probability(share), ha="center", va="center", fontsize=8)
            left += share
    style.rows(axes, [r.label for r in data.rows])
    axes.set_xlim(0, 1)
    axes.set_xlabel("probability")
    words = (f"{style.name(data.second)} better", "inside the rope", f"{style.name(data.first)} better")
    for word, place, side in zip(words, (0.0, 0.5, 1.0), ("left", "center", "right"), strict=True):
        axes.annotate(word, (place, 1), (0, 4), "axes fraction", "offset points", ha=side)
