"""Pictures of curves: ROC and precision-recall, profiles, learning curves, reliability, tuning, simulated rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum
from statistics import stdev
from typing import TYPE_CHECKING, Any, Literal

from ...results import numbers
from ...results.records import SimulationOutcome
from ...results.run_result import RunResult
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 6
GRID = tuple(i / 50 for i in range(51))
SHARE = (-0.02, 1.02)  # the limits of an axis from 0 to 1
Kind = Literal["roc", "precision-recall"]
Floats = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The curve of one learner or test, and the lower and upper ends around its points, where they are known."""

    name: str
    x: Floats
    y: Floats
    low: Floats = ()
    high: Floats = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """A line for each learner or test; the ends around its points make a band, or `whiskers`."""

    title: str
    description: str
    series: tuple[Series, ...]
    x_label: str
    y_label: str
    whiskers: bool = False
    diagonal: bool = False
    ticks_at_points: bool = False  # and a log scale
    x_limits: tuple[float, float] | None = None
    y_limits: tuple[float, float] | None = None
    level: float | None = None  # a dashed line across
    inches: tuple[float, float] = (5.6, 3.6)
    legend: Literal["best", "lower left", "lower right"] = "best"

    def size(self) -> tuple[float, float]:
        return self.inches

    def draw(self, axes: Axes) -> None:
        if self.diagonal:
            style.draw_diagonal(axes, (0, 1))
        for i, s in enumerate(self.series):
            look: dict[str, Any] = {"color": style.colour(i), "ls": style.line(i), "label": style.name(s.name)}
            if self.whiskers:
                axes.errorbar(
                    s.x, s.y, style.reach(s.y, s.low, s.high), capsize=2, ms=5, lw=1.5, marker=style.marker(i), **look
                )
                continue
            if s.low:
                axes.fill_between(s.x, s.low, s.high, color=style.colour(i), alpha=0.18, lw=0)
            axes.plot(s.x, s.y, lw=1.6, **look)
        if self.ticks_at_points:
            places = sorted({x for s in self.series for x in s.x})
            axes.set_xscale("log")
            axes.set_xticks(places, [f"{place:.12g}" for place in places])
            axes.minorticks_off()
        if self.level is not None:
            axes.axhline(self.level, color=style.INK, lw=0.8, ls="--")
        axes.set(xlabel=self.x_label, ylabel=self.y_label)
        axes.set_xlim(self.x_limits)
        axes.set_ylim(self.y_limits)
        axes.legend(loc=self.legend, fontsize=8)


def bands(view: View, dataset: str, kind: Kind) -> LineChart | None:
    """Return vertical averages of the folds' curves with their middle 80% (Fawcett 2006, section 7)."""
    import numpy as np

    found: dict[str, list[Any]] = {}
    for curve in view.curves:
        if curve.kind == kind and curve.dataset == dataset and len(curve.x) > 1:
            points = sorted(zip(curve.x, curve.y, strict=True))
            x, y = np.array(points).T
            if kind == "roc":
                heights = np.interp(GRID, x, y)
            else:
                # Straight lines between points of precision and recall are too good (Davis and Goadrich 2006): the
                # precision is the best at the next recall reached, or at a later one.
                best = np.maximum.accumulate(y[::-1])[::-1]
                heights = best[np.searchsorted(x, GRID).clip(max=len(x) - 1)]
            found.setdefault(curve.learner, []).append(heights)
    series = []
    for name in [n for n in view.learners if n in found][:MOST_LEARNERS]:
        middle = np.mean(found[name], axis=0).tolist()
        ends = np.quantile(found[name], (0.1, 0.9), axis=0).tolist() if len(found[name]) > 1 else ([], [])
        series.append(Series(name=name, x=GRID, y=tuple(middle), low=tuple(ends[0]), high=tuple(ends[1])))
    if not series:
        return None
    roc = kind == "roc"
    what = "True-positive rate at each false-positive rate" if roc else "Precision at each recall"
    at = GRID.index(0.1 if roc else 0.5)
    parts = [f"{s.name} {numbers.decimal(s.y[at])}" for s in series]
    folds = max(len(found[s.name]) for s in series)
    edge = f"; the band holds the middle 80% of {numbers.plural(folds, 'fold')}" if folds > 1 else ""
    return LineChart(
        title=f"{'ROC' if roc else 'Precision and recall'} on {dataset}",
        description=f"{what}{edge}. At {GRID[at]:g}: {numbers.listing(parts)}.",
        series=tuple(series),
        x_label="false-positive rate" if roc else "recall",
        y_label="true-positive rate" if roc else "precision",
        diagonal=roc,
        x_limits=SHARE,
        y_limits=SHARE,
        inches=(4.6, 4.2),
        legend="lower right" if roc else "lower left",
    )


def performance_profile(view: View, metric: str) -> LineChart | None:
    """Return which share of the runs of each learner reaches a score, over all tasks."""
    found = next((one for one in view.runs if one.metric == metric and one.profiles), None)
    if found is None or len(found.profiles[0].scores) < 2:
        return None
    side = "at least" if numbers.higher_is_better(metric) else "at most"
    parts, series = [], []
    for one in found.profiles[:MOST_LEARNERS]:
        middle = len(one.scores) // 2
        reached, share = numbers.score(one.scores[middle], metric), numbers.score(one.shares[middle], "accuracy")
        parts.append(f"{one.learner} is {side} {reached} in {share} of them")
        series.append(Series(name=one.learner, x=one.scores, y=one.shares, low=one.low, high=one.high))
    return LineChart(
        title=f"Performance profile in {metric}",
        description=f"Share of runs that reach a score, the mean over {numbers.plural(found.tasks, 'task')}: "
        f"{numbers.listing(parts)}. Bands hold for one score and one learner, for new runs on these tasks.",
        series=tuple(series),
        x_label=style.metric_label(metric),
        y_label="share of runs at this score or better",
        y_limits=SHARE,
    )


def learning_curve(views: tuple[View, ...], dataset: str, metric: str) -> LineChart | None:
    """Return the curve of all comparisons together: those that trained on different numbers of rows make it."""
    cells: dict[tuple[str, int], list[float]] = {}
    for view in views:
        for row in view.rows:
            if row.dataset == dataset and row.metric == metric and row.trained and row.score is not None:
                cells.setdefault((row.learner, row.trained), []).append(row.score)
    series, parts = [], []
    for name in dict.fromkeys(n for view in views for n in view.learners):
        sizes = sorted(size for learner, size in cells if learner == name)
        # Folds of one scheme differ by a row or two: that is no curve.
        if len(sizes) < 2 or sizes[-1] < 1.2 * sizes[0]:
            continue
        scores = [cells[name, size] for size in sizes]
        means = [fsum(s) / len(s) for s in scores]
        spreads = [stdev(s) if len(s) > 1 else 0.0 for s in scores]
        low, high = (tuple(m + side * s for m, s in zip(means, spreads, strict=True)) for side in (-1, 1))
        series.append(Series(name=name, x=tuple(sizes), y=tuple(means), low=low, high=high))
        ends = [f"{numbers.score(means[i], metric)} with {numbers.count(sizes[i])}" for i in (0, -1)]
        parts.append(f"{name} from {ends[0]} rows to {ends[1]}")
    if not series:
        return None
    listed = numbers.listing(parts[:MOST_LEARNERS])
    return LineChart(
        title=f"Learning curve on {dataset} in {metric}",
        description=f"Mean {metric} by rows trained on, whiskers one standard deviation: {listed}.",
        series=tuple(series[:MOST_LEARNERS]),
        x_label="rows trained on",
        y_label=style.metric_label(metric),
        whiskers=True,
        ticks_at_points=True,
    )


BARS = 0.16  # height of the largest bar of rows, in units of the axis
FLOOR = -BARS - 0.09  # where the bars stand
BINS = 10  # Caruana's reliability plots use ten equal bins


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerBins:
    """The bins of one learner: mean prediction, share of positives, rows."""

    learner: str
    calibrated: bool
    x: Floats
    y: Floats
    rows: Floats

    @property
    def stage(self) -> str:
        return "" if self.calibrated else ", before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Predicted probability against the share that came true, before and after calibration."""

    dataset: str
    series: tuple[LearnerBins, ...]

    @property
    def title(self) -> str:
        return f"Reliability on {self.dataset}"

    @property
    def description(self) -> str:
        parts = []
        for s in self.series:
            gap = sum(w * abs(a - b) for a, b, w in zip(s.x, s.y, s.rows, strict=True)) / (sum(s.rows) or 1.0)
            parts.append(f"{s.learner}{'' if s.calibrated else ' before calibration'} {numbers.decimal(gap)}")
        return (
            "Mean predicted probability of a bin against the share of positives in it; on the diagonal predictions "
            "come true as often as they say. The bars below count the rows of each bin. "
            f"Mean distance from it: {numbers.listing(parts)}."
        )

    @property
    def says(self) -> dict[str, list[str]]:
        return {
            f"series-{k}": [
                f"{s.learner}{s.stage}: predicted {numbers.decimal(x)}, came true {numbers.decimal(y)}, "
                f"{numbers.plural(round(rows), 'row')}"
                for x, y, rows in zip(s.x, s.y, s.rows, strict=True)
            ]
            for k, s in enumerate(self.series)
        }

    def size(self) -> tuple[float, float]:
        return 4.8, 4.6

    def draw(self, axes: Axes) -> None:
        """Draw the diagonal, one line per learner, dashed before calibration, and bars below: the rows of each bin."""
        style.draw_diagonal(axes, (0, 1))
        order = list(dict.fromkeys(s.learner for s in self.series))
        most = max((rows for s in self.series for rows in s.rows), default=0.0) or 1.0
        width = 0.8 / BINS / len(self.series)
        for k, s in enumerate(self.series):
            i = order.index(s.learner)
            shade = style.colour(i)
            dashes, face = ("-", shade) if s.calibrated else ("--", style.PAPER)
            look: dict[str, Any] = {"marker": style.marker(i), "lw": 1.4, "ms": 4.5, "gid": f"series-{k}"}
            axes.plot(s.x, s.y, color=shade, ls=dashes, mfc=face, label=style.name(s.learner) + s.stage, **look)
            left = [_bin(x) / BINS + 0.1 / BINS + k * width for x in s.x]
            high = [BARS * rows / most for rows in s.rows]
            bars: dict[str, Any] = {"color": shade} if s.calibrated else {"fill": False, "ec": shade, "lw": 0.7}
            axes.bar(left, high, width, bottom=FLOOR, align="edge", **bars)
        axes.axhline(FLOOR, color=style.FAINT, lw=0.6)
        word = f"rows in a bin, at most {round(most):,}"
        axes.annotate(word, (1, FLOOR + BARS + 0.01), ha="right", va="bottom", fontsize=7)
        axes.set(xlim=SHARE, ylim=(FLOOR - 0.01, 1.02), yticks=[0, 0.2, 0.4, 0.6, 0.8, 1.0])
        axes.set(xlabel="mean predicted probability", ylabel="share of positives")
        axes.legend(loc="upper left", fontsize=8)


def _bin(x: float) -> int:
    return min(int(x * BINS), BINS - 1)


def reliability(view: View, dataset: str) -> Reliability | None:
    """Return the bins of all folds pooled, each weighted by its rows."""
    pooled: dict[tuple[str, bool], dict[int, list[tuple[float, float, float]]]] = {}
    for curve in view.curves:
        if curve.kind == "reliability" and curve.dataset == dataset:
            bins = pooled.setdefault((curve.learner, curve.calibrated), {})
            weights = curve.weight or (1.0,) * len(curve.x)
            for x, y, w in zip(curve.x, curve.y, weights, strict=True):
                bins.setdefault(_bin(x), []).append((x, y, w))
    series = []
    order = [n for n in view.learners if (n, True) in pooled or (n, False) in pooled][:MOST_LEARNERS]
    for learner, calibrated in sorted((k for k in pooled if k[0] in order), key=lambda k: (order.index(k[0]), k[1])):
        bins = pooled[learner, calibrated]
        means, shares, rows = zip(*(_pool(bins[b]) for b in sorted(bins)), strict=True)
        series.append(LearnerBins(learner=learner, calibrated=calibrated, x=means, y=shares, rows=rows))
    return Reliability(dataset=dataset, series=tuple(series)) if series else None


def _pool(points: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    total = sum(w for _, _, w in points) or 1.0
    return sum(x * w for x, _, w in points) / total, sum(y * w for _, y, w in points) / total, total


Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningProfile:
    """The best mean score reached with each value of a parameter, and how often the value was chosen."""

    learner: str
    dataset: str
    metric: str
    parameter: str
    values: tuple[str, ...]
    scores: tuple[float, ...]
    chosen: tuple[int, ...]

    @property
    def title(self) -> str:
        return f"Tuning of {self.learner} on {self.dataset}: {self.parameter}"

    @property
    def description(self) -> str:
        often = max(range(len(self.values)), key=lambda i: self.chosen[i])
        rim = " That value lies on the rim of what was tried." if often in (0, len(self.values) - 1) else ""
        return (
            f"Best mean {self.metric} on the tuning rows with each value of {self.parameter}; {self.values[often]} was "
            f"chosen in {self.chosen[often]} of {numbers.plural(sum(self.chosen), 'fold')}.{rim}"
        )

    def size(self) -> tuple[float, float]:
        return max(4.2, 1.6 + 0.5 * len(self.values)), 3.2

    def draw(self, axes: Axes) -> None:
        """Draw a line over the values; the number at each point says in how many folds it was chosen."""
        places = range(len(self.values))
        axes.plot(places, self.scores, color=style.COLOURS[0], lw=1.2, marker="o", ms=4, gid="scores")
        for i, (times, score) in enumerate(zip(self.chosen, self.scores, strict=True)):
            if times:
                axes.plot([i], [score], "o", ms=10, mfc="none", mec=style.COLOURS[1], mew=1.4)
                axes.annotate(f"{times}×", (i, score), (0, 9), "data", "offset points", ha="center", fontsize=8)
        axes.margins(y=0.2)
        axes.set_xticks(places, [style.name(v) for v in self.values])
        axes.set_xlabel(style.name(self.parameter))
        axes.set_ylabel(f"{style.metric_label(self.metric)}, tuning rows")


def tuning_profile(view: View, learner: str, dataset: str, metric: str) -> TuningProfile | None:
    """Return the profile of the first parameter: mean over folds for each setting, the best with each value."""
    mine = [c for c in view.candidates if (c.learner, c.dataset, c.metric) == (learner, dataset, metric)]
    settings: dict[tuple[tuple[str, Value], ...], list[float]] = {}
    chosen: dict[Value, int] = {}
    parameter = next((c.setting[0][0] for c in mine if c.setting), "")
    for one in mine:
        value = dict(one.setting).get(parameter)
        chosen[value] = chosen.get(value, 0) + one.chosen
        if one.score is not None:
            settings.setdefault(one.setting, []).append(one.score)
    best: dict[Value, float] = {}
    pick = max if numbers.higher_is_better(metric) else min
    for setting, scores in settings.items():
        value, mean = dict(setting).get(parameter), fsum(scores) / len(scores)
        best[value] = pick(best.get(value, mean), mean)
    if len(best) < 2:
        return None
    plain = all(isinstance(v, int | float) for v in best)
    order = sorted(best, key=lambda v: v) if plain else list(best)  # type: ignore[arg-type, return-value]
    return TuningProfile(
        learner=learner,
        dataset=dataset,
        metric=metric,
        parameter=parameter,
        values=tuple(f"{v:g}" if isinstance(v, float) else str(v) for v in order),
        scores=tuple(best[v] for v in order),
        chosen=tuple(chosen.get(v, 0) for v in order),
    )


TIMES = ("resamples", "folds", "partitions", "datasets")  # what `with resamples 10, 20` is called for each test
MARKS = ("target", "instead-of")  # outcomes that are no point of a curve
MOST_SERIES = 12
_AXES = {
    "error": "error rate",
    "resamples": "number of resamples (folds for kfold-t)",
    "difference": "difference of accuracies",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBars:
    """Tests side by side, with a bar and whiskers for each error rate (Dietterich 1998, figure 5)."""

    title: str
    description: str
    series: tuple[Series, ...]
    level: float
    y_label: str
    y_limits: tuple[float, float]

    def size(self) -> tuple[float, float]:
        return max(5.6, min(1.2 + 0.9 * len(self.series), 10.0)), 3.6

    def draw(self, axes: Axes) -> None:
        errors = sorted({x for s in self.series for x in s.x})
        step = 0.7 / max(len(errors), 1)
        for k, error in enumerate(errors):
            points = [
                (i + step * (k - (len(errors) - 1) / 2), y, low, high)
                for i, s in enumerate(self.series)
                for x, y, low, high in zip(s.x, s.y, s.low, s.high, strict=True)
                if x == error
            ]
            places, heights, lows, highs = zip(*points, strict=True)
            label = f"error {numbers.percent(error)}" if len(errors) > 1 else None
            axes.bar(places, heights, 0.92 * step, color=style.colour(k), alpha=0.85, label=label)
            ends = style.reach(heights, lows, highs)
            axes.errorbar(places, heights, ends, fmt="none", color=style.INK, lw=1, capsize=2)
        turn = 30 if len(self.series) > 5 else 0
        names = [style.name(s.name) for s in self.series]
        axes.set_xticks(range(len(names)), names, rotation=turn, ha="right" if turn else "center")
        axes.axhline(self.level, color=style.INK, lw=0.8, ls="--")
        axes.set(ylim=self.y_limits, ylabel=self.y_label)
        if len(errors) > 1:
            axes.legend(fontsize=8)


RatesChart = LineChart | RateBars


def simulated_rates(result: RunResult) -> tuple[tuple[str, RatesChart], ...]:
    """Return the pictures of every simulate statement, each with the statement's name."""
    by_name: dict[str, list[SimulationOutcome]] = {}
    for outcome in result.simulations:
        by_name.setdefault(outcome.name, []).append(outcome)
    return tuple((name, data) for name, outcomes in by_name.items() for data in rates(outcomes))


def rates(outcomes: Sequence[SimulationOutcome]) -> tuple[RatesChart, ...]:
    """Return the pictures of one statement: a setting that takes several values makes an axis."""
    plain = [o for o in outcomes if not any(word in MARKS for word, _ in o.settings)]
    if not plain:
        return ()
    if plain[0].kind == "power":
        made = [_rates_along(plain, "difference")]
    else:
        many = {word for word in TIMES if len(_values(plain, word)) > 1}
        lines = [o for o in plain if any(word in many for word, _ in o.settings)]
        others = [o for o in plain if o not in lines]
        made = [_rates_along(lines, "resamples"), _rates_along(others, "error")]
    return tuple(one for one in made if one is not None)


def _rates_along(outcomes: list[SimulationOutcome], along: str) -> RatesChart | None:
    words = TIMES if along == "resamples" else (along,)
    several = [w for w in ("n", "error", "rows") if w != along and len(_values(outcomes, w)) > 1]
    found: dict[str, list[tuple[float, float, float, float]]] = {}
    for o in outcomes:
        x = next((v for w, v in o.settings if w in words), None)
        if x is None or o.interval is None:
            continue
        apart = [f"{w} {v:g}" for w, v in o.settings if w in several and not (w == "rows" and " on " in o.subject)]
        point = (x, o.rate, o.interval.low, o.interval.high)
        found.setdefault(", ".join([o.subject, *apart]), []).append(point)
    if not found:
        return None
    series = []
    for name, points in list(found.items())[: MOST_SERIES if along == "error" else MOST_LEARNERS]:
        x_values, rate, low, high = zip(*sorted(points), strict=True)
        series.append(Series(name=name, x=x_values, y=rate, low=low, high=high))
    level = dict(outcomes[0].settings).get("alpha", 0.05)
    return rates_chart(outcomes[0].kind, along, level, outcomes[0].trials, series)


def rates_chart(kind: str, along: str, level: float, trials: int, series: Sequence[Series]) -> RatesChart:
    """Return rates along one setting: bars along error rates (Dietterich 1998, figure 5), else lines (figure 6)."""
    power = kind == "power"
    parts = [f"{s.name} from {numbers.decimal(min(s.y), 3)} to {numbers.decimal(max(s.y), 3)}" for s in series]
    what = "differences found" if power else "rejections of a true null hypothesis"
    whiskers = f"whiskers are 95% Wilson intervals of {numbers.count(trials)} trials"
    highest = max(end for s in series for end in s.high)
    common: dict[str, Any] = {
        "title": f"{'Power' if power else 'Type I error'} by {_AXES[along]}",
        "description": f"Share of {what}, {whiskers}: {numbers.listing(parts)}.",
        "level": 0.8 if power else level,
        "y_label": "power" if power else "type I error",
        "y_limits": (0.0, 1.02 if power else min(1.02, max(0.12, 1.1 * highest))),
    }
    if along == "error":
        return RateBars(series=tuple(series), **common)
    points = along == "difference"
    if points:
        series = [replace(s, x=tuple(100 * x for x in s.x)) for s in series]
    return LineChart(
        series=tuple(series),
        x_label=_AXES[along] + (", points" if points else ""),
        whiskers=True,
        ticks_at_points=along == "resamples",
        **common,
    )


def _values(outcomes: list[SimulationOutcome], word: str) -> set[float]:
    return {v for o in outcomes for w, v in o.settings if w == word}
