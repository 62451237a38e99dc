"""Pictures of curves: ROC and precision-recall, profiles, learning curves, reliability, tuning, simulated rates."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from statistics import stdev
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ...results import numbers
from ...results.records import SimulationOutcome
from ...results.run_result import RunResult
from ..view import View
from . import style
from .style import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 6
GRID = tuple(i / 50 for i in range(51))
SHARE = (-0.02, 1.02)  # the limits of an axis from 0 to 1
Kind = Literal["roc", "precision-recall"]
Floats = tuple[float, ...]


class Series(NamedTuple):
    """The curve of one learner or test, and the lower and upper ends around its points, where they are known."""

    name: str
    x: Floats
    y: Floats
    low: Floats = ()
    high: Floats = ()


def line_chart(
    title: str,
    description: str,
    series: Sequence[Series],
    x_label: str,
    y_label: str,
    whiskers: bool = False,
    diagonal: bool = False,
    ticks_at_points: bool = False,
    names: Sequence[str] = (),
    x_limits: tuple[float, float] | None = None,
    y_limits: tuple[float, float] | None = None,
    level: float | None = None,
    inches: tuple[float, float] = (5.6, 3.6),
    legend: Any = "best",
) -> Picture:
    """Return a line for each learner or test; the ends around its points make a band, or `whiskers`.

    `ticks_at_points` makes the axis logarithmic, `names` stand at 0, 1, ... of one without numbers, where there are no
    lines, and `level` is a dashed line across.
    """

    def draw(axes: Axes) -> None:
        if diagonal:
            style.draw_diagonal(axes, (0, 1))
        for i, s in enumerate(series):
            line = "none" if names else style.line(i)
            look: dict[str, Any] = {"color": style.colour(i), "ls": line, "label": style.name(s.name)}
            if whiskers:
                ends = style.reach(s.y, s.low, s.high)
                axes.errorbar(s.x, s.y, ends, capsize=2, ms=5, lw=1.5, marker=style.marker(i), **look)
                continue
            if s.low:
                axes.fill_between(s.x, s.low, s.high, color=style.colour(i), alpha=0.18, lw=0)
            axes.plot(s.x, s.y, lw=1.6, **look)
        if ticks_at_points:
            places = sorted({x for s in series for x in s.x})
            axes.set_xscale("log")
            axes.set_xticks(places, [f"{place:.12g}" for place in places])
            axes.minorticks_off()
        if names:
            turn = 30 if len(names) > 5 else 0
            axes.set_xticks(
                range(len(names)), list(map(style.name, names)), rotation=turn, ha="right" if turn else "center"
            )
        if level is not None:
            axes.axhline(level, color=style.INK, lw=0.8, ls="--")
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.set_xlim(x_limits)
        axes.set_ylim(y_limits)
        if not names or len(series) > 1:
            axes.legend(loc=legend, fontsize=8)

    content = {"series": tuple(series), "names": tuple(names), "y_limits": y_limits}
    return Picture(title=title, description=description, size=inches, draw=draw, numbers=content)


def bands(view: View, dataset: str, kind: Kind) -> Picture | None:
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
    axis = "a false-positive rate of" if roc else "a recall of"
    at = GRID.index(0.1 if roc else 0.5)
    parts = [f"{s.name} {numbers.decimal(s.y[at])}" for s in series]
    folds = max(len(found[s.name]) for s in series)
    edge = f", averaged over folds. The band has the middle 80% of {numbers.plural(folds, 'fold')}" if folds > 1 else ""
    return line_chart(
        title=f"{'ROC' if roc else 'Precision and recall'} on {dataset}",
        description=f"{what}{edge}. At {axis} {GRID[at]:g}: {numbers.listing(parts)}.",
        series=tuple(series),
        x_label="false-positive rate" if roc else "recall",
        y_label="true-positive rate" if roc else "precision",
        diagonal=roc,
        x_limits=SHARE,
        y_limits=SHARE,
        inches=(4.6, 4.2),
        legend="lower right" if roc else "lower left",
    )


def performance_profile(view: View, metric: str) -> Picture | None:
    """Return which share of the runs of each learner reaches a score, over all datasets."""
    found = next((one for one in view.runs if one.metric == metric and one.profiles), None)
    if found is None or len(found.profiles[0].scores) < 2:
        return None
    side = "at least" if numbers.higher_is_better(metric) else "at most"
    parts, series = [], []
    for one in found.profiles[:MOST_LEARNERS]:
        middle = len(one.scores) // 2
        reached, share = numbers.score(one.scores[middle], metric), numbers.score(one.shares[middle], "accuracy")
        parts.append(f"{one.learner} is {side} {reached} in {share} of its runs")
        series.append(Series(name=one.learner, x=one.scores, y=one.shares, low=one.low, high=one.high))
    return line_chart(
        title=f"Performance profile in {metric}",
        description=f"Share of runs that reach a score, averaged over {numbers.plural(found.tasks, 'dataset')}: "
        f"{numbers.listing(parts)}. Each band is for a single score and learner (not simultaneous) and for new runs on "
        "these datasets.",
        series=tuple(series),
        x_label=style.metric_label(metric),
        y_label="share of runs at this score or better",
        y_limits=SHARE,
    )


def learning_curve(views: tuple[View, ...], dataset: str, metric: str) -> Picture | None:
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
    return line_chart(
        title=f"Learning curve on {dataset} in {metric}",
        description=f"Mean {metric} by number of training rows: {listed}. Whiskers are one standard deviation.",
        series=tuple(series[:MOST_LEARNERS]),
        x_label="training rows",
        y_label=style.metric_label(metric),
        whiskers=True,
        ticks_at_points=True,
    )


BARS = 0.16  # height of the largest bar of rows, in units of the axis
FLOOR = -BARS - 0.09  # where the bars stand
BINS = 10  # Caruana's reliability plots use ten equal bins


class LearnerBins(NamedTuple):
    """The bins of one learner: mean prediction, share of positives, rows."""

    learner: str
    calibrated: bool
    x: Floats
    y: Floats
    rows: Floats


def _bin(x: float) -> int:
    return min(int(x * BINS), BINS - 1)


def reliability(view: View, dataset: str) -> Picture | None:
    """Return predicted probability against the share that came true, before and after calibration.

    The bins of all folds are pooled, each weighted by its rows.
    """
    pooled: dict[tuple[str, bool], dict[int, list[tuple[float, float, float]]]] = {}
    for curve in view.curves:
        if curve.kind == "reliability" and curve.dataset == dataset:
            bins = pooled.setdefault((curve.learner, curve.calibrated), {})
            weights = curve.weight or (1.0,) * len(curve.x)
            for x, y, w in zip(curve.x, curve.y, weights, strict=True):
                bins.setdefault(_bin(x), []).append((x, y, w))
    order = [n for n in view.learners if (n, True) in pooled or (n, False) in pooled][:MOST_LEARNERS]
    series = []
    for learner, calibrated in sorted((k for k in pooled if k[0] in order), key=lambda k: (order.index(k[0]), k[1])):
        bins = pooled[learner, calibrated]
        series.append(LearnerBins(learner, calibrated, *zip(*(_pool(bins[b]) for b in sorted(bins)), strict=True)))
    if not series:
        return None
    stages = ["" if s.calibrated else ", before" for s in series]

    def draw(axes: Axes) -> None:
        """Draw the diagonal, one line per learner, dashed before calibration, and bars below: the rows of each bin."""
        style.draw_diagonal(axes, (0, 1))
        most = max((rows for s in series for rows in s.rows), default=0.0) or 1.0
        width = 0.8 / BINS / len(series)
        for k, s in enumerate(series):
            i = order.index(s.learner)
            shade = style.colour(i)
            dashes, face = ("-", shade) if s.calibrated else ("--", style.PAPER)
            look: dict[str, Any] = {"marker": style.marker(i), "lw": 1.4, "ms": 4.5, "gid": f"series-{k}"}
            axes.plot(s.x, s.y, color=shade, ls=dashes, mfc=face, label=style.name(s.learner) + stages[k], **look)
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

    gaps = []
    for s in series:
        gap = sum(w * abs(a - b) for a, b, w in zip(s.x, s.y, s.rows, strict=True)) / (sum(s.rows) or 1.0)
        gaps.append(f"{s.learner}{'' if s.calibrated else ' before calibration'} {numbers.decimal(gap)}")
    says = {
        f"series-{k}": [
            f"{s.learner}{stages[k]}: predicted {numbers.decimal(x)}, observed {numbers.decimal(y)}, "
            f"{numbers.plural(round(rows), 'row')}"
            for x, y, rows in zip(s.x, s.y, s.rows, strict=True)
        ]
        for k, s in enumerate(series)
    }
    return Picture(
        title=f"Reliability on {dataset}",
        description="Each point is a bin of rows: its mean predicted probability and its share of positives. On the "
        "diagonal, the probability equals the share. The bars below count the rows of each bin. Mean distance from the "
        "diagonal: "
        f"{numbers.listing(gaps)}.",
        size=(4.8, 4.6),
        draw=draw,
        says=says,
        numbers={"series": tuple(series)},
    )


def _pool(points: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    total = sum(w for _, _, w in points) or 1.0
    return sum(x * w for x, _, w in points) / total, sum(y * w for _, y, w in points) / total, total


Value = str | int | float | bool | None


def tuning_profile(view: View, learner: str, dataset: str, metric: str) -> Picture | None:
    """Return the best mean score with each value of the first parameter, and how often the value was chosen."""
    mine = [c for c in view.candidates if (c.learner, c.dataset, c.metric) == (learner, dataset, metric)]
    settings: dict[tuple[tuple[str, Value], ...], list[float]] = {}
    times: dict[Value, int] = {}
    parameter = next((c.setting[0][0] for c in mine if c.setting), "")
    for one in mine:
        value = dict(one.setting).get(parameter)
        times[value] = times.get(value, 0) + one.chosen
        if one.score is not None:
            settings.setdefault(one.setting, []).append(one.score)
    best: dict[Value, float] = {}
    pick = max if numbers.higher_is_better(metric) else min
    for setting, found in settings.items():
        value, mean = dict(setting).get(parameter), fsum(found) / len(found)
        best[value] = pick(best.get(value, mean), mean)
    if len(best) < 2:
        return None
    plain = all(isinstance(v, int | float) for v in best)
    order = sorted(best, key=lambda v: v) if plain else list(best)  # type: ignore[arg-type, return-value]
    values = tuple(f"{v:g}" if isinstance(v, float) else str(v) for v in order)
    scores, chosen = tuple(best[v] for v in order), tuple(times.get(v, 0) for v in order)

    def draw(axes: Axes) -> None:
        """Draw a line over the values; the number at each point says in how many folds it was chosen."""
        axes.plot(range(len(values)), scores, color=style.COLOURS[0], lw=1.2, marker="o", ms=4, gid="scores")
        for i, (count, score) in enumerate(zip(chosen, scores, strict=True)):
            if count:
                axes.plot([i], [score], "o", ms=10, mfc="none", mec=style.COLOURS[1], mew=1.4)
                axes.annotate(f"{count}×", (i, score), (0, 9), "data", "offset points", ha="center", fontsize=8)
        axes.margins(y=0.2)
        axes.set_xticks(range(len(values)), [style.name(v) for v in values])
        axes.set_xlabel(style.name(parameter))
        axes.set_ylabel(f"{style.metric_label(metric)}, tuning rows")

    often = max(range(len(values)), key=lambda i: chosen[i])
    rim = ""
    if plain and often in (0, len(values) - 1):
        rim = f" This is the {'smallest' if often == 0 else 'largest'} value that was tried."
    return Picture(
        title=f"Tuning of {learner} on {dataset}: {parameter}",
        description=f"Best mean {metric} on the tuning rows with each value of {parameter}. {parameter} = "
        f"{values[often]} was chosen in {chosen[often]} of {numbers.plural(sum(chosen), 'fold')}.{rim}",
        size=(max(4.2, 1.6 + 0.5 * len(values)), 3.2),
        draw=draw,
        numbers={"values": values, "scores": scores, "chosen": chosen},
    )


TIMES = ("resamples", "folds", "partitions", "datasets")  # what `with resamples 10, 20` is called for each test
MARKS = ("target", "instead-of")  # outcomes that are no point of a curve
MOST_SERIES = 12
_AXES = {
    "error": "error rate",
    "resamples": "number of resamples (folds for kfold-t)",
    "difference": "difference of accuracies",
}


def simulated_rates(result: RunResult) -> tuple[tuple[str, Picture], ...]:
    """Return the pictures of every simulate statement, each with the statement's name."""
    by_name: dict[str, list[SimulationOutcome]] = {}
    for outcome in result.simulations:
        by_name.setdefault(outcome.name, []).append(outcome)
    return tuple((name, data) for name, outcomes in by_name.items() for data in rates(outcomes))


def rates(outcomes: Sequence[SimulationOutcome]) -> tuple[Picture, ...]:
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


def _rates_along(outcomes: list[SimulationOutcome], along: str) -> Picture | None:
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


def rates_chart(kind: str, along: str, level: float, trials: int, series: Sequence[Series]) -> Picture:
    """Return rates along one setting: tests side by side for error rates (Dietterich 1998, figure 5), else lines."""
    power = kind == "power"
    parts = [f"{s.name} from {numbers.decimal(min(s.y), 3)} to {numbers.decimal(max(s.y), 3)}" for s in series]
    what = "differences found" if power else "rejections of a true null hypothesis"
    whiskers = f"Whiskers are 95% Wilson intervals from {numbers.count(trials)} simulations."
    highest = max(end for s in series for end in s.high)
    names: tuple[str, ...] = ()
    inches = (5.6, 3.6)
    if along == "error":
        names = tuple(s.name for s in series)
        inches = (max(5.6, min(1.2 + 0.9 * len(names), 10.0)), 3.6)
        series = _side_by_side(series)
    if along == "difference":
        series = [s._replace(x=tuple(100 * x for x in s.x)) for s in series]
    return line_chart(
        title=f"{'Power' if power else 'Type I error'} by {_AXES[along]}",
        description=f"Share of {what}: {numbers.listing(parts)}. {whiskers}",
        series=series,
        x_label="" if names else _AXES[along] + (", points" if along == "difference" else ""),
        y_label="power" if power else "type I error",
        whiskers=True,
        ticks_at_points=along == "resamples",
        names=names,
        y_limits=(0.0, 1.02 if power else min(1.02, max(0.12, 1.1 * highest))),
        level=0.8 if power else level,
        inches=inches,
    )


def _side_by_side(tests: Sequence[Series]) -> list[Series]:
    """Return a series for each error rate, whose points lie around the place of each test."""
    errors = sorted({x for s in tests for x in s.x})
    made = []
    for k, error in enumerate(errors):
        shift = 0.7 / len(errors) * (k - (len(errors) - 1) / 2)
        points = [
            (i + shift, y, low, high)
            for i, s in enumerate(tests)
            for x, y, low, high in zip(s.x, s.y, s.low, s.high, strict=True)
            if x == error
        ]
        made.append(Series(f"error {numbers.percent(error)}", *zip(*points, strict=True)))
    return made


def _values(outcomes: list[SimulationOutcome], word: str) -> set[float]:
    return {v for o in outcomes for w, v in o.settings if w == word}
