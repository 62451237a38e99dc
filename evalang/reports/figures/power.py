"""The picture of power curves: the power of a test by the number of its units."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence

from ...catalogue.power import WANTED

Points = Sequence[tuple[int, float]]  # number of units, power
LEGEND_WIDTH = 80  # characters of a line below a panel
MOST_NAMED = 8  # ours: of more curves only the lowest and the highest have a name


def power_picture(title: str, panels: Mapping[str, Mapping[str, Points]], form: str) -> bytes:
    """Return an SVG or PNG file with one panel for each unit, and in it a curve for each label."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    from ..escape import visible
    from .style import FAINT, colour, line, matplotlib_settings

    with matplotlib_settings():
        named = [_named(curves) for curves in panels.values()]
        rows = sum(2 + len(curves) for curves in named)
        figure = Figure(figsize=(6.5, 3.4 * len(panels) + 0.2 * rows), layout="constrained")
        figure.suptitle(visible(title), size="medium")
        all_axes = figure.subplots(len(panels), 1, squeeze=False).flat
        for axes, (unit, curves), named_curves in zip(all_axes, panels.items(), named, strict=True):
            for points in curves.values() if named_curves.keys() != curves.keys() else ():
                axes.plot(*zip(*points, strict=True), color=FAINT, lw=0.5)
            for index, (label, points) in enumerate(named_curves.items()):
                shown = textwrap.fill(visible(label), LEGEND_WIDTH)
                axes.plot(*zip(*points, strict=True), color=colour(index), ls=line(index), label=shown)
            axes.axhline(WANTED, color=FAINT, lw=0.8, ls=":")
            axes.set_ylim(0.0, 1.02)
            axes.set_xlim(left=0)
            axes.yaxis.set_major_formatter(PercentFormatter(1.0))
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.set_xlabel(unit)
            axes.set_ylabel("power")
            if any(named_curves):
                axes.legend(loc="upper left", bbox_to_anchor=(0.0, -0.15))
        content = io.BytesIO()
        figure.savefig(content, format=form, metadata={"Date": None} if form == "svg" else None)
    return content.getvalue()


def _named(curves: Mapping[str, Points]) -> Mapping[str, Points]:
    """Return the curves that the legend names."""
    if len(curves) <= MOST_NAMED:
        return curves
    order = sorted(curves, key=lambda label: sum(power for _, power in curves[label]))
    return {f"lowest: {order[0]}": curves[order[0]], f"highest: {order[-1]}": curves[order[-1]]}
