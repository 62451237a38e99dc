"""Simulated rates: type I error by test and error rate, against the number of resamples, and power curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...results import numbers
from ...results.run_result import RunResult, SimulationOutcome
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIMES = ("resamples", "folds", "partitions", "datasets")  # what `with resamples 10, 20` is called for each test
MARKS = ("target", "instead-of")  # outcomes that are no point of a curve
MOST_SERIES = 12
MOST_LINES = 6


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
    """What the picture shows. `bars`: tests side by side with a point for each error rate; else a line for each."""

    kind: Literal["type-I", "power"]
    along: str  # the setting on the horizontal axis
    bars: bool
    level: float
    trials: int
    series: tuple[TestRates, ...]

    @property
    def title(self) -> str:
        """The head of the picture."""
        what = "Type I error" if self.kind == "type-I" else "Power"
        return f"{what} by {_axis(self.along)}"

    @property
    def description(self) -> str:
        """The same in words."""
        said = [
            f"{s.name} from {numbers.decimal(min(p.rate for p in s.points), 3)} to "
            f"{numbers.decimal(max(p.rate for p in s.points), 3)}"
            for s in self.series
        ]
        what = "rejections of a true null hypothesis" if self.kind == "type-I" else "differences found"
        whiskers = f"whiskers are 95% Wilson intervals of {numbers.count(self.trials)} trials"
        return f"Share of {what}, {whiskers}: {numbers.listing(said)}."

    def size(self) -> tuple[float, float]:
        """Inches."""
        return (max(5.6, min(1.2 + 0.9 * len(self.series), 10.0)), 3.6) if self.bars else (5.6, 3.6)


def simulated_rates(result: RunResult) -> tuple[tuple[str, SimulatedRates], ...]:
    """The pictures of every simulate statement, each with the statement's name."""
    names = dict.fromkeys(o.name for o in result.simulations)
    made = []
    for name in names:
        outcomes = tuple(o for o in result.simulations if o.name == name)
        made += [(name, data) for data in rates(outcomes)]
    return tuple(made)


def rates(outcomes: tuple[SimulationOutcome, ...]) -> tuple[SimulatedRates, ...]:
    """The pictures of one statement: a setting that takes several values makes an axis."""
    plain = [o for o in outcomes if not any(word in MARKS for word, _ in o.settings)]
    if not plain:
        return ()
    if plain[0].kind == "power":
        found = _made(plain, "difference", bars=False)
        return (found,) if found else ()
    many = {word for word in TIMES if len({v for o in plain for w, v in o.settings if w == word}) > 1}
    lines = [o for o in plain if any(word in many for word, _ in o.settings)]
    made = []
    if many and (found := _made(lines, "resamples", bars=False)):
        made.append(found)
    others = [o for o in plain if o not in lines]
    if others and (found := _made(others, "error", bars=True)):
        made.append(found)
    return tuple(made)


def _made(outcomes: list[SimulationOutcome], along: str, bars: bool) -> SimulatedRates | None:
    words = TIMES if along == "resamples" else (along,)
    several = [w for w in ("n", "error", "rows") if w != along and len(_values(outcomes, w)) > 1]
    found: dict[str, list[Point]] = {}
    for o in outcomes:
        x = next((v for w, v in o.settings if w in words), None)
        if x is None or o.interval is None:
            continue
        apart = [f"{w} {v:g}" for w, v in o.settings if w in several and not (w == "rows" and " on " in o.subject)]
        name = ", ".join([o.subject, *apart])
        found.setdefault(name, []).append(Point(x=x, rate=o.rate, low=o.interval.low, high=o.interval.high))
    if not found:
        return None
    series = [TestRates(name=name, points=tuple(sorted(points, key=lambda p: p.x))) for name, points in found.items()]
    level = next((v for w, v in outcomes[0].settings if w == "alpha"), 0.05)
    return SimulatedRates(
        kind=outcomes[0].kind,
        along=along,
        bars=bars,
        level=level,
        trials=outcomes[0].trials,
        series=tuple(series[: MOST_SERIES if bars else MOST_LINES]),
    )


def _values(outcomes: list[SimulationOutcome], word: str) -> set[float]:
    return {v for o in outcomes for w, v in o.settings if w == word}


def _axis(along: str) -> str:
    return {
        "error": "error rate",
        "resamples": "number of resamples (folds for kfold-t)",
        "difference": "difference of accuracies",
    }.get(along, along)


def draw(data: SimulatedRates, axes: Axes) -> None:
    """Points with whiskers, and the level (or four fifths, for power) as a dashed line."""
    if data.bars:
        _bars(data, axes)
    else:
        _lines(data, axes)
    wanted = data.level if data.kind == "type-I" else 0.8
    axes.axhline(wanted, color=style.INK, lw=0.8, ls="--", gid="level")
    highest = max(p.high for s in data.series for p in s.points)
    axes.set_ylim(0.0, 1.02 if data.kind == "power" else min(1.02, max(0.12, 1.1 * highest)))
    axes.set_ylabel("power" if data.kind == "power" else "type I error")


def _bars(data: SimulatedRates, axes: Axes) -> None:
    """Dietterich's figure 5: for each test a point at each error rate."""
    rates_seen = sorted({p.x for s in data.series for p in s.points})
    step = 0.7 / max(len(rates_seen), 1)
    for k, x in enumerate(rates_seen):
        at = [(i, p) for i, s in enumerate(data.series) for p in s.points if p.x == x]
        places = [i + step * (k - (len(rates_seen) - 1) / 2) for i, _ in at]
        heights = [p.rate for _, p in at]
        reach = [[max(p.rate - p.low, 0.0) for _, p in at], [max(p.high - p.rate, 0.0) for _, p in at]]
        label = f"error {numbers.percent(x)}" if len(rates_seen) > 1 else None
        axes.bar(places, heights, width=0.92 * step, color=style.colour(k), alpha=0.85, label=label, gid=f"rates-{k}")
        axes.errorbar(places, heights, yerr=reach, fmt="none", color=style.INK, lw=1, capsize=2)
    turn = 30 if len(data.series) > 5 else 0
    names = [style.name(s.name) for s in data.series]
    axes.set_xticks(range(len(names)), names, rotation=turn, ha="right" if turn else "center")
    if len(rates_seen) > 1:
        axes.legend(fontsize=8)


def _lines(data: SimulatedRates, axes: Axes) -> None:
    """Figure 6, and power curves."""
    for i, s in enumerate(data.series):
        xs = [100 * p.x if data.along == "difference" else p.x for p in s.points]
        reach = [[max(p.rate - p.low, 0.0) for p in s.points], [max(p.high - p.rate, 0.0) for p in s.points]]
        axes.errorbar(
            xs,
            [p.rate for p in s.points],
            yerr=reach,
            color=style.colour(i),
            marker=style.marker(i),
            ls=style.line(i),
            ms=5,
            lw=1.5,
            capsize=2,
            label=style.name(s.name),
        )
        axes.lines[-1].set_gid(f"series-{i}")
    if data.along == "resamples":
        axes.set_xscale("log")
        places = sorted({p.x for s in data.series for p in s.points})
        axes.set_xticks(places, [f"{p:g}" for p in places])
        axes.minorticks_off()
    axes.set_xlabel(_axis(data.along) + (", points" if data.along == "difference" else ""))
    axes.legend(fontsize=8)
