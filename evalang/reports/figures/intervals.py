"""Pictures of intervals and p-values: the forest plot of a comparison, and the p-values of single partitions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from ...results import numbers
from ...results.numbers import ends, estimate_of, interval_name, own_estimate, turned
from ...results.records import Verdict
from ..sentences import capital
from ..view import SubtractionOrder, View, subtraction_order
from . import style
from .style import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 30  # ours: about a page high; of more, those with the smallest adjusted p
MOST_PANELS = 3
MOST_CHARACTERS = 48  # of a line of the label of a row; two long names have a line each
MOST_ABOVE = 38  # characters that fit above a panel in one line
LOOKS: dict[str, dict[str, Any]] = {
    "filled": {"marker": "o", "ms": 5.5},
    "hollow": {"marker": "o", "ms": 5.5, "mfc": style.PAPER},
    "stroke": {"marker": "|", "ms": 9.0, "mew": 1.8},
}
EACH = "each"  # in place of a name: every row is another learner against the control


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A difference (or a score) with its interval; filled where it differs significantly."""

    row: int
    value: float
    low: float | None
    high: float | None
    settled: bool
    says: str  # the values in words, shown when a reader points at it
    tested: bool = True  # False: a difference on one dataset of a test over them
    equivalent: bool = False  # within the margin

    @property
    def look(self) -> str:
        """How it is drawn, a key of LOOKS."""
        return "stroke" if not self.tested else "filled" if self.settled else "hollow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One metric."""

    metric: str
    rope: float | None
    marks: tuple[Mark, ...]

    @property
    def outcome(self) -> str:
        """Return how many differences are significant, in words; "" where none was tested."""
        marks = [m for m in self.marks if m.tested]
        settled = sum(m.settled for m in marks)
        equal = sum(m.equivalent for m in marks)
        within = f"; {f'{equal} ' * (len(marks) > 1)}equivalent within the margin" * bool(equal)
        if len(marks) == 1:
            return f"the difference is {'' if settled else 'not '}significant{within}"
        if settled in (0, len(marks)):
            every = "every difference is significant" if settled else "no difference is significant"
            return f"{every}{within}" if marks else ""
        verb = "is" if settled == 1 else "are"
        return f"{settled} of {numbers.plural(len(marks), 'difference')} {verb} significant{within}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """A row for each pair and dataset, a panel for each metric, the rope shaded; `sides` name the ends of the axis."""

    what: str  # "difference" or "score"
    labels: tuple[str, ...]
    panels: tuple[Panel, ...]
    interval: str
    sides: tuple[str, str] = ("", "")
    rest: str = ""  # what became of the rows that are not shown
    first_difference: bool = False  # 5x2cv-t: the marks are not the mean differences of the tables

    @property
    def picture(self) -> Picture:
        """The picture of these rows."""
        return Picture(
            title=self.title,
            description=self.description,
            size=(3.4 + 3.2 * len(self.panels), 1.15 + (0.38 if self.two_lines else 0.26) * len(self.labels)),
            draw=self.draw,
            says={
                f"marks-{k}-{look}": [m.says for m in panel.marks if m.look == look]
                for k, panel in enumerate(self.panels)
                for look in LOOKS
            },
            panels=len(self.panels),
            numbers={"labels": self.labels, "panels": self.panels},
        )

    @property
    def two_lines(self) -> bool:
        """Whether labels name two learners that do not fit into one line."""
        return any(len(label) > MOST_CHARACTERS and " - " in label for label in self.labels)

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
        if self.what == "score":
            return f"Each point is a score with its {self.interval}."
        rope = self.panels[0].rope
        inside = f" The shaded area is {numbers.rope_words(rope, self.panels[0].metric)}." if rope else ""
        marks = [m for p in self.panels for m in p.marks]
        if not all(m.tested for m in marks):
            inside += " A vertical stroke is the difference on one dataset, which was not tested separately."
        if any(m.settled and m.low is not None and m.high is not None and m.low < 0 < m.high for m in marks):
            inside += (
                " If the interval of a filled point contains 0, the direction is significant and the size is uncertain."
            )
        ends = [x for m in marks for x in (m.low, m.high) if x is not None]
        if not all(map(isfinite, ends)):
            inside += " An arrow means that the interval is unbounded on that side."
        which = "first difference (that of 5x2cv-t, not the mean)" if self.first_difference else "difference"
        by_outcome: dict[str, list[str]] = {}
        for panel in self.panels:
            by_outcome.setdefault(panel.outcome, []).append(panel.metric)
        both = len({m.settled for m in marks if m.tested}) == 2
        key = " A filled point is significant, a hollow one is not." * both
        said = [f"in {numbers.listing(metrics)}, {words}" for words, metrics in by_outcome.items() if words]
        outcomes = f" {capital('; '.join(said))}." if said else ""
        interval = f" with its {self.interval}" if ends else ""
        return f"Each point is a {which}{interval}.{outcomes}{key}{inside}{self.rest}"

    def draw(self, axes: Axes) -> None:
        """Draw each panel on axes of its own where the figure has them, else the first on the given axes."""
        places = axes.figure.axes if axes.figure is not None and len(axes.figure.axes) == len(self.panels) else [axes]
        for k, (panel, place) in enumerate(zip(self.panels, places, strict=False)):
            self._draw_panel(k, panel, place)
            spec = place.get_subplotspec()
            if spec is None or spec.is_first_col():
                if not self.two_lines:
                    style.label_rows(place, self.labels, MOST_CHARACTERS)
                    continue
                style.label_rows(place, [""] * len(self.labels))
                transform, _, side = place.get_yaxis_text1_transform(3.5)
                for row, label in enumerate(self.labels):
                    first, minus, second = label.partition(" -")
                    text = "\n".join(style.name(one.strip(), MOST_CHARACTERS) for one in (first + minus, second) if one)
                    place.text(0, row, text, transform=transform, va="center", ha=side, multialignment=side)

    def _draw_panel(self, k: int, panel: Panel, axes: Axes) -> None:
        shade = style.COLOURS[0]
        if panel.rope is not None:
            axes.axvspan(-panel.rope, panel.rope, color=style.FAINT, alpha=0.25, lw=0, gid=f"rope-{k}")
            where: tuple[Any, ...] = ((panel.rope, 0), (-2, 3), ("data", "axes fraction"), "offset points")
            axes.annotate("margin", *where, ha="right", color=style.INK, fontsize=7)
        if self.what == "difference":
            axes.axvline(0, color=style.INK, lw=0.8, gid=f"zero-{k}")
        ends = [x for m in panel.marks for x in (m.value, m.low, m.high) if x is not None and isfinite(x)]
        left, right = (min(ends), max(ends)) if ends else (0.0, 1.0)
        room = 0.06 * (right - left) or 0.01
        # An interval without an end goes on beyond the picture.
        intervals = [(m.row, m.low, m.high) for m in panel.marks if m.low is not None and m.high is not None]
        rows, lows, highs = zip(*intervals, strict=True) if intervals else ((), (), ())
        axes.hlines(rows, [max(x, left - room) for x in lows], [min(x, right + room) for x in highs], shade, lw=1.6)
        axes.plot([left - room] * lows.count(-inf), [r for r, x, _ in intervals if x == -inf], "<", ms=6, color=shade)
        axes.plot([right + room] * highs.count(inf), [r for r, _, x in intervals if x == inf], ">", ms=6, color=shade)
        for name, look in LOOKS.items():
            marks = [m for m in panel.marks if m.look == name]
            places = ([m.value for m in marks], [m.row for m in marks])
            axes.plot(*places, ls="", mec=shade, gid=f"marks-{k}-{name}", **({"mfc": shade} | look))
        self._label_panel(panel.metric, axes)

    def _label_panel(self, metric: str, axes: Axes) -> None:
        first, second = self.sides
        ahead = ("second better", "first better")
        label = f"difference in {style.metric_label(metric)}"
        if self.what == "score":
            axes.set_xlabel(style.metric_label(metric))
            return
        if first == EACH:
            label = style.wrapped_label(f"difference from {style.name(second)}", f"in {style.metric_label(metric)}")
            ahead = ("worse", "better")
        elif second:
            label = style.difference_label(first, second, metric)
            one, other = style.names([first, second])
            ahead = (f"{other} better", f"{one} better")
        axes.set_xlabel(label)
        words = ahead if numbers.higher_is_better(metric) else ahead[::-1]
        above = 10 if sum(map(len, words)) > MOST_ABOVE else 0  # long names: one line each
        for word, x, side, shift in (
            (f"← {words[0]}", 0, "left", (2, 4 + above)),
            (f"{words[1]} →", 1, "right", (-2, 4)),
        ):
            axes.annotate(word, (x, 1), shift, "axes fraction", "offset points", ha=side, fontsize=8)


def forest(view: View, most_panels: int = MOST_PANELS) -> Picture | None:
    """Return every pair on every dataset and over them, or the scores of an estimate."""
    if view.estimates:
        return _scores(view)
    metrics = view.metrics[:most_panels]
    found = [v for v in view.verdicts if v.pair and v.metric in metrics and v.difference is not None]
    if not found:
        return None
    order, control = subtraction_order(view), view.comparison.control
    if len({v.learners for v in found}) > 1 and any(v.dataset is None for v in found):
        found = [v for v in found if v.dataset is None]  # many pairs: the wider answer
    pairs = list(dict.fromkeys(order.pair(v.learners) for v in found))
    rows = _rows(view, order, found, len(pairs) > 1)
    kept, rest = _kept(rows, found)
    kinds = list(dict.fromkeys(interval_name(v.interval) for v in found if v.interval is not None))
    panels = []
    for metric in dict.fromkeys(v.metric for v in found):
        mine = [(i, v) for i, label in enumerate(kept) for v in rows[label] if v.metric == metric]
        single = [] if len(pairs) > 1 else _untested_marks(view, metric, kept)
        rope = next((v.rope for _, v in mine if v.rope is not None), None)
        marks = tuple(_mark(order, i, v) for i, v in mine)
        panels.append(Panel(metric=metric, rope=rope, marks=(*marks, *single)))
    return Forest(
        what="difference",
        labels=tuple(kept),
        panels=tuple(panels),
        interval=kinds[0] if len(kinds) == 1 else "interval",
        sides=pairs[0] if len(pairs) == 1 else ("", "") if control is None else (EACH, control),
        rest=rest,
        first_difference=any(map(own_estimate, found)),
    ).picture


def _label(view: View, order: SubtractionOrder, verdict: Verdict, several: bool, alone: bool) -> str:
    first, second = order.pair(verdict.learners)
    place = verdict.dataset or f"over {numbers.plural(len(verdict.datasets), view.unit)}"
    if not several:
        return place
    if second == view.comparison.control:
        return first if alone else f"{first}, {place}"
    most = MOST_CHARACTERS - 2 - (0 if alone else len(place) + 2)
    short = dict(zip(view.learners, style.names(view.learners, max(most, MOST_CHARACTERS // 2 - 2)), strict=True))
    who = f"{short[first]} - {short[second]}"
    return who if alone else f"{who}, {place}"


def _rows(view: View, order: SubtractionOrder, found: list[Verdict], several: bool) -> dict[str, list[Verdict]]:
    """Return rows by their label: verdicts over datasets, then the largest difference of the first metric."""
    rows: dict[str, list[Verdict]] = {}
    alone = len({v.dataset for v in found}) == 1
    for verdict in found:
        rows.setdefault(_label(view, order, verdict, several, alone), []).append(verdict)
    if not several:  # a test over datasets alone: the datasets stand below it
        for verdict in (v for v in found if v.dataset is None and len(v.paired) == len(v.datasets)):
            for name in verdict.datasets:
                rows.setdefault(name, [])
    sign = 1 if numbers.higher_is_better(found[0].metric) else -1
    dots = _differences(found)

    def place(item: tuple[str, list[Verdict]]) -> tuple[bool, float]:
        label, mine = item
        first = next((v for v in mine if v.metric == found[0].metric), None)
        value = _estimate(order, first) if first is not None else dots.get((found[0].metric, label))
        over = bool(mine) and mine[0].dataset is None
        return (not over, -sign * (value if value is not None else 0.0))

    return dict(sorted(rows.items(), key=place))


def _differences(found: list[Verdict]) -> dict[tuple[str, str], float]:
    over = [v for v in found if v.dataset is None and len(v.paired) == len(v.datasets)]
    return {(v.metric, name): d for v in over for name, d in zip(v.datasets, v.paired, strict=True)}


def _kept(rows: dict[str, list[Verdict]], found: list[Verdict]) -> tuple[list[str], str]:
    if len(rows) <= MOST_ROWS:
        return list(rows), ""
    small = {label: min((_p(v) for v in mine), default=2.0) for label, mine in rows.items()}
    chosen = set(sorted(rows, key=lambda label: small[label])[:MOST_ROWS])
    left = [v for label, mine in rows.items() if label not in chosen for v in mine if v.metric == found[0].metric]
    settled = sum(v.settled for v in left)
    count = numbers.plural(len(rows) - MOST_ROWS, "row is", "rows are")
    rest = f" Shown are the rows with the smallest p; {count} not shown, of which {settled} are significant."
    return [label for label in rows if label in chosen], rest


def _p(verdict: Verdict) -> float:
    if verdict.dataset is None:
        return -1.0  # a verdict over datasets is always shown
    return 2.0 if verdict.adjusted_p is None else verdict.adjusted_p


def _estimate(order: SubtractionOrder, verdict: Verdict) -> float:
    value = estimate_of(verdict) or 0.0
    return -value if order.turns(verdict.learners) else value


def _mark(order: SubtractionOrder, row: int, verdict: Verdict) -> Mark:
    interval = verdict.interval
    if interval is not None and order.turns(verdict.learners):
        interval = turned(interval)
    value = _estimate(order, verdict)
    low, high = ends(interval)
    words = [" minus ".join(order.pair(verdict.learners)), verdict.dataset or "over all"]
    words += [numbers.signed(value, verdict.metric)]
    words += [numbers.interval(interval, verdict.metric)] if interval is not None else []
    words += [numbers.p_is(verdict.adjusted_p, verdict.alpha)] if verdict.adjusted_p is not None else []
    tested = verdict.test is not None or verdict.dataset is None
    return Mark(
        row=row,
        value=value,
        low=low,
        high=high,
        settled=verdict.settled and verdict.answer != "equivalent",
        says=", ".join(words),
        tested=tested,
        equivalent=verdict.answer == "equivalent",
    )


def _untested_marks(view: View, metric: str, kept: list[str]) -> list[Mark]:
    """Return the differences on single datasets that have no test of their own."""
    tested = {v.dataset for v in view.on_datasets if v.metric == metric}
    found = _differences([v for v in view.over_datasets if v.pair and v.metric == metric])
    marks = []
    for i, label in enumerate(kept):
        if label not in tested and (metric, label) in found:
            value = found[metric, label]
            says = f"{label}, {numbers.signed(value, metric)}"
            marks.append(Mark(row=i, value=value, low=None, high=None, settled=False, tested=False, says=says))
    return marks


def _scores(view: View) -> Picture | None:
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
            low, high = ends(e.interval)
            says = f"{e.learner}, {e.dataset}, {numbers.score(e.score, metric)}"
            marks.append(Mark(row=labels.index(label), value=e.score, low=low, high=high, settled=True, says=says))
        panels.append(Panel(metric=metric, rope=None, marks=tuple(marks)))
    kind = next((interval_name(e.interval) for e in scored if e.interval is not None), "interval")
    return Forest(what="score", labels=tuple(labels), panels=tuple(panels), interval=kind).picture


MOST_DATASETS = 25
TALL = 26  # characters that fit along the axis


def partition_values(view: View, metric: str, learners: tuple[str, ...]) -> Picture | None:
    """Return sorted significance values of single random splits (Bradford and Brodley, figures 1 to 4), by dataset.

    A two-sided p is folded out: near 1 the first learner is better, near 0 the second, 0.5 neither.
    """
    first, second = subtraction_order(view).pair(learners)
    better = (1 if numbers.higher_is_better(metric) else -1) * (1 if (first, second) == learners else -1)
    found: dict[str, list[float]] = {}
    flat: Counter[str] = Counter()  # splits that are not drawn: their folds differ by one amount, so they have no t
    for one in view.partitions:
        if one.metric != metric or one.learners != learners:
            continue
        if one.pvalue is None:
            flat[one.dataset] += 1
        else:
            ahead = (one.statistic or 0.0) * better
            half = one.pvalue / 2
            found.setdefault(one.dataset, []).append(1 - half if ahead > 0 else half if ahead < 0 else 0.5)
    values = {d: tuple(sorted(found[d])) for d in view.datasets if len(found.get(d, ())) > 1}
    values = dict(list(values.items())[:MOST_DATASETS])
    if not values:
        return None
    alpha = view.comparison.alpha.value
    beyond = {d: sum(v <= alpha / 2 or v >= 1 - alpha / 2 for v in mine) for d, mine in values.items()}

    def draw(axes: Axes) -> None:
        """Draw a rising line of values for each dataset, side by side."""
        for i, mine in enumerate(values.values()):
            step = 0.8 / max(len(mine) - 1, 1)
            places = [i - 0.4 + step * k for k in range(len(mine))]
            axes.plot(places, mine, marker=".", ms=4, lw=0.8, color=style.COLOURS[0], gid=f"values-{i}")
        axes.axhline(0.5, color=style.INK, lw=0.8)
        for k, level in enumerate((alpha / 2, 1 - alpha / 2)):
            axes.axhline(level, color=style.COLOURS[1], lw=1, ls="--", gid=f"level-{k}")
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlim(-0.6, len(values) - 0.4)
        axes.set_xticks(range(len(values)), list(map(style.name, values)), rotation=90 if len(values) > 6 else 0)
        low, high = f"0: {style.name(second)} ahead,", f"1: {style.name(first)} ahead"
        axes.set_ylabel(f"{low} {high}" if len(low) + len(high) <= TALL else f"{low}\n{high}")

    parts = [
        f"{beyond[d]} of {len(mine) + flat[d]} on {d}{f' ({flat[d]} have no p-value)' if flat[d] else ''}"
        for d, mine in list(values.items())[:8]
    ]
    return Picture(
        title=f"Spread of p over random splits, {first} against {second} in {metric}",
        description="Each point is one random split (repeat), sorted by its p-value; the side of 0.5 shows "
        "which learner "
        "is ahead. Points beyond the dashed lines are random splits that would be significant alone "
        f"(p <= {numbers.alpha_text(alpha)}): {numbers.listing(parts)}.",
        size=(max(4.5, min(1.4 + 0.55 * len(values), 10.0)), 3.2),
        draw=draw,
        numbers={"values": values, "beyond": beyond},
    )
