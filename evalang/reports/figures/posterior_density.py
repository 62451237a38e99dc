"""The posterior density of the mean difference on one dataset, with the rope (Benavoli and others 2017, figure 4)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log, log1p, pi
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View, facing
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 241
WIDTH = 5.0  # scales to either side of the centre


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorDensity:
    """A t about `centre`; probabilities that the second is better, neither, the first, as the verdict has them."""

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
        """The same in words."""
        below, inside, above = (numbers.probability(share) for share in self.shares)
        worse, better = self.ends
        return (
            f"How probable each mean difference is; the area below the rope ({worse} better) is {below}, inside it "
            f"{inside}, above it ({better} better) {above}. Dashed: {numbers.rope_words(self.rope, self.metric)}."
        )

    @property
    def ends(self) -> tuple[str, str]:
        """Who is better at the left end of the axis, and at the right end."""
        return (self.second, self.first) if numbers.higher_is_better(self.metric) else (self.first, self.second)

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 6.4, 3.3


def posterior_density(view: View, metric: str, learners: tuple[str, ...]) -> PosteriorDensity | None:
    """The one dataset on which the Bayesian correlated t-test was made; a table of several has bars."""
    found = [v for v in view.on_datasets if v.metric == metric and v.learners == learners]
    tests = [(v.dataset, v.test) for v in found if v.test is not None and v.test.test == "bayes-correlated-t"]
    if len(tests) != 1:
        return None
    dataset, test = tests[0]
    scale = dict(test.details).get("scale")
    if test.posterior is None or test.difference is None or not scale or not test.df:
        return None
    names = facing(view).pair(learners)
    way = 1 if names == learners else -1
    outer = (test.posterior.p_left, test.posterior.p_right)
    shares = (outer[0 if way == 1 else 1], test.posterior.p_rope, outer[1 if way == 1 else 0])
    return PosteriorDensity(
        first=names[0],
        second=names[1],
        metric=metric,
        dataset=dataset or "",
        centre=way * test.difference,
        scale=float(scale),
        df=test.df[0],
        rope=test.posterior.rope,
        shares=shares,
    )


def density(data: PosteriorDensity, x: float) -> float:
    """Student's t, moved and stretched."""
    df, z = data.df, (x - data.centre) / data.scale
    constant = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * pi) / 2 - log(data.scale)
    return exp(constant - (df + 1) / 2 * log1p(z * z / df))


def draw(data: PosteriorDensity, axes: Axes) -> None:
    """The curve, its three areas in three shades, and the rope between two lines."""
    low = min(data.centre - WIDTH * data.scale, -1.5 * data.rope)
    high = max(data.centre + WIDTH * data.scale, 1.5 * data.rope)
    step = (high - low) / (POINTS - 1)
    x = sorted({*(low + i * step for i in range(POINTS)), -data.rope, data.rope})
    y = [density(data, v) for v in x]
    areas = (
        (low, -data.rope, style.COLOURS[1]),
        (-data.rope, data.rope, style.FAINT),
        (data.rope, high, style.COLOURS[0]),
    )
    for k, (start, end, shade) in enumerate(areas):
        across = [v for v in x if start <= v <= end]
        if len(across) > 1:
            high_there = [density(data, v) for v in across]
            axes.fill_between(across, high_there, color=shade, alpha=0.45, lw=0, gid=f"area-{k}")
    axes.plot(x, y, color=style.INK, lw=1.2, gid="density")
    for k, edge in enumerate((-data.rope, data.rope) if data.rope else (0.0,)):
        axes.axvline(edge, color=style.INK, lw=0.8, ls="--" if data.rope else "-", gid=f"rope-{k}")
    axes.set_yticks([])
    axes.set_ylim(0, max(y) * 1.05)
    axes.set_xlim(low, high)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(style.subtracted(data.first, data.second, data.metric))
    worse, better = (style.name(who) for who in data.ends)
    below, inside, above = (numbers.probability(share) for share in data.shares)
    rope = f"inside the rope, {numbers.score(-data.rope, data.metric)} to {numbers.score(data.rope, data.metric)}"
    # Each in a line of its own: however long the names, no two of them meet.
    words = ((f"{worse} better: {below}", 1, 0), (f"{better} better: {above}", 0, 2))
    for word, colour, line in (*words, *([(f"{rope}: {inside}", None, 1)] if data.rope else [])):
        shade = style.FAINT if colour is None else style.COLOURS[colour]
        axes.annotate("■", (0, 1), (0, 4 + 13 * line), "axes fraction", "offset points", color=shade, alpha=0.6)
        axes.annotate(word, (0, 1), (12, 4 + 13 * line), "axes fraction", "offset points")
