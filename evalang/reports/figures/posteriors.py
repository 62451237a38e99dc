"""Pictures of posteriors: shares beyond and inside the rope, the density on one dataset, draws in a triangle."""

from __future__ import annotations

from math import exp, lgamma, log, log1p, pi, sqrt
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View, subtraction_order
from . import style
from .style import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 30
Shares = tuple[float, float, float]  # probability that the second learner is better, neither, the first
SHADES = (style.COLOURS[1], style.FAINT, style.COLOURS[0])


def _outcomes(first: str, second: str) -> tuple[str, str, str]:
    """Return the labels of the three outcomes, in the order of `Shares`."""
    return f"{style.name(second)} better", "inside the margin", f"{style.name(first)} better"


def posterior(view: View, metric: str, learners: tuple[str, ...]) -> Picture | None:
    """Return one bar for each verdict of a pair that has a posterior: left of the rope, inside it, right of it."""
    names = subtraction_order(view).pair(learners)
    rows: dict[str, Shares] = {}
    margin = ""
    mine = [v for v in (*view.on_datasets, *view.over_datasets) if v.metric == metric and v.learners == learners]
    for verdict in mine[:MOST_ROWS]:
        found = verdict.posterior
        if found is not None:
            margin = numbers.score(found.rope, metric)
            one, neither, two = numbers.sides(found, metric)[:: 1 if names == learners else -1]
            rows[verdict.dataset or "over datasets"] = (two, neither, one)
    if not rows:
        return None
    first, second = names
    parts = [f"{label}: {', '.join(map(numbers.probability, shares))}" for label, shares in list(rows.items())[:6]]

    def draw(axes: Axes) -> None:
        """Every part of a bar that has room shows its number."""
        left = [0.0] * len(rows)
        for shares, shade in zip(zip(*rows.values(), strict=True), SHADES, strict=True):
            bars = axes.barh(range(len(left)), shares, 0.62, left, color=shade, alpha=0.55, lw=0.5, ec=style.PAPER)
            axes.bar_label(
                bars, [numbers.probability(x) if x > 0.12 else "" for x in shares], label_type="center", fontsize=8
            )
            left = [start + share for start, share in zip(left, shares, strict=True)]
        style.label_rows(axes, list(rows))
        axes.set(xlim=(0, 1), xlabel="probability")
        places = ((0.0, "left"), (0.5, "center"), (1.0, "right"))
        for word, (place, side) in zip(_outcomes(first, second), places, strict=True):
            axes.annotate(word, (place, 1), (0, 4), "axes fraction", "offset points", ha=side)

    return Picture(
        title=f"Posterior of {first} against {second} in {metric}",
        description=f"Probabilities that {second} is better by more than {margin}, that neither learner is, and that "
        f"{first} is: {'; '.join(parts)}.",
        size=(6.4, 1.4 + 0.34 * len(rows)),
        draw=draw,
        numbers={"rows": rows},
    )


POINTS = 241
WIDTH = 5.0  # scales to either side of the centre


def posterior_density(view: View, metric: str, learners: tuple[str, ...]) -> Picture | None:
    """Return the posterior density of the mean difference on one dataset, a t (Benavoli et al. 2017)."""
    found = [v for v in view.on_datasets if v.metric == metric and v.learners == learners]
    tests = [(v.dataset, v.test) for v in found if v.test is not None and v.test.test == "bayes-correlated-t"]
    if len(tests) != 1:
        return None
    ((dataset, test),) = tests
    scale = dict(test.details).get("scale")
    if test.posterior is None or test.difference is None or not scale or not test.df:
        return None
    names, df, rope = subtraction_order(view).pair(learners), test.df[0], test.posterior.rope
    way = 1 if names == learners else -1
    centre = way * test.difference
    shares = (test.posterior.p_left, test.posterior.p_rope, test.posterior.p_right)[::way]
    below, inside, above = map(numbers.probability, shares)
    worse, better = names[::-1] if numbers.higher_is_better(metric) else names
    constant = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * pi) / 2 - log(scale)

    def density(x: float) -> float:
        z = (x - centre) / scale
        return exp(constant - (df + 1) / 2 * log1p(z * z / df))

    def draw(axes: Axes) -> None:
        """Draw the curve, its three areas in three shades, and the rope between two lines."""
        low, high = min(centre - WIDTH * scale, -1.5 * rope), max(centre + WIDTH * scale, 1.5 * rope)
        step = (high - low) / (POINTS - 1)
        x = sorted({*(low + i * step for i in range(POINTS)), -rope, rope})
        y = list(map(density, x))
        edges = (low, -rope, rope, high)
        for k, shade in enumerate(SHADES):
            across = [v for v in x if edges[k] <= v <= edges[k + 1]]
            if len(across) > 1:
                heights = list(map(density, across))
                axes.fill_between(across, heights, color=shade, alpha=0.45, lw=0, gid=f"area-{k}")
        axes.plot(x, y, color=style.INK, lw=1.2, gid="density")
        for k, edge in enumerate((-rope, rope) if rope else (0.0,)):
            axes.axvline(edge, color=style.INK, lw=0.8, ls="--" if rope else "-", gid=f"rope-{k}")
        axes.set(xlim=(low, high), ylim=(0, max(y) * 1.05), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(style.difference_label(*names, metric))
        margin = f"inside the margin, {numbers.score(-rope, metric)} to {numbers.score(rope, metric)}"
        # Each in a line of its own: however long the names, no two of them meet.
        words = [
            (f"{style.name(worse)} better: {below}", style.COLOURS[1], 0),
            (f"{style.name(better)} better: {above}", style.COLOURS[0], 2),
            *([(f"{margin}: {inside}", style.FAINT, 1)] if rope else []),
        ]
        for word, shade, line in words:
            axes.annotate("■", (0, 1), (0, 4 + 13 * line), "axes fraction", "offset points", color=shade, alpha=0.6)
            axes.annotate(word, (0, 1), (12, 4 + 13 * line), "axes fraction", "offset points")

    return Picture(
        title=f"Posterior of {names[0]} minus {names[1]} in {metric} on {dataset}",
        description=f"Posterior density of the mean difference. Probability that {better} is better by more than the "
        f"margin: {above}; that neither learner is: {inside}; that {worse} is: {below}. The dashed lines are "
        f"{numbers.rope_words(rope, metric)}.",
        size=(6.4, 3.3),
        draw=draw,
        numbers={"centre": centre, "scale": scale, "df": df, "shares": shares, "ends": (worse, better)},
    )


DRAWS = 400  # of the posterior's many thousand: enough for a cloud
HEIGHT = sqrt(3) / 2


def posterior_simplex(view: View, metric: str, learners: tuple[str, ...]) -> Picture | None:
    """Return draws of the Bayesian signed-rank test in the triangle of its outcomes (Benavoli et al. 2017, figure 8).

    The posterior is drawn again from the verdict's differences; the probabilities are those of the verdict.
    """
    for v in view.over_datasets:
        if v.metric != metric or v.learners != learners or v.test is None or v.test.test != "bayes-signed-rank":
            continue
        if v.test.posterior is not None and v.paired:
            break
    else:
        return None
    rope, names = v.test.posterior.rope, subtraction_order(view).pair(learners)
    way = 1 if names == learners else -1
    first, second = names
    one, neither, two = numbers.sides(v.test.posterior, metric)[::way]
    shares = (two, neither, one)
    draws = _draws(tuple(way * d for d in v.paired), rope, dict(v.test.details), metric)

    def draw(axes: Axes) -> None:
        """Draw the triangle, the three lines between its parts, the cloud, and a probability at each corner."""
        corners = [place(w) for w in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
        centre = place((1 / 3, 1 / 3, 1 / 3))
        for middle in ((0.5, 0.5, 0.0), (0.0, 0.5, 0.5), (0.5, 0.0, 0.5)):
            axes.plot(*zip(centre, place(middle), strict=True), color=style.FAINT, lw=0.9, ls="--")
        axes.plot(*zip(*corners, corners[0], strict=True), color=style.INK, lw=1, gid="triangle")
        x, y = zip(*map(place, draws), strict=True)
        axes.plot(x, y, "o", ms=2.2, color=style.COLOURS[0], alpha=0.35, mew=0, gid="draws", rasterized=False)
        spots = (
            ((-0.12, 0.0), "left", "top", -5),
            (corners[1], "center", "bottom", 4),
            ((1.12, 0.0), "right", "top", -5),
        )
        for word, share, (at, side, edge, shift) in zip(_outcomes(first, second), shares, spots, strict=True):
            label = f"{word}: {numbers.probability(share)}"
            axes.annotate(label, at, (0, shift), textcoords="offset points", ha=side, va=edge)
        axes.set(xlim=(-0.14, 1.14), ylim=(-0.1, HEIGHT + 0.08), aspect="equal")
        axes.set_axis_off()

    likely = map(numbers.probability, shares)
    return Picture(
        title=f"Posterior of {first} against {second} in {metric}",
        description=f"Each of {numbers.count(len(draws))} points is a draw from the posterior over "
        f"{numbers.plural(len(v.paired), view.unit)}, near the corner of its most probable outcome. Probability that "
        f"{second} is better by more than {numbers.score(rope, metric)}: {next(likely)}; that neither learner is: "
        f"{next(likely)}; that {first} is: {next(likely)}.",
        size=(4.8, 4.0),
        draw=draw,
        numbers={"shares": shares},
    )


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
