"""The picture of a ledger: tests on each dataset over time, and the level of the next test."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime

from ...ledger.chain import Event
from ...ledger.history import earlier_looks, level_of_look

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

    from .style import matplotlib_settings, name

    with matplotlib_settings():
        figure = Figure(figsize=(7, 5), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        for called, times in looks_over_time(found).items():
            counts = range(1, len(times) + 1)
            above.step(times, list(counts), where="post", marker="o", label=name(called))
            below.step(
                times, [level_of_look(alpha, j + 1) for j in counts], where="post", marker="o", label=name(called)
            )
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
        content = io.BytesIO()
        figure.savefig(content, format="svg", metadata={"Date": None})
    return content.getvalue()
