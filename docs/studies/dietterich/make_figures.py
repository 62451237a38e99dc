"""The pictures of the page, from its scripts.

python docs/studies/dietterich/make_figures.py
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.reports import document
from evalang.reports.figures import style
from evalang.reports.figures.curves import Series, rates, rates_chart
from evalang.reports.figures.picture import clean
from evalang.verdicts.simulation import simulate
from evalang.verdicts.tests.intervals import wilson

HERE = Path(__file__).parent
SCRIPTS = ("figure5", "figure6", "training-sets", "power")


def main() -> None:
    """One picture for each simulate statement, and the power curves of the stored outcome of real_data.py."""
    for name in SCRIPTS:
        script = HERE / f"{name}.eval"
        plan = build(SourceText(script.name, script.read_text(encoding="utf-8"))).plan
        (data,) = rates(simulate(plan, plan.simulations[0]))
        picture(HERE / f"{name}.svg", data)
    power_curves()


def power_curves() -> None:
    """Figures 9 to 11: power against the difference. Of the paper's own values only one is printed, and laid over."""
    about = json.loads((HERE / "outcome" / "about.json").read_text(encoding="utf-8"))
    for number, task in enumerate(("stand-in", "letter", "pima"), start=9):
        with open(HERE / "outcome" / f"{task}-power.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        whole = abs(about[task]["300"]["tree"] - about[task]["300"]["neighbour"])
        series = []
        for test in list(rows[0])[1:]:
            found = [wilson(round(float(row[test]) * about["trials"]), about["trials"]) for row in rows]
            places = [whole * share / (len(rows) - 1) for share in range(len(rows))]
            ends = {end: tuple(getattr(f.interval, end) for f in found) for end in ("low", "high")}
            series.append(Series(name=test, x=tuple(places), y=tuple(f.value for f in found), **ends))
        data = rates_chart("power", "difference", 0.05, about["trials"], series)
        picture(HERE / "outcome" / f"figure{number}.svg", data, task == "letter")


def picture(path: Path, data: style.Picture, printed: bool = False) -> None:
    """Draws it; `printed` lays the paper's value over it."""
    said = ""
    with style.matplotlib_settings():
        figure = Figure(figsize=data.size, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        data.draw(axes)
        if printed:
            axes.plot([10], [1 / 3], "*", ms=13, mfc="none", mec=style.INK, mew=1.2, label="the paper: about 1/3")
            axes.legend(fontsize=8)
            said = " The star is the one value that the paper prints, about one third at 10 points (section 6.3)."
        figure.savefig(path, metadata={"Date": None})
    told = document.Figure(
        key=path.stem, kind="simulation", title=data.title, description=data.description + said, data=data
    )
    path.write_text(clean(path.read_text(encoding="utf-8"), told, inline=False), encoding="utf-8")


if __name__ == "__main__":
    main()
