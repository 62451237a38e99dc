"""Mean ranks on a line, with bars that join whom no test told apart (Demsar 2006, figure 1)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from textwrap import fill
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalDifference:
    """Learners best first, their mean ranks, the cliques by position, and the critical difference of nemenyi."""

    metric: str
    learners: tuple[str, ...]
    ranks: tuple[float, ...]
    cliques: tuple[tuple[int, ...], ...]
    critical_difference: float | None
    test: str
    n_datasets: int
    unit: str = "dataset"
    left_out: int = 0
    untested: int = 0  # pairs that the design leaves out
    control: str = ""  # then there are no bars: who is not told apart from it has a hollow dot
    near: tuple[str, ...] = ()  # not told apart from the control
    level: float | None = None  # of the critical difference: the share that its block has of the family's level

    @property
    def title(self) -> str:
        kind = "Critical difference diagram" if self.critical_difference is not None else "Mean ranks"
        return f"{kind} for {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        order = numbers.listing(
            [f"{n} {numbers.decimal(r, 2)}" for n, r in zip(self.learners, self.ranks, strict=True)], most=10
        )
        joined = [numbers.listing([self.learners[i] for i in clique]) for clique in self.cliques[:6]]
        tested = " that was tested" if self.untested else ""
        bars = f" Not told apart: {'; '.join(joined)}." if joined else f" Every pair{tested} is told apart."
        if self.control:
            who = f"not told apart from it (hollow): {numbers.listing(self.near, most=6) or 'nobody'}"
            bars = f" {self.control} is the control; {who}."
        elif self.untested:
            bars += f" {numbers.plural(self.untested, 'pair was', 'pairs were')} not tested: nothing is said of them."
        scale = ""
        if self.critical_difference is not None:
            scale = f" The critical difference is {numbers.decimal(self.critical_difference, 2)} ranks{self.at}."
        left = f" {numbers.plural(self.left_out, 'learner')} of lower rank not shown." if self.left_out else ""
        return f"Mean ranks over {numbers.plural(self.n_datasets, self.unit)}, 1 is best: {order}.{bars}{scale}{left}"

    @property
    def at(self) -> str:
        """`, at level 0.05`; nothing where it is not known."""
        return "" if self.level is None else f", at level {numbers.alpha_text(self.level)}"

    def size(self) -> tuple[float, float]:
        """Inches."""
        half = ceil(len(self.learners) / 2)
        return 6.8, 1.1 + 0.21 * half + 0.12 * len(self.cliques)


def critical_difference(view: View, metric: str) -> CriticalDifference | None:
    """The ranking of one metric; its joined pairs as maximal cliques."""
    ranking = next((r for r in view.rankings if r.metric == metric), None)
    if ranking is None or len(ranking.learners) < 2:
        return None
    order = sorted(range(len(ranking.learners)), key=lambda i: (ranking.ranks[i], ranking.learners[i]))
    kept = order[:MOST_LEARNERS]
    control = view.comparison.control or ""
    if control in ranking.learners and ranking.learners.index(control) not in kept:
        kept = [*kept[:-1], ranking.learners.index(control)]
    names = tuple(ranking.learners[i] for i in kept)
    place = {name: i for i, name in enumerate(names)}
    tested = next((v for v in view.over_datasets if v.pair and v.metric == metric), None)
    joined = {(place[a], place[b]) for a, b in ranking.joined if a in place and b in place}
    return CriticalDifference(
        metric=metric,
        learners=names,
        ranks=tuple(ranking.ranks[i] for i in kept),
        cliques=() if control else cliques(len(names), joined),
        control=control,
        near=tuple(n for n in names if (control, n) in ranking.joined or (n, control) in ranking.joined)
        if control
        else (),
        unit=view.unit,
        critical_difference=ranking.critical_difference,
        level=None if tested is None else tested.alpha / tested.family_blocks,
        test=ranking.test,
        n_datasets=ranking.n_datasets,
        left_out=len(order) - len(kept),
        untested=sum(a in place and b in place for a, b in ranking.untested),
    )


def cliques(count: int, joined: set[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The maximal sets of two or more in which every pair is joined (Bron and Kerbosch 1973, with a pivot).

    >>> cliques(4, {(0, 1), (1, 2), (0, 2), (2, 3)})
    ((0, 1, 2), (2, 3))
    """
    near: list[set[int]] = [set() for _ in range(count)]
    for a, b in joined:
        near[a].add(b)
        near[b].add(a)
    found: list[tuple[int, ...]] = []

    def grow(chosen: set[int], open_: set[int], done: set[int]) -> None:
        if not open_ and not done:
            if len(chosen) > 1:
                found.append(tuple(sorted(chosen)))
            return
        pivot = max(open_ | done, key=lambda i: (len(near[i] & open_), -i))
        for i in sorted(open_ - near[pivot]):
            grow(chosen | {i}, open_ & near[i], done & near[i])
            open_ = open_ - {i}
            done = done | {i}

    grow(set(), set(range(count)), set())
    return tuple(sorted(found))


def _inches(axes: Axes) -> float:
    """How wide the picture is: without ticks it takes all of a figure of its own."""
    figure = axes.get_figure(root=True)
    if figure is None or len(figure.axes) > 1:
        return axes.get_window_extent().width / (100.0 if figure is None else figure.dpi)
    return 0.97 * figure.get_figwidth()


def _wide(axes: Axes, text: str) -> float:
    """How many inches a text takes."""
    shown = axes.text(0, 0, text)
    taken = shown.get_window_extent()
    shown.remove()
    figure = axes.get_figure(root=True)
    return taken.width / (100.0 if figure is None else figure.dpi)


def _labels(data: CriticalDifference, axes: Axes, inches: float) -> tuple[list[str], float]:
    """Names with their ranks, none longer than a third of the picture, and the inches that the longest takes."""
    shown: list[str] = []
    longest = 0.0
    for name, rank in zip(data.learners, data.ranks, strict=True):
        form = "{0} {1:.2f}" if len(shown) < ceil(len(data.learners) / 2) else "{1:.2f} {0}"
        label = style.name(name)
        while (taken := _wide(axes, form.format(label, rank))) > inches / 3 and len(label) > 2:
            label = f"{label.rstrip('…')[:-1]}…"
        shown.append(form.format(label, rank))
        longest = max(longest, taken)
    return shown, longest


def draw(data: CriticalDifference, axes: Axes) -> None:
    """Axis of ranks on top, names left and right, bars below, the scale of the critical difference above."""
    inches = _inches(axes)
    labels, side = _labels(data, axes, inches)
    count = len(data.learners)
    low, high = floor(min(data.ranks)), max(ceil(max(data.ranks)), floor(min(data.ranks)) + 1)
    half = ceil(count / 2)
    bars = 0.5 * len(data.cliques)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_yticks([])
    axes.set_xticks([])
    width = high - low
    margin = 0.08 + 1.1 * side / max(inches - 2 * side, 0.1)  # in widths of the scale
    axes.plot([low, high], [0, 0], color=style.INK, lw=1)
    step = 1 if width <= 12 else ceil(width / 10)
    for tick in range(low, high + 1, step):
        axes.plot([tick, tick], [0, 0.25], color=style.INK, lw=1)
        axes.text(tick, 0.4, str(tick), ha="center", va="bottom")
    for i, (name, rank) in enumerate(zip(data.learners, data.ranks, strict=True)):
        left = i < half
        depth = -(bars + 0.6 + (i if left else count - 1 - i) * 0.9)
        edge, gap = (low - 0.04 * width, -0.012 * width) if left else (high + 0.04 * width, 0.012 * width)
        axes.plot([rank, rank, edge], [0, depth, depth], color=style.FAINT, lw=0.8, gid=f"rank-{i}")
        if data.control:
            face = style.PAPER if name in data.near else style.COLOURS[0]
            shade, marker = (style.COLOURS[1], "s") if name == data.control else (style.COLOURS[0], "o")
            face = shade if name == data.control else face
            axes.plot([rank], [0], marker=marker, ms=5, mfc=face, mec=shade, gid=f"dot-{i}")
        axes.text(edge + gap, depth, labels[i], ha="right" if left else "left", va="center")
    for k, clique in enumerate(data.cliques):
        y = -0.45 - 0.5 * k
        places = [data.ranks[i] for i in clique]
        axes.plot(
            [min(places), max(places)], [y, y], color=style.COLOURS[0], lw=3, solid_capstyle="butt", gid=f"bar-{k}"
        )
        # A bar may pass over somebody who is told apart: the dots say who is meant.
        axes.plot(places, [y] * len(places), "o", ms=4, color=style.COLOURS[0], gid=f"members-{k}")
    top = 1.2
    if data.critical_difference is not None:
        cd = data.critical_difference
        top = 2.6
        end = min(low + cd, high)  # one beyond the ranks that are shown stays inside the picture, with an arrow
        axes.plot([low, end], [1.9, 1.9], color=style.COLOURS[1], lw=2, gid="critical-difference")
        if end < low + cd:
            axes.plot([end], [1.9], ">", ms=7, color=style.COLOURS[1], gid="critical-difference-beyond")
        beyond = ", beyond the ranks shown" if end < low + cd else ""
        words = f"critical difference {cd:.2f}{data.at}{beyond}"
        if _wide(axes, words) > inches:
            words = fill(words, len(words) // 2 + 4)
        fits = _wide(axes, words) < inches - side - 0.1
        start = low if fits else low - margin * width  # what would not fit begins at the edge
        axes.text(start, 2.1, words, ha="left", va="bottom", color=style.INK)
        top += 0.9 * words.count("\n")
    axes.set_xlim(low - margin * width, high + margin * width)
    axes.set_ylim(-(bars + 0.6 + half * 0.9), top)
