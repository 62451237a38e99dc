"""The forest plot of a comparison: a row for each pair and dataset, a panel for each metric, the rope shaded."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from ...results import numbers
from ...results.numbers import estimate_of, interval_name, own_estimate, turned
from ...results.records import Verdict
from ..view import Facing, View, facing
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 30  # ours: about a page high; of more, those with the smallest adjusted p
MOST_PANELS = 3
MOST_CHARACTERS = 40  # of the label of a row: two names of learners
MOST_ABOVE = 38  # characters that fit above a panel in one line
EACH = "each"  # in place of a name: every row is another learner against the control


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A difference (or a score) with its interval; filled where it is settled."""

    row: int
    value: float
    low: float | None
    high: float | None
    settled: bool
    says: str  # the values in words, for whoever points at it
    tested: bool = True  # False: a difference on one dataset of a test over them


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One metric."""

    metric: str
    rope: float | None
    marks: tuple[Mark, ...]

    @property
    def told(self) -> str:
        """How many of its differences are settled, in words; "" where none was tested."""
        marks = [m for m in self.marks if m.tested]
        settled = sum(m.settled for m in marks)
        if len(marks) == 1:
            return "the difference is settled (filled)" if settled else "the difference is not settled (hollow)"
        if settled in (0, len(marks)):
            return ("every row is settled (filled)" if settled else "no row is settled (hollow)") if marks else ""
        return f"{settled} of {numbers.plural(len(marks), 'row')} settled (filled), the others not (hollow)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """What the picture shows. `sides` are the names at the two ends of the axis, empty for scores."""

    what: str  # "difference" or "score"
    labels: tuple[str, ...]
    panels: tuple[Panel, ...]
    interval: str
    sides: tuple[str, str] = ("", "")
    rest: str = ""  # what became of the rows that are not shown
    first_difference: bool = False  # 5x2cv-t: the marks are not the mean differences of the tables

    @property
    def title(self) -> str:
        metrics = numbers.listing([p.metric for p in self.panels])
        if self.what == "score":
            return f"Scores in {metrics}"
        first, second = self.sides
        if first == EACH:
            return f"Differences from {second} in {metrics}"
        return f"{first} minus {second} in {metrics}" if second else f"Differences in {metrics}"

    @property
    def description(self) -> str:
        """The same in words."""
        if self.what == "score":
            return f"Each score with its {self.interval}."
        rope = self.panels[0].rope
        inside = f" Shaded: {numbers.rope_words(rope, self.panels[0].metric)}." if rope else ""
        marks = [m for p in self.panels for m in p.marks]
        if not all(m.tested for m in marks):
            inside += " A stroke is the difference on one dataset, which no test of its own speaks of."
        if any(m.settled and m.low is not None and m.high is not None and m.low < 0 < m.high for m in marks):
            inside += " Where a filled mark's interval contains 0, the direction is settled and the size is not."
        ends = [x for m in marks for x in (m.low, m.high) if x is not None]
        if not all(map(isfinite, ends)):
            inside += " An arrow: the interval has no end on that side."
        which = "first difference (that of 5x2cv-t, not the mean)" if self.first_difference else "difference"
        told: dict[str, list[str]] = {}
        for panel in self.panels:
            told.setdefault(panel.told, []).append(panel.metric)
        outcomes = "; ".join(f"in {numbers.listing(metrics)} {words}" for words, metrics in told.items() if words)
        return f"Each {which} with its {self.interval}{'; ' * bool(outcomes)}{outcomes}.{inside}{self.rest}"

    @property
    def says(self) -> dict[str, str]:
        """What stands behind each mark, by its id."""
        return {f"mark-{k}-{m.row}": m.says for k, p in enumerate(self.panels) for m in p.marks}

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 3.4 + 3.2 * len(self.panels), 1.15 + 0.26 * len(self.labels)


def forest(view: View) -> Forest | None:
    """Every pair on every dataset and over them; scores of an estimate."""
    if view.estimates:
        return _scores(view)
    metrics = view.metrics[:MOST_PANELS]
    found = [v for v in view.verdicts if v.pair and v.metric in metrics and v.difference is not None]
    if not found:
        return None
    order = facing(view)
    if len({v.learners for v in found}) > 1 and any(v.dataset is None for v in found):
        found = [v for v in found if v.dataset is None]  # many pairs: the wider answer
    pairs = list(dict.fromkeys(order.pair(v.learners) for v in found))
    rows = _rows(view, order, found, len(pairs) > 1)
    kept, rest = _kept(rows, found)
    kinds = list(dict.fromkeys(interval_name(v.interval) for v in found if v.interval is not None))
    panels = []
    for metric in dict.fromkeys(v.metric for v in found):
        mine = [(i, v) for i, label in enumerate(kept) for v in rows[label] if v.metric == metric]
        single = [] if len(pairs) > 1 else _dots(view, metric, kept)
        rope = next((v.rope for _, v in mine if v.rope is not None), None)
        marks = tuple(_mark(order, i, v) for i, v in mine)
        panels.append(Panel(metric=metric, rope=rope, marks=(*marks, *single)))
    return Forest(
        what="difference",
        labels=tuple(kept),
        panels=tuple(panels),
        interval=kinds[0] if len(kinds) == 1 else "interval",
        sides=pairs[0] if len(pairs) == 1 else _sides(view),
        rest=rest,
        first_difference=any(map(own_estimate, found)),
    )


def _sides(view: View) -> tuple[str, str]:
    return (EACH, view.comparison.control) if view.comparison.control is not None else ("", "")


def _label(view: View, order: Facing, verdict: Verdict, several: bool, alone: bool) -> str:
    first, second = order.pair(verdict.learners)
    place = verdict.dataset or f"over {numbers.plural(len(verdict.datasets), view.unit)}"
    if not several:
        return place
    who = first if second == view.comparison.control else f"{first} - {second}"
    return who if alone else f"{who}, {place}"


def _rows(view: View, order: Facing, found: list[Verdict], several: bool) -> dict[str, list[Verdict]]:
    """Rows by their label, the largest difference of the first metric on top, what is over datasets before all."""
    rows: dict[str, list[Verdict]] = {}
    alone = len({v.dataset for v in found}) == 1
    for verdict in found:
        rows.setdefault(_label(view, order, verdict, several, alone), []).append(verdict)
    if not several:  # a test over datasets alone: the datasets stand below it
        for verdict in (v for v in found if v.dataset is None and len(v.differences) == len(v.datasets)):
            for name in verdict.datasets:
                rows.setdefault(name, [])
    sign = 1 if numbers.higher_is_better(found[0].metric) else -1
    dots = _differences(found)

    def place(item: tuple[str, list[Verdict]]) -> tuple[bool, float]:
        label, mine = item
        first = next((v for v in mine if v.metric == found[0].metric), None)
        value = _turned(order, first) if first is not None else dots.get((found[0].metric, label))
        over = bool(mine) and mine[0].dataset is None
        return (not over, -sign * (value if value is not None else 0.0))

    return dict(sorted(rows.items(), key=place))


def _differences(found: list[Verdict]) -> dict[tuple[str, str], float]:
    over = [v for v in found if v.dataset is None and len(v.differences) == len(v.datasets)]
    return {(v.metric, name): d for v in over for name, d in zip(v.datasets, v.differences, strict=True)}


def _kept(rows: dict[str, list[Verdict]], found: list[Verdict]) -> tuple[list[str], str]:
    if len(rows) <= MOST_ROWS:
        return list(rows), ""
    small = {label: min((_p(v) for v in mine), default=2.0) for label, mine in rows.items()}
    chosen = set(sorted(rows, key=lambda label: small[label])[:MOST_ROWS])
    left = [v for label, mine in rows.items() if label not in chosen for v in mine if v.metric == found[0].metric]
    settled = sum(v.settled for v in left)
    count = numbers.plural(len(rows) - MOST_ROWS, "row is", "rows are")
    return [
        r for r in rows if r in chosen
    ], f" The rows with the smallest p; {count} not shown, {settled} of them settled."


def _p(verdict: Verdict) -> float:
    if verdict.dataset is None:
        return -1.0  # what is over datasets always stands
    return 2.0 if verdict.adjusted_p is None else verdict.adjusted_p


def _turned(order: Facing, verdict: Verdict) -> float:
    value = estimate_of(verdict) or 0.0
    return value if order.pair(verdict.learners) == verdict.learners else -value


def _mark(order: Facing, row: int, verdict: Verdict) -> Mark:
    same = order.pair(verdict.learners) == verdict.learners
    interval = verdict.interval if same or verdict.interval is None else turned(verdict.interval)
    value = _turned(order, verdict)
    low, high = (interval.low, interval.high) if interval is not None else (None, None)
    first, second = order.pair(verdict.learners)
    told = [f"{first} minus {second}", verdict.dataset or "over all", numbers.signed(value, verdict.metric)]
    told += [numbers.interval(interval, verdict.metric)] if interval is not None else []
    told += [numbers.p_is(verdict.adjusted_p, verdict.alpha)] if verdict.adjusted_p is not None else []
    tested = verdict.test is not None or verdict.dataset is None
    return Mark(row=row, value=value, low=low, high=high, settled=verdict.settled, says=", ".join(told), tested=tested)


def _dots(view: View, metric: str, kept: list[str]) -> list[Mark]:
    """Differences on single datasets that no test of their own speaks of."""
    tested = {v.dataset for v in view.on_datasets if v.metric == metric}
    found = _differences([v for v in view.over_datasets if v.pair and v.metric == metric])
    return [
        Mark(
            row=i,
            value=found[metric, label],
            low=None,
            high=None,
            settled=False,
            tested=False,
            says=f"{label}, {numbers.signed(found[metric, label], metric)}",
        )
        for i, label in enumerate(kept)
        if label not in tested and (metric, label) in found
    ]


def _scores(view: View) -> Forest | None:
    scored = [e for e in view.estimates if e.score is not None]
    metrics = list(dict.fromkeys(e.metric for e in scored))[:MOST_PANELS]
    if not scored:
        return None
    several = len({e.learner for e in scored}) > 1
    names = {(e.learner, e.dataset): f"{e.learner}, {e.dataset}" if several else e.dataset for e in scored}
    labels = list(dict.fromkeys(names.values()))[:MOST_ROWS]
    panels = []
    for metric in metrics:
        marks = []
        for e in scored:
            label = names[e.learner, e.dataset]
            if e.metric != metric or label not in labels or e.score is None:
                continue
            low, high = (e.interval.low, e.interval.high) if e.interval is not None else (None, None)
            says = f"{e.learner}, {e.dataset}, {numbers.score(e.score, metric)}"
            marks.append(Mark(row=labels.index(label), value=e.score, low=low, high=high, settled=True, says=says))
        panels.append(Panel(metric=metric, rope=None, marks=tuple(marks)))
    kind = next((interval_name(e.interval) for e in scored if e.interval is not None), "interval")
    return Forest(what="score", labels=tuple(labels), panels=tuple(panels), interval=kind)


def draw(data: Forest, axes: Axes) -> None:
    """Each panel on axes of its own where the figure has them, else the first on the axes handed in."""
    places = axes.figure.axes if axes.figure is not None and len(axes.figure.axes) == len(data.panels) else [axes]
    for k, (panel, place) in enumerate(zip(data.panels, places, strict=False)):
        _panel(data, k, panel, place)
    style.rows(places[0], list(data.labels), MOST_CHARACTERS)
    for other in places[1:]:
        other.tick_params(axis="y", length=0)


def _panel(data: Forest, k: int, panel: Panel, axes: Axes) -> None:
    if panel.rope is not None:
        axes.axvspan(-panel.rope, panel.rope, color=style.FAINT, alpha=0.25, lw=0, gid=f"rope-{k}")
        axes.annotate(
            "rope",
            (panel.rope, 0),
            (-2, 3),
            ("data", "axes fraction"),
            "offset points",
            ha="right",
            color=style.INK,
            fontsize=7,
        )
    if data.what == "difference":
        axes.axvline(0, color=style.INK, lw=0.8, gid=f"zero-{k}")
    ends = [x for m in panel.marks for x in (m.value, m.low, m.high) if x is not None and isfinite(x)]
    left, right = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = 0.06 * (right - left) or 0.01
    for m in panel.marks:
        if m.low is not None and m.high is not None:
            low = m.low if isfinite(m.low) else left - room
            high = m.high if isfinite(m.high) else right + room
            axes.plot([low, high], [m.row, m.row], color=style.COLOURS[0], lw=1.6, gid=f"interval-{k}-{m.row}")
            for end, place, arrow in ((m.low, low, "<"), (m.high, high, ">")):
                if not isfinite(end):  # it goes on beyond the picture
                    axes.plot([place], [m.row], arrow, ms=6, color=style.COLOURS[0], gid=f"open-{arrow}-{k}-{m.row}")
        face = style.COLOURS[0] if m.settled else style.PAPER
        look: dict[str, Any] = (
            {"marker": "o", "ms": 5.5, "mfc": face} if m.tested else {"marker": "|", "ms": 9.0, "mew": 1.8}
        )
        axes.plot([m.value], [m.row], ls="", mec=style.COLOURS[0], gid=f"mark-{k}-{m.row}", **look)
    first, second = data.sides
    if data.what == "score":
        axes.set_xlabel(style.measured(panel.metric))
        return
    if first == EACH:
        axes.set_xlabel(style.broken(f"difference from {style.name(second)}", f"in {style.measured(panel.metric)}"))
        ahead = ("worse", "better")
    elif second:
        axes.set_xlabel(style.subtracted(first, second, panel.metric))
        ahead = (f"{style.name(second)} better", f"{style.name(first)} better")
    else:
        axes.set_xlabel(f"difference in {style.measured(panel.metric)}")
        ahead = ("second better", "first better")
    words = ahead if numbers.higher_is_better(panel.metric) else ahead[::-1]
    above = 10 if sum(map(len, words)) > MOST_ABOVE else 0  # long names: one line each
    for word, x, side, up in ((f"← {words[0]}", 0, "left", above), (f"{words[1]} →", 1, "right", 0)):
        shift = (2 if x == 0 else -2, 4 + up)
        axes.annotate(word, (x, 1), shift, "axes fraction", "offset points", ha=side, fontsize=8)
