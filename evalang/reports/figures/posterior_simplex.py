"""Draws from the posterior of the Bayesian signed-rank test in the triangle of its three outcomes.

Benavoli and others (2017), figure 8: a draw lies near the corner to which it gives most weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View, facing
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DRAWS = 400  # of the posterior's many thousand: enough for a cloud
HEIGHT = sqrt(3) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorSimplex:
    """Draws as weights (second better, rope, first better); the probabilities are those of the verdict."""

    first: str
    second: str
    metric: str
    rope: float
    unit: str
    count: int
    shares: tuple[float, float, float]  # second better, rope, first better
    draws: tuple[tuple[float, float, float], ...]

    @property
    def title(self) -> str:
        return f"Posterior of {self.first} against {self.second} in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        second, rope, first = (numbers.probability(share) for share in self.shares)
        return (
            f"{numbers.count(len(self.draws))} draws over {numbers.plural(self.count, self.unit)}; each lies in the "
            f"part of the corner that it gives most weight. Probability that {self.second} is better by more than "
            f"{numbers.score(self.rope, self.metric)}: {second}; that neither is: {rope}; that {self.first} is: "
            f"{first}."
        )

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 4.8, 4.0


def posterior_simplex(view: View, metric: str, learners: tuple[str, ...]) -> PosteriorSimplex | None:
    """From the differences that the verdict holds, drawn again with a seed of the picture's own."""
    for v in view.over_datasets:
        if v.metric != metric or v.learners != learners or v.test is None or v.test.test != "bayes-signed-rank":
            continue
        if v.test.posterior is None or not v.differences:
            continue
        names = facing(view).pair(learners)
        way = 1 if names == learners else -1
        first, rope, second = numbers.sides(v.test.posterior, metric)[::way]
        return PosteriorSimplex(
            first=names[0],
            second=names[1],
            metric=metric,
            rope=v.test.posterior.rope,
            unit=view.unit,
            count=len(v.differences),
            shares=(second, rope, first),
            draws=_draws(tuple(way * d for d in v.differences), v.test.posterior.rope, dict(v.test.details), metric),
        )
    return None


def _draws(
    differences: tuple[float, ...], rope: float, details: dict[str, float], metric: str
) -> tuple[tuple[float, float, float], ...]:
    import numpy as np

    from ...verdicts.tests.bayes_signed_rank import draw_posterior

    generator = np.random.default_rng(0)
    d = np.asarray(differences)
    below, above, _ = draw_posterior(d, rope, float(np.abs(d).max()), details.get("prior", 0.5), DRAWS, generator)
    second, first = (below, above) if numbers.higher_is_better(metric) else (above, below)
    return tuple((float(s), max(0.0, float(1 - s - f)), float(f)) for s, f in zip(second, first, strict=True))


def place(weights: tuple[float, float, float]) -> tuple[float, float]:
    """Where a draw lies: the second learner at the left, the first at the right, the rope on top.

    >>> place((1.0, 0.0, 0.0)), place((0.0, 0.0, 1.0))
    ((0.0, 0.0), (1.0, 0.0))
    """
    _, rope, first = weights
    return first + rope / 2, rope * HEIGHT


def draw(data: PosteriorSimplex, axes: Axes) -> None:
    """The triangle, the three lines between its parts, the cloud, and a probability at each corner."""
    corners = [place(w) for w in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    centre = place((1 / 3, 1 / 3, 1 / 3))
    for middle in ((0.5, 0.5, 0.0), (0.0, 0.5, 0.5), (0.5, 0.0, 0.5)):
        axes.plot(*zip(centre, place(middle), strict=True), color=style.FAINT, lw=0.9, ls="--")
    axes.plot(*zip(*corners, corners[0], strict=True), color=style.INK, lw=1, gid="triangle")
    x, y = zip(*(place(w) for w in data.draws), strict=True)
    axes.plot(x, y, "o", ms=2.2, color=style.COLOURS[0], alpha=0.35, mew=0, gid="draws", rasterized=False)
    names = (f"{style.name(data.second)} better", "inside the rope", f"{style.name(data.first)} better")
    sides = (("left", "top", -5), ("center", "bottom", 4), ("right", "top", -5))
    edges = ((-0.12, 0.0), corners[1], (1.12, 0.0))
    for word, share, (side, edge, shift), at in zip(names, data.shares, sides, edges, strict=True):
        axes.annotate(f"{word}: {numbers.probability(share)}", at, (0, shift), textcoords="offset points", ha=side,
                      va=edge)  # fmt: skip
    axes.set_xlim(-0.14, 1.14)
    axes.set_ylim(-0.1, HEIGHT + 0.08)
    axes.set_aspect("equal")
    axes.set_axis_off()
