"""Pictures of posteriors: shares beyond and inside the rope, the density on one dataset, draws in a triangle."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log, log1p, pi, sqrt
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View, subtraction_order
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 30
Shares = tuple[float, float, float]  # probability that the second learner is better, neither, the first
SHADES = (style.COLOURS[1], style.FAINT, style.COLOURS[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The probabilities on one dataset; they add up to 1."""

    label: str
    shares: Shares


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorRows:
    """How much of a posterior lies left of the rope, inside it, and right of it, for each dataset."""

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
        parts = [f"{r.label}: {', '.join(map(numbers.probability, r.shares))}" for r in self.rows[:6]]
        return (
            f"Probability that {self.second} is better by more than {numbers.score(self.rope, self.metric)}, that "
            f"neither is, and that {self.first} is. {'; '.join(parts)}."
        )

    def size(self) -> tuple[float, float]:
        return 6.4, 1.4 + 0.34 * len(self.rows)

    def draw(self, axes: Axes) -> None:
        """Draw one bar a row, cut in three; every part that has room shows its number."""
        left = [0.0] * len(self.rows)
        parts = zip(*(row.shares for row in self.rows), strict=True)
        for shares, shade in zip(parts, SHADES, strict=True):
            bars = axes.barh(range(len(left)), shares, 0.62, left, color=shade, alpha=0.55, lw=0.5, ec=style.PAPER)
            axes.bar_label(
                bars, [numbers.probability(x) if x > 0.12 else "" for x in shares], label_type="center", fontsize=8
            )
            left = [start + share for start, share in zip(left, shares, strict=True)]
        style.label_rows(axes, [r.label for r in self.rows])
        axes.set(xlim=(0, 1), xlabel="probability")
        places = ((0.0, "left"), (0.5, "center"), (1.0, "right"))
        for word, (place, side) in zip(_outcomes(self.first, self.second), places, strict=True):
            axes.annotate(word, (place, 1), (0, 4), "axes fraction", "offset points", ha=side)


def _outcomes(first: str, second: str) -> tuple[str, str, str]:
    """Return the labels of the three outcomes, in the order of `Shares`."""
    return f"{style.name(second)} better", "inside the margin", f"{style.name(first)} better"


def posterior(view: View, metric: str, learners: tuple[str, ...]) -> PosteriorRows | None:
    """Return the verdicts of one pair that have a posterior."""
    mine = [v for v in (*view.on_datasets, *view.over_datasets) if v.metric == metric and v.learners == learners]
    names = subtraction_order(view).pair(learners)
    rows, rope = [], 0.0
    for verdict in mine[:MOST_ROWS]:
        found = verdict.test.posterior if verdict.test is not None else None
        if found is not None:
            rope = found.rope
            first, neither, second = numbers.sides(found, metric)[:: 1 if names == learners else -1]
            rows.append(Row(label=verdict.dataset or "over datasets", shares=(second, neither, first)))
    if not rows:
        return None
    return PosteriorRows(first=names[0], second=names[1], metric=metric, rope=rope, rows=tuple(rows))


POINTS = 241
WIDTH = 5.0  # scales to either side of the centre


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorDensity:
    """The posterior density of the mean difference on one dataset, a t about `centre` (Benavoli et al. 2017)."""

    first: str
    second: str
    metric: str
    dataset: str
    centre: float
    scale: float
    df: float
    rope: float
    shares: tuple[float, float, float]  # below the rope, inside, above

    @property
    def title(self) -> str:
        return f"Posterior of {self.first} minus {self.second} in {self.metric} on {self.dataset}"

    @property
    def description(self) -> str:
        below, inside, above = (numbers.probability(share) for share in self.shares)
        worse, better = self.ends
        return (
            f"How probable each mean difference is; the area below the equivalence margin ({worse} better) is {below}, "
            f"inside it {inside}, above it ({better} better) {above}. Dashed: "
            f"{numbers.rope_words(self.rope, self.metric)}."
        )

    @property
    def ends(self) -> tuple[str, str]:
        """The learners that are better at the left and at the right end of the axis."""
        return (self.second, self.first) if numbers.higher_is_better(self.metric) else (self.first, self.second)

    def size(self) -> tuple[float, float]:
        return 6.4, 3.3

    def density(self, x: float) -> float:
        """Return Student's t, moved and stretched."""
        z = (x - self.centre) / self.scale
        constant = lgamma((self.df + 1) / 2) - lgamma(self.df / 2) - log(self.df * pi) / 2 - log(self.scale)
        return exp(constant - (self.df + 1) / 2 * log1p(z * z / self.df))

    def draw(self, axes: Axes) -> None:
        """Draw the curve, its three areas in three shades, and the rope between two lines."""
        low = min(self.centre - WIDTH * self.scale, -1.5 * self.rope)
        high = max(self.centre + WIDTH * self.scale, 1.5 * self.rope)
        step = (high - low) / (POINTS - 1)
        x = sorted({*(low + i * step for i in range(POINTS)), -self.rope, self.rope})
        y = [self.density(v) for v in x]
        edges = (low, -self.rope, self.rope, high)
        for k, shade in enumerate(SHADES):
            across = [v for v in x if edges[k] <= v <= edges[k + 1]]
            if len(across) > 1:
                heights = [self.density(v) for v in across]
                axes.fill_between(across, heights, color=shade, alpha=0.45, lw=0, gid=f"area-{k}")
        axes.plot(x, y, color=style.INK, lw=1.2, gid="density")
        for k, edge in enumerate((-self.rope, self.rope) if self.rope else (0.0,)):
            axes.axvline(edge, color=style.INK, lw=0.8, ls="--" if self.rope else "-", gid=f"rope-{k}")
        axes.set(xlim=(low, high), ylim=(0, max(y) * 1.05), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(style.difference_label(self.first, self.second, self.metric))
        worse, better = (style.name(who) for who in self.ends)
        below, inside, above = (numbers.probability(share) for share in self.shares)
        rope = f"inside the margin, {numbers.score(-self.rope, self.metric)} to {numbers.score(self.rope, self.metric)}"
        # Each in a line of its own: however long the names, no two of them meet.
        words = [(f"{worse} better: {below}", style.COLOURS[1], 0), (f"{better} better: {above}", style.COLOURS[0], 2)]
        words += [(f"{rope}: {inside}", style.FAINT, 1)] if self.rope else []
        for word, shade, line in words:
            axes.annotate("■", (0, 1), (0, 4 + 13 * line), "axes fraction", "offset points", color=shade, alpha=0.6)
            axes.annotate(word, (0, 1), (12, 4 + 13 * line), "axes fraction", "offset points")


def posterior_density(view: View, metric: str, learners: tuple[str, ...]) -> PosteriorDensity | None:
    """Return the one dataset with a Bayesian correlated t-test; several datasets are shown as bars instead."""
    found = [v for v in view.on_datasets if v.metric == metric and v.learners == learners]
    tests = [(v.dataset, v.test) for v in found if v.test is not None and v.test.test == "bayes-correlated-t"]
    if len(tests) != 1:
        return None
    dataset, test = tests[0]
    scale = dict(test.details).get("scale")
    if test.posterior is None or test.difference is None or not scale or not test.df:
        return None
    names = subtraction_order(view).pair(learners)
    way = 1 if names == learners else -1
    below, inside, above = (test.posterior.p_left, test.posterior.p_rope, test.posterior.p_right)[::way]
    return PosteriorDensity(
        first=names[0],
        second=names[1],
        metric=metric,
        dataset=dataset or "",
        centre=way * test.difference,
        scale=float(scale),
        df=test.df[0],
        rope=test.posterior.rope,
        shares=(below, inside, above),
    )


DRAWS = 400  # of the posterior's many thousand: enough for a cloud
HEIGHT = sqrt(3) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorSimplex:
    """Draws of the Bayesian signed-rank test in the triangle of its outcomes (Benavoli et al. 2017, figure 8).

    A draw lies near the corner to which it gives most weight; the probabilities are those of the verdict.
    """

    first: str
    second: str
    metric: str
    rope: float
    unit: str
    count: int
    shares: Shares
    draws: tuple[Shares, ...]

    @property
    def title(self) -> str:
        return f"Posterior of {self.first} against {self.second} in {self.metric}"

    @property
    def description(self) -> str:
        second, rope, first = (numbers.probability(share) for share in self.shares)
        return (
            f"{numbers.count(len(self.draws))} draws over {numbers.plural(self.count, self.unit)}; each lies in the "
            f"part of the corner that it gives most weight. Probability that {self.second} is better by more than "
            f"{numbers.score(self.rope, self.metric)}: {second}; that neither is: {rope}; that {self.first} is: "
            f"{first}."
        )

    def size(self) -> tuple[float, float]:
        return 4.8, 4.0

    def draw(self, axes: Axes) -> None:
        """Draw the triangle, the three lines between its parts, the cloud, and a probability at each corner."""
        corners = [place(w) for w in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
        centre = place((1 / 3, 1 / 3, 1 / 3))
        for middle in ((0.5, 0.5, 0.0), (0.0, 0.5, 0.5), (0.5, 0.0, 0.5)):
            axes.plot(*zip(centre, place(middle), strict=True), color=style.FAINT, lw=0.9, ls="--")
        axes.plot(*zip(*corners, corners[0], strict=True), color=style.INK, lw=1, gid="triangle")
        x, y = zip(*(place(w) for w in self.draws), strict=True)
        axes.plot(x, y, "o", ms=2.2, color=style.COLOURS[0], alpha=0.35, mew=0, gid="draws", rasterized=False)
        spots = (
            ((-0.12, 0.0), "left", "top", -5),
            (corners[1], "center", "bottom", 4),
            ((1.12, 0.0), "right", "top", -5),
        )
        outcomes = _outcomes(self.first, self.second)
        for word, share, (at, side, edge, shift) in zip(outcomes, self.shares, spots, strict=True):
            label = f"{word}: {numbers.probability(share)}"
            axes.annotate(label, at, (0, shift), textcoords="offset points", ha=side, va=edge)
        axes.set(xlim=(-0.14, 1.14), ylim=(-0.1, HEIGHT + 0.08), aspect="equal")
        axes.set_axis_off()


def posterior_simplex(view: View, metric: str, learners: tuple[str, ...]) -> PosteriorSimplex | None:
    """Draw the posterior again from the verdict's differences, with a seed of the picture's own."""
    for v in view.over_datasets:
        if v.metric != metric or v.learners != learners or v.test is None or v.test.test != "bayes-signed-rank":
            continue
        if v.test.posterior is None or not v.paired:
            continue
        names = subtraction_order(view).pair(learners)
        way = 1 if names == learners else -1
        first, rope, second = numbers.sides(v.test.posterior, metric)[::way]
        return PosteriorSimplex(
            first=names[0],
            second=names[1],
            metric=metric,
            rope=v.test.posterior.rope,
            unit=view.unit,
            count=len(v.paired),
            shares=(second, rope, first),
            draws=_draws(tuple(way * d for d in v.paired), v.test.posterior.rope, dict(v.test.details), metric),
        )
    return None


def _draws(differences: tuple[float, ...], rope: float, details: dict[str, float], metric: str) -> tuple[Shares, ...]:
    import numpy as np

    from ...verdicts.tests.bayes_tests import draw_posterior

    generator = np.random.default_rng(0)
    d = np.asarray(differences)
    below, above, _ = draw_posterior(d, rope, float(np.abs(d).max()), details.get("prior", 0.5), DRAWS, generator)
    second, first = (below, above) if numbers.higher_is_better(metric) else (above, below)
    return tuple((float(s), max(0.0, float(1 - s - f)), float(f)) for s, f in zip(second, first, strict=True))


def place(weights: Shares) -> tuple[float, float]:
    """Return where a draw lies: the second learner at the left, the first at the right, the rope on top.

    >>> place((1.0, 0.0, 0.0)), place((0.0, 0.0, 1.0))
    ((0.0, 0.0), (1.0, 0.0))
    """
    _, rope, first = weights
    return first + rope / 2, rope * HEIGHT
