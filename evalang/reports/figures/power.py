"""The picture of power curves: the power of a test by the number of its units."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from ...catalogue.power import WANTED

Points = Sequence[tuple[int, float]]  # number of units, power
LONGEST_LABEL = 80


def power_picture(panels: Mapping[str, Mapping[str, Points]], form: str) -> bytes:
    """Return an SVG or PNG file with one panel for each unit, and in it a curve for each label."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    from .style import FAINT, colour, line, matplotlib_settings, name

    with matplotlib_settings():
        figure = Figure(figsize=(6.5, 3.8 * len(panels)), layout="constrained")
        for axes, (unit, curves) in zip(
            figure.subplots(len(panels), 1, squeeze=False).flat, panels.items(), strict=True
        ):
            for index, (label, points) in enumerate(curves.items()):
                look = {"color": colour(index), "ls": line(index), "label": name(label, LONGEST_LABEL)}
                axes.plot([x for x, _ in points], [y for _, y in points], **look)
            axes.axhline(WANTED, color=FAINT, lw=0.8, ls=":")
            axes.set_ylim(0.0, 1.02)
            axes.set_xlim(left=0)
            axes.yaxis.set_major_formatter(PercentFormatter(1.0))
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.set_xlabel(unit)
            axes.set_ylabel("power")
            axes.legend(loc="best")
        content = io.BytesIO()
        figure.savefig(content, format=form, metadata={"Date": None} if form == "svg" else None)
    return content.getvalue()
