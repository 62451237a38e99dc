"""Pictures of how learners stand over datasets: critical differences, scatter, wins, a heat map."""

from __future__ import annotations

from math import ceil, floor, fsum
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ...errors import DataError
from ...results import numbers
from ..view import View, subtraction_order
from . import style
from .style import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 30
Clique = tuple[int, ...]


def critical_difference(view: View, metric: str) -> Picture | None:
    """Return mean ranks on a line, with bars that join learners without a significant difference (Demsar 2006).

    With a control there are no bars: a learner that does not differ from it has a hollow dot.
    """
    ranking = next((r for r in view.rankings if r.metric == metric), None)
    if ranking is None or len(ranking.learners) < 2:
        return None
    order = sorted(range(len(ranking.learners)), key=lambda i: (ranking.ranks[i], ranking.learners[i]))
    kept = order[:MOST_LEARNERS]
    control = view.comparison.control or ""
    if control in ranking.learners and ranking.learners.index(control) not in kept:
        kept = [*kept[:-1], ranking.learners.index(control)]
    learners = tuple(ranking.learners[i] for i in kept)
    ranks = tuple(ranking.ranks[i] for i in kept)
    place = {name: i for i, name in enumerate(learners)}
    tested = next((v for v in view.over_datasets if v.pair and v.metric == metric), None)
    level = None if tested is None else tested.alpha / tested.family_blocks  # the share that its block has
    joined = {(place[a], place[b]) for a, b in ranking.joined if a in place and b in place}
    bars = () if control else cliques(len(learners), joined)
    near = tuple(n for n in learners if control and {(control, n), (n, control)} & set(ranking.joined))
    left, untested = len(order) - len(kept), sum(a in place and b in place for a, b in ranking.untested)
    cd, at = ranking.critical_difference, "" if level is None else f", at level {numbers.alpha_text(level)}"
    if tested is not None and tested.family_blocks > 1:
        at += f" ({numbers.alpha_text(tested.alpha)} / {tested.family_blocks} sets of tests)"
    listed = [f"{n} {numbers.decimal(r, 2)}" for n, r in zip(learners, ranks, strict=True)]
    over = numbers.plural(ranking.n_datasets, view.unit)
    sentences = [f"Mean ranks over {over} (1 is best): {numbers.listing(listed, most=10)}."]
    if control:
        who = numbers.listing(near, most=6) or "no learner"
        sentences.append(f"{control} is the control. No significant difference from it (hollow points): {who}.")
    else:
        shown = [numbers.listing([learners[i] for i in clique]) for clique in bars[:6]]
        every = f"Every pair{' that was tested' * bool(untested)} differs significantly."
        joins = f"A bar joins learners without a significant difference: {'; '.join(shown)}."
        sentences.append(joins if shown else every)
        sentences += [f"{numbers.plural(untested, 'pair was', 'pairs were')} not tested."] if untested else []
    sentences += [f"The critical difference is {numbers.decimal(cd, 2)} ranks{at}."] if cd is not None else []
    sentences += [f"{numbers.plural(left, 'learner')} with a worse mean rank are not shown."] if left else []
    return Picture(
        title=f"{'Mean ranks' if cd is None else 'Critical difference diagram'} for {metric}",
        description=" ".join(sentences),
        size=(6.8, 1.1 + 0.21 * ceil(len(learners) / 2) + 0.12 * len(bars)),
        draw=lambda axes: draw_ranks(axes, learners, ranks, bars, cd, at, control, near),
        numbers={"learners": learners, "ranks": ranks, "cliques": bars},
    )


def draw_ranks(
    axes: Axes,
    learners: tuple[str, ...],
    ranks: tuple[float, ...],
    bars: tuple[Clique, ...],
    cd: float | None,
    at: str = "",
    control: str = "",
    near: tuple[str, ...] = (),
) -> None:
    """Draw ranks on top, names left and right, bars below, the scale of the critical difference above."""
    inches = _inches(axes)
    labels, side = _labels(learners, ranks, axes, inches)
    count, half, room = len(learners), ceil(len(learners) / 2), 0.5 * len(bars)
    low, high = floor(min(ranks)), max(ceil(max(ranks)), floor(min(ranks)) + 1)
    axes.spines[:].set_visible(False)
    axes.set(xticks=[], yticks=[])
    width = high - low
    margin = 0.08 + 1.1 * side / max(inches - 2 * side, 0.1)  # in widths of the scale
    axes.plot([low, high], [0, 0], color=style.INK, lw=1)
    step = 1 if width <= 12 else ceil(width / 10)
    for tick in range(low, high + 1, step):
        axes.plot([tick, tick], [0, 0.25], color=style.INK, lw=1)
        axes.text(tick, 0.4, str(tick), ha="center", va="bottom")
    for i, (name, rank) in enumerate(zip(learners, ranks, strict=True)):
        left = i < half
        depth = -(room + 0.6 + (i if left else count - 1 - i) * 0.9)
        edge, gap = (low - 0.04 * width, -0.012 * width) if left else (high + 0.04 * width, 0.012 * width)
        axes.plot([rank, rank, edge], [0, depth, depth], color=style.FAINT, lw=0.8, gid=f"rank-{i}")
        if control:
            shade, marker = (style.COLOURS[1], "s") if name == control else (style.COLOURS[0], "o")
            face = style.PAPER if name in near and name != control else shade
            axes.plot([rank], [0], marker=marker, ms=5, mfc=face, mec=shade, gid=f"dot-{i}")
        axes.text(edge + gap, depth, labels[i], ha="right" if left else "left", va="center")
    for k, clique in enumerate(bars):
        y = -0.45 - 0.5 * k
        places = [ranks[i] for i in clique]
        ends, shade = [min(places), max(places)], style.COLOURS[0]
        axes.plot(ends, [y, y], color=shade, lw=3, solid_capstyle="butt", gid=f"bar-{k}")
        # A bar may pass over a learner that is not part of the clique: the dots say which ones are.
        axes.plot(places, [y] * len(places), "o", ms=4, color=shade, gid=f"members-{k}")
    top = 1.2
    if cd is not None:
        end = min(low + cd, high)  # one beyond the ranks that are shown stays inside the picture, with an arrow
        axes.plot([low, end], [1.9, 1.9], color=style.COLOURS[1], lw=2, gid="critical-difference")
        if end < low + cd:
            axes.plot([end], [1.9], ">", ms=7, color=style.COLOURS[1], gid="critical-difference-beyond")
        words = f"critical difference {cd:.2f}{at}{', beyond the ranks shown' if end < low + cd else ''}"
        if _text_inches(axes, words) > inches:
            words = fill(words, len(words) // 2 + 4)
        fits = _text_inches(axes, words) < inches - side - 0.1
        start = low if fits else low - margin * width  # what would not fit begins at the edge
        axes.text(start, 2.1, words, ha="left", va="bottom", color=style.INK)
        top = 2.6 + 0.9 * words.count("\n")
    axes.set_xlim(low - margin * width, high + margin * width)
    axes.set_ylim(-(room + 0.6 + half * 0.9), top)


def cliques(count: int, joined: set[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the maximal sets of two or more in which every pair is joined (Bron and Kerbosch 1973, with a pivot).

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
    """Return the width of the picture: without ticks it takes all of a figure of its own."""
    figure = axes.get_figure(root=True)
    if figure is None or len(figure.axes) > 1:
        return axes.get_window_extent().width / _dpi(axes)
    return 0.97 * figure.get_figwidth()


def _text_inches(axes: Axes, text: str) -> float:
    """Return the width of a text."""
    shown = axes.text(0, 0, text)
    taken = shown.get_window_extent()
    shown.remove()
    return taken.width / _dpi(axes)


def _dpi(axes: Axes) -> float:
    figure = axes.get_figure(root=True)
    return 100.0 if figure is None else figure.dpi


def _labels(learners: tuple[str, ...], ranks: tuple[float, ...], axes: Axes, inches: float) -> tuple[list[str], float]:
    """Return names with ranks, none longer than a third of the picture, and the width of the longest in inches."""
    shown: list[str] = []
    longest = 0.0
    for label, rank in zip(style.names(learners), ranks, strict=True):
        form = "{0} {1:.2f}" if len(shown) < ceil(len(learners) / 2) else "{1:.2f} {0}"
        while (taken := _text_inches(axes, form.format(label, rank))) > inches / 3 and len(label) > 2:
            label = f"{label.rstrip('…')[:-1]}…"
        shown.append(form.format(label, rank))
        longest = max(longest, taken)
    return shown, longest


FEWEST = 3  # datasets; below it the table says it all
MOST_NAMED = 3  # points that lie furthest from the diagonal
TIED = 1e-12


def scatter(view: View, metric: str, learners: tuple[str, ...]) -> Picture | None:
    """Return the scores of one learner (y axis) against those of the other (x axis; Demsar 2006, section 3.1.3).

    Items are right or wrong, which gives four points and no picture.
    """
    first, second = subtraction_order(view).pair(learners)
    points = {}
    for dataset, row in view.means.get(metric, {}).items():
        a, b = (row[name].mean if name in row else None for name in (first, second))
        if a is not None and b is not None:
            points[dataset] = (a, b)
    over = any(v.metric == metric and v.learners == learners for v in view.over_datasets)
    if not over or view.unit != "dataset" or len(points) < FEWEST:
        return None
    sign = 1 if numbers.higher_is_better(metric) else -1
    better = {d: p for d, p in points.items() if sign * (p[0] - p[1]) > TIED}
    sides = (better, {d: p for d, p in points.items() if d not in better})
    tied = sum(abs(a - b) <= TIED for a, b in points.values())

    def says(dataset: str, scores: tuple[float, float]) -> str:
        one, other = (numbers.score(score, metric) for score in scores)
        return f"{dataset}: {first} {one}, {second} {other}"

    def draw(axes: Axes) -> None:
        """Draw both axes alike; a point is filled where the first learner is better, hollow where the second is."""
        values = [x for point in points.values() for x in point]
        low, high = min(values), max(values)
        room = 0.06 * (high - low) or 0.01
        ends = (low - room, high + room)
        style.draw_diagonal(axes, ends)
        for k, (side, shape, face) in enumerate(zip(sides, "os", (style.COLOURS[0], style.PAPER), strict=True)):
            ys, xs = zip(*side.values(), strict=True) if side else ((), ())
            axes.plot(xs, ys, shape, ms=5, mfc=face, mec=style.COLOURS[0], gid=f"points-{k}")
        small: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8}
        for dataset, (y, x) in sorted(points.items(), key=lambda item: -abs(item[1][0] - item[1][1]))[:MOST_NAMED]:
            shift, to = (-6, "right") if x > (low + high) / 2 else (6, "left")
            axes.annotate(style.name(dataset), (x, y), (shift, 0), ha=to, va="center", **small)
        label = style.metric_label(metric)
        axes.set(xlim=ends, ylim=ends, aspect="equal")
        axes.set(xlabel=f"{label} of {style.name(second)}", ylabel=f"{label} of {style.name(first)}")
        upper, lower = (first, second)[::sign]
        for who, at, shift_by, to, edge in (
            (upper, (0, 1), (4, -4), "left", "top"),
            (lower, (1, 0), (-4, 4), "right", "bottom"),
        ):
            axes.annotate(f"{style.name(who)} better", at, shift_by, "axes fraction", ha=to, va=edge, **small)

    ties = f", {numbers.plural(tied, 'tie')} on it" if tied else ""
    return Picture(
        title=f"{first} against {second} in {metric}",
        description=f"Each point is one of {numbers.plural(len(points), 'dataset')}. {first} is better "
        f"{'above' if sign > 0 else 'below'} the diagonal ({len(better)}), {second} on the other side "
        f"({len(points) - len(better) - tied}){ties}.",
        size=(4.6, 4.4),
        draw=draw,
        says={f"points-{k}": [says(*point) for point in side.items()] for k, side in enumerate(sides)},
        numbers={"points": points},
    )


MOST_IN_GRID = 20


def wins(view: View, metric: str) -> Picture | None:
    """Return wins, ties and losses of each learner against each in the means of the table; twelve digits count."""
    names, means = view.learners, view.means.get(metric, {})
    if not 3 <= len(names) <= MOST_IN_GRID or len(means) < 2:
        return None
    sign = 1 if numbers.higher_is_better(metric) else -1
    rounded = [
        {n: sign * float(f"{s.mean:.12g}") for n, s in row.items() if s.mean is not None} for row in means.values()
    ]

    def tally(one: str, other: str) -> tuple[int, int, int]:
        gaps = [row[one] - row[other] for row in rounded if one != other and one in row and other in row]
        return sum(gap > 0 for gap in gaps), sum(gap == 0 for gap in gaps), sum(gap < 0 for gap in gaps)

    counts = tuple(tuple(tally(one, other) for other in names) for one in names)

    def draw(axes: Axes) -> None:
        """Draw a square of cells, shaded by wins less losses."""
        from matplotlib.colors import to_rgba

        most = max((sum(c) for row in counts for c in row), default=1) or 1
        cells = {}
        for i, row in enumerate(counts):
            for j, (won, tied, lost) in enumerate(row):
                if i != j:
                    balance = (won - lost) / most
                    shade = to_rgba(style.COLOURS[0] if balance > 0 else style.COLOURS[1], 0.45 * abs(balance))
                    cells[j, i] = (f"{won}/{tied}/{lost}", shade, style.INK)
        style.draw_grid(axes, names, names, cells, rotation=90)

    best, name = max(((sum(c[0] for c in row), n) for row, n in zip(counts, names, strict=True)), key=lambda t: t[0])
    side = 1.6 + 0.52 * len(names)
    return Picture(
        title=f"Wins, ties and losses in {metric}",
        description="Number of datasets on which the learner of the row wins, ties and loses against the "
        "learner of the "
        f"column, by mean {metric} and without a test. {name} wins most often ({numbers.plural(best, 'time')}).",
        size=(side + 0.6, side),
        draw=draw,
        numbers={"counts": counts},
    )


MOST_IN_HEATMAP = 40


def normalised(view: View) -> Picture | None:
    """Return normalised scores by metric as a heat map (Caruana and Niculescu-Mizil 2005, table 2).

    They are means over the datasets on which some learner beats the baseline: 0 is the baseline, 1 the best observed.
    """
    zero = {(b.dataset, b.metric): b.score for b in view.baselines}
    metrics = tuple(m for m in view.metrics if any(metric == m for _, metric in zero))
    if len(view.learners) < 3 or len(metrics) < 2:
        return None
    from ...scores.metrics import normalise  # imports scikit-learn

    table: dict[tuple[str, str], list[float]] = {}
    for metric in metrics:
        for dataset, row in view.means.get(metric, {}).items():
            base, card = zero.get((dataset, metric)), numbers.metric_card(metric)
            scored = {n: s.mean for n, s in row.items() if s.mean is not None}
            if base is None or card is None or not scored:
                continue
            best = (max if card.higher_is_better else min)(scored.values())
            if card.name != "cal" and abs(best - base) < numbers.NOISE:
                continue
            try:
                scaled = normalise(card.name, list(scored.values()), base)
            except DataError:
                continue
            for name, value in zip(scored, scaled, strict=True):
                table.setdefault((name, metric), []).append(value)
    values = {n: tuple(_mean(table.get((n, m), [])) for m in metrics) for n in view.learners}
    means = {n: _mean([v for v in row if v is not None]) for n, row in values.items()}
    order = sorted(view.learners, key=lambda n: 9.0 if (mean := means[n]) is None else -mean)[:MOST_IN_HEATMAP]

    def draw(axes: Axes) -> None:
        """Draw cells from light (0) to dark (1) with the number in each; the last column is the mean."""
        import matplotlib

        colours = matplotlib.colormaps["cividis_r"]
        cells: dict[tuple[int, int], style.Cell] = {}
        for i, name in enumerate(order):
            for j, value in enumerate((*values[name], means[name])):
                if value is None:
                    cells[j, i] = ("none", "none", style.FAINT)
                    continue
                red, green, blue, _ = fill = colours(min(max(value, 0.0), 1.0) * 0.85)
                # Perceived lightness (Rec. 709 weights): dark letters on light cells, light ones on dark.
                ink = "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.45 else "#ffffff"
                cells[j, i] = (f"{value:.3f}", fill, ink)
        style.draw_grid(axes, order, (*metrics, "mean"), cells, rotation=45, ha="right")

    shown = [f"{n} {numbers.decimal(mean)}" for n in order if (mean := means[n]) is not None]
    cal = " For cal, on which this baseline scores well, 0 is the mean of the learners." if "cal" in metrics else ""
    return Picture(
        title="Normalised scores by metric",
        description="Normalised scores, averaged over datasets. 1 is the best learner of the comparison. 0 is a "
        f"baseline that always predicts the share of positives.{cal} Adding or removing a learner changes all "
        f"normalised scores. Mean over metrics: {numbers.listing(shown)}.",
        size=(2.6 + 0.62 * (len(metrics) + 1), 1.5 + 0.3 * len(order)),
        draw=draw,
        numbers={"learners": order, "metrics": metrics, "values": [values[n] for n in order]},
    )


def _mean(values: list[float]) -> float | None:
    return fsum(values) / len(values) if values else None
