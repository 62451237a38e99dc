"""The picture of the study: for each scheme and test a mark for each cell, against the level that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evalang.reports.document import Figure as ShownFigure
from evalang.reports.figures import style
from evalang.reports.figures.picture import clean

SHOWN = (
    ("5x2cv", "5x2cv-t"),
    ("5x2cv", "5x2cv-f"),
    ("5x2cv", "corrected-t"),
    ("10x2cv", "corrected-t"),
    ("10 partitions of 5x2cv", "corrected-t"),
    ("10cv", "corrected-t"),
    ("10x10cv", "corrected-t"),
    ("10x10cv", "averaged-t"),
    ("10x10cv", "partition-t"),
    ("10x10cv and 10 halvings", "halving-t"),
    ("30 resamples of 2/3", "corrected-t"),
    ("30 resamples of 2/3", "partition-t"),
    ("bootstrap 30", "corrected-t"),
)
KINDS = (  # learner, colour and marker
    ("nearest neighbours", ("1-nn", "5-nn")),
    ("trees and stumps", ("stump", "small-tree")),
    ("stable learners", ("centroid", "discriminant", "naive-bayes", "logistic")),
)
TITLE = "Type I error of tests on folds at the level .05"


def draw(lines: Sequence[tuple[Any, ...]], path: Path) -> None:
    """An SVG with a row for each scheme and test."""
    with style.matplotlib_settings():
        figure = Figure(figsize=(7.2, 4.6), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        for index, (kind, learners) in enumerate(KINDS):
            places = [
                (line[6] / line[5], SHOWN.index(line[:2]) + (index - 1) * 0.22)
                for line in lines
                if line[:2] in SHOWN and line[2] in learners and line[4] in ("symmetric", "crossing")
            ]
            x, y = zip(*places, strict=True)
            axes.plot(x, y, style.marker(index), color=style.colour(index), markersize=4, alpha=0.8, label=kind)
        axes.axvline(0.05, color=style.INK, linewidth=0.8)
        axes.axvline(0.06, color=style.FAINT, linewidth=0.8, linestyle="--")
        axes.set_yticks(range(len(SHOWN)), [f"{scheme} by {test}" for scheme, test in SHOWN])
        axes.set_ylim(len(SHOWN) - 0.5, -0.5)
        axes.set_xlim(left=0)
        axes.set_xlabel("share of true nulls that were rejected; .05 was asked for, .06 is the limit")
        axes.legend(loc="lower right")
        figure.savefig(path, format="svg", metadata={"Date": None})
    said = (
        "A mark for each learner, number of rows and null; a mark to the right of the dashed line is above the limit."
    )
    shown = ShownFigure(key=path.stem, kind="levels", title=TITLE, description=said, data=None)
    path.write_text(clean(path.read_text(encoding="utf-8"), shown, inline=False), encoding="utf-8")
