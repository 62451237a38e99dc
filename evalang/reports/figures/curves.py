"""Pictures of curves: ROC and precision-recall, reliability, learning curves, tuning profiles, simulated rates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
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
Kind = Literal["roc", "precision-recall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The curves of one learner: mean and middle 80% on the grid, and how many curves there are."""

    learner: str
    middle: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    curves: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """The curves of many folds as one line with a band for each learner."""

    kind: Kind
    dataset: str
    bands: tuple[Band, ...]

    @property
    def title(self) -> str:
        return f"{'ROC' if self.kind == 'roc' else 'Precision and recall'} on {self.dataset}"

    @property
    def description(self) -> str:
        roc = self.kind == "roc"
        what = "True-positive rate at each false-positive rate" if roc else "Precision at each recall"
        at = GRID.index(0.1 if roc else 0.5)
        parts = [f"{b.learner} {numbers.decimal(b.middle[at])}" for b in self.bands]
        folds = max(b.curves for b in self.bands)
        edge = f"; the band holds the middle 80% of {numbers.plural(folds, 'fold')}" if folds > 1 else ""
        return f"{what}{edge}. At {GRID[at]:g}: {numbers.listing(parts)}."

    def size(self) -> tuple[float, float]:
        return 4.6, 4.2

    def draw(self, axes: Axes) -> None:
        roc = self.kind == "roc"
        if roc:
            axes.plot([0, 1], [0, 1], color=style.FAINT, lw=1, gid="diagonal")
        for i, band in enumerate(self.bands):
            edges = (band.low, band.high) if band.curves > 1 else None
            style.draw_line(axes, i, band.learner, GRID, band.middle, edges)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlabel("false-positive rate" if roc else "recall")
        axes.set_ylabel("true-positive rate" if roc else "precision")
        axes.legend(loc="lower right" if roc else "lower left", fontsize=8)


def bands(view: View, dataset: str, kind: Kind) -> Bands | None:
    """Return vertical averages of the folds' curves (Fawcett 2006, section 7)."""
    found: dict[str, list[list[float]]] = {}
    for curve in view.curves:
        if curve.kind == kind and curve.dataset == dataset and len(curve.x) > 1:
            points = sorted(zip(curve.x, curve.y, strict=True))
            found.setdefault(curve.learner, []).append([_height(points, x, kind) for x in GRID])
    made = []
    for name in [n for n in view.learners if n in found][:MOST_LEARNERS]:
        columns = [sorted(column) for column in zip(*found[name], strict=True)]
        middle = tuple(fsum(c) / len(c) for c in columns)
        low, high = (tuple(_quantile(c, share) for c in columns) for share in (0.1, 0.9))
        made.append(Band(learner=name, middle=middle, low=low, high=high, curves=len(found[name])))
    return Bands(kind=kind, dataset=dataset, bands=tuple(made)) if made else None


def _height(points: list[tuple[float, float]], x: float, kind: Kind) -> float:
    """Return the curve's height: interpolated for a ROC curve; precision is that of the next recall reached."""
    places = [p for p, _ in points]
    if kind == "precision-recall":
        # Straight lines between points of precision and recall are too good (Davis and Goadrich 2006): steps.
        return max(y for _, y in points[min(bisect_left(places, x), len(points) - 1) :])
    after = bisect_right(places, x)
    if after in (0, len(points)):
        return points[max(after - 1, 0)][1]
    (x0, y0), (x1, y1) = points[after - 1], points[after]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1


def _quantile(ordered: list[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


BARS = 0.16  # height of the largest bar of rows, in units of the axis
FLOOR = -BARS - 0.09  # where the bars stand
BINS = 10  # Caruana's reliability plots use ten equal bins


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerBins:
    """The bins of one learner: mean prediction, share of positives, rows."""

    learner: str
    calibrated: bool
    x: tuple[float, ...]
    y: tuple[float, ...]
    rows: tuple[float, ...]


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
    def says(self) -> dict[str, str]:
        """The text behind each point, by its id."""
        return {
            f"point-{k}-{b}": f"{s.learner}{'' if s.calibrated else ', before'}: predicted {numbers.decimal(x)}, came "
            f"true {numbers.decimal(y)}, {numbers.plural(round(rows), 'row')}"
            for k, s in enumerate(self.series)
            for b, (x, y, rows) in enumerate(zip(s.x, s.y, s.rows, strict=True))
        }

    def size(self) -> tuple[float, float]:
        return 4.8, 4.6

    def draw(self, axes: Axes) -> None:
        """Draw the diagonal and one line per learner, dashed before calibration."""
        axes.plot([0, 1], [0, 1], color=style.FAINT, lw=1, gid="diagonal")
        order = list(dict.fromkeys(s.learner for s in self.series))
        for k, s in enumerate(self.series):
            i = order.index(s.learner)
            shown = style.name(s.learner) + ("" if s.calibrated else ", before")
            look: dict[str, Any] = {"color": style.colour(i), "marker": style.marker(i), "lw": 1.4, "ms": 4.5}
            face = style.colour(i) if s.calibrated else style.PAPER
            axes.plot(s.x, s.y, ls="-" if s.calibrated else "--", mfc=face, label=shown, gid=f"series-{k}", **look)
            for b, (x, y) in enumerate(zip(s.x, s.y, strict=True)):
                axes.plot([x], [y], ls="", mfc=face, gid=f"point-{k}-{b}", **(look | {"lw": 0}))
        self._draw_counts(axes, order)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(FLOOR - 0.01, 1.02)
        axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1.0])
        axes.set_xlabel("mean predicted probability")
        axes.set_ylabel("share of positives")
        axes.legend(loc="upper left", fontsize=8)

    def _draw_counts(self, axes: Axes, order: list[str]) -> None:
        """Draw bars below the diagram: the rows of each bin, learner beside learner, the largest with its number."""
        most = max((rows for s in self.series for rows in s.rows), default=0.0) or 1.0
        width = 0.8 / BINS / len(self.series)
        for k, s in enumerate(self.series):
            left = [_bin(x) / BINS + 0.1 / BINS + k * width for x in s.x]
            shade = style.colour(order.index(s.learner))
            look: dict[str, Any] = {"color": shade} if s.calibrated else {"fill": False, "ec": shade, "lw": 0.7}
            high = [BARS * rows / most for rows in s.rows]
            for b, bar in enumerate(axes.bar(left, high, width, bottom=FLOOR, align="edge", **look)):
                bar.set_gid(f"rows-{k}-{b}")
        axes.axhline(FLOOR, color=style.FAINT, lw=0.6)
        word = f"rows in a bin, at most {round(most):,}"
        axes.annotate(word, (1, FLOOR + BARS + 0.01), ha="right", va="bottom", fontsize=7)


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
    for (learner, calibrated), bins in pooled.items():
        points = [_pool(bins[b]) for b in sorted(bins)]
        means, shares, rows = zip(*points, strict=True)
        series.append(LearnerBins(learner=learner, calibrated=calibrated, x=means, y=shares, rows=rows))
    order = [n for n in view.learners if any(s.learner == n for s in series)][:MOST_LEARNERS]
    kept = sorted((s for s in series if s.learner in order), key=lambda s: (order.index(s.learner), s.calibrated))
    return Reliability(dataset=dataset, series=tuple(kept)) if kept else None


def _pool(points: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    total = sum(w for _, _, w in points) or 1.0
    return sum(x * w for x, _, w in points) / total, sum(y * w for _, y, w in points) / total, total


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerCurve:
    """One learner: rows trained on, mean score, standard deviation over trials."""

    learner: str
    rows: tuple[int, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCurve:
    """Mean score against the rows trained on."""

    dataset: str
    metric: str
    series: tuple[LearnerCurve, ...]

    @property
    def title(self) -> str:
        return f"Learning curve on {self.dataset} in {self.metric}"

    @property
    def description(self) -> str:
        parts = [
            f"{s.learner} from {numbers.score(s.means[0], self.metric)} with {numbers.count(s.rows[0])} rows to "
            f"{numbers.score(s.means[-1], self.metric)} with {numbers.count(s.rows[-1])}"
            for s in self.series
        ]
        return f"Mean {self.metric} by rows trained on, whiskers one standard deviation: {numbers.listing(parts)}."

    def size(self) -> tuple[float, float]:
        return 5.6, 3.6

    def draw(self, axes: Axes) -> None:
        for i, s in enumerate(self.series):
            style.draw_whiskers(axes, i, s.learner, s.rows, s.means, s.spreads)
        style.log_scale(axes, (rows for s in self.series for rows in s.rows))
        axes.set_xlabel("rows trained on")
        axes.set_ylabel(style.metric_label(self.metric))
        axes.legend(fontsize=8)


def learning_curve(views: tuple[View, ...], dataset: str, metric: str) -> LearningCurve | None:
    """Return the curve of all comparisons together: those that trained on different numbers of rows make it."""
    cells: dict[tuple[str, int], list[float]] = {}
    for view in views:
        for row in view.rows:
            if row.dataset == dataset and row.metric == metric and row.trained and row.score is not None:
                cells.setdefault((row.learner, row.trained), []).append(row.score)
    series = []
    for name in dict.fromkeys(n for view in views for n in view.learners):
        sizes = sorted(size for learner, size in cells if learner == name)
        # Folds of one scheme differ by a row or two: that is no curve.
        if len(sizes) < 2 or sizes[-1] < 1.2 * sizes[0]:
            continue
        scores = [cells[name, size] for size in sizes]
        means = tuple(fsum(s) / len(s) for s in scores)
        spreads = tuple(_spread(s, m) for s, m in zip(scores, means, strict=True))
        series.append(LearnerCurve(learner=name, rows=tuple(sizes), means=means, spreads=spreads))
    return LearningCurve(dataset=dataset, metric=metric, series=tuple(series[:MOST_LEARNERS])) if series else None


def _spread(scores: list[float], mean: float) -> float:
    return sqrt(fsum((s - mean) ** 2 for s in scores) / (len(scores) - 1)) if len(scores) > 1 else 0.0


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
class Point:
    """A rate with its interval at one setting."""

    x: float
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRates:
    """One test, or one comparison's test on one dataset."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedRates:
    """Simulated rates of tests. `bars`: tests side by side with a bar for each error rate; else a line for each."""

    kind: Literal["type-I", "power"]
    along: str  # the setting on the horizontal axis
    bars: bool
    level: float
    trials: int
    series: tuple[TestRates, ...]

    @property
    def title(self) -> str:
        return f"{'Type I error' if self.kind == 'type-I' else 'Power'} by {_AXES[self.along]}"

    @property
    def description(self) -> str:
        parts = [
            f"{s.name} from {numbers.decimal(min(p.rate for p in s.points), 3)} to "
            f"{numbers.decimal(max(p.rate for p in s.points), 3)}"
            for s in self.series
        ]
        what = "rejections of a true null hypothesis" if self.kind == "type-I" else "differences found"
        whiskers = f"whiskers are 95% Wilson intervals of {numbers.count(self.trials)} trials"
        return f"Share of {what}, {whiskers}: {numbers.listing(parts)}."

    def size(self) -> tuple[float, float]:
        return (max(5.6, min(1.2 + 0.9 * len(self.series), 10.0)), 3.6) if self.bars else (5.6, 3.6)

    def draw(self, axes: Axes) -> None:
        """Draw points with whiskers, and the level (or four fifths, for power) as a dashed line."""
        if self.bars:
            self._draw_bars(axes)
        else:
            self._draw_lines(axes)
        wanted = self.level if self.kind == "type-I" else 0.8
        axes.axhline(wanted, color=style.INK, lw=0.8, ls="--", gid="level")
        highest = max(p.high for s in self.series for p in s.points)
        axes.set_ylim(0.0, 1.02 if self.kind == "power" else min(1.02, max(0.12, 1.1 * highest)))
        axes.set_ylabel("power" if self.kind == "power" else "type I error")

    def _draw_bars(self, axes: Axes) -> None:
        """Draw, for each test, a bar at each error rate (Dietterich 1998, figure 5)."""
        errors = sorted({p.x for s in self.series for p in s.points})
        step = 0.7 / max(len(errors), 1)
        for k, x in enumerate(errors):
            at = [(i, p) for i, s in enumerate(self.series) for p in s.points if p.x == x]
            places = [i + step * (k - (len(errors) - 1) / 2) for i, _ in at]
            heights = [p.rate for _, p in at]
            label = f"error {numbers.percent(x)}" if len(errors) > 1 else None
            shade = style.colour(k)
            axes.bar(places, heights, width=0.92 * step, color=shade, alpha=0.85, label=label, gid=f"rates-{k}")
            axes.errorbar(places, heights, _reach([p for _, p in at]), fmt="none", color=style.INK, lw=1, capsize=2)
        turn = 30 if len(self.series) > 5 else 0
        names = [style.name(s.name) for s in self.series]
        axes.set_xticks(range(len(names)), names, rotation=turn, ha="right" if turn else "center")
        if len(errors) > 1:
            axes.legend(fontsize=8)

    def _draw_lines(self, axes: Axes) -> None:
        """Draw a line for each test (Dietterich 1998, figure 6), or power curves."""
        points = self.along == "difference"
        for i, s in enumerate(self.series):
            xs = [100 * p.x if points else p.x for p in s.points]
            style.draw_whiskers(axes, i, s.name, xs, [p.rate for p in s.points], _reach(s.points))
        if self.along == "resamples":
            style.log_scale(axes, (p.x for s in self.series for p in s.points))
        axes.set_xlabel(_AXES[self.along] + (", points" if points else ""))
        axes.legend(fontsize=8)


def _reach(points: Sequence[Point]) -> list[list[float]]:
    """Return how far the interval of each rate reaches below and above it."""
    return [[max(p.rate - p.low, 0.0) for p in points], [max(p.high - p.rate, 0.0) for p in points]]


def simulated_rates(result: RunResult) -> tuple[tuple[str, SimulatedRates], ...]:
    """Return the pictures of every simulate statement, each with the statement's name."""
    by_name: dict[str, list[SimulationOutcome]] = {}
    for outcome in result.simulations:
        by_name.setdefault(outcome.name, []).append(outcome)
    return tuple((name, data) for name, outcomes in by_name.items() for data in rates(outcomes))


def rates(outcomes: Sequence[SimulationOutcome]) -> tuple[SimulatedRates, ...]:
    """Return the pictures of one statement: a setting that takes several values makes an axis."""
    plain = [o for o in outcomes if not any(word in MARKS for word, _ in o.settings)]
    if not plain:
        return ()
    if plain[0].kind == "power":
        made = [_rates_along(plain, "difference", bars=False)]
    else:
        many = {word for word in TIMES if len(_values(plain, word)) > 1}
        lines = [o for o in plain if any(word in many for word, _ in o.settings)]
        others = [o for o in plain if o not in lines]
        made = [_rates_along(lines, "resamples", bars=False), _rates_along(others, "error", bars=True)]
    return tuple(one for one in made if one is not None)


def _rates_along(outcomes: list[SimulationOutcome], along: str, bars: bool) -> SimulatedRates | None:
    words = TIMES if along == "resamples" else (along,)
    several = [w for w in ("n", "error", "rows") if w != along and len(_values(outcomes, w)) > 1]
    found: dict[str, list[Point]] = {}
    for o in outcomes:
        x = next((v for w, v in o.settings if w in words), None)
        if x is None or o.interval is None:
            continue
        apart = [f"{w} {v:g}" for w, v in o.settings if w in several and not (w == "rows" and " on " in o.subject)]
        point = Point(x=x, rate=o.rate, low=o.interval.low, high=o.interval.high)
        found.setdefault(", ".join([o.subject, *apart]), []).append(point)
    if not found:
        return None
    series = [TestRates(name=name, points=tuple(sorted(points, key=lambda p: p.x))) for name, points in found.items()]
    return SimulatedRates(
        kind=outcomes[0].kind,
        along=along,
        bars=bars,
        level=dict(outcomes[0].settings).get("alpha", 0.05),
        trials=outcomes[0].trials,
        series=tuple(series[: MOST_SERIES if bars else MOST_LEARNERS]),
    )


def _values(outcomes: list[SimulationOutcome], word: str) -> set[float]:
    return {v for o in outcomes for w, v in o.settings if w == word}
