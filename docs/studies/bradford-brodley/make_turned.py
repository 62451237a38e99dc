"""Turned conclusions, the paper's laid over ours, from outcome/turned.csv; no run is needed.

    python docs/studies/bradford-brodley/make_turned.py

Writes outcome/turned.svg.
"""

from __future__ import annotations

import csv
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evalang.reports import document
from evalang.reports.figures import style
from evalang.reports.figures.picture import clean

OUTCOME = Path(__file__).parent / "outcome"
TOLD = document.Figure(
    key="turned",
    kind="turned",
    title="Conclusions of single partitions that turn, ours and the paper's",
    description="A row for each dataset and pair; a filled circle is our share of turned conclusions, "
    "a hollow square the share that the paper prints.",
    data=None,
)


def main() -> None:
    """One panel for each scheme, cases in the order of the paper."""
    with open(OUTCOME / "turned.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    places = range(len(rows), 0, -1)
    path = OUTCOME / "turned.svg"
    with style.matplotlib_settings():
        figure = Figure(figsize=(7.0, 0.17 * len(rows) + 1.0), layout="constrained")
        FigureCanvasAgg(figure)
        for axes, scheme in zip(figure.subplots(1, 2, sharey=True), ("10cv", "5x2cv"), strict=True):
            ours, paper = ([float(row[f"{who}-{scheme}"]) for row in rows] for who in ("ours", "paper"))
            axes.hlines(places, ours, paper, color="#c9c9c9", linewidth=1)
            axes.plot(paper, places, "s", color="#d55e00", fillstyle="none", markersize=4, label="paper")
            axes.plot(ours, places, "o", color="#0072b2", markersize=3, label="ours")
            axes.set_yticks(places, [row["case"] for row in rows], fontsize=6)
            axes.set_xlabel(f"share of conclusions that turn, {scheme}")
            axes.set_ylim(0, len(rows) + 1)
        figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside upper right", ncols=2)
        figure.savefig(path, metadata={"Date": None})
    path.write_text(clean(path.read_text(encoding="utf-8"), TOLD, inline=False), encoding="utf-8")


if __name__ == "__main__":
    main()
