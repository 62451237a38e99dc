"""The pictures that commands draw by themselves: the tests of a ledger over time, and power curves."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from ...catalogue.power import WANTED
from ...ledger.chain import Event
from ...ledger.history import earlier_looks, level_of_look
from ..escape import visible
from . import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _saved(figure: Figure, form: str) -> bytes:
    """Return the picture as a file; an SVG has no date."""
    content = io.BytesIO()
    figure.savefig(content, format=form, metadata={"Date": None} if form == "svg" else None)
    return content.getvalue()


Steps = dict[str, list[datetime]]


def looks_over_time(found: Sequence[Event]) -> Steps:
    """Return when each set of rows was tested, by the first name of the rows."""
    names: dict[str, str] = {}
    for event in (one for one in found if one.kind == "looked"):
        for name, id in event.get("datasets", {}).items():
            names.setdefault(id, name if name not in names.values() else f"{name} ({id})")
    sketches = {one.get("rows", ""): tuple(one.get("sketch", ())) for one in found if one.kind == "rows"}
    looks = {called: earlier_looks(found, {id: sketches.get(id, ())}, {}) for id, called in names.items()}
    return {called: sorted(datetime.fromisoformat(one.at) for one in seen) for called, seen in looks.items() if seen}


def ledger_picture(found: Sequence[Event], alpha: float) -> bytes:
    """Return an SVG file; matplotlib is imported only here."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    with style.matplotlib_settings():
        figure = Figure(figsize=(7, 5), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        for called, times in looks_over_time(found).items():
            counts = range(1, len(times) + 1)
            levels = [level_of_look(alpha, j + 1) for j in counts]
            for axes, values in ((above, list(counts)), (below, levels)):
                axes.step(times, values, where="post", marker="o", label=style.name(called))
        above.set_ylabel("tests on this data")
        above.yaxis.set_major_locator(MaxNLocator(integer=True))
        above.set_ylim(bottom=0)
        above.legend(loc="best")
        below.set_yscale("log")
        for axis in (below.yaxis.set_major_formatter, below.yaxis.set_minor_formatter):
            axis(FuncFormatter(lambda value, _: f"{value:.2g}"))  # the default is mathematics, which is not read here
        below.set_xlabel("time (UTC)")
        below.set_ylabel(f"significance level of the next test (of {alpha:g})")
        below.tick_params(axis="x", labelrotation=30)
        return _saved(figure, "svg")


Points = Sequence[tuple[int, float]]  # number of units, power
LEGEND_WIDTH = 80  # characters of a line below a panel
MOST_NAMED = 8  # ours: of more curves only the lowest and the highest have a name


def power_picture(title: str, panels: Mapping[str, Mapping[str, Points]], form: str) -> bytes:
    """Return an SVG or PNG file with one panel for each unit, and in it a curve for each label."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    with style.matplotlib_settings():
        named = [_named(curves) for curves in panels.values()]
        rows = sum(2 + len(curves) for curves in named)
        figure = Figure(figsize=(6.5, 3.4 * len(panels) + 0.2 * rows), layout="constrained")
        figure.suptitle(visible(title), size="medium")
        all_axes = figure.subplots(len(panels), 1, squeeze=False).flat
        for axes, (unit, curves), named_curves in zip(all_axes, panels.items(), named, strict=True):
            for points in curves.values() if named_curves.keys() != curves.keys() else ():
                axes.plot(*zip(*points, strict=True), color=style.FAINT, lw=0.5)
            for index, (label, points) in enumerate(named_curves.items()):
                shown = textwrap.fill(visible(label), LEGEND_WIDTH)
                axes.plot(*zip(*points, strict=True), color=style.colour(index), ls=style.line(index), label=shown)
            axes.axhline(WANTED, color=style.FAINT, lw=0.8, ls=":")
            axes.set_ylim(0.0, 1.02)
            axes.set_xlim(left=0)
            axes.yaxis.set_major_formatter(PercentFormatter(1.0))
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.set_xlabel(unit)
            axes.set_ylabel("power")
            if any(named_curves):
                axes.legend(loc="upper left", bbox_to_anchor=(0.0, -0.15))
        return _saved(figure, form)


def _named(curves: Mapping[str, Points]) -> Mapping[str, Points]:
    """Return the curves that the legend names."""
    if len(curves) <= MOST_NAMED:
        return curves
    order = sorted(curves, key=lambda label: sum(power for _, power in curves[label]))
    return {f"lowest: {order[0]}": curves[order[0]], f"highest: {order[-1]}": curves[order[-1]]}
